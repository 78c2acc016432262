"""A player file in a process of its own, which can neither see the game nor hold it up.

    process             ``process_for``: a confined process where the kernel can do that, else a plain one
    confined_process    a confined process: its start, calls and end, and the time it has really worked
    conversation        what the referee sends to a process of either kind, and what the process prints
    wire                the lines that pass between them, and the objects that a player file is given
    fork_server         a process that has everything imported and forks a player in a millisecond
    fork_server_client  asks it for processes; each process of ours has one fork server
    child               what runs in the player's process; ``plain_child``: the same in a plain process
    imports             the player's other files, as modules from memory

The player's process loads only ``fork_server``, ``child``, ``imports`` and ``wire``, and ``kibitz.sandbox``.
"""
