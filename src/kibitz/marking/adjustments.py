"""What changes a mark besides the cases: late days, a place in the tournament, and a tutor's decisions.

overrides       a table with the columns student, file, mark and comment: the file to mark, a mark that replaces the
                computed one, and a comment; all but the student may be empty
student         the student's number on the learning platform (such as Moodle), or the name as it is written there
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.arena.csv_files import read_table
from kibitz.cards import short_repr
from kibitz.engine.sentences import counted, listed
from kibitz.errors import NotationError
from kibitz.marking.assignments import as_number, as_table, check_known, read_table_of
from kibitz.marking.deadlines import Deadline, read_deadline, times_of
from kibitz.players.files.entries import Entries, FolderEntry
from kibitz.players.files.sources import KEEP_ONE

OVERRIDES = "overrides.csv"
"""The table that is read if it is in the folder of marks."""
COLUMNS = ("student", "file", "mark", "comment")
MAX_NAMED = 10
"""A note names students only if there are at most this many."""


class Override(msgspec.Struct, frozen=True):
    """A tutor's decision on one student; ``where`` names the table and the line, for errors."""

    student: str
    file: str
    mark: float | None
    comment: str
    where: str


class Adjustment(msgspec.Struct, frozen=True):
    """The changes to one student's mark."""

    submitted: str = ""
    """When the work was submitted; empty if that is unknown."""
    due: str = ""
    """When the work was due, with the student's extension; empty without a deadline."""
    days_late: int | None = None
    """None if the time of the submission is unknown, or there is no deadline."""
    late_share: float = 0.0
    """The share of all marks that is deducted for late work."""
    place_marks: float | None = None
    """Marks for a place in the tournament; None if there is no rule."""
    place_worth: float = 0.0
    """The most marks that a place can earn."""
    place: str = ""
    """The place in words; empty if the student isn't in the ranking."""
    rubric: Mapping[str, tuple[float | None, float]] = {}
    """By criterion, the points (None until somebody gives them) and the most that it can give."""
    mark: float | None = None
    """The mark that a tutor has set; None if the computed mark stands."""
    comment: str = ""


def read_overrides(path: Path | None) -> list[Override]:
    """The rows of a table of overrides; none without one. Raises NotationError with the line of an invalid row."""
    if path is None:
        return []
    rows = read_table(path)
    if not rows or "student" not in rows[0][1]:
        raise NotationError(f"{path} needs a first line with the columns student, file, mark, comment.")
    columns = rows[0][1]
    check_known(columns, COLUMNS, f"column in {path}")
    if len(set(columns)) < len(columns):
        raise NotationError(f"{path} names a column twice in its first line: {', '.join(columns)}.")
    overrides: list[Override] = []
    for line, cells in rows[1:]:
        row = dict(zip(columns, cells, strict=False))
        where = f"{path}, line {line}"
        if any(cells[len(columns) :]):
            raise NotationError(
                f"{where} has {len(cells)} cells for {len(columns)} columns: put a text with a comma in quotes."
            )
        if not row.get("student"):
            raise NotationError(f"{where}: the student is missing.")
        if any(earlier.student == row["student"] for earlier in overrides):
            raise NotationError(f"{where}: {row['student']} appears twice.")
        mark = number_in(row.get("mark", ""), where)
        overrides.append(Override(row["student"], row.get("file", ""), mark, row.get("comment", ""), where))
    return overrides


def number_in(cell: str, where: str) -> float | None:
    """A mark in a cell; None if it is empty."""
    if not cell:
        return None
    try:
        mark = float(cell.replace(",", "."))
    except ValueError:
        mark = math.nan
    if not 0 <= mark < 1e6:
        raise NotationError(f"{where}: the mark must be a number that isn't negative, not {short_repr(cell)}.")
    return mark


def choices_of(overrides: Sequence[Override]) -> dict[str, str]:
    """By student, the file to mark."""
    return {override.student: override.file for override in overrides if override.file}


def check_students(overrides: Sequence[Override], entries: Sequence[FolderEntry]) -> None:
    """Raise NotationError unless each student in the overrides has exactly one submission."""
    for override in overrides:
        matching = [entry for entry in entries if override.student in entry.keys]
        if len(matching) != 1:
            count = "there is no submission" if not matching else f"there are {len(matching)} submissions"
            fix = "write the number or the name as in marks.csv."
            raise NotationError(f"{override.where}: {count} by {short_repr(override.student)}: {fix}")


