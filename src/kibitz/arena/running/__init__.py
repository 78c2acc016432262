"""Playing: from a store's blocks to its results, on the cores of this machine.

runner      the loop: claims blocks, has them played, hands in results, stops and resumes
rounds      when a round of a season or a tournament is over, and what the next one is
pool        worker processes, or this process as a pool
blocks      a block played, match by match, and the worker that plays it
tournament  the whole of a tournament, from its players to its table
"""
