"""A player file in a process of its own, so that it can neither look at the game nor hold it up.

    process             ``process_for``: a confined process where the kernel can do that, else a plain one
    confined_process    a confined process, its questions and its end, and how long it has really been at work
    conversation        what the referee says to a process of either kind, and what the process prints
    wire                the lines that pass between them, and the objects that a player file is given
    fork_server         a process that has everything imported and forks a player in a millisecond
    fork_server_client  asks it for processes; each process of ours has one fork server
    child               what runs in the player's process; ``plain_child``: the same in a plain process
    imports             the player's other files, as modules from memory

The player's process loads only ``fork_server``, ``child``, ``imports`` and ``wire``, and ``kibitz.sandbox``.
"""
