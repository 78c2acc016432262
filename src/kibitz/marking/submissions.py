"""What has been handed in, one submission for each student: nobody in the folder is lost.

submission      an entry of ``players.entries`` for the assignment's functions, with or without files to ask
lost            what defines none of the functions: it has a mark, too, and is told why it is 0
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.engine.names import looks
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
