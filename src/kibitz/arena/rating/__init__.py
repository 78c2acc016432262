"""What results say about who is better.

ratings     points with intervals, by ``orders``, ``tallies``, ``equations`` and ``margins``
ranking     the table of a season
standings   the table of a tournament: shares of wins and mean scores
export      results as CSV and back
"""
