"""Which part of the long tests a run looks at: what would take days is cut into parts that take minutes.

    whole   everything (``--whole``)
    part    the number of this run's part (``--part``, 0 unless asked for): the parts of a test have nothing in common,
            and all of them together are the whole

``make test-long`` runs one part.  Parts are mixed, so that each has something from everywhere, and fixed, so that what
fails fails again.
"""

from collections.abc import Iterable
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


class Chosen:
    """What was asked for on the command line; set before any test is collected."""

    whole = False
    part = 0


def share(things: Iterable[Thing], of: int, about: str = "") -> list[Thing]:
    """One part of ``of`` of some things, in their order: never none of them, and all in a whole run.

    ``about`` mixes one test's things otherwise than another's.
    """
    every = list(things)
    if Chosen.whole or not every:
        return every
    mixed = Random(f"{about} {len(every)}").sample(range(len(every)), len(every))
    parts = min(of, len(every))
    return [every[k] for k in sorted(mixed[Chosen.part % parts :: parts])]


def times(most: int, of: int) -> int:
    """How often something random is tried: ``most`` times in a whole run, else a part of ``of`` of them."""
    return most if Chosen.whole else -(-most // of)
