"""A guided first hand: a fixed deal with captions, each shown once, when its conditions hold.

It is a file ``lesson.toml`` beside the game's rules; in a package of several games, each has its own, such as
``holdem_lesson.toml``:

    game = "eights:players=3"
    seed = 7

    [[captions]]
    says = "The open card is the queen of hearts. Play a heart or another queen."
    do = "9H"

A caption may have ``do``, an action as people type it; ``may``, the beginning of an action's text; ``hear``, words of a
line in the log; or ``over``. All its conditions must hold; without any, it is for the first turn.
``kibitz.table.session`` shows captions in the terminal, with ``captions_to_show``; ``lesson.js`` in the browser.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable

import msgspec

from kibitz.errors import NotationError


class Caption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence or two, and when they are shown.

    do      once this action is legal, which is then highlighted
    may     once the text of a legal action begins with this
    hear    once a line of the log has this in it
    over    once the game is over
    """

    says: str
    do: str = ""
    may: str = ""
    hear: str = ""
    over: bool = False

    @property
    def is_for_a_turn(self) -> bool:
        """Whether it is about a choice of the seat to move."""
        return bool(self.do or self.may) or not (self.hear or self.over)

    def is_shown(self, legal: Collection[str], heard: Collection[str], *, over: bool) -> bool:
        """Whether to show it now, to a seat with these legal actions (as text) that has seen these lines of the log."""
        if (self.over and not over) or (self.hear and not any(self.hear in line for line in heard)):
            return False
        is_possible = any(text.startswith(self.may) for text in legal) and (not self.do or self.do in legal)
        return is_possible or not self.is_for_a_turn


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game with its options, the seed of the deal, and the captions in their order."""

    game: str
    seed: int
    captions: tuple[Caption, ...]


def captions_to_show(
    captions: Iterable[Caption], legal: Collection[str], heard: Collection[str], *, over: bool = False
) -> list[Caption]:
    """The captions to show now, in order; at most one of them is for a turn."""
    result: list[Caption] = []
    for caption in captions:
        turn_is_taken = caption.is_for_a_turn and any(each.is_for_a_turn for each in result)
        if not turn_is_taken and caption.is_shown(legal, heard, over=over):
            result.append(caption)
    return result


def read_lesson(text: str) -> Lesson:
    """A lesson from its file. Raises NotationError with what is wrong with it."""
    try:
        return msgspec.convert(tomllib.loads(text), Lesson)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise NotationError(f"This is not a lesson: {error}.") from error
