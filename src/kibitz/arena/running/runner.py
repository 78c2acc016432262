"""The runner: plays a tournament round by round, on the cores of this machine or elsewhere.

    queue       blocks that wait for a worker, and results that wait for the store
    pool        the workers
    transient   an error of the store that may go away by itself: a lock, a full disk, a lost connection
    memory      what interrupted attempts at a match have left for the next one (``kibitz.players.rated_game``)

Only the runner uses the store; workers get blocks and return matches.  If a process dies at any moment, the store has
each block completely or not at all, and missing blocks are played again.  The same seed, players and version give the
same results.

Any number of runners may play a tournament at once.  But a second runner is nearly always a mistake, so it is refused
unless it is asked to ``join`` the first.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Literal

import msgspec

from kibitz.arena.model import Lease, MatchInPlay, NextRound, Tournament
from kibitz.arena.running.blocks import REPORT_SECONDS, PlayerFile
from kibitz.arena.running.next_round import SeasonScheduler, Step, StopCondition, TournamentScheduler
from kibitz.arena.running.pool import (
    Finished,
    InProcessPool,
    LeaseChanged,
    Report,
    Voided,
    WorkerDied,
    WorkerPool,
)
from kibitz.arena.signals import stopped_by_signals
from kibitz.arena.store import Store
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.errors import MachineError, NotationError, RuleError, StoreError
from kibitz.executors import Executor, executor_of
from kibitz.executors.worker import Note
from kibitz.sandbox import Tier, require_confinement, tier

# What a run reports: its status whenever something has been saved, and after an error; its result at the end.


EndReason = Literal["stopped", "done", "waiting", "closed"]


class RunStatus(msgspec.Struct, frozen=True):
    """A run's progress: the round, how many blocks it has and how many of them are unplayed; this run's games.

    ``note`` is a sentence for people, or empty.
    """

    round: int
    blocks: int
    unplayed: int
    games: int
    note: str = ""


class RunResult(msgspec.Struct, frozen=True):
    """Why a run is over, in a word and in a sentence; the number of games it saved, and of rounds it scheduled."""

    why: EndReason
    sentence: str
    games: int
    rounds: int


Progress = Callable[[RunStatus], object]


# The player files that a runner's blocks need, read from the store only once, and their confinement.


CONFINEMENT_TRIES = 3
"""How many times confinement is tried before the run fails."""


class RunFiles:
    """The player files that have been read, by submission, and their confinement on this machine.

    ``tier`` is None while no player is a file. It also stays None if matches are not played ``here``: workers elsewhere
    determine their own confinement.
    """

    def __init__(self, store: Store, tournament: Tournament, *, here: bool = True) -> None:
        self.store, self.rated, self.here = store, tournament.kind != "custom", here
        self.loaded: dict[int, PlayerFile] = {}
        self.tier: Tier | None = None

    def load(self, leases: Iterable[Lease]) -> None:
        """Read the player files that these blocks need. Raises MachineError if they can't be confined."""
        for submission in {submission for lease in leases for submission in lease.block.lineup}:
            if submission not in self.loaded:
                file = file_of(self.store, submission)
                if file.is_code and self.tier is None and self.here:
                    self.tier = self.confinement()
                self.loaded[submission] = file

    def confinement(self) -> Tier:
        """The tier of this run, retried in case a trial failed by chance; rated games need confinement."""
        find_tier = require_confinement if self.rated else tier
        for _ in range(CONFINEMENT_TRIES - 1):
            with suppress(MachineError):
                return find_tier()
            tier.cache_clear()
        return find_tier()


def file_of(store: Store, submission: int) -> PlayerFile:
    """A submission in the form that workers get."""
    row = store.submission(submission)
    return PlayerFile(submission, row.player, row.file, store.content(submission))


# The blocks that a runner holds.
#
# waiting         blocks that are leased and wait for a worker
# finished        blocks that are played and wait for the store; they stay in the queue until the store has them
# voided          blocks with a match that this machine could not play
# changed_leases  leases whose memory has changed, which the store must have in case this runner dies
#
# If the store is locked, full or out of reach, what it has not accepted is submitted again the next time.


