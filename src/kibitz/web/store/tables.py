"""Tables, their journals and finished games: their types, and the functions that store and read them.

A journal's entries, from first to last, are the whole game:

    chose       an action was chosen for a seat, by its person, a caretaker or a computer player
    failed      a seat is out of the game
    taken back  the game has gone back to an earlier step
    noted       a fact outside the rules that belongs in the record

Every function runs in its caller's transaction.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from kibitz.database.schema import favourites, games, journal, seatings, tables
from kibitz.errors import FailureKind
from kibitz.remote.messages import NoteKind, SeatKind, Settings

# ---------------------------------------------------------------- types


class Entry(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of all entries."""


class Chose(Entry, frozen=True, tag="chose"):
    """A seat has chosen ``action``; for a person's choice, ``person`` is their id and ``by`` their request's id."""

    seat: int
    action: int
    person: str = ""
    by: str = ""


class Failed(Entry, frozen=True, tag="failed"):
    """A seat's player has failed."""

    seat: int
    kind: FailureKind
    sentence: str


class TakenBack(Entry, frozen=True, tag="taken_back"):
    """A seat has taken its latest choice back; if ``allowed``, the other people have agreed to that."""

    seat: int
    step: int
    person: str = ""
    by: str = ""
    allowed: bool = False


class Noted(Entry, frozen=True, tag="noted"):
    """A fact outside the rules.

    A caretaker comes or goes, a person asks for a hint or plays on from a game, or the host removes somebody.
    """

    note: NoteKind
    seat: int


AnyEntry = Chose | Failed | TakenBack | Noted


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat at a table, and who has it.

    kind            person, computer, file, or open (nobody has it yet)
    name            what the seat is called at the table
    person          the id of a person
    player          the strategy of a computer player, or the name of a file's player in its tournament
    tournament      the tournament of a player file
    invite          the code of the invitation to this seat
    filling         the name of the computer player ``player`` at the table if it gets this open seat
    removed         people whom the host has removed from this seat
    reserved_for    the id of the person for whom this open seat is kept until they accept or decline a rematch
    """

    kind: SeatKind
    name: str
    person: str = ""
    player: str = ""
    tournament: str = ""
    invite: str = ""
    filling: str = ""
    removed: tuple[str, ...] = ()
    reserved_for: str = msgspec.field(default="", name="asked")


class StoredTable(msgspec.Struct, frozen=True):
    """A table as it is stored; ``maker`` is the id of its host, and ``rematch`` the id of its rematch's table or ""."""

    id: str
    game: str
    rules: int
    seed: int
    maker: str
    seats: tuple[Seat, ...]
    settings: Settings
    phase: Literal["gathering", "playing", "finished"]
    rematch: str
    made_at: float

    def shows(self, person: str) -> bool:
        """Whether a person may watch the game, and see the finished game."""
        takes_part = person == self.maker or any(seat.person == person for seat in self.seats)
        return takes_part or self.settings.watching != "nobody"

    def waits_alone(self, person: str) -> bool:
        """Whether a person has made this table, everybody may join it, and nobody has joined yet."""
        others = {seat.kind for seat in self.seats if seat.person != person}
        only_person = others == {"open"} and any(seat.person == person for seat in self.seats)
        return only_person and self.maker == person and self.phase == "gathering" and self.settings.joining == "listed"


class GameNote(msgspec.Struct, frozen=True):
    """A note on a finished game, after ``step`` actions; the kind ``record`` marks a note from an uploaded record."""

    step: int
    seat: int
    note: NoteKind | Literal["record"]
    text: str


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game; ``record`` is the text of its record, "" if that wasn't read from the database.

    ``kinds`` are the seats' kinds, or ``record`` for all seats of an uploaded record.
    """

    id: str
    game: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    steps: int
    rated: bool
    notes: tuple[GameNote, ...]
    at: float
    record: str = ""


# ---------------------------------------------------------------- tables and their journals

Seats = tuple[Seat, ...]


def json_text(value: object) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def add_table(connection: Connection, table: StoredTable) -> None:
    """Insert a new table; if there is a table with this id, it stays as it is."""
    if connection.scalar(select(tables.c.id).where(tables.c.id == table.id)) is None:
        connection.execute(
            insert(tables).values(
                id=table.id,
                game=table.game,
                rules=table.rules,
                seed=f"{table.seed:032x}",
                maker=table.maker,
                chairs=json_text(table.seats),
                settings=json_text(table.settings),
                stands=table.phase,
                rematch=table.rematch,
                made_at=table.made_at,
            )
        )
    store_seatings(connection, table.id, {p: seat.person for p, seat in enumerate(table.seats)})


def store_seatings(connection: Connection, id: str, people: dict[int, str]) -> None:
    """Store the people at a table by seat; seats whose person is "" are left out."""
    connection.execute(delete(seatings).where(seatings.c.table_id == id))
    rows = [{"table_id": id, "seat": seat, "person": person} for seat, person in people.items() if person]
    if rows:
        connection.execute(insert(seatings), rows)


def change_table(connection: Connection, id: str, *, phase: str, seats: Seats, rematch: str) -> None:
    """Store a table's phase, its seats and the id of its rematch."""
    values = {"stands": phase, "chairs": json_text(seats), "rematch": rematch}
    connection.execute(update(tables).where(tables.c.id == id).values(values))
    store_seatings(connection, id, {p: seat.person for p, seat in enumerate(seats)})


