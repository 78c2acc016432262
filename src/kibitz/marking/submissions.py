"""What has been handed in, one submission for each student: nobody in the folder is lost.

submission      an entry of ``players.entries`` for the assignment's functions, with or without files to ask
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kibitz.engine.player_names import looks
from kibitz.marking.assignments import Assignment
from kibitz.players.entries import Entries, Entry, players_in


def submissions(found: Assignment, path: Path) -> Entries:
    """All submissions of a file, a folder or an archive, in order of their paths.

    NotationError with one sentence where there are none.
    """
    return players_in(path, found.functions)


def shown_names(entries: Sequence[Entry]) -> list[str]:
    """What every submission is called in reports and tables.

    Names that are equal or look so are told apart by the platform's number, or by the path in the class's folder.
    """
    plain, doubles = plain_names(entries), taken_for(entries)
    mistaken = {*doubles, *doubles.values()}
    top = os.path.commonpath([os.path.dirname(entry.words) for entry in entries]) if entries else ""
    found = []
    for name, entry in zip(plain, entries, strict=True):
        path = os.path.relpath(entry.words, top or ".")
        if plain.count(name) > 1:
            name = f"{name} ({entry.id or path})"
        elif name in mistaken:
            name = f"{name} ({entry.id or ascii(path)[1:-1]})"
        found.append(name)
    return found


def lookalikes(entries: Sequence[Entry]) -> list[str]:
    """A warning for each name that would be taken for another one's."""
    doubles = taken_for(entries).items()
    return [
        f"{name!r} ({ascii(name)[1:-1]}) looks like {other!r}: these are two submissions." for name, other in doubles
    ]


def taken_for(entries: Sequence[Entry]) -> dict[str, str]:
    """By name, another one before it that looks the same."""
    first: dict[str, str] = {}
    found = {}
    for name in plain_names(entries):
        other = next((first[look] for look in looks(name) if look in first), name)
        if other != name:
            found[name] = other
        first |= {look: name for look in looks(name) if look not in first}
    return found


def plain_names(entries: Sequence[Entry]) -> list[str]:
    """Names without what cannot be shown."""
    return ["".join(c if c.isprintable() else "?" for c in entry.name).strip() or "?" for entry in entries]
