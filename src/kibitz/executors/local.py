"""The cores of this machine as a place: worker processes, replaced when they die."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait

import msgspec

from kibitz.errors import MachineError
from kibitz.executors.executor import Member
from kibitz.executors.worker import Heard, Lost, Refused, Work, part_name

STARTS, KILLS = 3, 20
"""So many workers in a row that end by themselves before they are ready, or are killed, are one too many."""

PREPARING = -1
"""The ticket of what is no block."""


class Local:
    """Worker processes of this machine, each on a core of its own, with a block each."""

    here = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.members: list[Member] = []
        self.contents: dict[str, bytes] = {}
        self.missed: deque[Heard] = deque()
        self.starts = self.kills = 0

    def begin(self) -> None:
        """Start workers for all cores that have none; MachineError where they keep dying at once."""
        taken = {member.core for member in self.members}
        for core in range(self.size):
            if core not in taken:
                self.members.append(Member(core))

    def prepare(self, work: Work) -> None:
        """Have every worker that has no block do this first; nothing is heard of it, and no room is left meanwhile."""
        self.begin()
        for member in [member for member in self.members if member.ticket is None]:
            self.give(member, PREPARING, work)

    def room(self) -> int:
        """How many have no block."""
        return sum(member.ticket is None for member in self.members)

    def share(self, content: bytes) -> str:
        """Keep a part for blocks to come; its name."""
        name = part_name(content)
        self.contents[name] = content
        return name

    def drop(self, name: str) -> None:
        """Forget a part that no block needs any more."""
        self.contents.pop(name, None)
        for member in self.members:
            member.forget(name)

    def send(self, ticket: int, work: Work) -> None:
        """Have one who has no block do this one."""
        self.give(next(member for member in self.members if member.ticket is None), ticket, work)

    def give(self, member: Member, ticket: int, work: Work) -> None:
        """Give a member something to do."""
        try:
            member.carry(ticket, work, self.contents)
        except OSError:
            self.lost(member)

    def listen(self, seconds: float) -> Iterator[Heard]:
        """What is reported within a time, at once when there is something."""
        while self.missed:
            yield self.missed.popleft()
        by_channel = {member.channel: member for member in self.members}
        for channel in wait(list(by_channel), seconds) if by_channel else ():
            assert isinstance(channel, Connection)
            member = by_channel[channel]
            if member not in self.members:
                continue
            try:
                report = member.heard()
                self.starts = self.kills = 0
            except (EOFError, OSError, msgspec.DecodeError):
                self.lost(member)
                continue
            if isinstance(report, Refused):
                raise MachineError(report.sentence)
            if report and report.ticket != PREPARING:
                yield report
        while self.missed:
            yield self.missed.popleft()
        for member in self.members:
            if member.is_silent():
                member.process.kill()

    def lost(self, member: Member) -> None:
        """Take a member off that has died."""
        self.members.remove(member)
        cause = member.lost()
        if not member.ready:
            self.kills += member.process.returncode < 0
            self.starts += member.process.returncode >= 0
        if self.starts >= STARTS or self.kills >= KILLS:
            raise MachineError(f"This machine cannot run workers: {cause}")
        if member.ticket not in (None, PREPARING):
            self.missed.append(Lost(member.ticket, cause))

    def end(self) -> None:
        """End all workers, with all that they have started."""
        for member in self.members:
            member.end()
        self.members.clear()
