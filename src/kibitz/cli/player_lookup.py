"""Finds the players that a command names, by name or file, and gives each a different name at the table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kibitz.cli.screen import warn
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.engine.sentences import counted
from kibitz.errors import ConfinementError, KibitzError, SeatError
from kibitz.players.built_in import strategy_named, weaker_players_notice
from kibitz.players.files.archives import is_archive
from kibitz.players.files.entries import PLATFORMS, Entries, players_in
from kibitz.players.form_player import main_functions
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, can_confine, why_no_sandbox
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.specs import PlayerSpec, entry_spec, find_player


def find_players(
    game: Game,
    words: Sequence[str],
    trusted: bool,
    limits: str | None = None,
    *,
    warning: bool = True,
    own: bool = True,
) -> list[PlayerSpec]:
    """Find one player for each word; if ``warning``, warn about files that will not be confined."""
    player_limits = limits_from(limits) if limits is not None else STANDARD
    specs = [find_player(game, word, trusted=trusted, limits=player_limits, own=own) for word in words]
    return warn_if_unconfined(specs, trusted or not warning)


class FoundPlayers(NamedTuple):
    """The players; and for each submission that can't be read, its name and a sentence that says why."""

    specs: list[PlayerSpec]
    unreadable: list[tuple[str, str]]


def find_all_players(
    game: Game, words: Sequence[str], trusted: bool, limits: str | None = None, overrides: Path | None = None
) -> FoundPlayers:
    """Find the players that ``words`` name, including all players in folders and archives.

    What was left out of folders and archives is reported on stderr.
    """
    player_limits = limits_from(limits) if limits is not None else STANDARD
    specs: list[PlayerSpec] = []
    unreadable: list[tuple[str, str]] = []
    containers = [
        word for word in words if not strategy_named(game, word) and (os.path.isdir(word) or is_archive(word))
    ]
    submissions = dict(read_players(containers, main_functions(game), overrides))
    for word in words:
        if word not in submissions:
            specs.append(find_player(game, word, trusted=trusted, limits=player_limits))
            continue
        submitted = submissions[word]
        report_entries(word, submitted)
        specs += [
            entry_spec(game, entry, trusted=trusted, limits=player_limits)
            for entry in submitted.entries
            if entry.sources
        ]
        unreadable += [(entry.name, entry.why) for entry in submitted.entries if not entry.sources]
    if not can_confine() and any(spec.is_file for spec in specs):
        raise ConfinementError(SANDBOX_NEEDS_LINUX)
    report_lookalike_names(specs)
    if words and not specs:
        raise KibitzError("none of the players can play; see the reasons above.")
    return FoundPlayers(warn_if_unconfined(specs, trusted), unreadable)


def read_players(
    paths: Sequence[str | Path], functions: Sequence[str], overrides: Path | None
) -> list[tuple[str, Entries]]:
    """The players in folders and archives, by path; a tutor's table decides which of several files is a player."""
    if overrides is None:
        return [(str(path), players_in(path, functions)) for path in paths]
    from kibitz.marking.adjustments import check_students, choices_of, read_overrides

    rows = read_overrides([overrides])
    choices = choices_of(rows)
    players = [(str(path), players_in(path, functions, choices)) for path in paths]
    check_students(rows, [entry for _, submitted in players for entry in submitted.entries])
    return players


def report_entries(word: str, submitted: Entries, *, left_out_players: bool = True) -> None:
    """Report on stderr the content of a folder, and what was left out, with the reason.

    Without ``left_out_players``, the caller reports players that cannot be read.
    """
    players = sum(entry.sources is not None for entry in submitted.entries)
    if submitted.layout in PLATFORMS:
        content = f"{counted(len(submitted.entries), 'submission')}, {players} of them with exactly one player"
        warn(f"{word}: a {PLATFORMS[submitted.layout]} export with {content}")
    for entry in submitted.entries:
        if entry.sources is None and left_out_players:
            warn(f"can't play: {entry.path}: {entry.why}")
    if submitted.note:
        warn(submitted.note)
    for file in (*submitted.left_out, *(file for entry in submitted.entries for file in entry.left_out)):
        warn(f"left out: {file}.")


def report_lookalike_names(specs: Sequence[PlayerSpec]) -> None:
    """Report on stderr the files of players whose names got a number because they look like others."""
    named_specs = zip(specs, table_names(specs), strict=True)
    files = [
        f"{name!r} is {ascii(spec.name_or_path)[1:-1]}"
        for spec, name in named_specs
        if spec.is_file and name != clean_name(spec.name)
    ]
    if files:
        warn(f"names that look the same: {'; '.join(files)}.")


def warn_if_unconfined(specs: list[PlayerSpec], trusted: bool) -> list[PlayerSpec]:
    """Warn on stderr if any player is a file that will not be confined; returns the players."""
    if not trusted and any(spec.is_file for spec in specs):
        warn_unconfined()
    return specs


def warn_unconfined() -> None:
    """Warn on stderr if this machine does not confine player files."""
    if why := why_no_sandbox():
        warn(f"kibitz: warning: {why}")


def warn_of_stand_ins(game: Game, players: Iterable[str]) -> None:
    """Warn on stderr about players that are weaker than usual because machine code is missing."""
    if notice := weaker_players_notice(game, players):
        warn(notice)


def names_of_people(game: Game, seat: int, people: str | None, name: str | None) -> list[str]:
    """The names of the people at the keyboard, who sit side by side from ``seat`` on."""
    if people is None:
        return [name or "Guest"]
    if name is not None:
        raise KibitzError("--people names everyone at this keyboard: leave --name out.")
    names = [word.strip() for word in people.split(",")]
    if not all(names):
        raise KibitzError(f"{people!r} is not a list of names: separate names by commas, such as Ann,Ben.")
    if seat + len(names) > game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, too few for {len(names)} people from seat {seat}.")
    return names


def find_opponents(game: Game, seat: int, words: str, trusted: bool, people: int = 1) -> list[PlayerSpec]:
    """Find the players for all seats except those of ``people`` from ``seat`` on.

    ``words`` name one player for all these seats, or one for each, separated by commas.
    """
    if not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, not {seat}.")
    opponent_seats = game.seats - people
    players = [word.strip() for word in words.split(",")]
    if not all(players):
        raise KibitzError(f"{words!r} is not a list of players: separate names by commas, such as greedy,random.")
    if len(players) not in (1, opponent_seats):
        raise SeatError(f"{game.title} needs 1 opponent (for all seats) or {opponent_seats}, not {len(players)}.")
    return find_players(game, players * opponent_seats if len(players) == 1 else players, trusted)


def table_names(specs: Sequence[PlayerSpec], *people: str) -> list[str]:
    """Distinct names for everybody at a table: first ``people``, then the players."""
    return list(distinct_names([clean_name(name) for name in (*people, *(spec.name for spec in specs))]))
