"""What has been handed in, one submission for each student: nobody in the folder is lost.

submission      an entry of ``players.entries`` for the assignment's functions, with or without files to ask
lost            what defines none of the functions: it has a mark, too, and is told why it is 0
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.errors import NotationError
from kibitz.marking.assignments import Assignment
from kibitz.players import layouts
from kibitz.players.archives import is_archive, is_hidden, stem
from kibitz.players.entries import NO_PYTHON, Entries, Entry, players_in

IMPORTED = " imports it"
"""What is said of helpers that are left out as players of their own."""


def submissions(found: Assignment, path: Path) -> Entries:
    """All submissions of a file, a folder or an archive, in order of their paths.

    NotationError with one sentence where there are none.
    """
    try:
        there = players_in(path, found.functions)
    except NotationError:
        more = list(lost(path, Entries("folders", ()))) if os.path.isdir(path) else []
        if not more:
            raise
        return Entries("folders", tuple(more))
    more = list(lost(path, there)) if os.path.isdir(path) and there.layout not in layouts.PLATFORMS else []
    entries = list(there.entries)
    if there.layout == "player":
        (one,) = entries
        if Path(one.words) == path or not more:
            return there
        entries = [named_by_folder(path, one)]
    left_out = (
        there.left_out if there.layout in layouts.PLATFORMS else [one for one in there.left_out if IMPORTED in one.why]
    )
    layout = "folders" if there.layout == "player" else there.layout
    return Entries(layout, tuple(sorted([*entries, *more], key=lambda entry: entry.words)), tuple(left_out))


def named_by_folder(path: Path, one: Entry) -> Entry:
    """The only submission of a folder with files, called like its folder there."""
    top = Path(one.words).relative_to(path).parts[0]
    return Entry(stem(top), one.words, one.sources, one.why, place=one.place, left_out=one.left_out)


def lost(path: Path, there: Entries) -> Iterator[Entry]:
    """Submissions that define none of the functions, of a plain folder of students."""
    taken = {part for entry in there.entries for part in Path(entry.words).relative_to(path).parts[:1]}
    why = {Path(one.path).name: one.why for one in there.left_out}
    for place in sorted(path.iterdir()):
        if place.name in taken or is_hidden(place.name) or IMPORTED in why.get(place.name, ""):
            continue
        if place.is_symlink():
            yield Entry(stem(place.name), str(place), None, "It is a link, which is not followed.")
        elif place.is_dir():
            python = any(inner.suffix == ".py" or is_archive(inner.name) for inner in place.rglob("*"))
            yield Entry(stem(place.name), str(place), None, nothing_in(python=python))
        elif place.suffix == ".py" or is_archive(place.name):
            yield Entry(stem(place.name), str(place), None, nothing_in(python=True))


def nothing_in(*, python: bool) -> str:
    """What is said of a submission without any of the functions."""
    return "None of the functions is defined in it." if python else NO_PYTHON


def shown_names(entries: Sequence[Entry]) -> list[str]:
    """What every submission is called in reports and tables: equal names are told apart by number or path."""
    plain = ["".join(c if c.isprintable() else "?" for c in entry.name).strip() or "?" for entry in entries]
    return [
        f"{name} ({entry.id or entry.words})" if plain.count(name) > 1 else name
        for name, entry in zip(plain, entries, strict=True)
    ]
