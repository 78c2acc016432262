"""What the server keeps: tables with their journals, finished games, people.

    schema      the tables, for SQLite and PostgreSQL alike
    migrations  how an older database becomes the newest
    entries     what can happen at a table, as entries of its journal
    keeping     one thread that writes; what is asked for meanwhile is written together
    tables      tables and journals; ``games``: finished games; ``people``: accounts, sessions, tokens
    opening     ``open_store``: all of them, from a path or a URL

Everything is synchronous; the server calls it through ``keeping`` and through threads.
"""