MAX_WORKER_DEATHS = 2
"""How many times a block is played again after its worker's death; after one more death it is void."""
MAX_MACHINE_DEATHS = 20
"""The same limit if the worker's machine died with it, which is rarely the block's fault."""
MAX_VOIDS_IN_A_ROW = 10
"""The run ends after this many voids without a block played in between, since the machine must be the cause."""
DIED_SENTENCE = "A worker process died repeatedly. Is there enough memory?"
BLOCKS_PER_TRANSACTION = 64
"""The maximum number of finished blocks that are saved in one transaction."""


class BlockQueue:
    """The blocks of one run that are neither with a worker nor safe in the store.

    If it isn't ``patient``, the first match that this machine cannot play ends the run.
    """

    def __init__(self, *, patient: bool = True) -> None:
        self.patient = patient
        self.waiting: deque[Lease] = deque()
        self.finished: list[Finished] = []
        self.voided: list[Voided] = []
        self.changed_leases: dict[int, Lease] = {}
        self.deaths: Counter[tuple[int, bool]] = Counter()
        """Workers' deaths by lease, and by whether the worker died alone, without its machine."""
        self.voids_in_a_row, self.last_cause = 0, ""
        self.games = 0
        """The games of this run that are saved."""

    @property
    def played(self) -> int:
        """Games of this run, saved or unsaved."""
        return self.games + sum(len(block.played) for block in self.finished)

    def add(self, report: Report) -> None:
        """Queue the block that a report is about: to be saved, or to be played again."""
        if isinstance(report, Note):
            return
        if isinstance(report, LeaseChanged):
            self.changed_leases[report.lease.id] = report.lease
            return
        self.changed_leases.pop(report.lease.id, None)
        if isinstance(report, Finished):
            self.finished.append(report)
            self.voids_in_a_row = 0
        elif isinstance(report, WorkerDied) and self.deaths[report.lease.id, report.alone] < (
            MAX_WORKER_DEATHS if report.alone else MAX_MACHINE_DEATHS
        ):
            self.deaths[report.lease.id, report.alone] += 1
            self.changed_leases[report.lease.id] = report.lease
            self.waiting.appendleft(report.lease)
        else:
            if self.patient:
                self.voided.append(Voided(report.lease, report.rotation, report.cause))
            self.voids_in_a_row += 1
            self.last_cause = (
                report.cause if isinstance(report, Voided) else f"{DIED_SENTENCE} The last time {report.cause}"
            )

    def save_finished(self, store: Store) -> Iterator[int]:
        """Submit finished blocks; yields, for each transaction, how many of its blocks the store accepted."""
        while self.finished:
            batch = self.finished[:BLOCKS_PER_TRANSACTION]
            accepted = store.complete_all([(block.lease, block.played) for block in batch])
            del self.finished[: len(batch)]
            for block, is_accepted in zip(batch, accepted, strict=True):
                self.games += len(block.played) if is_accepted else 0
                for alone in (True, False):
                    self.deaths.pop((block.lease.id, alone), None)
            yield sum(accepted)

    def save_changed_leases(self, store: Store) -> None:
        """Submit the memories of unfinished blocks that have changed."""
        while self.changed_leases:
            number, lease = next(iter(self.changed_leases.items()))
            store.save_memory(lease)
            del self.changed_leases[number]

    def save_voided(self, store: Store) -> Iterator[str]:
        """Submit void blocks; yields a sentence on each."""
        while self.voided:
            void = self.voided[0]
            recorded = store.void(void.lease, void.rotation, void.cause)
            del self.voided[0]
            consequence = "is given up and does not count" if recorded and recorded.given_up else "will be played again"
            yield f"Block {void.lease.block.number} {consequence}: {void.cause}"

    def check_machine(self) -> None:
        """Raise MachineError if this machine keeps failing."""
        if self.voids_in_a_row and not self.patient:
            raise MachineError(self.last_cause)
        if self.voids_in_a_row >= MAX_VOIDS_IN_A_ROW:
            raise MachineError(
                f"This machine has failed {MAX_VOIDS_IN_A_ROW} times without playing a block, and {self.games} games "
                f"are saved. The last time: {self.last_cause}"
            )

    def sentence(self) -> str:
        """A sentence on what is saved and what isn't."""
        lost = f"; {counted(len(self.finished), 'unsaved block')} will be played again" if self.finished else ""
        return f"{counted(self.games, 'match', 'matches')} played and saved in this run{lost}."


