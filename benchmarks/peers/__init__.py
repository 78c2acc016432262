"""Peers: simple programs for the games, written from the rules alone, and other systems.

The benchmarks compare Kibitz with them, and the tests check its rules against the simple programs, which are
independent of it.  Read those to see what a game looks like before anybody thinks about speed.
"""
