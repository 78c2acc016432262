"""Players: built-in strategies, and students' files run in processes of their own.

specs           ``find_player``: a player by name or path; players from Python functions
built_in        strategies of the game, and ``random``; how strong each is; ``advice``: what the strongest would do
files           the player files at a path: ``entries``, ``sources`` and ``archives``
isolation       a player file in a process of its own, confined where the kernel can do that
form_player     players by the functions of an assignment or of Kibitz's own form
file_player     a player file in its own process, as rated games use it, or in this one for the debugger
limits          CPU time, memory and sizes
rated_game      a game that counts: void ones are played again
check           ``check_player``: what is wrong with a player file; ``findings``, and ``calls`` to reproduce it
setup           setting up a game as questions; ``opponents``: computer players at a table with people
player_replay   runs a player file through a finished game again
exploiting      how much a player can lose in a small game
attacks         runs the sandbox's hostile files as players, and looks for damage
"""
