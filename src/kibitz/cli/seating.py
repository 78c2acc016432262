"""Finds the players by name or file, and gives each a different name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kibitz.cli.screen import warn
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.engine.sentences import counted
from kibitz.errors import ConfinementError, KibitzError, SeatError
from kibitz.players.built_in import stand_in, strategy_named
from kibitz.players.files.archives import is_archive
from kibitz.players.files.entries import PLATFORMS, Entries, players_in
from kibitz.players.form_player import main_functions
from kibitz.players.isolation.process import STRANGERS, confines, unconfined
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
    """Find one player for each word; if ``warning``, warn about user's files that will not be confined."""
    within = limits_from(limits) if limits is not None else STANDARD
    found = [find_player(game, word, trusted=trusted, limits=within, own=own) for word in words]
    return warned(found, trusted or not warning)


class Everybody(NamedTuple):
    """Players, and the unreadable submissions: their names, and why in a sentence."""

    specs: list[PlayerSpec]
    absent: list[tuple[str, str]]


def find_everybody(game: Game, words: Sequence[str], trusted: bool, limits: str | None = None) -> Everybody:
    """Find the players that the words name, all of those in folders and archives; reports what is left out."""
    within = limits_from(limits) if limits is not None else STANDARD
    found: list[PlayerSpec] = []
    absent: list[tuple[str, str]] = []
    for word in words:
        if strategy_named(game, word) or not (os.path.isdir(word) or is_archive(word)):
            found.append(find_player(game, word, trusted=trusted, limits=within))
            continue
        inside = players_in(word, main_functions(game))
        tell_what_is_there(word, inside)
        found += [entry_spec(game, entry, trusted=trusted, limits=within) for entry in inside.entries if entry.sources]
        absent += [(entry.name, entry.why) for entry in inside.entries if not entry.sources]
    if not confines() and any(spec.is_file for spec in found):
        raise ConfinementError(STRANGERS)
    tell_who_is_who(found)
    if words and not found:
        raise KibitzError("none of the players can play; see the reasons above.")
    return Everybody(warned(found, trusted), absent)


def tell_what_is_there(word: str, inside: Entries, *, left_out_players: bool = True) -> None:
    """Report on stderr what was found in a folder, and what was left out, with the reason.

    Without ``left_out_players``, the caller reports players that cannot be read.
    """
    players = sum(entry.sources is not None for entry in inside.entries)
    if inside.layout in PLATFORMS:
        submissions = counted(len(inside.entries), "submission")
        warn(f"{word}: a {PLATFORMS[inside.layout]} export with {submissions}, {players} of them readable")
    for entry in inside.entries:
        if entry.sources is None and left_out_players:
            warn(f"can't play: {entry.words}: {entry.why}")
    if inside.note:
        warn(inside.note)
    for left in (*inside.left_out, *(left for entry in inside.entries for left in entry.left_out)):
        warn(f"left out: {left}.")


def tell_who_is_who(found: Sequence[PlayerSpec]) -> None:
    """Report on stderr the files of players whose similar names were numbered."""
    called = zip(found, names_of(found), strict=True)
    files = [
        f"{name!r} is {ascii(spec.words)[1:-1]}"
        for spec, name in called
        if spec.is_file and name != clean_name(spec.name)
    ]
    if files:
        warn(f"names that look the same: {'; '.join(files)}.")


def warned(found: list[PlayerSpec], trusted: bool) -> list[PlayerSpec]:
    """The players, after a warning if files among them will not be confined."""
    if not trusted and any(spec.is_file for spec in found):
        warn_of_no_confinement()
    return found


def warn_of_no_confinement() -> None:
    """Warn on stderr if this machine does not confine player files."""
    if why := unconfined():
        warn(f"kibitz: warning: {why}")


def tell_of_stand_in(game: Game, players: Iterable[str]) -> None:
    """Warn on stderr of players that are weaker than usual because machine code is missing."""
    if told := stand_in(game, players):
        warn(told)


def people_in(game: Game, seat: int, people: str | None, name: str | None) -> list[str]:
    """The names of the people at the keyboard, who sit side by side from ``seat`` on."""
    if people is None:
        return [name or "Guest"]
    if name is not None:
        raise KibitzError("--people names everyone at this keyboard: leave --name out.")
    found = [word.strip() for word in people.split(",")]
    if not all(found):
        raise KibitzError(f"{people!r} is not a list of names: separate names by commas, such as Ann,Ben.")
    if seat + len(found) > game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, too few for {len(found)} people from seat {seat}.")
    return found


def find_opponents(game: Game, seat: int, words: str, trusted: bool, people: int = 1) -> list[PlayerSpec]:
    """Find the players for all seats except those of ``people`` from ``seat`` on.

    ``words`` name one for all, or one for each, separated by commas.
    """
    if not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, not {seat}.")
    others = game.seats - people
    found = [word.strip() for word in words.split(",")]
    if not all(found):
        raise KibitzError(f"{words!r} is not a list of players: separate names by commas, such as greedy,random.")
    if len(found) not in (1, others):
        raise SeatError(f"{game.title} needs 1 opponent (for all seats) or {others}, not {len(found)}.")
    return find_players(game, found * others if len(found) == 1 else found, trusted)


def names_of(specs: Sequence[PlayerSpec], *others: str) -> list[str]:
    """The names of the players at this table, after ``others``."""
    return list(distinct_names([clean_name(name) for name in (*others, *(spec.name for spec in specs))]))
