"""Annotations that say what the fields of views and events mean.

    Doc         the meaning in words, as authors of player files read it
    Card        a card or its id (``kibitz.cards.Card`` is annotated like this)
    Seat        a seat's number, negative for nobody
    ValueWords  one word for each value, from 0: ``Annotated[int, ValueWords("play", "ask", "return")]``
    Flags       one word for each bit, the lowest first
    FLATTENED   a struct whose fields are shown as fields of the view itself
    Most(n)     the greatest value of a number (the least is 0, or a second argument); of a tuple, its greatest length
    Latest(n)   a tuple that grows, of which a tensor holds the last n items
    PerSeat(k)  a tuple with k items for every seat
    ANY_ORDER   a tuple of cards whose order has no meaning

Fields stay numbers; the annotations only matter to code that shows views as words, such as the calls of player files
(``kibitz.engine.views.plain``).  A number without an annotation is a plain number.  The last four only tell how much
space a field needs in a tensor (``kibitz.environments``).

    hand: Annotated[tuple[Card, ...], Own("hand"), Doc("your cards, the lowest first")]
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

SEAT, FLATTENED = "seat", "flattened"
Seat: TypeAlias = Annotated[int, SEAT]


class Doc(NamedTuple):
    """What a field means, in words."""

    meaning: str


class ValueWords(tuple[str, ...]):
    """The words for the values 0, 1, 2 ..."""

    __slots__ = ()

    def __new__(cls, *words: str) -> ValueWords:
        """The words, in the order of the values."""
        return super().__new__(cls, words)


class Flags(ValueWords):
    """The words for the bits 1, 2, 4 ... of a number that is a set."""

    __slots__ = ()


class Most(NamedTuple):
    """The greatest value of a number and the least one, or the most items of a tuple."""

    most: int
    least: int = 0


class Latest(NamedTuple):
    """How many items at the end of a growing tuple a tensor holds."""

    items: int


class PerSeat(NamedTuple):
    """How many items of a tuple belong to each seat, in the order of the seats."""

    items: int


class AnyOrder(NamedTuple):
    """The order of a tuple of cards follows from the cards."""


ANY_ORDER = AnyOrder()
SIZE_ANNOTATIONS = Most | Latest | PerSeat | AnyOrder
"""The annotations that say how much space a field needs."""
