"""Opening a store: what is refused and with which sentence, and what is waited for."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
import sqlalchemy

from kibitz.arena.store import open_store, temporary_store
from kibitz.errors import NotationError, StoreError
from tests.arena.store.field import entered


def refusal(kind, action):
    with pytest.raises(StoreError) as raised:
        action()
    assert raised.value.kind == kind
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_reopened_store_has_its_data(where, opened):
    entered(opened(where), players=2)
    again = open_store(where, create=False)
    assert [entrant.player for entrant in again.entrants("go")] == ["p0", "p1"]
    again.close()


def test_a_failed_transaction_leaves_the_store_unchanged(where, opened):
    for store in (opened(where), temporary_store()):
        before = store.database.reading(table_names)
        with pytest.raises(NotationError):
            store.database.writing(failing_transaction)
        assert store.database.reading(table_names) == before
    store.close()


def table_names(connection):
    return sorted(sqlalchemy.inspect(connection).get_table_names())


def failing_transaction(connection):
    connection.exec_driver_sql("CREATE TABLE half (x INTEGER)")
    raise NotationError("and then it fails.")


def test_file_stores_use_wal_and_synchronous_commits(tmp_path, opened):
    store = opened(tmp_path / "arena.db")
    settings = [store.database.reading(lambda c, name=name: c.exec_driver_sql(f"PRAGMA {name}").scalar())
                for name in ("journal_mode", "synchronous", "foreign_keys")]  # fmt: skip
    assert settings == ["wal", 2, 1]


def test_a_missing_store_is_created_only_on_request(where):
    assert "there is no store" in refusal("missing", lambda: open_store(where, create=False))


def test_a_file_that_is_not_a_database_is_refused_and_unchanged(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("shopping: a pack of cards" * 50)
    assert "isn't a store" in refusal("damaged", lambda: open_store(file))
    assert file.read_text().startswith("shopping")


def test_another_programs_database_is_refused(tmp_path):
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = file.read_bytes()
    assert "another program's database" in refusal("damaged", lambda: open_store(file))
    assert file.read_bytes() == before


def test_a_newer_store_is_refused(where, opened):
    database = opened(where).database
    database.writing(lambda c: c.exec_driver_sql("UPDATE kibitz_store SET version = 9999"))
    assert "install the newest Kibitz" in refusal("version", lambda: open_store(where))


def test_an_older_store_is_refused(where, opened):
    database = opened(where).database
    database.writing(lambda c: c.exec_driver_sql("UPDATE kibitz_store SET version = 1"))
    assert "made before Kibitz 0.1.0" in refusal("version", lambda: open_store(where))


def test_a_pre_release_store_is_refused_and_unchanged(tmp_path):
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE kibitz_version (version_num VARCHAR(32))")
    before = file.read_bytes()
    assert "made before Kibitz 0.1.0" in refusal("version", lambda: open_store(file))
    assert file.read_bytes() == before


@pytest.mark.long
def test_processes_can_open_a_new_store_at_once(where, opened):
    code = "import sys; from kibitz.arena.store import open_store; open_store(sys.argv[1])"
    processes = [subprocess.Popen([sys.executable, "-c", code, where]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0, 0, 0, 0]
    assert len(entered(opened(where, create=False))) == 4


def test_a_missing_folder_is_refused(tmp_path):
    assert "can't be opened" in refusal("missing", lambda: open_store(tmp_path / "nowhere" / "arena.db"))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://host/base", "not mysql://"),
        ("postgresql://host", "has no database"),
        ("http://[::1", "this isn't a URL"),
        ("postgresql://host:port/base", "this isn't a URL"),
        (":memory:", "for a file write ./:memory:"),
        ("sqlite:///:memory:", "for a file give its path"),
        ("sqlite://", "for a file give its path"),
        ("sqlite:///arena.sqlite", "for a file give its path"),
    ],
)
def test_an_unusable_url_is_refused(url, words, tmp_path, monkeypatch):
    """Nothing is created either: a store in memory or elsewhere could be lost, or readable by all users."""
    monkeypatch.chdir(tmp_path)
    assert words in refusal("refused", lambda: open_store(url))
    assert not list(tmp_path.iterdir())


def test_an_unreachable_server_is_reported_without_the_password(tmp_path):
    sentence = refusal("lost", lambda: open_store(f"postgresql://me:secret@/base?host={tmp_path}"))
    assert "cannot be reached" in sentence
    assert "secret" not in sentence


def test_a_missing_database_on_the_server_is_reported(postgres_server):
    url = postgres_server.replace("/postgres?", "/nothing?")
    assert "doesn't exist on the server" in refusal("missing", lambda: open_store(url))


def test_a_missing_driver_is_reported_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "kibitz[postgres]" in refusal("driver", lambda: open_store("postgresql://host/base"))


def test_store_location_omits_the_password(postgres_server):
    store = open_store(postgres_server.replace("kibitz@", "kibitz:secret@"))
    assert "secret" not in store.where
    store.close()


HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


def lock_holder(path, seconds):
    """Another process that holds the write lock for some seconds."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, path, str(seconds)], stdout=subprocess.PIPE)
    process.stdout.readline()
    return process


def test_a_store_waits_for_a_lock(tmp_path, opened, monkeypatch):
    monkeypatch.setattr("kibitz.database.transactions.BUSY_SECONDS", 0.05)
    store = opened(tmp_path / "arena.db")
    with lock_holder(tmp_path / "arena.db", 0.5):
        start = time.monotonic()
        store.add_tournament("go", "go")
        assert time.monotonic() - start > 0.2
    assert [one.name for one in store.tournaments()] == ["go"]


def test_a_permanent_lock_is_reported_and_reading_still_works(tmp_path, opened, monkeypatch):
    monkeypatch.setattr("kibitz.database.transactions.BUSY_SECONDS", 0.05)
    store = opened(tmp_path / "arena.db", retry_seconds=0.2)
    with lock_holder(tmp_path / "arena.db", 60) as process:
        assert "is locked" in refusal("locked", lambda: store.add_tournament("go", "go"))
        assert store.tournaments() == ()
        process.kill()
    store.add_tournament("go", "go")


def test_a_full_disk_is_reported_and_rolls_back(tmp_path, opened):
    store = opened(tmp_path / "arena.db")
    entered(store, players=1)

    def limit(connection, _):
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages + 4}")

    store.database.engine.dispose()
    sqlalchemy.event.listen(store.database.engine, "connect", limit)
    content = b"#" * 100_000
    assert "the disk is full" in refusal("full", lambda: store.submit("go", "ann", "Ann", "ann.py", content))
    assert [one.player for one in store.submissions("go")] == ["p0"]
    sqlalchemy.event.remove(store.database.engine, "connect", limit)
    store.database.engine.dispose()
    assert store.submit("go", "ann", "Ann", "ann.py", content).version == 1


def test_a_closed_server_connection_is_reopened(postgres_server, opened):
    from tests.arena.store.conftest import new_database

    url = new_database(postgres_server)
    store, other = opened(url), opened(url)
    store.add_tournament("go", "go")
    killed = other.database.reading(
        lambda c: c.exec_driver_sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).scalar()
    )
    assert killed == 1
    assert store.tournament("go").game == "go"
