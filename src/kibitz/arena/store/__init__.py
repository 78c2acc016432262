"""The store: everything that an arena must not lose, in one SQLite file or one PostgreSQL database.

    store           ``Store``: all that can be asked of it and done to it
    opening         ``open_store``: SQLite by path, PostgreSQL by URL; and a store that is gone when it is closed
    connection      one database, and transactions that are tried again
    schema          the tables
    migrations      how older databases become the newest
    entering        tournaments, their phases and seeds; submissions and qualifications
    scheduling      rounds and disqualifications
    playing         leases, results, voids
    reading         results, records, failures
    running         which runner is at work
    sums, damage    a checksum in every row, and looking for rows that are not as they were written
    entries, log    what was decided, each entry hashed with the one before

Only modules of the arena and what is above it import this package: it loads SQLAlchemy.
"""

from kibitz.arena.store.opening import open_store, temporary_store
from kibitz.arena.store.store import Store

__all__ = ["Store", "open_store", "temporary_store"]
