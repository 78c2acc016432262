"""Custom games: chosen players on any number of deals, recorded like all others, but unrated.

    custom      a tournament of its own, ``custom-1``, ``custom-2`` ..., whose results enter no other ranking
    players     by name, as they play in the game's tournament now (``Ann``) or with a version (``Ann@1``); built-in
                players; files, folders and archives

A custom tournament has copies of its players, so later changes to them don't affect it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import ceil

import msgspec

from kibitz.arena.model import REGULAR, Lineup, Submission, Tournament
from kibitz.arena.schedule import schedule
from kibitz.arena.store import Store
from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.errors import NotationError, StoreError
from kibitz.players.built_in import strategies, strategy_named
from kibitz.players.files.entries import is_player_path, player_at
from kibitz.players.form_player import main_functions
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import find_player, is_network


class Guest(msgspec.Struct, frozen=True):
    """A player of a custom game; if ``content`` is empty, ``file`` is the name of a built-in player."""

    name: str
    file: str
    content: bytes


def begin_custom(
    store: Store, game: Game, players: Sequence[str], deals: int, seed: int | None = None, within: str = ""
) -> Tournament:
    """A custom tournament with one round of ``deals`` deals for everybody, each in all rotations.

    ``within`` is the tournament from which players are taken by name (default: the game's). NotationError for unknown
    players, or no deals.
    """
    if not players:
        raise NotationError("a custom game needs at least one player.")
    if deals < 1:
        raise NotationError(f"a custom game needs at least one deal, not {deals}.")
    source = next((found for found in store.tournaments() if found.name == (within or game.name)), None)
    guests = [guest(store, game, source, word) for word in players]
    tournament = next_custom(store, game, seed, source.limits if source else STANDARD)
    entered = [
        enter(store, tournament, name, found)
        for name, found in zip(distinct_names([found.name for found in guests]), guests, strict=True)
    ]
    ids = [submission.id for submission in entered]
    count = ceil(deals * max(len(ids), game.seats) / game.seats)
    lineups_of_all = lineups(ids, game.seats, count, store.seed(tournament.name, REGULAR))
    store.schedule_round(tournament.name, 1, store.entrants(tournament.name), lineups_of_all)
    return tournament


def lineups(ids: Sequence[int], seats: int, deals: int, seed: int) -> list[Lineup]:
    """The lineups of the only round of a custom tournament, for submissions in order of entry."""
    if len(ids) == seats:
        return [tuple(ids)] * deals
    return [tuple(ids[player] for player in lineup) for lineup in schedule(len(ids), seats, deals, seed)]


def guest(store: Store, game: Game, source: Tournament | None, words: str) -> Guest:
    """The player named by the words; NotationError if there is none."""
    if (built_in := strategy_named(game, words)) is not None:
        return Guest(built_in, built_in, b"")
    if is_network(words):
        spec = find_player(game, words)
        return Guest(spec.name, os.path.basename(words), spec.network)
    if is_player_path(words):
        found = player_at(words, main_functions(game))
        assert found.sources is not None
        name = clean_name(found.name)
        return Guest(name, found.sources.packed_name(name), found.sources.packed)
    name, _, version = words.partition("@")
    entered = submitted_version(store, source, name, version) if source else None
    if entered is None:
        known = [player.player for player in (store.latest_accepted(source.name) if source else ())]
        there_are = f"there are {', '.join([*known, *strategies(game)])}; or give a .py file."
        raise NotationError(f"{game.title} has no player called {shown(words)}; {there_are}")
    return Guest(words, entered.file, store.content(entered.id))


def submitted_version(store: Store, source: Tournament, name: str, version: str) -> Submission | None:
    """A player's version with this number, or without a number the version that plays now; None if there is none."""
    if not version:
        return next((found for found in store.latest_accepted(source.name) if found.player == name), None)
    versions = store.submissions(source.name, player=name)
    return next((found for found in versions if str(found.version) == version), None)


def next_custom(store: Store, game: Game, seed: int | None, limits: Limits) -> Tournament:
    """A new custom tournament under the next free number."""
    taken = {found.name for found in store.tournaments()}
    number = 1
    while True:
        while f"custom-{number}" in taken:
            number += 1
        try:
            return store.add_tournament(f"custom-{number}", game.name, "custom", seed=seed, limits=limits)
        except StoreError as error:
            if error.kind != "refused":
                raise
            taken.add(f"custom-{number}")


def enter(store: Store, tournament: Tournament, name: str, guest: Guest) -> Submission:
    """Enter a copy of a player."""
    entered = store.submit(tournament.name, name, name, guest.file, guest.content)
    return store.record_check(entered.id, passed=True, reason="", report="")
