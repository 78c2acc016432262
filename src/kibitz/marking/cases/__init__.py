"""Cases for every function of every assignment, drawn from its edge cases by a seed.

go, bo, huxxy, cribbage_lab, poker      one module for each assignment, with its PUBLISHED and HIDDEN cases
case                                    what a case is, and positions from games
"""
