"""The store: everything that an arena must not lose, in one SQLite file or one PostgreSQL database.

    store           ``Store``: all that can be asked of it and done to it
    opening         ``open_store``: SQLite by path, PostgreSQL by URL; the default path; temporary stores
    connection      one database, and transactions that are tried again
    schema          the tables, and a checksum in every row
    migrations      how older databases become the newest
    participants    tournaments, submissions, qualifications, rosters and withdrawals
    scheduling      rounds and disqualifications
    playing         leases, results, voids, and which runner is at work
    reading         results, records, failures
    damage          looking for rows that are not as they were written
    log             what was decided, each entry hashed with the one before

Only modules of the arena and what is above it import this package: it loads SQLAlchemy.
"""

try:
    from kibitz.arena.store.opening import open_store, temporary_store
    from kibitz.arena.store.store import Store
except ModuleNotFoundError as error:
    if error.name != "sqlalchemy":
        raise
    raise ModuleNotFoundError("kibitz.arena needs SQLAlchemy: pip install 'kibitz[server]'.", name=error.name) from None

__all__ = ["Store", "open_store", "temporary_store"]
