"""What a record notes besides the game: what the rules do not know of, as whoever keeps the game tells it.

note        a sentence with the step after which it was made, in the words of ``kibitz.engine.record``
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.table.table import Table

SENTENCES: Mapping[str, str] = {
    "caretaker": "A caretaker plays for {} from here on.",
    "back": "{} is back.",
    "undo": "{} takes a choice back.",
    "hint": "{} has asked for a hint: the game is unrated.",
}
"""By kind of note, the sentence about a seat."""

AFTER = re.compile(r"after move ([0-9]+): ")


def noted(step: int, sentence: str) -> str:
    """A sentence as a note of a record.

    >>> noted(12, SENTENCES["hint"].format("Ann"))
    'after move 12: Ann has asked for a hint: the game is unrated.'
    """
    return f"after move {step}: {sentence}"


def gone_back(note: str, step: int) -> str:
    """A note once the game has gone back to a step: none was made after a move that has not been made.

    >>> gone_back("after move 12: Ann is back.", 10), gone_back("after move 3: Ann is back.", 10)
    ('after move 10: Ann is back.', 'after move 3: Ann is back.')
    """
    found = AFTER.match(note)
    return noted(step, note[found.end() :]) if found and int(found[1]) > step else note


def told_at(notes: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Notes as steps and sentences, in order; one that names no move stands at the deal.

    >>> list(told_at(["after move 12: Ann is back.", "Played at home."]))
    [(0, 'Played at home.'), (12, 'Ann is back.')]
    """
    found = [(int(match[1]), note[match.end() :]) if (match := AFTER.match(note)) else (0, note) for note in notes]
    return iter(sorted(found, key=lambda each: each[0]))


def note_hint(table: Table, seat: int) -> None:
    """Note that a seat has asked for a hint; once for a game, which is unrated from then on."""
    sentence = SENTENCES["hint"]
    if not any(note.endswith(sentence.format("")) for note in table.notes):
        table.note(sentence.format(table.names[seat]))
