"""Players: built-in strategies, and students' files run in processes of their own.

specs           ``find_player``: a player by name or path; players from Python functions
built_in        a game's strategies and other built-in players, with their strengths; ``advice``: hints for people
files           the player files at a path: ``entries``, ``sources`` and ``archives``
isolation       a player file in a process of its own, confined where the kernel can do that
function_player  players by the functions of an assignment or of the play interface
file_player     a player file in its own process, as in rated games, or in this process for the debugger
limits          the limits of a player file: CPU time, idle time, memory and sizes
rated_game      a game that counts, and is played again if a failure of the machine spoils it
check           ``check_player``: what is wrong with a player file; ``findings`` formats it, ``calls`` reproduces it
setup           setting up a game by questions; ``opponents``: computer players at a table with people
player_replay   asks a player file again for every decision of a finished game
exploiting      how much a player can lose against the best opponent, in a small game
attacks         runs the sandbox's hostile files as players, and looks for damage
"""
