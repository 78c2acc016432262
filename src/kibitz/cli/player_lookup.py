"""Finds the players that a command names, by name or by path, and gives each a different name at the table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kibitz.cli.screen import warn
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names, typed_name
from kibitz.engine.sentences import counted
from kibitz.errors import ConfinementError, KibitzError, SeatError
from kibitz.players.built_in import built_in_name, weaker_players_notice
from kibitz.players.files.archives import is_archive
from kibitz.players.files.entries import PLATFORMS, Entries, players_in
from kibitz.players.function_player import main_functions
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, can_confine, why_no_sandbox
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.specs import PlayerSpec, entry_spec, find_player


def find_players(
    game: Game,
    players: Sequence[str],
    trusted: bool,
    limits: str | None = None,
    *,
    warning: bool = True,
    own_files: bool = True,
) -> list[PlayerSpec]:
    """Find players by their names or paths; if ``warning``, warn about files that will not be confined.

    ``own``: False if the paths come from somebody else, such as the writer of a saved game.
    """
    player_limits = limits_from(limits) if limits is not None else STANDARD
    specs = [find_player(game, player, trusted=trusted, limits=player_limits, own_file=own_files) for player in players]
    if warning and not trusted:
        warn_if_unconfined(specs)
    return specs


class FoundPlayers(NamedTuple):
    """The players found, and the submissions that can't be read, each as its name and a sentence that says why."""

    specs: list[PlayerSpec]
    unreadable: list[tuple[str, str]]


def find_all_players(
    game: Game, players: Sequence[str], trusted: bool, limits: str | None = None, overrides: Path | None = None
) -> FoundPlayers:
    """Find players by their names or paths, and all players in folders and archives.

    Files in folders and archives that were left out are reported on stderr.
    """
    player_limits = limits_from(limits) if limits is not None else STANDARD
    specs: list[PlayerSpec] = []
    unreadable: list[tuple[str, str]] = []
    containers = [
        player
        for player in players
        if not built_in_name(game, player) and (os.path.isdir(player) or is_archive(player))
    ]
    submissions = dict(read_players(containers, main_functions(game), overrides))
    for player in players:
        if player not in submissions:
            specs.append(find_player(game, player, trusted=trusted, limits=player_limits))
            continue
        submitted = submissions[player]
        report_entries(player, submitted)
        specs += [
            entry_spec(game, entry, trusted=trusted, limits=player_limits)
            for entry in submitted.entries
            if entry.sources
        ]
        unreadable += [(entry.name, entry.why) for entry in submitted.entries if not entry.sources]
    if not can_confine() and any(spec.is_file for spec in specs):
        raise ConfinementError(SANDBOX_NEEDS_LINUX)
    report_lookalike_names(specs)
    if players and not specs:
        raise KibitzError("none of the players can play; see the reasons above.")
    if not trusted:
        warn_if_unconfined(specs)
    return FoundPlayers(specs, unreadable)


def read_players(
    paths: Sequence[str | Path], functions: Sequence[str], overrides: Path | None
) -> list[tuple[str, Entries]]:
    """The players in each folder or archive, with its path; ``overrides`` says which of several files is a player."""
    if overrides is None:
        return [(str(path), players_in(path, functions)) for path in paths]
    from kibitz.marking.adjustments import check_students, choices_of, read_overrides

    rows = read_overrides(overrides)
    choices = choices_of(rows)
    players = [(str(path), players_in(path, functions, choices)) for path in paths]
    check_students(rows, [entry for _, submitted in players for entry in submitted.entries])
    return players


def report_entries(path: str, submitted: Entries, *, unreadable_players: bool = True) -> None:
    """Report on stderr the content of a folder or archive, and what was left out, with the reason.

    Players that can't be read are reported unless ``unreadable_players`` is False.
    """
    players = sum(entry.sources is not None for entry in submitted.entries)
    if submitted.layout in PLATFORMS:
        content = f"{counted(len(submitted.entries), 'submission')}, {players} of them with exactly one player"
        warn(f"{path}: a {PLATFORMS[submitted.layout]} export with {content}")
    for entry in submitted.entries:
        if entry.sources is None and unreadable_players:
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


def warn_if_unconfined(specs: Sequence[PlayerSpec]) -> None:
    """Warn on stderr if any player is a file that will not be confined."""
    if any(spec.is_file for spec in specs):
        warn_unconfined()


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
        return ["Guest" if name is None else typed_name(name)]
    if name is not None:
        raise KibitzError("--people names everyone at this keyboard: leave --name out.")
    names = [name.strip() for name in people.split(",")]
    if not all(names):
        raise KibitzError(f"{people!r} is not a list of names: separate names by commas, such as Ann,Ben.")
    if seat + len(names) > game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, too few for {len(names)} people from seat {seat}.")
    return list(map(typed_name, names))


def find_opponents(game: Game, seat: int, opponents: str, trusted: bool, people: int = 1) -> list[PlayerSpec]:
    """Find the players for all seats except those of the people: ``people`` seats from ``seat`` on.

    ``opponents`` names one player for all these seats, or one for each, separated by commas.
    """
    if not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, not {seat}.")
    opponent_seats = game.seats - people
    players = [player.strip() for player in opponents.split(",")]
    if not all(players):
        raise KibitzError(f"{opponents!r} is not a list of players: separate names by commas, such as greedy,random.")
    if len(players) not in (1, opponent_seats):
        raise SeatError(f"{game.title} needs 1 opponent (for all seats) or {opponent_seats}, not {len(players)}.")
    return find_players(game, players * opponent_seats if len(players) == 1 else players, trusted)


def table_names(specs: Sequence[PlayerSpec], *people: str) -> list[str]:
    """Distinct names for everybody at a table: first ``people``, then the players."""
    return list(distinct_names([clean_name(name) for name in (*people, *(spec.name for spec in specs))]))
