"""OpenSpiel: every game and mini variant as one of its Python games, with explicit chance and perfect recall.

    load("president-mini")      a game with its options, such as "bo:players=3", as OpenSpiel's
    register()                  register all of them with ``pyspiel.load_game``, as ``kibitz_president_mini``
    resampler(seed)             draws positions that a seat can't tell apart, for ``ISMCTSBot.set_resampler``

>>> from kibitz.environments import spiel
>>> kuhn = spiel.load("kuhn")
>>> state = kuhn.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 6)
>>> state.apply_action(0)
>>> [state.action_to_string(action) for action in state.legal_actions()]
['check', 'bet 1']

``pip install 'kibitz[openspiel]'`` installs what this needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.engine.game import Game
from kibitz.environments.conventions import require_packages

if TYPE_CHECKING:
    import pyspiel

__all__ = ["load", "register", "resampler"]


def register() -> list[str]:
    """Register all games with OpenSpiel; returns their names there."""
    with require_packages("spiel", "openspiel"):
        from kibitz.environments.spiel import openspiel_games
    return openspiel_games.register()


def load(game: Game | str) -> pyspiel.Game:
    """A game as OpenSpiel's.

    Raises NotationError if no game has that name, ImportError if OpenSpiel isn't installed.
    """
    with require_packages("spiel", "openspiel"):
        from kibitz.environments.spiel import openspiel_games
    return openspiel_games.load(game)


def resampler(seed: int = 0) -> Callable[[Any, int], Any]:
    """A function of a state and a seat: it draws a state that the seat can't tell apart; ``seed`` fixes all draws."""
    from random import Random

    random = Random(seed)
    return lambda state, player: state.resample_from_infostate(player, random.random)
