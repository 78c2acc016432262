"""Rosters: who owns which player, read from CSV files that courses and learning platforms export.

    name        the player's name, in one column, or in a column for first names and one for surnames
    owner       an account, an address or a number; one owner may have several players
    number      the owner's number in the platform's export of submissions, if there is one

Columns are found by their usual names (``NAMES``, ``OWNERS``, ``NUMBERS``), in any order; case and the characters
between words don't matter. The separator is a comma, a semicolon or a tab.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kibitz.arena.csv_files import read_table
from kibitz.arena.model import RosterEntry
from kibitz.cards import short_repr
from kibitz.engine.player_names import lookalike_keys, why_invalid_name
from kibitz.errors import RecordError

NAMES = ("player", "name", "full name", "student", "student name", "team", "team name", "group")
FIRST, LAST = ("first name", "given name", "firstname"), ("last name", "surname", "family name", "lastname")
OWNERS = (
    *("owner", "username", "user name", "user", "account", "login", "login id", "sis login id", "email"),
    *("email address", "e-mail", "student id", "student number", "sid", "sis user id", "id number", "id", "identifier"),
)
NUMBERS = ("identifier", "participant", "id")
LONGEST_OWNER = 200
NOT_PEOPLE = ("points possible",)
"""What Canvas writes in the name column of a row without a person."""


class Roster(msgspec.Struct, frozen=True):
    """The content of a roster file: its people in order, and a sentence for each error."""

    people: tuple[RosterEntry, ...]
    errors: tuple[str, ...]


class RosterColumns(msgspec.Struct, frozen=True):
    """The indices of columns; ``name`` has one, or two for first names and surnames."""

    name: tuple[int, ...]
    owner: int
    number: int | None


def read_roster(path: str | Path) -> Roster:
    """The roster in a CSV file, with the errors in its rows. Raises KibitzError if it isn't a roster."""
    rows = read_table(Path(path))
    if not rows:
        raise RecordError("a roster needs a line that names its columns, such as 'name,owner'.", str(path))
    columns = columns_of(rows[0][1], str(path))
    return people_in(rows[1:], columns, str(path))


def columns_of(header: Sequence[str], file: str) -> RosterColumns:
    """The columns that a roster needs. Raises RecordError if one is missing."""
    headings = [normalised(heading) for heading in header]
    name, first, last, owner, number = (column_of(headings, words) for words in (NAMES, FIRST, LAST, OWNERS, NUMBERS))
    names = (name,) if name is not None else (first, last)
    name_columns = tuple(column for column in names if column is not None)
    if len(name_columns) < len(names):
        raise RecordError(f"no column holds names: one should be called {alternatives(NAMES[:4])}.", file, 1)
    if owner is None:
        raise RecordError(
            f"no column holds owners: one should be called {alternatives(OWNERS[:2])} or 'email'.", file, 1
        )
    return RosterColumns(name_columns, owner, number)


def column_of(headings: Sequence[str], names: Sequence[str]) -> int | None:
    """The index of the first of these names that is a heading; None if none is."""
    return next((headings.index(normalised(word)) for word in names if normalised(word) in headings), None)


def normalised(text: str) -> str:
    """A text in lower case, without spaces and punctuation."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def alternatives(names: Sequence[str]) -> str:
    """Names in quotes, joined by commas and "or"."""
    return " or ".join(filter(None, (", ".join(map(repr, names[:-1])), repr(names[-1]))))


def people_in(rows: Sequence[tuple[int, list[str]]], columns: RosterColumns, file: str) -> Roster:
    """The people in a file's rows, and a sentence for each invalid row."""
    people: list[RosterEntry] = []
    errors: list[str] = []
    known_keys: dict[str, tuple[int, str]] = {}
    for line, cells in rows:
        padded = [*cells, *[""] * (max(*columns.name, columns.owner, columns.number or 0) + 1 - len(cells))]
        name = usual_spelling(" ".join(padded[column] for column in columns.name))
        if normalised(name) in map(normalised, NOT_PEOPLE):
            continue
        entry = RosterEntry(name, usual_spelling(padded[columns.owner]), platform_number(padded, columns))
        error = why_invalid_entry(entry) or duplicate(entry, line, known_keys)
        if error:
            errors.append(str(RecordError(error, file, line)))
        people.append(entry)
    if not people and not errors:
        errors.append(str(RecordError("there are no people below the header line.", file)))
    return Roster(tuple(people), tuple(errors))


def usual_spelling(cell: str) -> str:
    """A cell with single spaces, and with the first name first: ``Lee, Ann`` becomes ``Ann Lee``."""
    last, comma, first = cell.partition(",")
    name = f"{first} {last}" if comma and first.strip() and "," not in first else cell
    return unicodedata.normalize("NFC", " ".join(name.split()))


def platform_number(cells: Sequence[str], columns: RosterColumns) -> str:
    """The owner's number on the platform, such as ``1234567`` from ``Participant 1234567``; empty if it has none."""
    digits = re.search(r"\d+$", cells[columns.number]) if columns.number is not None else None
    return digits[0][:40] if digits else ""


def why_invalid_entry(entry: RosterEntry) -> str:
    """What is wrong with an entry by itself, in a sentence; empty if it is valid."""
    if not entry.player:
        return f"the name of a player is missing, owner {short_repr(entry.owner)}."
    if not entry.owner:
        return f"{short_repr(entry.player)} has no owner: write an account, an address or a number."
    if why := why_invalid_name(entry.player):
        return f"{short_repr(entry.player)} isn't a valid player name: {why}"
    if "@" in entry.player:
        return f"{short_repr(entry.player)} isn't a valid player name: what follows an @ is the version of a player."
    if not entry.owner.isprintable() or len(entry.owner) > LONGEST_OWNER:
        return f"{short_repr(entry.owner)} isn't a valid owner: it should be 1 to {LONGEST_OWNER} visible characters."
    return ""


def duplicate(entry: RosterEntry, line: int, known_keys: dict[str, tuple[int, str]]) -> str:
    """A sentence if the name is in an earlier line, or looks like a name there; empty otherwise.

    ``known_keys`` has the line and name for each look-alike key of earlier lines; this entry's keys are added.
    """
    earlier = next((known_keys[key] for key in lookalike_keys(entry.player) if key in known_keys), None)
    known_keys |= dict.fromkeys(lookalike_keys(entry.player), (line, entry.player))
    if earlier is None:
        return ""
    if earlier[1] == entry.player:
        return f"{short_repr(entry.player)} is already in line {earlier[0]}: every name has one owner."
    lookalike = f"{short_repr(earlier[1])} in line {earlier[0]}"
    return f"{short_repr(entry.player)} looks too much like {lookalike}: choose a name that is easier to tell apart."
