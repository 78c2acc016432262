"""Playing: from a store's blocks to its results, on the cores of this machine.

runner      the loop: claims blocks, has them played, hands in results, stops and goes on
season      the rounds of a season; ``series`` those of a tournament, to its goal
queue       what is neither with a worker nor safe in the store
pool        worker processes; ``in_process`` is a pool that is this process
worker      what runs in a worker process, on one of the ``cores``; ``ready`` what it does before its first block
blocks      a block played, match by match; ``files`` the players' files
news        what a run tells, and what stops it
tournament  the whole of a tournament, from its players to its table
"""
