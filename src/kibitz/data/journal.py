"""Games as they are played, kept beside the file that they will be written to, so that no end of a program loses them.

journal     ``FILE.part``: a line that says what is simulated, then a line for every chunk of finished games; each
            line has a check sum, and what was torn by a crash is left out and played again
"""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from kibitz.data.rows import Played
from kibitz.errors import KibitzError
from kibitz.table.saved import Lock

BUSY = "is being simulated by another program: wait for it, or name another file."


class Plan(msgspec.Struct, frozen=True):
    """What is simulated; with the same plan the same games come out, however many are asked for.

    players     names, and for player files the SHA-256 of what they are
    records     whether the records of the games are kept
    """

    game: str
    rules: int
    players: tuple[str, ...]
    files: tuple[str, ...]
    limits: str
    seed: int
    records: bool
    version: str

    def difference(self, other: Plan) -> str:
        """What is not the same in another plan; empty if they are equal."""
        called = {"files": "player files", "version": "version of Kibitz", "rules": "rules"}
        fields = (field for field in self.__struct_fields__ if getattr(self, field) != getattr(other, field))
        return ", ".join(called.get(field, field) for field in fields)


class Journal:
    """A journal that is open to be added to; ``done`` games are in it already."""

    def __init__(self, target: Path) -> None:
        self.path = part_of(target)
        self.lock = Lock(self.path, BUSY)
        self.done = 0
        self.plan: Plan | None = None

    def begin(self, plan: Plan) -> None:
        """Write down what is simulated; OSError where that cannot be."""
        self.path.unlink(missing_ok=True)
        self.plan, self.done = plan, 0
        self.append(msgspec.json.encode(msgspec.structs.asdict(plan) | {"seed": str(plan.seed)}))

    def look(self) -> Plan | None:
        """What is simulated in the journal that is there, without anything torn at its end; None if there is none."""
        if not os.path.isfile(self.path):
            return None
        good = self.done = 0
        self.plan = None
        for content, end in checked_lines(self.path):
            if self.plan is None:
                self.plan = plan_of(content)
                if self.plan is None:
                    break
            else:
                self.done += len(msgspec.json.decode(content, type=list[msgspec.Raw]))
            good = end
        if self.plan is not None and good < self.path.stat().st_size:
            os.truncate(self.path, good)
        return self.plan

    def add(self, played: Sequence[Played]) -> None:
        """Keep some more games."""
        self.append(msgspec.json.encode(played))
        self.done += len(played)

    def append(self, content: bytes) -> None:
        """Write a line with its check sum."""
        with self.path.open("ab") as file:
            file.write(b"%08x %s\n" % (crc32(content), content))

    def games(self, most: int) -> Iterator[list[Played]]:
        """The first ``most`` games, chunk by chunk."""
        lines = checked_lines(self.path)
        next(lines)
        for content, _ in lines:
            played = msgspec.json.decode(content, type=list[Played])[:most]
            most -= len(played)
            yield played
            if not most:
                return

    def drop(self) -> None:
        """The games are where they belong: keep nothing more."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave it to others."""
        self.lock.release()


def part_of(target: Path) -> Path:
    """Where the journal of a file lies."""
    return target.with_name(f"{target.name}.part")


def checked_lines(path: Path) -> Iterator[tuple[bytes, int]]:
    """The lines of a journal up to the first that is not as it was written, each with where it ends."""
    with path.open("rb") as file:
        while line := file.readline():
            content = line[9:-1]
            if not line.endswith(b"\n") or line[:9] != b"%08x " % crc32(content):
                return
            yield content, file.tell()


def plan_of(content: bytes) -> Plan | None:
    """What the first line says; None if it is no plan."""
    try:
        found = msgspec.json.decode(content)
        return msgspec.convert(found | {"seed": int(found["seed"])}, Plan)
    except (msgspec.MsgspecError, TypeError, KeyError, ValueError):
        return None


def check_same_plan(found: Plan, wanted: Plan, path: Path) -> None:
    """KibitzError unless what was begun is what is wanted."""
    if differ := found.difference(wanted):
        raise KibitzError(
            f"{path} holds games of another simulation ({differ}): go on with the same words, name another file, or"
            " add --force to begin anew."
        )
