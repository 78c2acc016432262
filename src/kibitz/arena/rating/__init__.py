"""Ratings and standings from results.

plackett_luce   strengths fitted to results: the model, its equations and their solution
ratings         points with intervals, and the ranking of a tournament
standings       the ranking of a tournament: shares of wins and mean scores, with margins
export          results as CSV and back
"""
