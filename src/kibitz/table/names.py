"""What players are called at a table."""

from collections.abc import Sequence

from kibitz.engine.player_names import LONGEST, alike, clean_name

__all__ = ["clean_name", "distinct"]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names as people can tell them apart: those that look the same are numbered.

    >>> distinct(["rook", "Ann", "rook"])
    ('rook-1', 'Ann', 'rook-2')
    """
    found: list[str] = []
    for name in names:
        alone = sum(alike(name, other) for other in names) == 1
        number, given = 1, name if alone else numbered(name, 1)
        while any(alike(given, other) for other in found):
            number += 1
            given = numbered(name, number)
        found.append(given)
    return tuple(found)


def numbered(name: str, number: int) -> str:
    """A name with a number behind it, no longer than names are."""
    return f"{name[: LONGEST - len(str(number)) - 1]}-{number}"
