"""Advice for the player who is to move: what the strongest player of the game would do, and why.

    hint        an action with its judge, the player that says so, and its reason in words
    judge       the strongest player that comes with the game; without machine code the strongest that needs none;
                nobody where what is left of the game is counted to its end (``search.endgames``)
    chances     the promise of a choice: mostly the chance to come first, a little the chance of a better place

Advice is made from the seat's own view: it knows nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from kibitz.cards import shown
from kibitz.engine import validation
from kibitz.engine.events import View
from kibitz.engine.game import Game, seed_words
from kibitz.errors import NotationError
from kibitz.players.built_in import cast
from kibitz.search import endgames
from kibitz.search.search_players import SearchPlayer
from kibitz.search.thinking import Ranked, digits_of

EXACT = "exact"
"""The judge of what can be counted to its end."""
AT_ONCE = "whatever promises much begins with it, so nothing was tried out."
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
    'solved'
    """
    validation.check_belongs(game, view, View, "view")
    seed_words(seed)
    choices = list(legal)
    if not choices:
        raise NotationError("legal must name at least one action, and the list is empty.")
    if view.seat != view.player:
        raise NotationError(f"view must be that of the seat to move, {view.player}, not of {shown(view.seat)}.")
    judge = cast(game)[-1]
    if len(choices) == 1:
        return Hint(choices[0], judge.name, FORCED)
    rest = endgames.solved(game, view, endgames.AT_LEISURE)
    if rest and not rest.gap:
        return Hint(rest.choices[0].action, EXACT, settled(game, view, rest))
    thinker, random = judge.strategy, Random(seed)
    if isinstance(thinker, SearchPlayer):
        if search := thinker.searched(view, choices, random.getrandbits(64)):
            if found := search.ranking():
                return Hint(found[0].action, judge.name, compared(game, view, judge.name, found))
            action = search.choice(random)
            return Hint(action, judge.name, f"{judge.name} would choose {said(game, view, action)}: {AT_ONCE}")
        judge = next(one for one in cast(game) if one.strategy == thinker.otherwise)
    action = judge.strategy(view, choices, random)
    return Hint(action, judge.name, f"{judge.name} would choose {said(game, view, action)}. How it plays: {judge.line}")


def said(game: Game, view: View, action: int) -> str:
    """An action as a choice in a list, without what stands in columns."""
    return " ".join(game.words.label(view, action).split())


def settled(game: Game, view: View, rest: endgames.Solved) -> str:
    """What the first choice and the next one are worth in what is left of the game, which is counted."""
    first, second, *_ = rest.choices
    return (
        f"{said(game, view, first.action)} is worth {first.worth:+.2f} and {first.promise:.0%} of chances, and"
        f" {said(game, view, second.action)} {second.worth:+.2f} and {second.promise:.0%}: {rest.judge}."
    )


def compared(game: Game, view: View, judge: str, found: Sequence[Ranked]) -> str:
    """Why a search prefers its first choice: what it and the next one are worth, with 95 % intervals."""
    first, *others = [one for one in found if one.tried]
    told = f"{judge} would choose {said(game, view, first.action)}: {worth(first)}"
    if others:
        told += f"; next comes {said(game, view, others[0].action)} with {worth(others[0])}"
    return f"{told}, in {sum(one.tried for one in found)} imagined games."


def worth(one: Ranked) -> str:
    """What a choice is worth in words."""
    digits = digits_of([one])
    return f"{one.worth:+.{digits}f} ± {one.margin:.{digits}f}, and {one.promise:.0%} of chances"