def tables_to_hand_over(connection: Connection, person: str) -> Sequence[str]:
    """The ids of the tables and games that a person has a seat at or has made, or where a seat is kept for them."""
    seated = select(seatings.c.table_id).where(seatings.c.person == person)
    kept = (tables.c.stands == "gathering") & tables.c.chairs.contains(f'"{person}"', autoescape=True)
    return connection.scalars(seated.union(select(tables.c.id).where((tables.c.maker == person) | kept))).all()


def handed_over(table: StoredTable, old: str, new: str) -> StoredTable:
    """A table after the person ``old`` has become ``new``; as it was if ``new`` already sits there."""
    if any(seat.person == new for seat in table.seats):
        return table

    def renamed(person: str) -> str:
        return new if person == old else person

    seats = (
        msgspec.structs.replace(
            seat,
            person=renamed(seat.person),
            removed=tuple(map(renamed, seat.removed)),
            reserved_for=renamed(seat.reserved_for),
        )
        for seat in table.seats
    )
    return msgspec.structs.replace(table, maker=renamed(table.maker), seats=tuple(seats))


def hand_over(connection: Connection, ids: Iterable[str], old: str, new: str) -> None:
    """Give the tables, games and favourites of the person ``old`` to ``new``."""
    for id in ids:
        stored = table_of(connection, id)
        if stored is None:  # an uploaded game
            connection.execute(
                update(seatings).where(seatings.c.table_id == id, seatings.c.person == old).values(person=new)
            )
            continue
        table = handed_over(stored, old, new)
        connection.execute(update(tables).where(tables.c.id == id).values(maker=table.maker))
        change_table(connection, id, phase=table.phase, seats=table.seats, rematch=table.rematch)
    existing = select(favourites.c.game_id).where(favourites.c.person == new)
    moved = update(favourites).where(favourites.c.person == old, favourites.c.game_id.not_in(existing))
    connection.execute(moved.values(person=new))


def delete_table(connection: Connection, id: str) -> None:
    """Delete a table at which nothing has been played."""
    connection.execute(delete(seatings).where(seatings.c.table_id == id))
    connection.execute(delete(tables).where(tables.c.id == id))


def table_of(connection: Connection, id: str) -> StoredTable | None:
    """The table with an id; None if there is none."""
    row = connection.execute(select(tables).where(tables.c.id == id)).first()
    return None if row is None else stored_table(row)


def tables_for(connection: Connection, person: str, limit: int) -> list[StoredTable]:
    """The latest unfinished tables, up to ``limit``, that a person has a seat at or has made."""
    seated = select(seatings.c.table_id).where(seatings.c.person == person)
    belongs = (tables.c.maker == person) | tables.c.id.in_(seated)
    query = select(tables).where(belongs, tables.c.stands != "finished")
    return [stored_table(row) for row in connection.execute(query.order_by(tables.c.made_at.desc()).limit(limit))]


def count_open_tables(connection: Connection, person: str) -> int:
    """The number of unfinished tables that a person has made."""
    count = select(func.count()).select_from(tables).where(tables.c.maker == person, tables.c.stands != "finished")
    return int(connection.scalar(count) or 0)


def stored_table(row: Row[tuple[object, ...]]) -> StoredTable:
    """The table in a row."""
    return StoredTable(
        id=row.id,
        game=row.game,
        rules=row.rules,
        seed=int(row.seed, 16),
        maker=row.maker,
        seats=msgspec.json.decode(row.chairs, type=Seats),
        settings=msgspec.json.decode(row.settings, type=Settings),
        phase=row.stands,
        rematch=row.rematch,
        made_at=row.made_at,
    )


def append_entries(connection: Connection, id: str, first: int, entries: Iterable[AnyEntry], at: float) -> None:
    """Add entries to a journal, numbered from ``first``; existing entries from ``first`` on are replaced."""
    rows = [
        {"table_id": id, "number": first + i, "entry": json_text(entry), "at": at} for i, entry in enumerate(entries)
    ]
    connection.execute(delete(journal).where(journal.c.table_id == id, journal.c.number >= first))
    if rows:
        connection.execute(insert(journal), rows)


