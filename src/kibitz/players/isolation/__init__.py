"""A player file in a process of its own, which can neither see the game nor hold it up.

    process             ``process_for``: a confined process where the kernel can do that, else a plain one
    confined_process    a confined process: its start, calls and end, and the time that it has really used
    conversation        what the referee sends to a process of either kind, and what the process prints
    wire                the lines that referee and process exchange, and the objects that a player file gets
    fork_server         a process that has everything imported and forks a player in a millisecond
    fork_server_client  asks the fork server for processes; each of Kibitz's processes has its own fork server
    child               what runs in the player's process; ``plain_child``: the same in a plain process
    imports             the player's other files, as modules from memory

The player's process loads only ``fork_server``, ``child``, ``imports`` and ``wire``, and ``kibitz.sandbox``.
"""