# The runner.


SHUTDOWN_SECONDS = 10.0
"""Seconds for blocks to finish when the runner is stopped."""
LEASE_SECONDS, GIVE_UP_SECONDS = 60.0, 600.0
"""Seconds for which a block is claimed, and for which an unusable store is retried."""
STARTUP_SECONDS = 120.0
"""Seconds for a worker to compile kernels and start its fork server."""
LEASE_RENEWALS = 4
"""How many times a lease is renewed in its lifetime: a few attempts may fail."""
POLL_SECONDS = 0.2
"""Seconds between checks for a stop."""
BLOCKS_PER_WORKER = 8
"""How many blocks for each worker are claimed at once from a store that nobody else uses."""
SAVE_SECONDS = 0.5
"""In such a store, finished blocks are saved after this many seconds, or when there is nothing else to do."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds until a store without free blocks is asked again; the pause doubles each time."""


def run(
    store: Store,
    tournament: str,
    workers: int | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    progress: Progress | None = None,
    until: StopCondition | None = None,
    next_round: NextRound | None = None,
    lease_s: float = LEASE_SECONDS,
    join: bool = False,
    wait: bool = False,
    give_up_s: float = GIVE_UP_SECONDS,
    on: str = "local",
) -> RunResult:
    """Play until ``until`` is met, ``stop`` returns True, or (without ``stop``) SIGINT or SIGTERM comes.

    ``workers``: the number of processes (None: one for each core); ``on``: another executor (``kibitz.executors``),
    which has workers of its own. ``join``: play although another runner is at work. ``wait``: wait for missing players
    instead of ending. ``give_up_s``: how long an unusable store is retried, in seconds. Raises StoreError if another
    runner is at work, MachineError if the executor cannot play or confine the players.
    """
    if workers is not None and workers < 1:
        raise NotationError(f"a runner needs at least one worker, not {workers}.")
    stored = check_rules(store.tournament(tournament))

    scheduler: SeasonScheduler | TournamentScheduler
    if stored.goal is None:
        scheduler = SeasonScheduler(store, tournament, until or StopCondition(), next_round)
    else:
        scheduler = TournamentScheduler(store, stored)
    pool = pool_of(store, stored, executor_of(on, workers))
    return Runner(store, stored, scheduler, pool, lease_s, progress, give_up_s).run(stop, join=join, wait=wait)


def check_rules(tournament: Tournament) -> Tournament:
    """Return the tournament, if this Kibitz plays by its rules. Raises RuleError otherwise."""
    version = find_game(tournament.game).rules.VERSION
    if version != tournament.rules:
        raise RuleError(
            f"{tournament.name} follows version {tournament.rules} of the rules of {tournament.game}, and this Kibitz"
            f" plays version {version}: use the release of Kibitz that the tournament began with."
        )
    return tournament


def pool_of(store: Store, tournament: Tournament, executor: Executor) -> WorkerPool:
    """A pool of an executor's workers for a tournament."""
    timeout = tournament.limits.longest(tournament.seats) + STARTUP_SECONDS
    return WorkerPool(tournament.game, executor, tournament.limits, timeout, recorded=not store.temporary)


