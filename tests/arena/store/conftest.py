"""Every test of the store that takes ``where`` or ``store`` runs on SQLite, and in the long tier on PostgreSQL too."""

from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy

from kibitz.arena.store import open_store
from kibitz.engine import record
from tests.arena.store import postgres

fresh = count()
READ = cache(record.parse)


def pytest_collection_modifyitems(items):
    """Tests that need PostgreSQL whatever the tier run in one process, with one server."""
    for item in items:
        if "postgres_server" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group("postgres"))


@pytest.fixture(scope="session")
def postgres_server():
    """The URL of a server that lives as long as the tests."""
    if postgres.binaries() is None:
        pytest.skip("no PostgreSQL server is installed (Debian's package is called postgresql)")
    with postgres.server() as url:
        yield url


def new_database(url):
    """The URL of an empty schema on a server: to a store that is as good as a database of its own, and made sooner."""
    name = f"store_{next(fresh)}"
    engine = sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{url}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def where(request, tmp_path):
    """Where a new store can be made."""
    if request.param == "sqlite":
        return str(Path(tmp_path) / "arena.db")
    return new_database(request.getfixturevalue("postgres_server"))


@pytest.fixture
def opened():
    """Opens stores that the test need not close."""
    with ExitStack() as stack:
        yield lambda where, **options: stack.enter_context(open_store(where, **options))


@pytest.fixture
def store(where, opened):
    """An empty store."""
    return opened(where)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """The file of the small season (see ``tests.arena.store.season``), of which tests take a copy."""
    from tests.arena.store import season

    return season.make(tmp_path_factory.mktemp("small") / "season.sqlite")


@pytest.fixture(autouse=True)
def read_once(monkeypatch):
    """Records are proved again and again in these tests; the same text always gives the same."""
    monkeypatch.setattr(record, "parse", READ)
