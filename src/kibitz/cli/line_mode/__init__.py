"""Line mode: a game told in sentences and played by numbered choices, for pipes, scripts and screen readers.

local_table     a game played here, from start to end; ``server_table``: one on a server
person          a person at a shared keyboard
decision        one decision: the question, the answers typed, and the resulting choice
prompt          the choices of a decision, in twenty lines at most
menus           the questions before and after a game
"""
