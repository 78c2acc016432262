"""Driving a game on the screen: what is to be played, who is asked, and what each seat has been told.

    plan        the table, who sits there, and where the record goes
    front       shows the table and asks people; it is told of every step
    pace        the least number of seconds that a computer player's action takes, so that people can follow
    hurry       no more waiting until a person has to choose

While a person is asked the screen stays alive.  Computer players think in a thread, and nothing else touches the table
meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from kibitz.engine.events import SPECTATOR
from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import Record
from kibitz.engine.registry import options_told
from kibitz.engine.sentences import names_for
from kibitz.players.opponents import Company, Seated, seated
from kibitz.players.setup import SetUp, TakenUp
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.outcomes import out, telling
from kibitz.table.player import moved_on
from kibitz.table.saved import SavedGame
from kibitz.table.session import MOMENT, AskPlayer, Next, OnlyAction, Session

Find = Callable[[Game, list[str], bool], list[PlayerSpec]]
"""The players that words name, the user's own files or perhaps a stranger's; warns where files are not confined."""
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
    """A new game; without a seed a secret one is drawn."""
    table = Table.deal(done.game, fresh_seed() if seed is None else seed, [player.name for player in done.players])
    where = seated([player.words for player in done.players], lambda words: find(done.game, words, True))
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


# ---------------------------------------------------------------- the driver

T = TypeVar("T")
PACES = (0.0, 0.2, 0.4, 0.6, 0.9, 1.5, 3.0)
USUAL_PACE = 0.6


class Front(Protocol):
    """What shows the table and asks people."""

    def changed(self) -> None:
        """The table stands otherwise than before; it may be looked at now."""

    def thinking(self, seat: int) -> None:
        """A computer player begins to think."""

    async def choose(self, seat: int) -> int | None:
        """What the person of a seat chooses; None if they have taken back their latest decision."""

    async def between(self, since: int) -> None:
        """All steps but the first ``since`` have just been seen: the time for a summary, if there is one."""

    def saying(self, sentence: str) -> AbstractContextManager[object]:
        """Something begins that may take long; called in a thread."""


class Driver:
    """Drives one game with people in it; ``keep`` is called after every step."""

    def __init__(
        self, table: Table, seated: Seated, front: Front, keep: Callable[[Table], bool], pace: float = USUAL_PACE
    ) -> None:
        self.table, self.session = table, Session(table, seated.people)
        self.front, self.keep, self.pace = front, keep, pace
        self.company = Company(table, seated.makers, self.saying)
        self.hurry = asyncio.Event()

    def saying(self, sentence: str) -> AbstractContextManager[object]:
        """Only what is thought again takes a sentence: who is thinking now is seen."""
        return self.front.saying(sentence) if "again" in sentence else nullcontext()

    async def drive(self) -> Record:
        """Play the game to its end; its record."""
        table = self.table
        try:
            self.keep(table)
            await in_thread(self.company.begin)
            self.front.changed()
            while not table.over:
                since = table.step
                await self.step(self.session.next)
                self.keep(table)
                self.front.changed()
                await self.front.between(since)
        finally:  # in a thread that nobody waits for
            threading.Thread(target=self.company.end, args=(table.outcome,), daemon=True).start()
        record = table.record
        assert isinstance(record, Record)
        return record

    async def step(self, one: Next) -> None:
        """Do what is next."""
        begun = time.monotonic()
        if isinstance(one, AskPlayer):
            self.front.thinking(one.seat)
            await in_thread(lambda: self.company.ask(one.seat))
            await self.rest(begun, self.pace)
            return
        self.hurry.clear()
        if isinstance(one, OnlyAction):
            await self.rest(begun, MOMENT if self.pace else 0.0)
            self.session.act(one.seat, one.action)
        elif (action := await self.front.choose(one.seat)) is not None:
            self.session.act(one.seat, action)

    async def rest(self, begun: float, seconds: float) -> None:
        """Wait until ``seconds`` have passed since ``begun``, or somebody is in a hurry."""
        left = seconds - (time.monotonic() - begun)
        if left > 0:
            await waited(self.hurry.wait, left)


async def waited(what: Callable[[], Awaitable[object]], seconds: float) -> bool:
    """Wait for something at most ``seconds``; whether it came."""
    try:
        await asyncio.wait_for(what(), seconds)
    except TimeoutError:
        return False
    return True


async def in_thread(function: Callable[[], T]) -> T:
    """What a function returns or raises, called in a thread that does not keep the program from ending."""
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
    """What a story begins with: the options that were chosen, and the proof that the deal is fixed."""
    return " ".join((*options_told(game), f"SHA-256 of the seed, which is shown at the end: {commitment}"))


class EventLog:
    """The sentences of one seat; made again from the beginning where the table went back."""

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
        self.sentences += [line for _, line in telling(table.game, events[self.heard :], self.seat, self.names)]
        for forfeit in table.forfeits[self.gone :]:
            self.sentences.append(out(forfeit, self.names))
        self.heard, self.gone = len(events), len(table.forfeits)
        return self.sentences


def spectator(table: Table) -> EventLog:
    """What everybody may hear."""
    return EventLog(table, SPECTATOR)
