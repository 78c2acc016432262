"""Choices at a table that no person makes: those of computer players, player files and caretakers, and forced actions.

    caretaker   the computer player that plays for a person who is away (``default_player``)
    question    a seat that was asked to choose, with the key of its choice; answers with an outdated key are dropped
    ready       answers that are held back for a moment, so that people can follow the play

A player file runs in a confined process of its own, which is called in a thread. After a restart of the server, the
file gets the events of the game so far (``kibitz.players.opponents``).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kibitz.engine.game import Game
from kibitz.errors import ConfinementError, KibitzError, MachineError
from kibitz.players.built_in import default_player
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, why_no_sandbox
from kibitz.players.opponents import Opponent
from kibitz.players.specs import PlayerSpec
from kibitz.remote.messages import Pace
from kibitz.table.match import as_player_error, decision_seed, player_seed
from kibitz.table.session import FORCED_DELAY, AskPlayer, ForcedAction
from kibitz.web.live_tables.live_session import LiveSession
from kibitz.web.processes import SearchPool
from kibitz.web.store.tables import Seat

PACES: dict[Pace, tuple[float, float]] = {"usual": (0.4, 0.9), "faster": (0.05, 0.15), "skip": (0.0, 0.0)}
"""The shortest and longest time that a computer player appears to think, in seconds."""

Key = tuple[int, int, bool]
"""The epoch of the table, the number of the seat's choice, and whether a caretaker makes it."""
Post = Callable[[Callable[[], Awaitable[None]]], None]
OnFailure = Callable[[int, Any], Awaitable[None]]
FileChoice = Callable[[int], Awaitable[int]]


class Bots:
    """Gets the choices of all seats that aren't a person's.

    post            puts an operation into the inbox of the table's task
    on_failure      called with a seat and its error
    file_choice     asks the player file of a seat for its choice
    questions       by seat, the pending choice's key, and the task that waits for the answer (None for a forced action)
    ready           by seat, the time at which the answer is due, and the action
    """

    def __init__(
        self,
        session: LiveSession,
        search_pool: SearchPool,
        post: Post,
        on_failure: OnFailure,
        file_choice: FileChoice,
    ) -> None:
        self.session, self.search_pool, self.post = session, search_pool, post
        self.on_failure, self.file_choice = on_failure, file_choice
        self.table, self.facts = session.table, session.facts
        self.questions: dict[int, tuple[Key, asyncio.Task[None] | None]] = {}
        self.ready: dict[int, tuple[float, int]] = {}

    def key(self, seat: int) -> Key:
        """The key of a seat's pending choice."""
        return self.facts.epoch, self.facts.turns[seat], self.facts.caretakers[seat]

    def ask_pending(self, now: float, auto: Sequence[bool]) -> None:
        """Ask the seats that have to choose now, and drop outdated questions.

        ``auto`` says by seat whether a person's forced actions are played automatically.
        """
        waiting = self.table.waiting
        for seat, (key, _) in list(self.questions.items()):
            if seat not in waiting or key != self.key(seat):
                self.forget(seat)
        for request in self.session.pending:
            seat = request.seat
            if seat not in self.questions and isinstance(request, AskPlayer):
                self.ask(seat, now)
            elif seat not in self.questions and isinstance(request, ForcedAction) and auto[seat]:
                self.questions[seat] = self.key(seat), None
                self.ready[seat] = now + FORCED_DELAY, request.action

    def ask(self, seat: int, now: float) -> None:
        """Have a computer player, a file or a caretaker choose."""
        key, holder = self.key(seat), self.session.seats[seat]
        shortest, longest = PACES[self.facts.pace]
        earliest = now + random.uniform(shortest, longest)
        if holder.kind == "file":
            choice = self.file_choice(seat)
        else:
            player = holder.player if holder.kind == "computer" else default_player(self.session.game)
            seed = decision_seed(self.session.seed, seat, self.table.step)
            legal = self.table.legal(seat)
            choice = self.search_pool.think(self.session.game.name, player, self.table.view(seat), legal, seed)
        self.questions[seat] = key, asyncio.create_task(self.wait_for_answer(seat, key, earliest, choice))

    async def wait_for_answer(self, seat: int, key: Key, earliest: float, choice: Awaitable[int]) -> None:
        """Wait for a choice, and have the table's task take it; it is due at ``earliest``."""
        answer: Any
        try:
            answer = await choice
        except MachineError as error:
            answer = error
        except Exception as error:
            answer = as_player_error(error, "turn")

        async def take() -> None:
            if self.questions.get(seat, (None,))[0] != key:
                return
            if isinstance(answer, int):
                self.ready[seat] = earliest, answer
            else:
                await self.on_failure(seat, answer)

        self.post(take)

    def forget(self, seat: int) -> None:
        """Drop a seat's question, and its answer if it is ready."""
        _, task = self.questions.pop(seat)
        self.ready.pop(seat, None)
        if task is not None and not task.done():
            task.cancel()

    def next_due(self) -> float | None:
        """When the next answer is due; None if none is ready."""
        return min((due for due, _ in self.ready.values()), default=None)

    def take_due(self, now: float) -> tuple[int, int] | None:
        """Take an answer that is due; returns its seat and action, or None if no answer is due."""
        for seat, (due, action) in self.ready.items():
            if due <= now:
                self.forget(seat)
                return seat, action
        return None

    def hurry(self) -> None:
        """Make all ready answers due at once."""
        for seat, (_, action) in self.ready.items():
            self.ready[seat] = 0.0, action

    def close(self) -> None:
        """Drop all questions."""
        for seat in list(self.questions):
            self.forget(seat)


