"""The numbers by which the choices of a list are taken, so that none of them means two things.

A choice *tells* a number if its words have just one: 3 of ``bid 3``, 40 of ``raise to 40``, 2 of ``build pile 2``.
Who reads ``bid 3`` and types 3 means that bid, whichever line it stands on.  So a number that one choice alone tells is
never that of another one; where every choice tells a number of its own, these are the numbers.

>>> numbered([None, None, None]), numbered([0, 1, 3]), numbered([None, 4, 8, 12])
([1, 2, 3], [0, 1, 3], [1, 2, 3, 5])

Where two choices tell the same, such as build pile 2 and discard pile 2, numbers in words do not tell choices apart,
and they are counted as usual.

>>> numbered([2, 1, 2])
[1, 2, 3]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.engine.scene.things import Part

ALONE = re.compile(r"(?<![\w-])\d+(?![\w-])")
"""A number that is a word of its own, as it is not in ``greedy-1``."""


def told(parts: Sequence[Part]) -> int | None:
    """The number that a choice of these parts tells; None where there is none, and of cards.

    >>> told([Part("bid 3", "bid 3", "button")]), told([Part("hand0:2D", "2♦ in your hand", "card")])
    (3, None)
    """
    if any(part.kind == "card" for part in parts):
        return None
    found = ALONE.findall(" ".join(part.label for part in parts))
    return int(found[0]) if len(found) == 1 else None


def numbered(tells: Sequence[int | None]) -> list[int]:
    """The numbers of choices of which these are told, in order; each is there once."""
    known = [number for number in tells if number is not None]
    if len(set(known)) < len(known):
        return list(range(1, len(tells) + 1))
    if len(known) == len(tells):
        return known
    found: list[int] = []
    for own in tells:
        number = found[-1] + 1 if found else 1
        while number in known and number != own:
            number += 1
        found.append(number)
    return found


def meant(number: int, tells: Sequence[int | None]) -> int | None:
    """The place of the choice that a number means, its own or the one that it alone tells; None if it means none."""
    numbers = numbered(tells)
    if number in numbers:
        return numbers.index(number)
    return tells.index(number) if tells.count(number) == 1 else None
