"""The database of the arena and the server, in one SQLite file or in PostgreSQL.

    opening       ``open_database``: SQLite by path, PostgreSQL by URL; temporary databases
    transactions  reads and writes that are retried, and errors as sentences
    schema        all tables, and the checks of what is read from them
    damage        finds rows, files and records that can't be right

Only ``kibitz.arena``, ``kibitz.web`` and what is above them import this package: it loads SQLAlchemy.
"""
