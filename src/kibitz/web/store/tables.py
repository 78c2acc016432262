"""Tables and their journals in the database; every function acts in a transaction of the caller's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from kibitz.remote.messages import Settings
from kibitz.web.store.entries import AnyEntry, Chair, Kept
from kibitz.web.store.schema import journal, seatings, tables

Chairs = tuple[Chair, ...]


def text_of(value: object) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def keep_table(connection: Connection, table: Kept) -> None:
    """Keep a new table; one of this id that is there already is left alone."""
    if connection.scalar(select(tables.c.id).where(tables.c.id == table.id)) is None:
        connection.execute(
            insert(tables).values(
                id=table.id,
                game=table.game,
                rules=table.rules,
                seed=f"{table.seed:032x}",
                maker=table.maker,
                chairs=text_of(table.chairs),
                settings=text_of(table.settings),
                stands=table.stands,
                rematch=table.rematch,
                made_at=table.made_at,
            )
        )
    keep_seatings(connection, table.id, {seat: chair.person for seat, chair in enumerate(table.chairs)})


def keep_seatings(connection: Connection, id: str, people: dict[int, str]) -> None:
    """Who sits where; seats of nobody are left out."""
    connection.execute(delete(seatings).where(seatings.c.table_id == id))
    rows = [{"table_id": id, "seat": seat, "person": person} for seat, person in people.items() if person]
    if rows:
        connection.execute(insert(seatings), rows)


def change_table(connection: Connection, id: str, *, stands: str, chairs: Chairs, rematch: str) -> None:
    """Change what may change of a table."""
    values = {"stands": stands, "chairs": text_of(chairs), "rematch": rematch}
    connection.execute(update(tables).where(tables.c.id == id).values(values))
    keep_seatings(connection, id, {seat: chair.person for seat, chair in enumerate(chairs)})


def table_of(connection: Connection, id: str) -> Kept | None:
    """The table of an id, if there is one."""
    row = connection.execute(select(tables).where(tables.c.id == id)).first()
    return None if row is None else kept(row)


def unfinished(connection: Connection) -> list[Kept]:
    """All tables that go on, the oldest first."""
    rows = connection.execute(select(tables).where(tables.c.stands == "playing").order_by(tables.c.made_at))
    return [kept(row) for row in rows]


def tables_for(connection: Connection, person: str, most: int) -> list[Kept]:
    """The latest tables that go on of which a person has a seat, or has made."""
    theirs = select(seatings.c.table_id).where(seatings.c.person == person)
    mine = (tables.c.maker == person) | tables.c.id.in_(theirs)
    chosen = select(tables).where(mine, tables.c.stands != "finished")
    return [kept(row) for row in connection.execute(chosen.order_by(tables.c.made_at.desc()).limit(most))]


def open_tables(connection: Connection, person: str) -> int:
    """How many tables a person has made that go on."""
    count = select(func.count()).select_from(tables).where(tables.c.maker == person, tables.c.stands != "finished")
    return int(connection.scalar(count) or 0)


def kept(row: Row[tuple[object, ...]]) -> Kept:
    """A row as a table."""
    return Kept(
        id=row.id,
        game=row.game,
        rules=row.rules,
        seed=int(row.seed, 16),
        maker=row.maker,
        chairs=msgspec.json.decode(row.chairs, type=Chairs),
        settings=msgspec.json.decode(row.settings, type=Settings),
        stands=row.stands,
        rematch=row.rematch,
        made_at=row.made_at,
    )


def append(connection: Connection, id: str, first: int, entries: Iterable[AnyEntry], at: float) -> None:
    """Add entries to a journal, the first of them number ``first``; those that are there already are written anew."""
    rows = [{"table_id": id, "number": first + i, "entry": text_of(entry), "at": at} for i, entry in enumerate(entries)]
    connection.execute(delete(journal).where(journal.c.table_id == id, journal.c.number >= first))
    if rows:
        connection.execute(insert(journal), rows)


def entries_of(connection: Connection, id: str) -> Sequence[tuple[AnyEntry, float]]:
    """The journal of a table, in order, with the moments."""
    chosen = select(journal.c.entry, journal.c.at).where(journal.c.table_id == id).order_by(journal.c.number)
    return [(msgspec.json.decode(entry, type=AnyEntry), at) for entry, at in connection.execute(chosen)]
