"""The workers of a runner, on any machine, or this process as the only one.

report      what has happened to a lease, or a message for people; ``WorkerDied`` if a worker died, with the reason
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
from kibitz.executors.worker import Done, ExecutorReport, Failed, Lost, Need, Note, Signed, Work
from kibitz.players.limits import Limits
from kibitz.players.rated_game import EMPTY_MEMORY, SIGN_OF_LIFE_SECONDS, Memory
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier

MAX_SHOWN = 8


class Finished(msgspec.Struct, frozen=True):
    """All matches of a block have been played."""

    lease: Lease
    played: tuple[PlayedMatch, ...]


class Voided(msgspec.Struct, frozen=True):
    """A match of a block could not be played."""

    lease: Lease
    rotation: int
    cause: str


class WorkerDied(msgspec.Struct, frozen=True):
    """A worker died during a block; ``alone`` if only its process did, so the block may be the cause."""

    lease: Lease
    rotation: int
    cause: str
    alone: bool = True


class LeaseChanged(msgspec.Struct, frozen=True):
    """A lease has a new memory of its block, which must outlive the worker."""

    lease: Lease


class Message(msgspec.Struct, frozen=True):
    """A message about the executor, for people."""

    sentence: str


Report = Finished | Voided | WorkerDied | LeaseChanged | Message


class LeasedBlock:
    """A worker's block: its lease with notes, and the match in play, as last reported."""

    def __init__(self, lease: Lease) -> None:
        self.lease, self.rotation, self.record = lease, 0, ""


class WorkerPool:
    """All workers of a runner, on an executor; one that gives no sign of life for ``timeout`` seconds is killed.

    Matches have records if ``recorded``.
    """

    def __init__(self, game: str, executor: Executor, limits: Limits, timeout: float, *, recorded: bool = True) -> None:
        self.place, self.timeout = executor, timeout
        self.job = executor.share(blocks.encode(blocks.Job(game, limits, recorded)))
        self.game = find_game(game)
        self.by_ticket: dict[int, LeasedBlock] = {}
        self.known: dict[int, str] = {}
        self.tickets = count()

    @property
    def here(self) -> bool:
        """Whether the workers run on this machine, whose confinement of player files then applies."""
        return self.place.here

    @property
    def size(self) -> int:
        """The most blocks they hold."""
        return self.place.size

    def fill(self) -> None:
        """Start missing workers; MachineError if none can be started."""
        self.place.begin()

    def free_slots(self) -> int:
        """How many more blocks they can take now."""
        return self.place.free_slots()

    def leases(self) -> list[Lease]:
        """The leases in play."""
        return [held.lease for held in self.by_ticket.values()]

    def shown(self) -> tuple[MatchInPlay, ...]:
        """The reported matches in play, or some of them if there are many."""
        going = [held for held in self.by_ticket.values() if held.record]
        return tuple(MatchInPlay(held.lease.block.match(held.rotation), held.record) for held in going[:MAX_SHOWN])

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> None:
        """Have a block played."""
        known = [files[submission] for submission in dict.fromkeys(lease.block.lineup)]
        parts = self.job, *(self.part(file) for file in known)
        order = blocks.BlockOrder(lease.block, tier if self.here else None, lease.memory)
        ticket = next(self.tickets)
        self.by_ticket[ticket] = LeasedBlock(lease)
        self.place.send(ticket, Work(blocks.TASK, blocks.encode(order), parts, self.needs(known), self.timeout))

    def needs(self, players: Sequence[PlayerFile]) -> tuple[Need, ...]:
        """The needs of these blocks."""
        if self.here:
            return ()
        built_in = [player.file for player in players if not player.content]
        return needs_of(self.game, built_in, files=any(player.is_code for player in players))

    def part(self, file: PlayerFile) -> str:
        """A player file as a part of blocks."""
        if file.submission not in self.known:
            self.known[file.submission] = self.place.share(blocks.encode(file))
        return self.known[file.submission]

    def listen(self, seconds: float) -> Iterator[Report]:
        """Reports, waiting for at most a given time."""
        for heard in self.place.listen(seconds):
            if report := self.report_of(heard):
                yield report

    def report_of(self, message: ExecutorReport) -> Report | None:
        """The part of a report about a lease, if any."""
        if isinstance(message, Note):
            return Message(message.sentence)
        held = self.by_ticket[message.ticket]
        if isinstance(message, Signed):
            going = blocks.read_progress(message.data)
            known, held.rotation = held.lease.memory.get(going.rotation, EMPTY_MEMORY), going.rotation
            held.record = going.record
            if going.memory is None:
                return None
            held.lease = held.lease.remembering(going.rotation, going.memory)
            return LeaseChanged(held.lease) if urgent_part(going.memory) != urgent_part(known) else None
        del self.by_ticket[message.ticket]
        if isinstance(message, Failed):
            raise message.error.exception()
        if isinstance(message, Lost):
            return WorkerDied(held.lease, held.rotation, message.cause, message.alone)
        assert isinstance(message, Done)
        found = blocks.read_outcome(message.result)
        if found.cause:
            return Voided(held.lease, len(found.played), found.cause)
        return Finished(held.lease, found.played)

    def end(self) -> None:
        """End all workers, with all their players."""
        self.place.end()
        self.by_ticket.clear()


def urgent_part(memory: Memory) -> object:
    """The part of a note worth storing at once: failures, and idleness in steps of ``SIGN_OF_LIFE_SECONDS`` seconds."""
    return memory.lapses, {
        seat: int(seconds / SIGN_OF_LIFE_SECONDS)
        for seat, seconds in enumerate(memory.idled)
        if seconds >= SIGN_OF_LIFE_SECONDS
    }


# A pool that is this process, for players that are to be debugged, or may not leave it.
#
# It plays a block when it is listened to. A signal during a match interrupts it at once, since it might never end;
# between matches the usual handlers act.


IDLE_SECONDS = 0.01
"""Seconds for which it rests at most when there is nothing to play."""


class InProcessPool:
    """Plays in this process, block after block; ``players`` are the players of all submissions, by id."""

    size, here = 1, True

    def __init__(self, game: Game, players: Mapping[int, PlayerSpec], *, recorded: bool = True) -> None:
        self.game, self.players, self.recorded = game, players, recorded
        self.lease: Lease | None = None

    def fill(self) -> None:
        """Do nothing: there are no workers to start."""

    def free_slots(self) -> int:
        """How many more blocks it takes now: one, if it has none."""
        return int(self.lease is None)

    def leases(self) -> list[Lease]:
        """The lease in play, if any."""
        return [self.lease] if self.lease else []

    def shown(self) -> tuple[MatchInPlay, ...]:
        """Nothing: there are no spectators."""
        return ()

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> None:
        """Take a block, which is played in ``listen``."""
        self.lease = lease

    def listen(self, seconds: float) -> Iterator[Report]:
        """Play the block, if there is one; KeyboardInterrupt if this process is asked to stop meanwhile."""
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
