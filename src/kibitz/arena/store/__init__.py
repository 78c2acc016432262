"""The store: everything that an arena must not lose, in one SQLite file or one PostgreSQL database.

    store           ``Store``, with all its operations
    opening         ``open_store``: SQLite by path, PostgreSQL by URL; the default path; temporary stores
    database        one database, and transactions that are retried
    schema          the tables, and a checksum in every row
    migrations      bring older databases up to date
    participants    tournaments, submissions, qualifications, rosters and withdrawals
    scheduling      rounds and disqualifications
    playing         leases, results, voids, and which runner is at work
    queries         results, records, failures
    damage          finds rows that were changed after they were written
    log             all decisions; each entry contains the hash of the one before

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
