"""Cases for every function of every assignment, drawn from its edge cases by a seed.

go, bo, huxxy, cribbage_lab, poker      one module an assignment, with PUBLISHED and HIDDEN
positions                               calls that games ask, for the functions that play
"""
