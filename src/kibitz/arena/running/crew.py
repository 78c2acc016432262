"""The worker processes of a runner: started, sent blocks, listened to, replaced when they die.

member      one worker process, on one core, with at most one block
told        what a member reports; ``Gone`` when it has died, with the reason
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait

import msgspec

from kibitz.arena.model import Lease, Played
from kibitz.arena.running import worker
from kibitz.arena.running.blocks import PlayerFile
from kibitz.errors import MachineError
from kibitz.players.ledger import NOTHING, SIGN, Memory
from kibitz.players.limits import Limits
from kibitz.sandbox import Tier

BOOT = "from kibitz.arena.running.worker import main; main()"
STARTS, KILLS = 3, 20
"""So many workers in a row that end by themselves before they are ready, or are killed, are one too many."""
TAIL = 400
PATIENCE = 10
"""Seconds until a worker that takes no orders is given up."""


def can_work() -> bool:
    """Whether this system can hand a channel on to a worker process, which Windows cannot."""
    return hasattr(os, "fork")


class Finished(msgspec.Struct, frozen=True):
    """All matches of a block have been played."""

    lease: Lease
    played: tuple[Played, ...]


class Voided(msgspec.Struct, frozen=True):
    """A match of a block could not be played."""

    lease: Lease
    rotation: int
    cause: str


class Gone(msgspec.Struct, frozen=True):
    """A worker has died over a match of a block."""

    lease: Lease
    rotation: int
    cause: str


class Learnt(msgspec.Struct, frozen=True):
    """Something about a block must outlive its worker: the lease remembers it."""

    lease: Lease


Told = Finished | Voided | Gone | Learnt


class Member:
    """One worker process."""

    def __init__(self, game: str, core: int, limits: Limits) -> None:
        self.core, self.ready = core, False
        self.known: set[int] = set()
        self.lease: Lease | None = None
        self.played: list[Played] = []
        self.since = time.monotonic()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the member
        self.channel, far = Pipe()
        with far, socket.socket(fileno=os.dup(self.channel.fileno())) as near:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", PATIENCE, 0))
            self.process = self.boot(far)
        with suppress(OSError):
            self.channel.send_bytes(worker.encode(worker.Begin(game, core, os.getpid(), limits)))

    def boot(self, far: Connection) -> subprocess.Popen[bytes]:
        """Start the process, without PostgreSQL's settings; MachineError if there is none to be had."""
        command = [sys.executable, "-c", BOOT, str(far.fileno())]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                pass_fds=[far.fileno()],
                env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"No worker process can be started: {error.strerror}.") from error

    def play(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None, *, recorded: bool) -> None:
        """Send a block, and before it what the worker does not know yet; OSError if it has died."""
        self.lease, self.played, self.since = lease, [], time.monotonic()
        for submission in dict.fromkeys(lease.block.lineup):
            if submission not in self.known:
                self.known.add(submission)
                self.channel.send_bytes(worker.encode(worker.Know(files[submission])))
        self.channel.send_bytes(worker.encode(worker.Play(lease.block, tier, lease.memory, recorded)))

    def heard(self) -> Told | None:
        """Take one report; what it completes, if it does.  EOFError or OSError if the worker has died."""
        report = worker.report(self.channel.recv_bytes())
        self.since, self.ready = time.monotonic(), True
        lease = self.lease
        if isinstance(report, worker.Ready) or lease is None or report.block != lease.block.number:
            return None
        if isinstance(report, worker.Going):
            known = lease.memory.get(report.rotation, NOTHING)
            self.lease = lease.remembering(report.rotation, report.memory)
            return Learnt(self.lease) if worth(report.memory) != worth(known) else None
        if isinstance(report, worker.Failed):
            self.lease = None
            return Voided(lease, report.rotation, report.cause)
        self.played.append(report.played)
        if len(self.played) < len(lease.block.lineup):
            return None
        self.lease = None
        return Finished(lease, tuple(self.played))

    def end(self) -> str:
        """Make sure that the process is gone; how it ended, in a sentence."""
        self.channel.close()
        if self.process.poll() is None:
            self.process.kill()
        status = self.process.wait()
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - TAIL))
        tail = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        if status < 0:
            return f"the worker process was ended by {signal.Signals(-status).name}."
        return f"the worker process ended with status {status}" + (f": {tail[-1]}" if tail else ".")


def worth(memory: Memory) -> object:
    """What of a memory is worth being stored at once: failures, and idleness in steps of ``SIGN`` seconds."""
    return memory.lapses, {seat: int(seconds / SIGN) for seat, seconds in enumerate(memory.idled) if seconds >= SIGN}


class Crew:
    """All worker processes of a runner; one that gives no sign of life for ``patience`` seconds is killed.

    What they play has a record if it is to be ``recorded``.
    """

    def __init__(self, game: str, size: int, limits: Limits, patience: float, *, recorded: bool = True) -> None:
        self.game, self.size, self.limits, self.patience, self.recorded = game, size, limits, patience, recorded
        self.members: list[Member] = []
        self.starts = self.kills = 0

    def fill(self) -> None:
        """Start workers for all cores that have none; MachineError where they keep dying at once."""
        taken = {member.core for member in self.members}
        for core in range(self.size):
            if core not in taken:
                self.members.append(Member(self.game, core, self.limits))

    def idle(self) -> list[Member]:
        """Who has no block."""
        return [member for member in self.members if member.lease is None]

    def leases(self) -> list[Lease]:
        """What is being played."""
        return [member.lease for member in self.members if member.lease is not None]

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> Gone | None:
        """Have one who is idle play a block; Gone if it has died meanwhile."""
        member = self.idle()[0]
        try:
            member.play(lease, files, tier, recorded=self.recorded)
        except OSError:
            return self.lost(member)
        return None

    def listen(self, seconds: float) -> Iterator[Told]:
        """What is reported within a time, at once when there is something."""
        by_channel = {member.channel: member for member in self.members}
        if not by_channel:
            return
        for channel in wait(list(by_channel), seconds):
            assert isinstance(channel, Connection)
            member = by_channel[channel]
            if member not in self.members:
                continue
            try:
                told = member.heard()
                self.starts = self.kills = 0
            except (EOFError, OSError, msgspec.DecodeError):
                told = self.lost(member)
            if told:
                yield told
        for member in self.overdue():
            member.process.kill()

    def overdue(self) -> Sequence[Member]:
        """Who has been silent for longer than a match may take, though a sign is due every few seconds."""
        late = time.monotonic() - self.patience
        return [member for member in self.members if member.lease is not None and member.since < late]

    def lost(self, member: Member) -> Gone | None:
        """Take a member off that has died."""
        self.members.remove(member)
        cause = member.end()
        if not member.ready:
            self.kills += member.process.returncode < 0
            self.starts += member.process.returncode >= 0
        if self.starts >= STARTS or self.kills >= KILLS:
            raise MachineError(f"This machine cannot run workers: {cause}")
        return Gone(member.lease, len(member.played), cause) if member.lease else None

    def end(self) -> None:
        """End all workers, with all their players."""
        for member in self.members:
            member.end()
        self.members.clear()
