"""The server's data: tables with their journals, finished games, people.

    server_store  ``open_store``: the database at a path or a URL, and the thread that writes to it
    tables        tables with their journals, and finished games
    people        accounts, sessions, tokens

All functions are synchronous; the server calls them through ``ServerStore`` and in threads.
"""
