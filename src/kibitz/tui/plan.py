"""The game to play and its players, what each seat has been told, and work in threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import Record
from kibitz.engine.registry import option_sentences
from kibitz.engine.sentences import names_for
from kibitz.players.opponents import Seating, seat_players
from kibitz.players.setup import ResumedGame, SetUp
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.outcomes import event_sentences, forfeit_sentence
from kibitz.table.saved import SavedGame
from kibitz.table.session import rotated_by_one

FindPlayers = Callable[[Game, list[str], bool], list[PlayerSpec]]
"""Finds players by name, the user's own files or perhaps a stranger's; warns if files are not confined."""
StoreRecord = Callable[[Record], Path | None]
"""Writes a record where the command asks for it; returns the place, None if nowhere."""


def store_nowhere(record: Record) -> None:
    """Write the record nowhere, unless the person asks for it."""


@dataclass(frozen=True)
class LocalGame:
    """The table, who sits there, where the record goes, and the file that the game comes from, if any."""

    table: Table
    seated: Seating
    store: StoreRecord = store_nowhere
    saved: SavedGame | None = None

    def rematch(self) -> LocalGame:
        """The same players for a rematch, each one seat further on, so that the deal rotates."""
        table, (_, makers, chairs) = self.table, self.seated
        seats = len(chairs)
        moved = {(seat + 1) % seats: maker for seat, maker in makers.items()}
        dealt = Table.deal(table.game, fresh_seed(), rotated_by_one(table.names))
        people = tuple(seat for seat in range(seats) if seat not in moved)
        return LocalGame(dealt, Seating(people, moved, rotated_by_one(chairs)))


def new_game(done: SetUp, find: FindPlayers, seed: int | None = None, store: StoreRecord = store_nowhere) -> LocalGame:
    """A new game (default: a secret random seed)."""
    where = seat_players([player.words for player in done.players], lambda words: find(done.game, words, True))
    return LocalGame(done.deal(seed), where, store)


def resumed_game(left: ResumedGame, find: FindPlayers, store: StoreRecord = store_nowhere) -> LocalGame:
    """A resumed game; KibitzError, with the file closed, if its players cannot sit down."""
    try:
        table = Table.resume(left.record)
        where = seat_players(left.chairs, lambda words: find(table.game, words, left.own), own=left.own)
    except BaseException:
        left.saved.close()
        raise
    return LocalGame(table, where, store, left.saved)


# ---------------------------------------------------------------- in the background

T = TypeVar("T")


async def in_thread(function: Callable[[], T]) -> T:
    """Call a function in a thread that does not keep the program from ending; return or raise what it does."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def call() -> None:
        found: T | None = None
        failed: BaseException | None = None
        try:
            found = function()
        except BaseException as error:
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, found, failed)

    threading.Thread(target=call, daemon=True).start()
    return await future


# ---------------------------------------------------------------- what a seat has been told


def opening(game: Game, commitment: str) -> str:
    """The first sentences: the chosen options, and the proof that the deal is fixed."""
    return " ".join((*option_sentences(game), f"SHA-256 of the seed, which is shown at the end: {commitment}"))


class History:
    """The sentences of one seat; rebuilt from the beginning when the table goes back."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.names = names_for(seat, table.names)
        self.heard = self.gone = 0
        self.sentences: list[str] = []

    def catch_up(self) -> list[str]:
        """All sentences so far."""
        table = self.table
        events = table.events(self.seat)
        if len(events) < self.heard or len(table.forfeits) < self.gone:
            self.heard, self.gone = 0, 0
            self.sentences.clear()
        self.sentences += [line for _, line in event_sentences(table.game, events[self.heard :], self.seat, self.names)]
        for forfeit in table.forfeits[self.gone :]:
            self.sentences.append(forfeit_sentence(forfeit, self.names))
        self.heard, self.gone = len(events), len(table.forfeits)
        return self.sentences
