"""Line mode: a game told in sentences and played by numbered choices, for pipes, scripts and screen readers.

local_table     a game played here, from start to end; ``server_table``: one on a server
person          a person at a shared keyboard
decision        one decision: what is asked, what is typed, and the choice that comes of it
prompt          the choices of a decision, in twenty lines at most
menus           what is asked before and after a game
"""
