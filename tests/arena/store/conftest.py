"""Tests with the fixture ``where`` or ``store`` run on SQLite, and in the long tier on PostgreSQL too."""

from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy

from kibitz.arena.store import open_store
from kibitz.engine import record
from tests.arena.store import postgres

schema_numbers = count()
PARSE_CACHED = cache(record.parse)


def pytest_collection_modifyitems(items):
    """Run the tests that need PostgreSQL in one process, with one server."""
    for item in items:
        if "postgres_server" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group("postgres"))


@pytest.fixture(scope="session")
def postgres_server():
    """The URL of a server that runs until the end of the tests."""
    if postgres.binaries() is None:
        pytest.skip("no PostgreSQL server is installed (Debian's package is called postgresql)")
    with postgres.server() as url:
        yield url


def new_database(url):
    """The URL of an empty schema on a server: as good as a new database for a store, and faster to create."""
    name = f"store_{next(schema_numbers)}"
    engine = sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{url}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def where(request, tmp_path):
    """The path or URL of a store that does not exist yet."""
    if request.param == "sqlite":
        return str(Path(tmp_path) / "arena.db")
    return new_database(request.getfixturevalue("postgres_server"))


@pytest.fixture
def opened():
    """A function that opens a store, which is closed after the test."""
    with ExitStack() as stack:
        yield lambda where, **options: stack.enter_context(open_store(where, **options))


@pytest.fixture
def store(where, opened):
    """An empty store."""
    return opened(where)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """The file of the small season (see ``tests.arena.store.season``); tests change only copies of it."""
    from tests.arena.store import season

    return season.make(tmp_path_factory.mktemp("small") / "season.sqlite")


@pytest.fixture(autouse=True)
def cached_records(monkeypatch):
    """Cache parsed records: these tests prove the same records again and again."""
    monkeypatch.setattr(record, "parse", PARSE_CACHED)