# ---------------------------------------------------------------- player files

MAX_FILE_PLAYERS = 24
"""How many files may play at once: each takes a process, and other tables need the machine as well."""
TOO_MANY_FILES = "Too many player files are playing on this server: wait until some games are over."
Lookup = Callable[[Game, Seat], Awaitable[PlayerSpec]]


async def no_files(game: Game, seat: Seat) -> PlayerSpec:
    """Raise KibitzError: without an arena there are no player files."""
    raise KibitzError("This server has no arena, so player files can't play here.")


@dataclass(eq=False)
class PlayerFiles:
    """All player files at the tables of this server.

    lookup      finds the player file of a seat
    running     by the session's ``id()`` and seat, a player file that is running, with its session and thread
    """

    lookup: Lookup = no_files
    running: dict[tuple[int, int], tuple[LiveSession, Opponent, ThreadPoolExecutor]] = field(default_factory=dict)

    async def find(self, game: Game, seat: Seat) -> PlayerSpec:
        """The player of a seat. Raises KibitzError if it cannot be found, or cannot be confined now."""
        if why_no_sandbox():
            raise ConfinementError(SANDBOX_NEEDS_LINUX)
        self.check_capacity()
        return await self.lookup(game, seat)

    def check_capacity(self) -> None:
        """End the files whose games are over if there are too many; raise MachineError if there still are."""
        if len(self.running) >= MAX_FILE_PLAYERS:
            for session, _, _ in list(self.running.values()):
                if session.table.over:
                    self.end_players(session)
        if len(self.running) >= MAX_FILE_PLAYERS:
            raise MachineError(TOO_MANY_FILES)

    async def choose(self, session: LiveSession, seat: int) -> int:
        """The choice of a file. Raises PlayerError if it fails."""
        opponent, thread = await self.running_player(session, seat)
        table = session.table
        view, legal = table.view(seat), table.legal(seat)
        return await asyncio.get_running_loop().run_in_executor(thread, opponent.act, view, legal)

    async def running_player(self, session: LiveSession, seat: int) -> tuple[Opponent, ThreadPoolExecutor]:
        """The player of a seat's file, with its thread; it is started now if it isn't running yet."""
        key = id(session), seat
        if key not in self.running:
            spec = await self.find(session.game, session.seats[seat])
            self.check_capacity()
            opponent = Opponent(spec.make(), session.table, seat, lambda _: nullcontext())
            thread = ThreadPoolExecutor(1, thread_name_prefix="kibitz-file")
            self.running[key] = session, opponent, thread
            begin = partial(opponent.start, session.game, seat, player_seed(session.seed, seat))
            await asyncio.get_running_loop().run_in_executor(thread, begin)
        return self.running[key][1:]

    def end_players(self, session: LiveSession) -> None:
        """End the processes of a table's files."""
        for key in [key for key in self.running if key[0] == id(session)]:
            _, opponent, thread = self.running.pop(key)
            thread.submit(opponent.end, None)
            thread.shutdown(wait=False)
