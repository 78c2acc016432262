"""Beginning a tournament: what it is called and of which kind it is.

standard    the tournament of a game, named after it; ``huxxy`` and ``huxxy-bonus`` are two that know nothing of
            each other
bonus       that of a bonus game; or any under a name of its own, with options and rules of its own, such as
            ``bonus`` of ``go:hand_size=8``
"""

from __future__ import annotations

import re
import unicodedata

from kibitz.arena.model import Kind, Threshold, Tournament
from kibitz.arena.store import Store
from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.player_names import why_no_name
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, StoreError
from kibitz.players.limits import STANDARD, Limits

CUSTOM = re.compile(r"custom-\d+")


def kind_of(game: Game) -> Kind:
    """Which kind of tournament a game has: bonus games are kept apart."""
    return "bonus" if "bonus" in game.name.partition(":")[0].split("-") else "standard"


def tournament_of(
    store: Store,
    game: Game,
    *,
    name: str | None = None,
    seed: int | None = None,
    threshold: Threshold | None = None,
    limits: Limits | None = None,
) -> Tournament:
    """The tournament of a game, or its second one of that ``name``, begun now if there is none yet.

    StoreError (refused) if there is one already and a seed, a threshold or limits are asked for, or it is another
    game's; NotationError for a name that can be none.
    """
    called = checked_tournament(name) if name is not None else game.name
    kind: Kind = "bonus" if name is not None else kind_of(game)
    try:
        found = store.tournament(called)
    except StoreError as error:
        if error.kind != "missing":
            raise
        try:
            return store.add_tournament(
                called, game.name, kind, seed=seed, threshold=threshold, limits=limits or STANDARD
            )
        except StoreError as lost_race:
            if lost_race.kind != "refused":
                raise
            found = store.tournament(called)
    if found.game != game.name:
        raise StoreError("refused", f"{called} is a tournament of {found.game} already: choose another name.")
    if (seed, threshold, limits) != (None, None, None):
        raise StoreError("refused", f"{called} has begun already: its seed, threshold and limits stay as they are.")
    return found


def checked_tournament(name: str) -> str:
    """A second tournament's name in its one spelling; NotationError if it can be none."""
    found = unicodedata.normalize("NFC", name)
    if why := why_no_name(found):
        raise NotationError(f"{shown(name)} is no tournament's name: {why}")
    if CUSTOM.fullmatch(found):
        raise NotationError(f"{shown(name)} is what custom games are called: choose another name.")
    try:
        find_game(found)
    except NotationError:
        return found
    raise NotationError(f"{shown(name)} is a game: choose another name for a second tournament, such as 'bonus'.")
