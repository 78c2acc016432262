"""Who meets whom: in the rounds of a season, and on the course of a tournament.

rounds      the next round of a season, by how certain ratings are
course      the rounds of a tournament, who is out, and when there is enough
schedule    lineups without end, and the seeds of deals
"""
