"""Advice for whoever is to move: what the strongest player of the game would do, and why.

    hint        an action with its judge, the player that says so, and its reason in words
    judge       the strongest player that comes with the game

Advice is made from the seat's own view: it knows nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from kibitz.cards import shown
from kibitz.engine import asked
from kibitz.engine.events import View
from kibitz.engine.game import Game, seed_words
from kibitz.errors import NotationError
from kibitz.players.characters import cast

FORCED = "There is nothing else that you can do."


class Hint(msgspec.Struct, frozen=True):
    """What to do: an action, the name of who says so, and why, in words."""

    action: int
    judge: str
    reason: str


def hint(game: Game, view: View, legal: Sequence[int], seed: int = 0) -> Hint:
    """What the strongest player of the game would do for the seat of ``view``, whose legal actions are ``legal``.

    The same view and seed give the same hint.  NotationError where nothing is legal, or the view is another seat's.

    >>> import kibitz
    >>> game = kibitz.game("kuhn")
    >>> state = game.deal(1)
    >>> hint(game, game.view(state, 0), game.legal(state)).judge
    'greedy'
    """
    asked.refuse_other(game, view, View, "view")
    seed_words(seed)
    choices = list(legal)
    if not choices:
        raise NotationError("legal must name at least one action, and the list is empty.")
    if view.seat != view.player:
        raise NotationError(f"view must be that of the seat to move, {view.player}, not of {shown(view.seat)}.")
    judge = cast(game)[-1]
    if len(choices) == 1:
        return Hint(choices[0], judge.name, FORCED)
    action = judge.strategy(view, choices, Random(seed))
    label = " ".join(game.words.label(view, action).split())
    return Hint(action, judge.name, f"{judge.name} would choose {label}. How it plays: {judge.line}")
