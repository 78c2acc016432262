"""The client side of a table on a Kibitz server.

messages        the messages between the server and a table's people, as types
server_table    a table as its messages describe it, for one seat, without input or output
client          addresses that people paste, HTTP, sitting down, and the connection to a table
"""
