"""Plays a store's blocks on the cores of this machine, and writes their results.

runner      the loop: claims blocks, has them played, submits results, stops and resumes
next_round  whether a round of a season or a tournament is over, and which one comes next
pool        worker processes, or this process as a pool
blocks      plays one block, match by match, and the worker that does so
tournament  a whole tournament, from its players to its ranking
"""
