"""The server's store, in a file and in PostgreSQL: revisions, journals, and the lock for one server."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from sqlalchemy import text

from kibitz.database.transactions import Database, url_of
from kibitz.errors import KibitzError, StoreError
from kibitz.remote.messages import Settings
from kibitz.web.store import tables
from kibitz.web.store.server_store import AdvisoryLock, open_store
from kibitz.web.store.tables import Chose, Failed, Noted, Seat, StoredTable, TakenBack
from tests.arena.store import postgres


@pytest.fixture(scope="module")
def postgres_url():
    if postgres.binaries() is None:
        pytest.skip("no PostgreSQL server is installed (Debian's package is called postgresql)")
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def where(request, tmp_path):
    return str(tmp_path / "server.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def stored_table(id):
    seats = (Seat("person", "Ann", person="g_ann"), Seat("computer", "Greedy", player="greedy"))
    return StoredTable(id, "kuhn", 1, 2**128 - 1, "g_ann", seats, Settings(bank=7), "playing", "", 1.0)


def test_a_store_belongs_to_one_server(where):
    keeper = open_store(where)
    try:
        with pytest.raises(KibitzError, match="a server that is running"):
            open_store(where)
    finally:
        keeper.close()
    open_store(where).close()


@pytest.mark.long
def test_a_released_postgresql_store_can_be_taken_at_once(postgres_url):
    def lose_all(connection):
        connection.execute(
            text(
                "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        )

    databases = [Database(url_of(postgres_url), 10.0, None) for _ in range(5)]
    first, second, third, fourth, control = databases
    try:
        AdvisoryLock(first).release()  # its connections stay open: the next server need not wait for them to end
        lock = AdvisoryLock(second)
        with pytest.raises(StoreError, match="a server that is running"):
            AdvisoryLock(third)
        control.reading(lose_all)
        lock.release()
        AdvisoryLock(fourth).release()
    finally:
        for database in databases:
            database.close()


def test_journals_are_read_as_written_beside_other_writers(where):
    entries = [
        Chose(0, 3, "g_ann", "c1"),
        Chose(1, 4),
        Noted("hint", 0),
        TakenBack(0, 1, "g_ann", "c2"),
        Failed(1, "time", "too slow"),
    ]

    async def whole():
        keeper = open_store(where)
        try:
            ids = [f"table{number}" for number in range(20)]
            await asyncio.gather(*(keeper.write(lambda c, id=id: tables.add_table(c, stored_table(id))) for id in ids))

            async def write(id):
                for number, entry in enumerate(entries):
                    await keeper.write(partial(tables.append_entries, id=id, first=number, entries=[entry], at=2.0))

            await asyncio.gather(*map(write, ids))
            await keeper.write(lambda c: tables.append_entries(c, ids[0], 0, [entries[0]], 2.0))
            found = [await keeper.read(lambda c, id=id: tables.entries_of(c, id)) for id in ids]
            assert [entry for entry, _ in found[0]] == entries[:1]
            assert all([entry for entry, _ in each] == entries for each in found[1:])
            assert await keeper.read(lambda c: tables.table_of(c, ids[3])) == stored_table(ids[3])
            assert len(await keeper.read(lambda c: tables.tables_for(c, "g_ann", 100))) == 20
        finally:
            keeper.close()

    asyncio.run(whole())


def test_one_failing_write_does_not_stop_the_batch(tmp_path):
    async def whole():
        keeper = open_store(tmp_path / "server.sqlite")

        def wrong(connection):
            raise StoreError("refused", "this cannot be written.")

        try:
            acts = [lambda c, id=f"t{n}": tables.add_table(c, stored_table(id)) for n in range(5)]
            acts[2] = wrong
            results = await asyncio.gather(*map(keeper.write, acts), return_exceptions=True)
            assert [type(result) for result in results] == [type(None)] * 2 + [StoreError] + [type(None)] * 2
            assert await keeper.read(lambda c: tables.count_open_tables(c, "g_ann")) == 4
        finally:
            keeper.close()

    asyncio.run(whole())
