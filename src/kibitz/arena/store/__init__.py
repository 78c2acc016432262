"""The store: all data that an arena must not lose.

    store           ``open_store``; ``Store``, with all its operations; temporary stores
    participants    tournaments, submissions, qualifications, rosters and withdrawals
    scheduling      rounds and disqualifications
    playing         leases, results, voids, and which runner is at work
    queries         results, records, failures
    log             all decisions, in a chain of hashes

``kibitz.database`` opens the database.  Only modules of the arena and of packages above it import this package.
"""

try:
    from kibitz.arena.store.store import Store, open_store, temporary_store
except ModuleNotFoundError as error:
    if error.name != "sqlalchemy":
        raise
    raise ModuleNotFoundError("kibitz.arena needs SQLAlchemy: pip install 'kibitz[server]'.", name=error.name) from None

__all__ = ["Store", "open_store", "temporary_store"]
