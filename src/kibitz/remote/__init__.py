"""A table on a server of Kibitz, seen from the other end.

messages        what the server and a table's people send each other, as types
server_table    a table as its messages tell it, for one seat: pure, so that any screen can show it
client          addresses that people paste, HTTP, sitting down, and the connection to a table
"""
