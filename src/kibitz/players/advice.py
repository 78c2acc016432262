"""Advice for the player to move: the choice of the game's strongest player, and what that move does.

    hint        an action, its judge, and a text that names the action and the reason
    judge       what found the action: the game's strongest player (without machine code, the strongest that needs
                none), or ``EXACT`` if the rest of the game was solved (``search.endgames``)
    value       in a game for chips, what a choice earns; in others, its winning chance (``search.advice.chance_note``)

Advice comes from the seat's own view, so it uses nothing that the seat doesn't know.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from random import Random

import msgspec

from kibitz.cards import short_repr
from kibitz.engine import validation
from kibitz.engine.game import Game, seed_words
from kibitz.engine.sentences import counted
from kibitz.engine.views.events import View
from kibitz.errors import NotationError
from kibitz.players.built_in import characters
from kibitz.search import endgames
from kibitz.search.rollout_planner import has_plans
from kibitz.search.search_players import SearchPlayer
from kibitz.search.tree_search import RankedAction, Z

EXACT = "exact"
"""The judge's name where the rest of the game is solved exactly."""
NO_DIFFERENCE = 0.005
"""Exact winning chances that differ by less than this are shown as equal."""
FEWEST_GAMES = 100
"""A choice that was tried in fewer simulated games is shown without its value, which is off by up to 10 points."""
FORCED = "It is the only choice."


class Hint(msgspec.Struct, frozen=True):
    """An action, its judge, and the hint as text, such as ``Hint: play K♣. It ...``."""

    action: int
    judge: str
    reason: str


def hint(game: Game, view: View, legal: Sequence[int], seed: int = 0) -> Hint:
    """The choice of the game's strongest player for the seat of ``view``, whose legal actions are ``legal``.

    The same view and seed give the same hint. Raises NotationError if nothing is legal or another seat is to move.

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
        raise NotationError("legal must name at least one action; got an empty list.")
    if view.seat != view.player:
        raise NotationError(f"view must be that of the seat to move, {view.player}, not of {short_repr(view.seat)}.")
    judge = characters(game)[-1]
    if len(choices) == 1:
        return Hint(choices[0], judge.name, hint_text(game, view, choices[0], FORCED))
    endgame = endgames.solve_endgame(game, view, endgames.NODES_FOR_REVIEWS)
    if endgame and not endgame.gap:
        return ranked_hint(game, view, EXACT, endgame.choices)
    strategy, random = judge.strategy, Random(seed)
    if isinstance(strategy, SearchPlayer):
        if search := strategy.run_search(view, choices, random.getrandbits(64)):
            if ranking := search.ranking():
                games = sum(choice.tried for choice in ranking)
                return ranked_hint(game, view, judge.name, ranking, games)
            action = search.choice(random)
            return Hint(action, judge.name, hint_text(game, view, action))
        judge = next(player for player in characters(game) if player.strategy == strategy.fallback)
    action = judge.strategy(view, choices, random)
    return Hint(action, judge.name, hint_text(game, view, action))


def hint_text(game: Game, view: View, action: int, *more: str) -> str:
    """The hint in words: the action, and its effect if the game has words for it."""
    hint_sentence = f"Hint: {game.words.advice(view, action)}."
    return " ".join(part for part in (hint_sentence, game.words.explain(view, action), *more) if part)


def ranked_hint(game: Game, view: View, judge: str, ranked: Sequence[RankedAction], games: int = 0) -> Hint:
    """A hint to take the first of the ranked actions, with its value and that of the next.

    The values are exact, or come from this many simulated ``games``.
    """
    choices = [choice for choice in ranked if choice.tried] or list(ranked)
    winning_chances = [choice.winning_chance for choice in choices]
    if max(winning_chances) - min(winning_chances) < NO_DIFFERENCE:
        choices.sort(key=lambda choice: -choice.worth)  # such as when the game is lost: then points count
    best, *others = [choice for choice in choices if not games or choice is choices[0] or choice.tried >= FEWEST_GAMES]
    if games and best.tried < FEWEST_GAMES:
        return Hint(best.action, judge, hint_text(game, view, best.action))
    what = "Expected" if game.by_score else "Chance to win"
    value = f"{what}: {value_text(game, best)} ({counted(games, 'simulated game') if games else 'exact'})"
    if others:
        label = game.words.short_label(view, others[0].action)
        equal = games and is_as_good(game, best, others[0])
        value += f"; about as good: {label}" if equal else f"; next best: {label}, {value_text(game, others[0])}"
    return Hint(best.action, judge, hint_text(game, view, best.action, f"{value}."))


def is_as_good(game: Game, best: RankedAction, other: RankedAction) -> bool:
    """Whether simulated games can't tell two choices apart, by the 95 % interval of the difference."""
    if game.by_score or has_plans(game):
        return best.worth - other.worth < Z * hypot(best.error, other.error)
    variances = (each.winning_chance * (1 - each.winning_chance) / each.tried for each in (best, other))
    return best.winning_chance - other.winning_chance < Z * sqrt(sum(variances))


def value_text(game: Game, choice: RankedAction) -> str:
    """A choice's value in words: what it earns on average in a game for chips, its chance to win in others."""
    return f"{choice.worth:+.1f} {game.words.unit}" if game.by_score else f"{choice.winning_chance:.0%}"
