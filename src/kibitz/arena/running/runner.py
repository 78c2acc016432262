"""The runner: plays a tournament round by round, on the cores of this machine or elsewhere.

    queue       blocks that wait for a worker, and what has come of others until the store has it
    pool        the workers, in a place
    trouble     what the store raises that may pass: a lock, a full disk, a lost connection

Only the runner talks to the store; workers get blocks and give matches.  Whatever dies at whatever moment, the
store has either all of a block or nothing of it, and what it has not is played again.  For the same seed, players
and version that gives the same results.

Nothing here depends on how many runners there are.  A second one on the same tournament is
refused all the same, since it is nearly always a mistake, unless it is asked to play ``beside`` the first.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress

from kibitz.arena.model import NextRound, Showing, Tournament
from kibitz.arena.running.files import Files
from kibitz.arena.running.in_process import InProcess
from kibitz.arena.running.news import Ended, News, Progress, Why
from kibitz.arena.running.pool import Noted, Told, WorkerPool
from kibitz.arena.running.queue import BlockQueue
from kibitz.arena.running.season import Season, Step, Until
from kibitz.arena.running.series import Series
from kibitz.arena.running.worker import SHOW
from kibitz.arena.signals import stopped_by_signals
from kibitz.arena.store import Store
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, RuleError, StoreError
from kibitz.executors import Executor, executor_of

GRACE = 10.0
"""Seconds that blocks get to be finished when the runner is stopped, where they are kept."""
LEASE, GIVE_UP = 60.0, 600.0
"""Seconds for which a block is claimed, and for which a store that cannot be used is tried again."""
STARTING = 120.0
"""Seconds in which a worker has its kernels compiled and its players' server started, if it must."""
BEATS = 4
"""So many times in the life of a lease it is prolonged: a few may go wrong."""
LOOK = 0.2
"""Seconds between looks at whether to stop."""
AHEAD = 8
"""So many blocks for each worker are claimed at once from a store that nobody else uses ..."""
SAVING = 0.5
"""... and what is finished is handed in after so many seconds, or when there is nothing else to do."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds until the store is asked again where it had no block."""


def run(
    store: Store,
    tournament: str,
    workers: int | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    next_round: NextRound | None = None,
    lease_s: float = LEASE,
    beside: bool = False,
    wait: bool = False,
    give_up_s: float = GIVE_UP,
    on: str = "local",
) -> Ended:
    """Play until there is enough, or ``stop`` answers True, or (without ``stop``) on SIGINT or SIGTERM.

    ``workers``: processes, as many as there are cores if None; ``on``: another place (``kibitz.executors``), which has
    workers of its own.  ``wait``: where players are missing, wait for them instead of ending.  ``give_up_s``: for so
    long a store that cannot be used is tried again.  StoreError if another runner is at it, MachineError if the place
    cannot play or confine the players.
    """
    if workers is not None and workers < 1:
        raise NotationError(f"a runner needs at least one worker, not {workers}.")
    found = playable(store.tournament(tournament))
    rated = found.goal is None
    season = Season(store, tournament, until or Until(), next_round) if rated else Series(store, found)
    runner = Runner(store, found, season, pool_of(store, found, executor_of(on, workers)), lease_s, progress, give_up_s)
    return runner.run(stop, beside=beside, wait=wait)


def playable(found: Tournament) -> Tournament:
    """The tournament, if this Kibitz plays by its rules; RuleError otherwise."""
    version = find_game(found.game).rules.VERSION
    if version != found.rules:
        raise RuleError(
            f"{found.name} is played by rules {found.rules} of {found.game}, and these are rules {version}; "
            "play it with the Kibitz that it was opened with."
        )
    return found


def pool_of(store: Store, tournament: Tournament, place: Executor) -> WorkerPool:
    """The workers of a place for a tournament."""
    silence = tournament.limits.longest(tournament.seats) + STARTING
    return WorkerPool(tournament.game, place, tournament.limits, silence, recorded=not store.temporary)


