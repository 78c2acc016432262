"""Findings about a player file, the commands that reproduce them, and how they are printed.

finding         the result of one check: what is right or wrong, why, and how to reproduce it
position        what the seat saw when its player failed
line            a text with its kind: a heading, an aside, preformatted, or plain
hanging indent  what the second and later lines of a folded line begin with
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.scene.text import table_lines
from kibitz.engine.sentences import names_for, printable
from kibitz.table import Table


class Finding(msgspec.Struct, frozen=True):
    """One result of a check.

    what, why   what was found, and the reason or the rule that was broken; together one sentence
    kind        a ``FailureKind``, or "example" (a published example fails), "prints" (the file prints) or "end" (the
                file fails when it gets the result)
    reproduce   a command that repeats the failure
    alone       a command that repeats only the call
    detail      the call, what it returned and the traceback
    position    what the seat saw, line by line
    warning     whether it is a fault that doesn't stop the file from playing; then ``ok`` is True, too
    """

    ok: bool
    what: str
    why: str = ""
    kind: str = ""
    reproduce: str = ""
    detail: str = ""
    position: str = ""
    alone: str = ""
    warning: bool = False

    @property
    def sentence(self) -> str:
        """The subject and the reason in one sentence."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


def position_lines(game: Game, record: Record, forfeit: Forfeit) -> list[str]:
    """What a seat saw, line by line, when it was asked for the action that made it forfeit."""
    view = Table.resume(record).at(forfeit.moves).view(forfeit.seat)
    names = names_for(forfeit.seat, [f"seat {seat}" for seat in range(game.seats)])
    return table_lines(game.scene(view, names), names)


INDENT = " " * 8


class ReportLine(NamedTuple):
    """One line of a report; preformatted text may have several lines."""

    text: str = ""
    kind: Literal["plain", "heading", "aside", "preformatted"] = "plain"
    hanging_indent: str = "  "


def finding_lines(findings: Sequence[Finding]) -> Iterator[ReportLine]:
    """All findings; a failure with its position, its call and the commands that reproduce it."""
    for finding in findings:
        word = "warning" if finding.warning else "ok" if finding.ok else "FAILED"
        yield ReportLine(f"{word:<{len(INDENT)}}{finding.sentence}", hanging_indent=INDENT)
        if finding.position:
            yield ReportLine(f"{INDENT}What your player saw:", "aside")
            for line in finding.position.splitlines():
                yield ReportLine(INDENT + line, hanging_indent=INDENT)
        if finding.detail:
            heading = "The call:" if finding.position else "What happened:"
            if finding.kind == "prints":
                heading = "By call:"
            yield ReportLine(INDENT + heading, "aside")
            yield ReportLine(
                "\n".join(INDENT + line for line in printable(finding.detail).splitlines()), "preformatted"
            )
        for label, command in (("To repeat it:", finding.reproduce), ("To repeat only the call:", finding.alone)):
            if command:
                yield ReportLine(INDENT + label, "aside")
                yield ReportLine(command, "preformatted")


def as_text(lines: Iterable[ReportLine]) -> str:
    """Lines as text that ends with a newline and has no terminal control characters."""
    texts: list[str] = []
    for line in lines:
        text = printable(line.text)
        texts += text.splitlines() if line.kind == "preformatted" else [text.rstrip()]
    return "\n".join([*texts, ""])
