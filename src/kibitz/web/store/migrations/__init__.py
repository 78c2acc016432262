"""Alembic revisions of the server's database, applied by ``kibitz.web.store.database`` when it is opened."""