class Runner:
    """One run. The first match that this machine can't play ends it, except in a season.

    ``clock`` returns seconds.
    """

    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        scheduler: SeasonScheduler | TournamentScheduler,
        pool: WorkerPool | InProcessPool,
        lease_s: float = LEASE_SECONDS,
        progress: Progress | None = None,
        give_up_s: float = GIVE_UP_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self.store, self.tournament, self.scheduler, self.name = store, tournament, scheduler, tournament.name
        self.lease_s, self.progress, self.give_up_s = lease_s, progress, give_up_s
        self.pool = pool
        self.holder = f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self.files, self.queue = (
            RunFiles(store, tournament, here=pool.here),
            BlockQueue(patient=tournament.goal is None),
        )
        self.only_user = store.temporary
        """Whether nobody else uses the store."""
        self.shutdown_seconds = 0.0 if self.only_user else SHUTDOWN_SECONDS
        self.next_save = self.next_show = 0.0
        self.shown: tuple[MatchInPlay, ...] = ()
        self.rounds = 0
        """How many rounds this run has scheduled."""
        self.round = self.blocks = self.unplayed = 0
        """The current round's number, its number of blocks, and how many of them are unplayed."""
        self.next_claim = self.next_renewal = 0.0
        self.pause = FIRST_PAUSE
        self.saved, self.nothing_to_claim = 0, False
        """Blocks saved since ``scheduler.advance`` was called, and whether the store has no blocks left to claim."""
        self.error_since: float | None = None

    def run(self, stop: Callable[[], bool] | None = None, *, join: bool = False, wait: bool = False) -> RunResult:
        """Play to the end and clean up; stop earlier when ``stop`` returns True, or without ``stop`` on a signal."""
        with ExitStack() as stack:
            stack.enter_context(self.store.retrying_for(1.0))
            return self.play_registered(stop or stack.enter_context(stopped_by_signals()), join=join, wait=wait)

    def play_registered(self, stop: Callable[[], bool], *, join: bool, wait: bool) -> RunResult:
        """Register as the tournament's runner, play to the end, save and unregister."""
        self.store.register_runner(self.name, self.holder, self.lease_s, join=join)
        try:
            why = self.play(stop, wait)
        finally:
            self.pool.end()
            with suppress(StoreError):
                self.save()
            with suppress(StoreError):
                self.store.release(self.holder)
                self.store.remove_runner(self.holder)
        return RunResult(why, self.sentence(why), self.queue.games, self.rounds)

    def sentence(self, why: EndReason) -> str:
        """The sentence on how the run ended."""
        reasons = {
            "stopped": "Stopped",
            "done": "Done",
            "waiting": "There are too few players",
            "closed": f"{self.name} is finished",
        }
        return f"{reasons[why]}: {self.queue.sentence()}"

    def play(self, stop: Callable[[], bool], wait: bool) -> EndReason:
        """The loop: listen, save, claim, send."""
        while True:
            for report in self.pool.listen(POLL_SECONDS if self.pool.leases() else FIRST_PAUSE):
                self.handle_report(report)
            try:
                self.save_if_due()
                self.queue.check_machine()
                self.keep_alive()
                self.show_matches()
                if stop():
                    return self.finish()
                self.pool.fill()
                step = self.claim_or_advance()
            except StoreError as error:
                if stop():
                    return self.finish()
                self.wait_for_the_store(error)
                continue
            self.error_since = None
            if step in ("done", "closed") or (step == "waiting" and not wait):
                return step

    # from workers to the store

    def handle_report(self, report: Report) -> None:
        """Process a worker's report, and give it the next block at once."""
        self.queue.add(report)
        if isinstance(report, Note):
            self.report(report.sentence)
        self.send()
        if self.only_user:
            self.report()

    def send(self) -> None:
        """Give waiting blocks to free workers."""
        waiting = self.queue.waiting
        while waiting and self.pool.free_slots() > 0:
            self.pool.send(waiting.popleft(), self.files.loaded, self.files.tier)

    def save_if_due(self) -> None:
        """Save now, unless nobody else uses the store and saving can wait for more blocks."""
        if not self.only_user or not self.queue.waiting or self.clock() >= self.next_save:
            self.save()

    def save(self) -> None:
        """Submit finished and void blocks; they leave memory only when the store has them."""
        self.next_save = self.clock() + SAVE_SECONDS
        for blocks in self.queue.save_finished(self.store):
            self.unplayed = max(0, self.unplayed - blocks)
            self.saved += blocks
            self.report()
            self.next_claim = 0.0
        self.queue.save_changed_leases(self.store)
        for sentence in self.queue.save_voided(self.store):
            self.report(sentence)

    def keep_alive(self) -> None:
        """Renew the leases and show that this runner is alive, ``LEASE_RENEWALS`` times in the life of a lease."""
        if self.clock() < self.next_renewal:
            return
        if not self.store.renew_runner(self.holder, self.lease_s):
            self.store.register_runner(self.name, self.holder, self.lease_s, join=True)
        self.store.heartbeat([*self.queue.waiting, *self.pool.leases()], self.lease_s)
        self.refresh()
        self.next_renewal = self.clock() + self.lease_s / LEASE_RENEWALS

    def show_matches(self) -> None:
        """Store the matches in play, so that spectators see long matches."""
        if self.only_user or self.clock() < self.next_show:
            return
        self.next_show = self.clock() + REPORT_SECONDS
        if (shown := self.pool.matches_in_play()) != self.shown:
            self.store.save_matches_in_play(self.holder, shown)
            self.shown = shown

    def claim_or_advance(self) -> Step:
        """Claim blocks; if none is left, have the scheduler close the round and schedule the next one.

        In a store that nobody else uses, both are skipped while nothing can have changed.
        """
        if len(self.queue.waiting) >= self.pool.size or self.clock() < self.next_claim:
            self.send()
            return "playing"
        idle = not (self.queue.waiting or self.pool.leases() or self.queue.finished)
        if (idle or not (self.only_user and self.nothing_to_claim)) and self.claim():
            return "playing"
        self.nothing_to_claim = True
        step: Step = "playing"
        if idle or (self.scheduler.eager and not (self.only_user and self.saved < self.scheduler.blocks_needed)):
            step, self.saved = self.scheduler.advance(), 0
        if step == "scheduled":
            self.rounds += 1
            self.nothing_to_claim = False
            return self.claim_or_advance()
        self.next_claim = self.clock() + self.pause
        self.pause = min(LONGEST_PAUSE, 2 * self.pause)
        return step

    def claim(self) -> bool:
        """Lease blocks for free workers; returns whether there were any."""
        wanted = self.pool.size * (BLOCKS_PER_WORKER if self.only_user else 1)
        claimed = self.store.claim(self.name, self.holder, wanted, self.lease_s)
        if not claimed:
            return False
        if isinstance(self.pool, WorkerPool):
            self.files.load(claimed)
        if claimed[0].block.round != self.round:
            self.refresh()
            self.report()
        self.queue.waiting.extend(claimed)
        self.pause = FIRST_PAUSE
        self.send()
        return True

    # reports to people

    def refresh(self) -> None:
        """Read the state of the current round from the store."""
        for latest in self.store.rounds(self.name, newest=1):
            self.round, self.blocks, self.unplayed = latest.number, latest.blocks, latest.unplayed

    def report(self, note: str = "") -> None:
        """Report the progress."""
        if self.progress is not None:
            self.progress(RunStatus(self.round, self.blocks, self.unplayed, self.queue.played, note))

    def wait_for_the_store(self, error: StoreError) -> None:
        """Wait before the next try after a store error; raises the error if waiting won't help, or hasn't helped.

        Results wait in memory in the meantime.
        """
        now = time.monotonic()
        self.error_since = self.error_since or now
        if not error.transient or now - self.error_since > self.give_up_s:
            raise StoreError(error.kind, f"{error} {self.queue.sentence()}") from error
        waiting = f" {counted(len(self.queue.finished), 'block')} not saved yet." if self.queue.finished else ""
        self.report(f"{error}{waiting}")
        self.handle_reports_for(LONGEST_PAUSE)

    def handle_reports_for(self, seconds: float) -> None:
        """Process reports for this long."""
        end = time.monotonic() + seconds
        while (remaining := end - time.monotonic()) > 0:
            if not self.pool.leases():
                time.sleep(remaining)
            for report in self.pool.listen(remaining):
                self.handle_report(report)

    def finish(self) -> EndReason:
        """Let blocks in play finish, for a short while."""
        self.queue.waiting.clear()
        end = time.monotonic() + self.shutdown_seconds
        while self.pool.leases() and time.monotonic() < end:
            for report in self.pool.listen(POLL_SECONDS):
                self.handle_report(report)
            self.queue.waiting.clear()
        with suppress(StoreError):
            self.save()
        return "stopped"
