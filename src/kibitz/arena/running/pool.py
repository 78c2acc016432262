"""The pool of a runner's workers, on any machines, or this process as the only worker.

report      tells the runner what has happened to a lease, or is a message for people
memory      what interrupted attempts at a match have left for the next one (``kibitz.players.rated_game``)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import msgspec

from kibitz.arena.chunks import needs_of
from kibitz.arena.model import Lease, MatchInPlay, PlayedMatch
from kibitz.arena.running import blocks
from kibitz.arena.running.blocks import PlayerFile, Unplayable, play
from kibitz.arena.signals import interrupted_by_signals
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.executors import Executor
from kibitz.executors.worker import Done, ExecutorReport, Failed, Heartbeat, Lost, Need, Note, Work
from kibitz.players.limits import Limits
from kibitz.players.rated_game import EMPTY_MEMORY, REPORT_SECONDS, Memory
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier

MAX_SHOWN_MATCHES = 8
"""The maximum number of matches in play that spectators see."""


class Finished(msgspec.Struct, frozen=True):
    """A report that all matches of a block have been played."""

    lease: Lease
    played: tuple[PlayedMatch, ...]


class Voided(msgspec.Struct, frozen=True):
    """A report that the machine could not play the match of one ``rotation`` of a block."""

    lease: Lease
    rotation: int
    cause: str


class WorkerDied(msgspec.Struct, frozen=True):
    """A report that a worker died during a block.

    ``alone`` is True if no other process died at the same time, so the block may be the cause.
    """

    lease: Lease
    rotation: int
    cause: str
    alone: bool = True


class LeaseChanged(msgspec.Struct, frozen=True):
    """A report that a lease has a new memory, which must be stored in case the worker dies."""

    lease: Lease


Report = Finished | Voided | WorkerDied | LeaseChanged | Note


class LeasedBlock:
    """A worker's block: its lease with memory, and the rotation and record of the match in play, as last reported."""

    def __init__(self, lease: Lease) -> None:
        self.lease, self.rotation, self.record = lease, 0, ""


class WorkerPool:
    """All workers of a runner, on an executor.

    A worker that sends no heartbeat for ``timeout`` seconds is killed. Unless ``recorded``, matches have empty
    records.
    """

    def __init__(self, game: str, executor: Executor, limits: Limits, timeout: float, *, recorded: bool = True) -> None:
        self.executor, self.timeout = executor, timeout
        self.settings_blob = executor.add_blob(blocks.encode(blocks.RunSettings(game, limits, recorded)))
        self.game = find_game(game)
        self.leased_blocks: dict[int, LeasedBlock] = {}
        """By ticket, the blocks that workers have."""
        self.file_blobs: dict[int, str] = {}
        """By submission, the name of the blob that holds its player file."""
        self.tickets = count()

    @property
    def here(self) -> bool:
        """Whether the workers run on this machine, and use its confinement of player files."""
        return self.executor.is_local

    @property
    def size(self) -> int:
        """The maximum number of blocks that the workers take at a time."""
        return self.executor.size

    def fill(self) -> None:
        """Start missing workers. Raises MachineError if none can be started."""
        self.executor.begin()

    def free_slots(self) -> int:
        """How many more blocks the workers can take now."""
        return self.executor.free_slots()

    def leases(self) -> list[Lease]:
        """The leases in play."""
        return [leased.lease for leased in self.leased_blocks.values()]

    def matches_in_play(self) -> tuple[MatchInPlay, ...]:
        """The first ``MAX_SHOWN_MATCHES`` matches in play whose records workers have reported."""
        in_play = [leased for leased in self.leased_blocks.values() if leased.record][:MAX_SHOWN_MATCHES]
        return tuple(MatchInPlay(leased.lease.block.match(leased.rotation), leased.record) for leased in in_play)

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> None:
        """Send a block to a worker with the player files it needs; ``tier`` is the confinement on this machine."""
        players = [files[submission] for submission in dict.fromkeys(lease.block.lineup)]
        blobs = self.settings_blob, *(self.file_blob(file) for file in players)
        order = blocks.BlockOrder(lease.block, tier if self.here else None, lease.memory)
        ticket = next(self.tickets)
        self.leased_blocks[ticket] = LeasedBlock(lease)
        self.executor.send(ticket, Work(blocks.TASK, blocks.encode(order), blobs, self.needs(players), self.timeout))

    def needs(self, players: Sequence[PlayerFile]) -> tuple[Need, ...]:
        """What a worker on another machine needs to play blocks with these players."""
        if self.here:
            return ()
        built_in = [player.file for player in players if not player.content]
        return needs_of(self.game, built_in, files=any(player.is_code for player in players))

    def file_blob(self, file: PlayerFile) -> str:
        """The name of the blob that holds a player file, which is shared with the workers once."""
        if file.submission not in self.file_blobs:
            self.file_blobs[file.submission] = self.executor.add_blob(blocks.encode(file))
        return self.file_blobs[file.submission]

    def listen(self, seconds: float) -> Iterator[Report]:
        """The reports that arrive within ``seconds``."""
        for message in self.executor.listen(seconds):
            if report := self.report_of(message):
                yield report

    def report_of(self, message: ExecutorReport) -> Report | None:
        """An executor's report as a report to the runner; None if there is nothing to report; raises a worker's error.

        Updates the lease, the rotation and the record of the block that the report is about.
        """
        if isinstance(message, Note):
            return message
        leased = self.leased_blocks[message.ticket]
        if isinstance(message, Heartbeat):
            progress = blocks.read_progress(message.data)
            memory, leased.rotation = leased.lease.memory.get(progress.rotation, EMPTY_MEMORY), progress.rotation
            leased.record = progress.record
            if progress.memory is None:
                return None
            leased.lease = leased.lease.remembering(progress.rotation, progress.memory)
            return LeaseChanged(leased.lease) if urgent_part(progress.memory) != urgent_part(memory) else None
        del self.leased_blocks[message.ticket]
        if isinstance(message, Failed):
            raise message.error.exception()
        if isinstance(message, Lost):
            return WorkerDied(leased.lease, leased.rotation, message.cause, message.alone)
        assert isinstance(message, Done)
        outcome = blocks.read_outcome(message.result)
        if outcome.cause:
            return Voided(leased.lease, len(outcome.played), outcome.cause)
        return Finished(leased.lease, outcome.played)

    def end(self) -> None:
        """End all workers, with all their players."""
        self.executor.end()
        self.leased_blocks.clear()


