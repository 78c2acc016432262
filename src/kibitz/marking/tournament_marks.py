"""Marks for places in a tournament, by its ranking and a rule in ``marks.toml``.

    ranking     the CSV of ``kibitz arena ranking --csv`` or ``kibitz tournament --ranking``
    place       a student's place among the students in the ranking; built-in players aren't counted
    rule        conditions with marks; of the conditions that a student meets, the one with the most marks counts

    [tournament]
    qualified = 4               # for any place
    beats = { greedy = 7 }      # for a better rank than this player's
    quantile = { "0.1" = 10 }   # for a place in the top tenth
    place = { "1" = 12 }        # for the first place

The highest of these numbers is added to the marks that can be earned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.arena.csv_files import read_table
from kibitz.cards import short_repr
from kibitz.errors import NotationError
from kibitz.marking.assignments import as_number, as_table, check_known, read_table_of
from kibitz.players.files.entries import FolderEntry

RANKS = ("rank", "place", "#")
NAMES = ("player", "name", "student")
IDS = ("id", "identifier", "number", "owner")


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
    rank_column, name_column = (
        next((headings.index(heading) for heading in names if heading in headings), None) for names in (RANKS, NAMES)
    )
    if rank_column is None or name_column is None:
        raise NotationError(f"{path} needs the columns rank and player, as 'kibitz arena ranking --csv' writes them.")
    id_columns = [headings.index(heading) for heading in IDS if heading in headings]
    count_columns = [headings.index(heading) for heading in ("games", "forfeits") if heading in headings]
    players = []
    for line, cells in rows[1:]:
        cells = [*cells, *[""] * (len(headings) - len(cells))]
        if not re.fullmatch(r"\d{0,9}", cells[rank_column]):
            raise NotationError(
                f"{path}, line {line}: the rank must be a number or empty, not {short_repr(cells[rank_column])}."
            )
        games, *forfeits = [cells[index] for index in count_columns] or [""]
        played = forfeits != [games]  # a player that forfeited all its games has a rank, but earns no place
        player_rank = int(cells[rank_column]) if cells[rank_column] and played else None
        players.append(
            RankedPlayer(player_rank, cells[name_column], tuple(filter(None, (cells[i] for i in id_columns))))
        )
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
