"""Custom games: chosen players on any number of deals, recorded like all others, but unrated.

    custom      a tournament of its own, ``custom-1``, ``custom-2`` ..., whose results enter no other ranking
    players     players of the game's tournament, by name (``Ann``) or with a version (``Ann@1``); built-in players;
                files, folders and archives

A custom tournament has copies of its players, so later changes to them don't affect it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import msgspec

from kibitz.arena.model import REGULAR, Lineup, Submission, Tournament
from kibitz.arena.schedule import schedule
from kibitz.arena.store import Store
from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.errors import NotationError, StoreError
from kibitz.players.built_in import built_in_name, strategies
from kibitz.players.files.entries import is_player_path
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import find_player, is_network


class CustomPlayer(msgspec.Struct, frozen=True):
    """A player of a custom game; if ``content`` is empty, ``file`` is the name of a built-in player."""

    name: str
    file: str
    content: bytes


def begin_custom(
    store: Store, game: Game, players: Sequence[str], deals: int, seed: int | None, source: Tournament | None
) -> Tournament:
    """Begin a custom tournament with one round of ``deals`` deals for everybody, each in all rotations.

    ``source`` is the tournament from which players are taken by name. Raises NotationError for unknown players, no
    players or no deals.
    """
    if not players:
        raise NotationError("a custom game needs at least one player.")
    if deals < 1:
        raise NotationError(f"a custom game needs at least one deal, not {deals}.")
    custom_players = [find_custom_player(store, game, source, player) for player in players]
    tournament = add_custom_tournament(store, game, seed, source.limits if source else STANDARD)
    entered = [
        enter(store, tournament, name, player)
        for name, player in zip(distinct_names([player.name for player in custom_players]), custom_players, strict=True)
    ]
    ids = [submission.id for submission in entered]
    count = ceil(deals * max(len(ids), game.seats) / game.seats)
    block_lineups = lineups(ids, game.seats, count, store.seed(tournament.name, REGULAR))
    store.schedule_round(tournament.name, 1, store.entrants(tournament.name), block_lineups)
    return tournament


def lineups(ids: Sequence[int], seats: int, deals: int, seed: int) -> list[Lineup]:
    """The lineups of the only round of a custom tournament, for submissions in order of entry."""
    if len(ids) == seats:
        return [tuple(ids)] * deals
    return [tuple(ids[player] for player in lineup) for lineup in schedule(len(ids), seats, deals, seed)]


def find_custom_player(store: Store, game: Game, source: Tournament | None, player: str) -> CustomPlayer:
    """The player that a name or path stands for. Raises NotationError if there is none."""
    if built_in_name(game, player) is not None or is_network(player) or is_player_path(player):
        spec = find_player(game, player)
        name = clean_name(spec.name)
        return CustomPlayer(name, *spec.stored_file(name))
    name, _, version = player.partition("@")
    entered = submitted_version(store, source, name, version) if source else None
    if entered is None:
        submitted = [submission.player for submission in (store.latest_accepted(source.name) if source else ())]
        names = ", ".join([*submitted, *strategies(game)])
        raise NotationError(
            f"{game.title} has no player called {short_repr(player)}; known players: {names}; or give a .py file."
        )
    return CustomPlayer(player, entered.file, store.content(entered.id))


def submitted_version(store: Store, source: Tournament, name: str, version: str) -> Submission | None:
    """A player's version with this number, or if ``version`` is empty its latest accepted one; None if missing."""
    if not version:
        return next(
            (submission for submission in store.latest_accepted(source.name) if submission.player == name), None
        )
    versions = store.submissions(source.name, player=name)
    return next((submission for submission in versions if str(submission.version) == version), None)


def add_custom_tournament(store: Store, game: Game, seed: int | None, limits: Limits) -> Tournament:
    """Add a custom tournament under the next free number."""
    taken = {tournament.name for tournament in store.tournaments()}
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


def enter(store: Store, tournament: Tournament, name: str, player: CustomPlayer) -> Submission:
    """Enter a copy of a player as an accepted submission, without a check."""
    entered = store.submit(tournament.name, name, name, player.file, player.content)
    return store.record_check(entered.id, passed=True, reason="", report="")
