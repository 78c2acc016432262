"""One submission, tried in a process of its own: ``python -m kibitz.web.trial``, a job in, news out.

    job         one line of JSON on standard input
    news        lines of JSON on standard output: how many games have been played, and at last what came of it

The server's own process plays no games: it would be too slow for those who sit at its tables.
"""

from __future__ import annotations

import base64
import io
import os
import sys
import zipfile

import msgspec

from kibitz.arena.api import open as open_arena
from kibitz.errors import KibitzError, StoreError
from kibitz.executors.worker import die_with, stay_within
from kibitz.players.findings import Finding
from kibitz.web.connection import Person
from kibitz.web.season import INVITED_ONLY, may_submit

BOUNDS = 4 << 30, 10 * 60, 30 * 60
"""Bytes, seconds of CPU time and seconds on the wall; players have limits of their own."""


class Job(msgspec.Struct, frozen=True):
    """A submission: its files by name, in base 64."""

    store: str
    tournament: str
    player: str
    person: Person
    files: tuple[tuple[str, str], ...]
    parent: int


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far it is: so many of so many games; in the end whether it plays, the reason and all findings."""

    done: int = 0
    of: int = 0
    ended: bool = False
    accepted: bool = False
    version: int = 0
    sentence: str = ""
    findings: tuple[Finding, ...] = ()


def content_of(job: Job) -> tuple[str, bytes]:
    """The file that was handed in; several as one archive, which is read with the same care as a stranger's."""
    files = [(name, base64.b64decode(content)) for name, content in job.files]
    if len(files) == 1:
        return files[0]
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in files:
                archive.writestr(name, content)
        return f"{job.player}.zip", out.getvalue()


def tried(job: Job) -> News:
    """Enter the files as the next version of their player, and try them."""

    def progress(done: int, of: int) -> None:
        tell(News(done, of))

    name, content = content_of(job)
    with open_arena(job.store or None) as arena:
        if not may_submit(arena, job.person):  # again: it has waited for its turn
            raise StoreError("refused", INVITED_ONLY)
        found = arena.submit(
            job.tournament,
            name,
            job.player,
            owner=job.person.name,
            account=job.person.id,
            content=content,
            progress=progress,
        )
    version = found.submission.version
    said = (
        f"{job.player} plays from the next round on, as version {version}." if found.accepted else found.report.reason
    )
    sentence = " ".join(filter(None, (said, found.note)))
    return News(0, 0, True, found.accepted, version, sentence, found.report.findings)


def tell(news: News) -> None:
    """Write a line."""
    sys.stdout.buffer.write(msgspec.json.encode(news) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """One job."""
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    die_with(job.parent)
    stay_within(*BOUNDS)
    try:
        news = tried(job)
    except KibitzError as error:
        news = News(ended=True, sentence=str(error))
    tell(news)


if __name__ == "__main__":
    os.environ.pop("KIBITZ_DEBUG", None)
    main()
