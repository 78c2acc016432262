"""What the server keeps: tables with their journals, finished games, people.

    database    ``open_store``: the database at a path or a URL, with its schema and migrations; one thread writes to it
    tables      tables with their journals, and finished games
    people      accounts, sessions, tokens

Everything is synchronous; the server calls it through ``database.Keeper`` and through threads.
"""
