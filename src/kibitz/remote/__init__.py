"""The client side of a table on a Kibitz server.

messages        the messages between the server and the people at a table, as types
server_table    a table as its messages describe it, for one seat, without input or output
client          server addresses, HTTP, sitting down, and the connection to a table
"""