def adjustments(
    submissions: Entries,
    path: Path,
    overrides: Sequence[Override] = (),
    marks: Path | None = None,
    worksheet: Path | None = None,
    standings: Path | None = None,
) -> list[Adjustment]:
    """The adjustment of every submission's mark, for a class at ``path``.

    Raises NotationError for an invalid setting or row.

    ``standings`` is the ranking of a tournament whose places earn marks, by a rule in ``marks``. Each needs the other.
    """
    check_students(overrides, submissions.entries)
    deadline = read_deadline(marks)
    times = times_of(submissions.layout, path, worksheet) if deadline is not None else {}
    results = [
        adjustment(entry, overrides, deadline, times.get(entry.id) or times.get(entry.folder))
        for entry in submissions.entries
    ]
    rule = read_rule(marks)
    if standings is None and rule is None:
        return results
    if standings is None:
        raise NotationError(
            f"{marks} has a table [tournament]: give the tournament's ranking too (on the command line with --ranking),"
            " or leave the table out until there is one."
        )
    if rule is None:
        raise NotationError("marks for a tournament need a rule: add a table [tournament] to the file of --marks.")
    places = place_marks(submissions.entries, read_ranks(standings), rule)
    return [
        msgspec.structs.replace(adjusted, place_marks=place.marks, place_worth=rule.worth, place=place.place)
        for adjusted, place in zip(results, places, strict=True)
    ]


def adjustment_notes(submissions: Entries, changes: Sequence[Adjustment], marks: Path | None) -> list[str]:
    """Notes for the lecturer on submissions whose file must be chosen, or whose tournament place or time is unknown."""
    adjusted_entries = list(zip(submissions.entries, changes, strict=True))
    notes = []
    if ambiguous := [entry for entry in submissions.entries if entry.why.endswith(f"{KEEP_ONE}.")]:
        has = "has" if len(ambiguous) == 1 else "have"
        notes.append(
            f"{submissions_text(ambiguous)} {has} several files, and it is"
            " unclear which is the newest. Name the file to mark in overrides.csv (columns student, file)."
        )
    if unplaced := [entry for entry, adjustment in adjusted_entries if adjustment.place_worth and not adjustment.place]:
        notes.append(
            f"The tournament's ranking has no line for {submissions_text(unplaced)}, so "
            "they get no marks for it: they did not play, or have another number and name there."
        )
    if (deadline := read_deadline(marks)) is None:
        return notes
    if undated := [entry for entry, adjustment in adjusted_entries if adjustment.days_late is None]:
        notes.append(
            f"No time is known for {submissions_text(undated)}, so the deadline doesn't "
            "apply to them: times come from Moodle's worksheet (--worksheet) or Gradescope's export."
        )
    if late := [entry for entry in submissions.entries if submissions.layout == "canvas" and "_LATE_" in entry.folder]:
        notes.append(
            f"Canvas marks {submissions_text(late)} as late, but doesn't say how late: deduct "
            "the penalty by setting marks in overrides.csv (columns student, mark)."
        )
    known = {key for entry in submissions.entries for key in entry.keys}
    if absent := [name for name in deadline.extensions if name not in known]:
        notes.append(f"{marks} extends the deadline for {listed(absent)}, but there is no such submission.")
    return notes


def submissions_text(entries: Sequence[FolderEntry]) -> str:
    """The number of some submissions and, up to ``MAX_NAMED``, the students' names and numbers in brackets."""
    names = "; ".join(f"{entry.name} {entry.id}".strip() for entry in entries)  # Canvas's names have commas
    return counted(len(entries), "submission") + (f" ({names})" if len(entries) <= MAX_NAMED else "")


def adjustment(
    entry: FolderEntry,
    overrides: Sequence[Override] = (),
    deadline: Deadline | None = None,
    submitted: datetime | None = None,
) -> Adjustment:
    """The adjustment of one student's mark."""
    override = next((row for row in overrides if row.student in entry.keys), None)
    days = deadline.days_late(entry, submitted) if deadline is not None and submitted is not None else None
    return Adjustment(
        submitted.isoformat(" ", "minutes") if submitted is not None else "",
        deadline.due_for(entry).isoformat(" ", "minutes") if deadline is not None else "",
        days,
        deadline.late_penalty(days) if deadline is not None and days else 0.0,
        mark=override.mark if override else None,
        comment=override.comment if override else "",
    )


# ---------------------------------------------------------------- marks for places in a tournament

#     ranking     the CSV of ``kibitz arena ranking --csv`` or ``kibitz tournament --ranking``
#     place       a student's place among the students in the ranking; built-in players aren't counted
#     rule        conditions with marks; of the conditions that a student meets, the one with the most marks counts
#
#     [tournament]                # in marks.toml; the highest of its numbers is added to the marks that can be earned
#     qualified = 4               # for any place
#     beats = { greedy = 7 }      # for a better rank than this player's
#     quantile = { "0.1" = 10 }   # for a place in the top tenth
#     place = { "1" = 12 }        # for the first place


class Rule(msgspec.Struct, frozen=True):
    """The marks for places. The keys of ``beats`` are players; the keys of ``quantile`` are shares of the students."""

    qualified: float = 0.0
    beats: Mapping[str, float] = {}
    quantile: Mapping[float, float] = {}
    place: Mapping[int, float] = {}

    @property
    def worth(self) -> float:
        """The most marks that the tournament can give."""
        return max(self.qualified, *self.beats.values(), *self.quantile.values(), *self.place.values(), 0.0)