def urgent_part(memory: Memory) -> object:
    """The part of a memory whose changes must be stored at once: failures, and idle times.

    Idle times count in whole multiples of ``REPORT_SECONDS``.
    """
    return memory.lapses, {
        seat: int(seconds / REPORT_SECONDS) for seat, seconds in enumerate(memory.idled) if seconds >= REPORT_SECONDS
    }


# A pool whose only worker is this process, for players that are debugged or must not leave this process.
#
# It plays a block when ``listen`` is called. A signal during a match interrupts the match at once, since it might never
# end; between matches the usual handlers act.


IDLE_SECONDS = 0.01
"""The maximum number of seconds to sleep when there is nothing to play."""


class InProcessPool:
    """Plays blocks in this process; ``players`` are the players of all submissions, by id."""

    size, here = 1, True

    def __init__(self, game: Game, players: Mapping[int, PlayerSpec], *, recorded: bool = True) -> None:
        self.game, self.players, self.recorded = game, players, recorded
        self.lease: Lease | None = None

    def fill(self) -> None:
        """Do nothing: there are no workers to start."""

    def free_slots(self) -> int:
        """How many more blocks it takes now: 1 if it has none, else 0."""
        return int(self.lease is None)

    def leases(self) -> list[Lease]:
        """The lease in play, if any."""
        return [self.lease] if self.lease else []

    def matches_in_play(self) -> tuple[MatchInPlay, ...]:
        """Always empty: there are no spectators."""
        return ()

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> None:
        """Take a block, which is played in ``listen``."""
        self.lease = lease

    def listen(self, seconds: float) -> Iterator[Report]:
        """Play the block, if there is one, and report it; KeyboardInterrupt if a signal asks this process to stop."""
        lease = self.lease
        if lease is None:
            time.sleep(min(seconds, IDLE_SECONDS))
            return
        played = []
        try:
            with interrupted_by_signals():
                for match in play(self.game, lease.block, self.players, recorded=self.recorded):
                    played.append(match)
        except Unplayable as error:
            yield Voided(lease, len(played), str(error))
        else:
            yield Finished(lease, tuple(played))
        finally:
            self.lease = None

    def end(self) -> None:
        """Stop playing."""
        self.lease = None
