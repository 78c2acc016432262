"""What players are called at a table."""

from collections.abc import Sequence

LONGEST = 40


def clean_name(name: str) -> str:
    """A player's name as a record can hold it: printable, on one line, without the seats' separator."""
    shown = "".join(c if c.isprintable() else "?" for c in name).replace("|", "/").strip()
    return shown[:LONGEST] or "?"


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names as people can tell them apart.

    >>> distinct(["rook", "Ann", "rook"])
    ('rook-1', 'Ann', 'rook-2')
    """
    found: list[str] = []
    for name in names:
        number, given = 1, name if names.count(name) == 1 else f"{name}-1"
        while given in found:
            number += 1
            given = f"{name}-{number}"
        found.append(given)
    return tuple(found)
