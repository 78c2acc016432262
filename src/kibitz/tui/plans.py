"""A game that is to be played on the screen: new, gone on with, or once more with the deal gone round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import Record
from kibitz.players.going_on import TakenUp
from kibitz.players.opponent import Seated, seated
from kibitz.players.setup import SetUp
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.rematch import moved_on
from kibitz.table.saved import SavedGame

Find = Callable[[Game, list[str], bool], list[PlayerSpec]]
"""The players that words name, one's own files or perhaps a stranger's; says so where files are not confined."""
Store = Callable[[Record], Path | None]
"""Writes a record where the command wants it; where that is, None if nowhere."""


def nowhere(record: Record) -> None:
    """The record is written nowhere unless the person asks for it."""


@dataclass(frozen=True)
class Plan:
    """The table, who sits there, where the record goes, and the file that the game comes from, if any."""

    table: Table
    seated: Seated
    store: Store = nowhere
    saved: SavedGame | None = None

    def again(self) -> Plan:
        """The same players once more, every one a seat further on, so that the deal goes round."""
        table, (_, makers, chairs) = self.table, self.seated
        seats = len(chairs)
        moved = {(seat + 1) % seats: maker for seat, maker in makers.items()}
        dealt = Table.deal(table.game, fresh_seed(), moved_on(table.names))
        people = tuple(seat for seat in range(seats) if seat not in moved)
        return Plan(dealt, Seated(people, moved, moved_on(chairs)))


def new_plan(done: SetUp, find: Find, seed: int | None = None, store: Store = nowhere) -> Plan:
    """A game that begins; without a seed a secret one is drawn."""
    table = Table.deal(done.game, fresh_seed() if seed is None else seed, [chair.name for chair in done.chairs])
    where = seated([chair.words for chair in done.chairs], lambda words: find(done.game, words, True))
    return Plan(table, where, store)


def plan_on(left: TakenUp, find: Find, store: Store = nowhere) -> Plan:
    """A game that was left; KibitzError, and the file let go, where its players cannot sit down."""
    try:
        table = Table.resume(left.record)
        where = seated(left.chairs, lambda words: find(table.game, words, left.own), own=left.own)
    except BaseException:
        left.saved.close()
        raise
    return Plan(table, where, store, left.saved)
