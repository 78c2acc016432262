"""What the numbers in views and events stand for: marks that are declared with a field's type.

    Card        a card or an id of one (``kibitz.cards.Card`` carries the mark)
    Seat        a seat's number, negative for nobody
    Words       one word for each value, 0 first: ``Annotated[int, Words("play", "ask", "return")]``
    Flags       one word for each bit, the lowest first
    APART       a struct that is taken apart: its fields are shown as those of the view

A mark changes nothing for the game, whose fields stay numbers.  Whatever shows a view as words, such as the requests
to player files (``kibitz.engine.plain``), reads it.  A number without a mark is a number.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

SEAT, APART = "seat", "apart"
Seat: TypeAlias = Annotated[int, SEAT]


class Words(tuple[str, ...]):
    """The words for the values 0, 1, 2 ..."""

    __slots__ = ()

    def __new__(cls, *words: str) -> Words:
        """Words in the order of the values."""
        return super().__new__(cls, words)


class Flags(Words):
    """The words for the bits 1, 2, 4 ... of a number that is a set."""

    __slots__ = ()
