"""Line mode: a game shown as sentences and played by numbered choices, for pipes, scripts and screen readers.

local_table     a game played in this process, from start to end
server_table    a game on a server
person          a person at a keyboard, which several people may share
decision        one decision: the question, the answers typed, and the resulting choice
prompt          the choices of a decision, in at most twenty lines
menus           the questions before and after a game
"""