def entries_of(connection: Connection, id: str) -> Sequence[tuple[AnyEntry, float]]:
    """The journal of a table: its entries in order, each with its time."""
    query = select(journal.c.entry, journal.c.at).where(journal.c.table_id == id).order_by(journal.c.number)
    return [(msgspec.json.decode(entry, type=AnyEntry), at) for entry, at in connection.execute(query)]


# ---------------------------------------------------------------- finished games

Notes = tuple[GameNote, ...]
COLUMNS_WITHOUT_RECORD = [column for column in games.c if column.name != "record"]


def add_game(connection: Connection, game: FinishedGame, uploaded_by: str = "") -> None:
    """Store a finished game, and mark its table, if it has one, as finished; a game already stored isn't changed."""
    connection.execute(update(tables).where(tables.c.id == game.id).values(stands="finished"))
    if connection.scalar(select(games.c.id).where(games.c.id == game.id)) is not None:
        return
    connection.execute(
        insert(games).values(
            id=game.id,
            game=game.game,
            names=json_text(game.names),
            kinds=json_text(game.kinds),
            scores=json_text(game.scores),
            winners=json_text(game.winners),
            steps=game.steps,
            rated=int(game.rated),
            notes=json_text(game.notes),
            record=zlib.compress(game.record.encode()),
            at=game.at,
        )
    )
    if uploaded_by:
        connection.execute(insert(seatings).values(table_id=game.id, seat=-1, person=uploaded_by))


def game_of(connection: Connection, id: str) -> FinishedGame | None:
    """The finished game with an id, with its record; None if there is none."""
    row = connection.execute(select(games).where(games.c.id == id)).first()
    return None if row is None else finished_game(row, zlib.decompress(row.record).decode())


def games_for(connection: Connection, person: str, limit: int) -> list[tuple[FinishedGame, bool]]:
    """A person's finished games, up to ``limit``, without their records, and whether each is a favourite.

    Favourites come first, then other games that the person played in or uploaded; both from the latest on.
    """
    took_part = select(seatings.c.table_id).where(seatings.c.person == person)
    favourite = favourite_of(person)
    query = select(*COLUMNS_WITHOUT_RECORD, favourite.label("favourite")).where(games.c.id.in_(took_part) | favourite)
    rows = connection.execute(query.order_by(favourite.desc(), games.c.at.desc()).limit(limit))
    return [(finished_game(row), bool(row.favourite)) for row in rows]


def favourite_of(person: str) -> ColumnElement[bool]:
    """The SQL condition that a game is one of a person's favourites."""
    return games.c.id.in_(select(favourites.c.game_id).where(favourites.c.person == person))


def is_favourite(connection: Connection, person: str, id: str) -> bool | None:
    """Whether a game is one of a person's favourites; None if it isn't stored here, such as a match of the arena."""
    row = connection.execute(select(favourite_of(person)).where(games.c.id == id)).first()
    return None if row is None else bool(row[0])


def add_favourite(connection: Connection, person: str, id: str) -> None:
    """Add a finished game to a person's favourites; it must not be one of them already."""
    connection.execute(insert(favourites).values(person=person, game_id=id))


def drop_favourite(connection: Connection, person: str, id: str) -> None:
    """Remove a game from a person's favourites."""
    connection.execute(delete(favourites).where(favourites.c.person == person, favourites.c.game_id == id))


def count_favourites(connection: Connection, person: str) -> int:
    """The number of a person's favourites."""
    return connection.scalar(select(func.count()).where(favourites.c.person == person)) or 0


class RatedGame(NamedTuple):
    """A finished game, for ratings.

    players     by seat, what identifies the player: a person's id, or the tournament and name of another player
    winners     the seats that won
    """

    game: str
    players: tuple[str, ...]
    winners: tuple[int, ...]


def rated_games(connection: Connection, person: str, limit: int) -> list[RatedGame]:
    """The latest rated games (without hints or undo) at tables here, of anybody, up to ``limit``.

    They are of all games, such as Hearts, of which the person has played a rated one.
    """
    names = select(games.c.game).join(seatings, seatings.c.table_id == games.c.id)
    names = names.where(seatings.c.person == person, seatings.c.seat >= 0, games.c.rated == 1)
    query = select(games.c.game, games.c.winners, tables.c.chairs).join(tables, tables.c.id == games.c.id)
    query = query.where(games.c.rated == 1, games.c.game.in_(names)).order_by(games.c.at.desc()).limit(limit)
    return [
        RatedGame(
            row.game,
            tuple(
                seat.person or f"{seat.tournament} {seat.player}"
                for seat in msgspec.json.decode(row.chairs, type=Seats)
            ),
            msgspec.json.decode(row.winners, type=tuple[int, ...]),
        )
        for row in connection.execute(query)
    ]


def finished_game(row: Any, record: str = "") -> FinishedGame:
    """The finished game in a row."""
    return FinishedGame(
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
