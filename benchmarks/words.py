"""What follows the name of a benchmark on the command line: everything that does not fit is refused in a sentence.

whole       a whole number within bounds, ``wholes`` several; ``fraction`` any number
a_game      a game that there is; ``games`` several, with commas between them
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable

import kibitz
from kibitz.engine.game import Game
from kibitz.errors import KibitzError

MOST = 10_000_000
"""So much of anything can be asked for at once."""
LONGEST = 60
"""Characters of a number."""
SPREAD = 2
"""Without two values there is no spread to tell."""


def whole(low: int, high: int = MOST) -> Callable[[str], int]:
    """Reads a whole number from ``low`` to ``high``, for argparse.

    >>> whole(2)("30")
    30
    """

    def read(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit()) or len(text) > LONGEST:
            raise ArgumentTypeError(f"a whole number is wanted, not {text[:LONGEST]!r}")
        if not low <= int(text) <= high:
            raise ArgumentTypeError(f"{low} to {high} is wanted, not {text}")
        return int(text)

    return read


def wholes(low: int, high: int = MOST) -> Callable[[str], list[int]]:
    """Reads whole numbers with commas between them, for argparse."""
    read = whole(low, high)
    return lambda text: [read(one) for one in text.split(",")]


def fraction(low: float, high: float) -> Callable[[str], float]:
    """Reads a number from ``low`` to ``high``, for argparse."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise ArgumentTypeError(f"a number is wanted, not {text[:LONGEST]!r}") from None
        if not low <= value <= high:
            raise ArgumentTypeError(f"{low:g} to {high:g} is wanted, not {text[:LONGEST]}")
        return value

    return read


def one_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Reads some of these names with commas between them, for argparse."""
    known = list(names)

    def read(text: str) -> list[str]:
        for name in text.split(","):
            if name not in known:
                raise ArgumentTypeError(f"there is no {name[:LONGEST]!r}; there are {', '.join(known)}")
        return text.split(",")

    return read


def a_game(text: str) -> Game:
    """The game of that name."""
    try:
        return kibitz.game(text)
    except KibitzError as error:
        raise ArgumentTypeError(str(error)) from error


def games(text: str) -> list[Game]:
    """Games with commas between their names."""
    return [a_game(name) for name in text.split(",")]
