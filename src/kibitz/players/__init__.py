"""Players: built-in strategies, and students' files run in processes of their own.

    specs           ``find_player``: a player by the words that name it
    entries         ``player_at``, ``players_in``: the players that a file, a folder or an archive holds
    layouts         whose is what in the exports of learning platforms
    choosing        which of some files defines the functions, and which others it can import
    outlines        what a file defines and imports, by a look at its text
    archives        ZIP archives of strangers, read in memory; ``trees``: folders
    sources         the files that one player consists of
    samples         real calls of an assignment's functions
    check           ``check_player``: what is wrong with a player file, and how to see it happen
    built_in        strategies of the game, and ``random``
    characters      ``cast``: the built-in players with a line of character each
    advice          ``hint``: what the strongest of them would do, and why
    form_player     what all players in the assignment's form share
    file_player     a player file in its own process: what rated games use
    calls           one call of a file's function, outside any game
    trusted         a player file in this process, for the debugger
    process         one such process, its questions and its end
    prints          what it prints, within bounds
    clocks          how long it has really been at work
    fork_server_client  asks ``fork_server`` for processes; one for each process of ours
    fork_server     a process that has everything imported and forks a player in a millisecond
    child           what runs in the player's process
    imports         the player's other files, as modules from memory
    wire            the lines that pass between the referee and the player's process
    limits          CPU time, memory and sizes
    rated_game      a game that counts: void ones are played again
    attacks         runs the sandbox's hostile files as players, and looks for what must not have happened

Of these the player's process loads ``fork_server``, ``child``, ``imports`` and ``wire`` only, and ``kibitz.sandbox``.
"""
