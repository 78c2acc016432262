"""Plays a store's blocks on this machine or elsewhere, and stores their results.

runner      the loop: claims blocks, sends them to workers, saves results, stops and resumes
next_round  closes the round of a season or tournament when it is over, and schedules the next one
pool        worker processes, or this process as the only worker
blocks      plays one block, match by match, in a worker
tournament  a whole tournament, from its players to its ranking
"""
