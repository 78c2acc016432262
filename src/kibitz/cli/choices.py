"""Numbered choices, laid out so that many can be grasped quickly.

cell        ``7) K♠ K♥``
from>to     actions whose text has an arrow are listed as one row for each thing that can be moved; the row begins
            with what the game's ``words.heading`` says of it, or with its text before the arrow
span        a cell longer than most takes the room of several, so that one long choice does not push all apart
note        what a label says in brackets at its end; one that several cells share becomes a star
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.cards import SUIT_SYMBOLS, SUITS
from kibitz.engine.events import View
from kibitz.engine.game import Game

FEW = 9
"""So many choices may have a line each."""
SPARE = 24
"""So many lines of choices are shown at most, unless all are asked for."""
CODE = re.compile(r"\b([A234567890JQK])([DCHS])\b")
NOTE = re.compile(r" {2}\((.+)\)$")


def numbered(game: Game, view: View, legal: Sequence[int], width: int, plain: bool = False) -> list[str]:
    """The choices as lines."""
    labels = [str(game.words.label(view, action)) for action in legal]
    cells = [f"{number:>{len(str(len(legal)))}}) {label}" for number, label in enumerate(labels, 1)]
    if plain:
        return cells
    texts = [game.text(view, action) for action in legal]
    if any(">" in text for text in texts) and (len(cells) > FEW or max(map(len, cells)) > width):
        headings = [heading_of(game, view, action, text) for action, text in zip(legal, texts, strict=True)]
        return rows(texts, labels, headings, width)
    return columns(cells, width)


def heading_of(game: Game, view: View, action: int, text: str) -> str:
    """What the row of an action begins with; nothing if its text has no arrow."""
    source, arrow, _ = text.partition(">")
    heading = game.words.heading
    if not arrow:
        return ""
    return str(heading(view, action)) if heading else with_symbols(source)


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells side by side, in reading order; few long ones get a line each."""
    lengths = sorted(map(len, cells))
    if (width + 3) // (lengths[-1] + 3) <= 3 and len(cells) <= FEW:
        return list(cells)
    broad = min(lengths[3 * len(cells) // 4] + 3, width + 3)
    across = max(1, (width + 3) // broad)
    lines, used = [""], 0
    for cell in cells:
        span = min(across, -(-(len(cell) + 3) // broad))
        if used + span > across:
            lines.append("")
            used = 0
        lines[-1] += f"{cell:<{span * broad}}"
        used += span
    return lines


def rows(texts: Sequence[str], labels: Sequence[str], headings: Sequence[str], width: int) -> list[str]:
    """One row for everything that can be moved, with the places where it can go."""
    notes = [found[1] if (found := NOTE.search(label)) else "" for label in labels]
    shared = {note for note in notes if notes.count(note) > 1 and note}
    star = shared.pop() if len(shared) == 1 else None
    others: list[str] = []
    grouped: dict[str, list[str]] = {}
    digits = len(str(len(texts)))
    for number, (text, label, heading, note) in enumerate(zip(texts, labels, headings, notes, strict=True), 1):
        if not heading:
            others.append(f"{number:>{digits}}) {label}")
            continue
        mark = "*" if note == star else f" ({note})" if note else ""
        grouped.setdefault(heading, []).append(f"{number:>{digits}}) {text.partition('>')[2]}{mark}")
    left = max(map(len, grouped)) + 2
    broad = max(len(cell) for cells in grouped.values() for cell in cells) + 2
    across = max(1, (width - left + 2) // broad)
    lines = columns(others, width) if others else []
    for heading, cells in grouped.items():
        for i in range(0, len(cells), across):
            start = heading if i == 0 else ""
            lines.append(f"{start:<{left}}" + "".join(f"{cell:<{broad}}" for cell in cells[i : i + across]))
    return [*lines, f"* {star}"] if star else lines


def with_symbols(text: str) -> str:
    """A text with its card codes as symbols, all as wide as each other.

    >>> with_symbols("4S h1"), with_symbols("0D s")
    (' 4♠ h1', '10♦ s')
    """
    return CODE.sub(lambda c: f"{c[1].replace('0', '10'):>2}{SUIT_SYMBOLS[SUITS.index(c[2])]}", text)
