"""What is on the screen when a person is asked: the table, the question and the choices, in twenty lines at most.

room        the lines that are left for the choices
page        so many of them as fit; the others come with ``m``
tip         a line that says what else can be typed, where that is not known yet
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.cli.choices import laid_out
from kibitz.cli.screen import BOLD, DIM, folded
from kibitz.cli.steps import Steps
from kibitz.engine.scene.text import drawn

LINES = 20
"""A prompt has so many lines at most, the one that is typed into among them."""
LEAST_ROOM = 4
"""So many lines the choices get at least; a table that leaves less is shortened."""
BELOW = re.compile(r"\S+\+\d+")
"""A pile in a table, with the number of cards below its top."""
HANG = "    "
"""What the rest of a folded line hangs by."""
ALL = "Choices that lead nowhere are left out: 'a' shows all."


class Line(NamedTuple):
    """A line and its style."""

    text: str
    style: str = ""


class Prompt:
    """One prompt; ``newcomer`` to whom everything is explained, ``page`` of the choices, counted from 0."""

    def __init__(
        self, steps: Steps, names: Sequence[str], width: int, *, plain: bool = False, newcomer: bool = False
    ) -> None:
        self.steps, self.names, self.width, self.plain, self.newcomer = steps, names, width, plain, newcomer
        self.table = [] if steps.taken or steps.whole else drawn(steps.picking.scene, names, width)

    def lines(self, page: int = 0) -> list[Line]:
        """The lines, but for the one that is typed into; those that are too long are still to be folded."""
        rest = LINES - 1 - self.height([self.question, *self.tips]) - (2 if self.table else 1)
        table = shortened(self.table, rest - min(LEAST_ROOM, len(self.steps.choices)))
        choices = self.choices(rest - len(table), page)
        above = ["", *table, ""] if table else [""]
        tips = [Line(tip, DIM) for tip in self.tips]
        return [*map(Line, above), Line(self.question, BOLD), *map(Line, choices), *tips]

    def height(self, lines: Sequence[str]) -> int:
        """How many lines these take on the screen."""
        return sum(len(folded(line, self.width, HANG)) for line in lines)

    @property
    def question(self) -> str:
        """What is asked."""
        return self.steps.question + (" ('b' puts it back)" if self.steps.taken else "")

    @property
    def tips(self) -> list[str]:
        """What else is to be said."""
        found = []
        if self.newcomer and (pile := next(filter(None, map(BELOW.search, self.table)), None)):
            card, _, more = pile[0].partition("+")
            lie = "one more card lies" if more == "1" else f"{more} more cards lie"
            found.append(f"{pile[0]} in the table: {lie} below the {card}.")
        if (span := self.steps.span) and (self.newcomer or self.steps.taken):
            found.append(f"Any amount from {span[0]} to {span[1]} can be typed, such as {self.steps.amount!r}.")
        if len(self.steps.picking.parts) < len(self.steps.legal):
            found.append(ALL)
        return [*found, "Type a number, or ? for help."] if self.newcomer else found

    def choices(self, room: int, page: int) -> list[str]:
        """The choices in the room there is; all of them where they were asked for."""
        labels = {n: choice.label for n, choice in enumerate(self.steps.choices, 1)}
        lines = laid_out(labels, self.width, room, plain=self.plain)
        if self.height(lines) > room:
            lines = laid_out(labels, self.width, 0)
        if self.height(lines) <= room or self.steps.whole:
            return lines
        lines = [text for line in lines for text in folded(line, self.width, HANG)]
        pages = [lines[i : i + room - 1] for i in range(0, len(lines), room - 1)]
        at = page % len(pages)
        return [*pages[at], f"m) more choices (page {at + 1} of {len(pages)})"]


def shortened(table: Sequence[str], most: int) -> list[str]:
    """A table in so many lines; what is left out stands above the last line, which is the reader's own."""
    if len(table) <= most:
        return list(table)
    return [*table[: most - 2], "... ('s' shows the whole table)", table[-1]]