class RankedPlayer(NamedTuple):
    """A player in the ranking: the rank (None for a player without one), the name and the numbers that identify it."""

    rank: int | None
    name: str
    ids: tuple[str, ...]


class PlaceMarks(NamedTuple):
    """The marks for a student's place, and the place in words ("" if the student isn't in the ranking)."""

    marks: float
    place: str


def read_rule(path: Path | None) -> Rule | None:
    """The rule in a TOML file; None if it has none."""
    return read_table_of(path, "tournament", rule_of)


def rule_of(settings: Mapping[str, Any]) -> Rule:
    """A rule from the table ``tournament`` of a file."""
    check_known(settings, ("qualified", "beats", "quantile", "place"), "setting of tournament")
    tables = {name: as_table(settings.get(name, {}), f"tournament.{name}") for name in ("beats", "quantile", "place")}
    for name, table in tables.items():
        for key in table:
            if isinstance(table[key], dict):
                raise NotationError(f'{name} needs quotes around a key with a dot, such as "0.1" = 10.')
            as_number(table, key, 0.0, least=0.0)
    try:
        quantile = {float(key): float(marks) for key, marks in tables["quantile"].items()}
        place = {int(key): float(marks) for key, marks in tables["place"].items()}
    except ValueError as error:
        raise NotationError('quantile needs keys such as "0.1", and place needs keys such as "1".') from error
    if not all(0 < key <= 1 for key in quantile) or not all(key > 0 for key in place):
        raise NotationError("shares for quantile go from 0 to 1, and places start at 1.")
    return Rule(as_number(settings, "qualified", 0.0, least=0.0), tables["beats"], quantile, place)


def read_ranks(path: Path) -> list[RankedPlayer]:
    """The players in the CSV of a tournament's ranking. Raises NotationError if it isn't one."""
    rows = read_table(path)
    headings = rows[0][1] if rows else []
    if not {"rank", "player"} <= set(headings):
        raise NotationError(f"{path} needs the columns rank and player, as 'kibitz arena ranking --csv' writes them.")
    players = []
    for line, cells in rows[1:]:
        row = {**dict.fromkeys((*headings, "identifier", "owner"), ""), **dict(zip(headings, cells, strict=False))}
        if not re.fullmatch(r"\d{0,9}", row["rank"]):
            raise NotationError(
                f"{path}, line {line}: the rank must be a number or empty, not {short_repr(row['rank'])}."
            )
        # A player that forfeited all its games has a rank, but earns no place.
        has_place = row["rank"] and not ("forfeits" in row and row["forfeits"] == row.get("games"))
        ids = tuple(filter(None, (row["identifier"], row["owner"])))
        players.append(RankedPlayer(int(row["rank"]) if has_place else None, row["player"], ids))
    return players


def place_marks(entries: Sequence[FolderEntry], ranks: Sequence[RankedPlayer], rule: Rule) -> list[PlaceMarks]:
    """The marks for every student's place. Raises NotationError for a rule about a player who isn't in the ranking."""
    students = [ranked_player(entry, ranks) for entry in entries]
    ranks_of_students = sorted(student.rank for student in students if student is not None and student.rank is not None)
    rank_to_beat = {name: rank_of(name, ranks) for name in rule.beats}
    marks_earned = []
    for student in students:
        if student is None or student.rank is None:
            marks_earned.append(PlaceMarks(0.0, "no place" if student is not None else ""))
            continue
        place = ranks_of_students.index(student.rank) + 1
        marks = [rule.qualified]
        marks += [worth for name, worth in rule.beats.items() if student.rank < rank_to_beat[name]]
        marks += [worth for share, worth in rule.quantile.items() if place <= share * len(ranks_of_students)]
        marks += [worth for place_needed, worth in rule.place.items() if place <= place_needed]
        marks_earned.append(PlaceMarks(max(marks), f"{place} of {len(ranks_of_students)}"))
    return marks_earned


def ranked_player(entry: FolderEntry, ranks: Sequence[RankedPlayer]) -> RankedPlayer | None:
    """A student's row in the ranking, by the number on the platform or else by a unique name; None if there is none."""
    by_id = [player for player in ranks if any(key in player.ids for key in entry.keys if key != entry.name)]
    by_name = [player for player in ranks if entry.name == player.name]
    if len(by_id) > 1:
        return min(by_id, key=lambda player: (player.rank is None, player.rank))
    return next(iter(by_id or (by_name if len(by_name) == 1 else ())), None)


def rank_of(name: str, ranks: Sequence[RankedPlayer]) -> float:
    """The rank of a player by name; infinite for a player without a rank. Raises NotationError for an unknown name."""
    names = [player.name for player in ranks]
    if name not in names:
        matches = get_close_matches(name, names, 1)
        hint = f"did you mean {matches[0]!r}?" if matches else "let it play in the tournament too."
        raise NotationError(f"the tournament's ranking has no player called {short_repr(name)}; {hint}")
    rank = next(player.rank for player in ranks if player.name == name)
    return float("inf") if rank is None else rank
