"""A step of a game told to who may know everything: what all have heard once, and what only some have heard by name.

public      told to all seats and to spectators
guarded     told to spectators, and to some seats otherwise: "Ann draws 2 cards."
private     what those seats are told in its place: "Ann draws A♠ 2♠.", or "The cards are dealt. You hold A♠ 2♠."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kibitz.engine.events import SPECTATOR, Notice, only
from kibitz.engine.game import Game

SPEAKS_TO = re.compile(r"\byour?\b", re.IGNORECASE)


def openly(game: Game, notices: Sequence[Notice], names: Sequence[str]) -> Iterator[str]:
    """What is told of a step with all hands open, sentence by sentence; ``names`` are those of the seats."""
    for notice in ordered(notices):
        others = counterparts(notice, notices)
        if not notice.reaches(SPECTATOR):
            yield from privately(game, notice, others, names)
        elif not replaced(game, notice, others, names):
            yield game.describe(notice.event, SPECTATOR, names)


def ordered(notices: Sequence[Notice]) -> list[Notice]:
    """The notices with every private one below the guarded one whose place it takes."""

    def place(numbered: tuple[int, Notice]) -> tuple[int, bool]:
        number, notice = numbered
        private = not notice.reaches(SPECTATOR)
        guarded = counterparts(notice, notices) if private else []
        return max([number, *map(notices.index, guarded)]), private

    return [notice for _, notice in sorted(enumerate(notices), key=place)]


def privately(game: Game, notice: Notice, guarded: Sequence[Notice], names: Sequence[str]) -> Iterator[str]:
    """What only some have heard, without what all have; with their names where it is said to "you"."""
    sentence = game.describe(notice.event, SPECTATOR, names)
    for other in guarded:
        sentence = sentence.removeprefix(game.describe(other.event, SPECTATOR, names)).strip()
    if not sentence:
        return
    if not speaks_to(game, notice):
        yield sentence
        return
    for seat, name in enumerate(names):
        if notice.audience & only(seat):
            yield f"{name}: {sentence}"


def replaced(game: Game, guarded: Notice, private: Sequence[Notice], names: Sequence[str]) -> bool:
    """Whether private sentences tell all that a guarded one does, and more."""
    sentence = game.describe(guarded.event, SPECTATOR, names)
    return bool(private) and not any(
        speaks_to(game, notice) or game.describe(notice.event, SPECTATOR, names).startswith(sentence)
        for notice in private
    )


def counterparts(notice: Notice, notices: Sequence[Notice]) -> list[Notice]:
    """Of the same act, what the others are told: the private notices to a guarded one, or the guarded to a private."""
    return [
        other
        for other in notices
        if type(other.event) is type(notice.event)
        and not other.audience & notice.audience
        and other.reaches(SPECTATOR) != notice.reaches(SPECTATOR)
    ]


def speaks_to(game: Game, notice: Notice) -> bool:
    """Whether the sentence about an event is said to "you", whatever the seats are called."""
    return bool(SPEAKS_TO.search(game.describe(notice.event, SPECTATOR, [f"P{seat}" for seat in range(game.seats)])))
