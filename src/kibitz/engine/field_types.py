"""What the numbers in views and events stand for: marks that are declared with a field's type.

    Card        a card or an id of one (``kibitz.cards.Card`` carries the mark)
    Seat        a seat's number, negative for nobody
    Words       one word for each value, 0 first: ``Annotated[int, Words("play", "ask", "return")]``
    Flags       one word for each bit, the lowest first
    APART       a struct that is taken apart: its fields are shown as those of the view
    Most(n)     of a number the greatest that it can be, with the least; of a tuple how many items it has at most
    Latest(n)   a tuple that grows: of a long one the latest n are enough
    PerSeat(k)  a tuple with k items for every seat
    ANY_ORDER   a tuple of cards whose order tells nothing

A mark changes nothing for the game, whose fields stay numbers.  Whatever shows a view as words, such as the requests
to player files (``kibitz.engine.plain``), reads it.  A number without a mark is a number.  The last four say only how
much room a field needs as a tensor (``kibitz.environments``).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

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


class Most(NamedTuple):
    """The greatest value of a number and the least one, or the most items of a tuple."""

    most: int
    least: int = 0


class Latest(NamedTuple):
    """How many of the items at the end of a tuple are enough."""

    items: int


class PerSeat(NamedTuple):
    """How many items of a tuple belong to each seat, in the order of the seats."""

    items: int


class AnyOrder(NamedTuple):
    """The order of a tuple of cards follows from the cards."""


ANY_ORDER = AnyOrder()
ROOM = Most | Latest | PerSeat | AnyOrder
"""The marks that say how much room a field needs."""