class Runner:
    """One run; a tournament that has a goal is broken off where this machine fails, and a season goes on."""

    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        season: Season | Series,
        pool: WorkerPool | InProcess,
        lease_s: float = LEASE,
        progress: Progress | None = None,
        give_up_s: float = GIVE_UP,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self.store, self.tournament, self.season, self.name = store, tournament, season, tournament.name
        self.lease_s, self.progress, self.give_up_s = lease_s, progress, give_up_s
        self.pool = pool
        self.holder = f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self.files, self.queue = Files(store, tournament, here=pool.here), BlockQueue(patient=tournament.goal is None)
        self.alone = store.temporary
        self.grace = 0.0 if self.alone else GRACE
        self.next_save = self.next_show = 0.0
        self.shown: tuple[Showing, ...] = ()
        self.rounds = 0
        self.round = self.blocks = self.left = 0
        self.next_claim = self.next_beat = 0.0
        self.pause = FIRST_PAUSE
        self.saved, self.dry = 0, False
        """Blocks that the store has got since the season was asked to go on; whether it then had none to give."""
        self.trouble_since: float | None = None

    def run(self, stop: Callable[[], bool] | None = None, *, beside: bool = False, wait: bool = False) -> Ended:
        """Play to the end, and leave nothing behind; without ``stop`` until a signal comes."""
        with ExitStack() as stack:
            stack.enter_context(self.store.retrying_for(1.0))
            return self.entered(stop or stack.enter_context(stopped_by_signals()), beside=beside, wait=wait)

    def entered(self, stop: Callable[[], bool], *, beside: bool, wait: bool) -> Ended:
        """Play to the end as the registered runner."""
        self.store.enter_runner(self.name, self.holder, self.lease_s, beside=beside)
        try:
            why = self.play(stop, wait)
        finally:
            self.pool.end()
            with suppress(StoreError):
                self.save()
            with suppress(StoreError):
                self.store.release(self.holder)
                self.store.leave_runner(self.holder)
        return Ended(why, self.sentence(why), self.queue.games, self.rounds)

    def sentence(self, why: Why) -> str:
        """How it ended, for people."""
        reasons = {
            "stopped": "Stopped",
            "enough": "Played as much as was asked",
            "waiting": "There are no players to play",
            "closed": f"{self.name} is closed",
        }
        return f"{reasons[why]}: {self.queue.sentence()}"

    def play(self, stop: Callable[[], bool], wait: bool) -> Why:
        """The loop: listen, save, claim, send."""
        while True:
            for told in self.pool.listen(LOOK if self.pool.leases() else FIRST_PAUSE):
                self.hear(told)
            try:
                self.save_now_and_then()
                self.queue.check_machine()
                self.keep()
                self.show()
                if stop():
                    return self.finish()
                self.pool.fill()
                step = self.feed()
            except StoreError as error:
                if stop():
                    return self.finish()
                self.wait_for_the_store(error)
                continue
            self.trouble_since = None
            if step in ("enough", "closed") or (step == "waiting" and not wait):
                return step

    # what workers report and the store is told

    def hear(self, told: Told) -> None:
        """Take in what a worker has reported, and give it the next block at once."""
        self.queue.take(told)
        if isinstance(told, Noted):
            self.tell(told.sentence)
        self.send()
        if self.alone:
            self.tell()

    def send(self) -> None:
        """Give blocks that wait to workers that have none."""
        waiting = self.queue.waiting
        while waiting and self.pool.room() > 0:
            self.pool.send(waiting.popleft(), self.files.known, self.files.tier)

    def save_now_and_then(self) -> None:
        """Hand in what there is; later, if that can wait."""
        if not self.alone or not self.queue.waiting or self.clock() >= self.next_save:
            self.save()

    def save(self) -> None:
        """Hand in what is finished and what is void; it leaves this memory only when the store has it."""
        self.next_save = self.clock() + SAVING
        for counted in self.queue.save_finished(self.store):
            self.left = max(0, self.left - counted)
            self.saved += counted
            self.tell()
            self.next_claim = 0.0
        self.queue.save_learnt(self.store)
        for sentence in self.queue.save_voided(self.store):
            self.tell(sentence)

    def keep(self) -> None:
        """Prolong the leases and show that this runner is alive, ``BEATS`` times in the life of a lease."""
        if self.clock() < self.next_beat:
            return
        if not self.store.keep_runner(self.holder, self.lease_s):
            self.store.enter_runner(self.name, self.holder, self.lease_s, beside=True)
        self.store.heartbeat([*self.queue.waiting, *self.pool.leases()], self.lease_s)
        self.look()
        self.next_beat = self.clock() + self.lease_s / BEATS

    def show(self) -> None:
        """Let those look on who look into the store, at matches that last."""
        if self.alone or self.clock() < self.next_show:
            return
        self.next_show = self.clock() + SHOW
        if (shown := self.pool.shown()) != self.shown:
            self.store.show(self.holder, shown)
            self.shown = shown

    def feed(self) -> Step:
        """Claim blocks; where there is none left, see whether the round is over.

        In a store that nobody else uses both are left out while they cannot have changed.
        """
        if len(self.queue.waiting) >= self.pool.size or self.clock() < self.next_claim:
            self.send()
            return "playing"
        idle = not (self.queue.waiting or self.pool.leases() or self.queue.finished)
        if (idle or not (self.alone and self.dry)) and self.claim():
            return "playing"
        self.dry = True
        step: Step = "playing"
        if idle or (self.season.eager and not (self.alone and self.saved < self.season.due)):
            step, self.saved = self.season.advance(), 0
        if step == "scheduled":
            self.rounds += 1
            self.dry = False
            return self.feed()
        self.next_claim = self.clock() + self.pause
        self.pause = min(LONGEST_PAUSE, 2 * self.pause)
        return step

    def claim(self) -> bool:
        """Lease blocks for workers that have none; whether there were some."""
        wanted = self.pool.size * (AHEAD if self.alone else 1)
        claimed = self.store.claim(self.name, self.holder, wanted, self.lease_s)
        if not claimed:
            return False
        if isinstance(self.pool, WorkerPool):
            self.files.learn(claimed)
        if claimed[0].block.round != self.round:
            self.look()
            self.tell()
        self.queue.waiting.extend(claimed)
        self.pause = FIRST_PAUSE
        self.send()
        return True

    # what people are told

    def look(self) -> None:
        """See which round it is and how much of it is left."""
        for found in self.store.rounds(self.name, newest=1):
            self.round, self.blocks, self.left = found.number, found.blocks, found.unplayed

    def tell(self, note: str = "") -> None:
        """Report where we are."""
        if self.progress is not None:
            self.progress(News(self.round, self.blocks, self.left, self.queue.played, note))

    def wait_for_the_store(self, error: StoreError) -> None:
        """Go on trying while that may help; the results wait in memory."""
        now = time.monotonic()
        self.trouble_since = self.trouble_since or now
        if not error.passing or now - self.trouble_since > self.give_up_s:
            raise StoreError(error.kind, f"{error} {self.queue.sentence()}") from error
        waiting = f" {len(self.queue.finished)} played blocks wait for it." if self.queue.finished else ""
        self.tell(f"{error}{waiting}")
        self.crew_listens(LONGEST_PAUSE)

    def crew_listens(self, seconds: float) -> None:
        """Pass some time, and take in what is reported meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.pool.leases():
                time.sleep(left)
            for told in self.pool.listen(left):
                self.hear(told)

    def finish(self) -> Why:
        """Let blocks that are being played come to their end, for a short while."""
        self.queue.waiting.clear()
        end = time.monotonic() + self.grace
        while self.pool.leases() and time.monotonic() < end:
            for told in self.pool.listen(LOOK):
                self.hear(told)
            self.queue.waiting.clear()
        with suppress(StoreError):
            self.save()
        return "stopped"
