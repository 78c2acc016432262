"""Finished games in the database; every function acts in a transaction of the caller's."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select, update

from kibitz.web.store.entries import Finished, GameNote
from kibitz.web.store.schema import games, seatings, tables
from kibitz.web.store.tables import text_of

Notes = tuple[GameNote, ...]
HEADER = [column for column in games.c if column.name != "record"]


def keep_game(connection: Connection, game: Finished, submitted_by: str = "") -> None:
    """Keep a finished game, and mark its table as finished if it comes from one; one that is there is left alone."""
    connection.execute(update(tables).where(tables.c.id == game.id).values(stands="finished"))
    if connection.scalar(select(games.c.id).where(games.c.id == game.id)) is not None:
        return
    connection.execute(
        insert(games).values(
            id=game.id,
            game=game.game,
            names=text_of(game.names),
            kinds=text_of(game.kinds),
            scores=text_of(game.scores),
            winners=text_of(game.winners),
            steps=game.steps,
            rated=int(game.rated),
            notes=text_of(game.notes),
            record=zlib.compress(game.record.encode()),
            at=game.at,
        )
    )
    if submitted_by:
        connection.execute(insert(seatings).values(table_id=game.id, seat=-1, person=submitted_by))


def game_of(connection: Connection, id: str) -> Finished | None:
    """The finished game of an id with its record, if there is one."""
    row = connection.execute(select(games).where(games.c.id == id)).first()
    return None if row is None else finished(row, zlib.decompress(row.record).decode())


def games_for(connection: Connection, person: str, most: int) -> list[Finished]:
    """The latest finished games of which a person had a seat, or that it has handed in, without the records."""
    theirs = select(seatings.c.table_id).where(seatings.c.person == person)
    chosen = select(*HEADER).where(games.c.id.in_(theirs)).order_by(games.c.at.desc()).limit(most)
    return [finished(row) for row in connection.execute(chosen)]


def finished(row: Any, record: str = "") -> Finished:
    """A row as a finished game."""
    return Finished(
        id=row.id,
        game=row.game,
        names=msgspec.json.decode(row.names, type=tuple[str, ...]),
        kinds=msgspec.json.decode(row.kinds, type=tuple[str, ...]),
        scores=msgspec.json.decode(row.scores, type=tuple[float, ...]),
        winners=msgspec.json.decode(row.winners, type=tuple[int, ...]),
        steps=row.steps,
        rated=bool(row.rated),
        notes=msgspec.json.decode(row.notes, type=Notes),
        at=row.at,
        record=record,
    )
