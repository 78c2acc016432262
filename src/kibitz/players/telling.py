"""What was found of a player, line by line: for a terminal, a file or a page.

line        a text with what it is: a head above others, an aside, laid out already, or plain
hang        what stands before the rest of a line that is folded
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from kibitz.engine.sentences import harmless
from kibitz.players.findings import Finding

INDENT = " " * 8


class Line(NamedTuple):
    """One line; what is laid out already may have several."""

    text: str = ""
    kind: Literal["plain", "head", "aside", "laid out"] = "plain"
    hang: str = "  "


def findings_told(findings: Sequence[Finding]) -> Iterator[Line]:
    """Everything that was looked at; what failed with the position, the call and the commands that show it."""
    for finding in findings:
        word = "warning" if finding.warning else "ok" if finding.ok else "FAILED"
        yield Line(f"{word:<{len(INDENT)}}{finding.sentence}", hang=INDENT)
        if finding.position:
            yield Line(f"{INDENT}What it saw:", "aside")
            for line in finding.position.splitlines():
                yield Line(INDENT + line, hang=INDENT)
        if finding.detail:
            heads = {"prints": "By call:"}
            head = heads.get(finding.kind, "What it was asked:" if finding.position else "What happened:")
            yield Line(INDENT + head, "aside")
            yield Line("\n".join(INDENT + line for line in harmless(finding.detail).splitlines()), "laid out")
        for words, command in (("See it happen:", finding.reproduce), ("The call alone:", finding.alone)):
            if command:
                yield Line(INDENT + words, "aside")
                yield Line(command, "laid out")


def as_text(lines: Iterable[Line]) -> str:
    """Lines as a text that ends with one, with nothing in it that would steer a terminal."""
    found: list[str] = []
    for line in lines:
        told = harmless(line.text)
        found += told.splitlines() if line.kind == "laid out" else [told.rstrip()]
    return "\n".join([*found, ""])
