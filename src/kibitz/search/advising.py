"""What is best to do, with what each choice is worth and how sure that is: for whoever asks, in every game.

    budget      so many imagined games, or so many seconds; 0 imagines nothing, and the game's first policy is played
    views       what the seat can know: one view, or several where it does not tell all that it has seen, which then
                share the budget; the error spans how they differ
    judge       who says so, in words: the exact end of the game, a search, or a strategy

What is left of a game is solved exactly where little is hidden (``endgames``); all else is thought over as the game's
strongest player does (``search players``): searched, or whole turns are tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import perf_counter

import msgspec

from kibitz.engine.events import View
from kibitz.engine.game import Game
from kibitz.engine.policies import chosen, policies, seeded_rng
from kibitz.search.endgames import FOR_ADVICE, solved
from kibitz.search.rollout_advice import RolloutAdvice
from kibitz.search.search_players import at_leisure, is_ready, said_of, sharing
from kibitz.search.thinking import Ranked, Search

Progress = Callable[[int], object]
PIECE = 16
"""So many games are imagined in plain Python between two words of progress."""
NODES_A_SECOND = 2000
"""So many nodes are laid out and solved in a second at least."""


class Budget(msgspec.Struct, frozen=True):
    """So many imagined games or, where ``seconds`` are given, as many as these allow.

    On several ``threads`` each grows a tree of its own, of its share of them; whole turns are shared out among them.
    """

    games: int
    seconds: float | None = None
    threads: int = 1

    @property
    def is_nothing(self) -> bool:
        """Whether nothing may be imagined."""
        return (self.games if self.seconds is None else self.seconds) == 0


class Advice(msgspec.Struct, frozen=True):
    """The choices, the best first, and who says so; ``exact`` where they are counted to the end and not sampled.

    ``odds`` are how often each is made in an equilibrium, empty where nobody need be surprised.
    """

    choices: tuple[Ranked, ...]
    judge: str
    exact: bool = False
    odds: tuple[float, ...] = ()


def advise(game: Game, views: Sequence[View], budget: Budget, seed: int = 0, told: Progress | None = None) -> Advice:
    """Rank what the seat to move can do; ``told`` is called with the number of imagined games now and then."""
    legal = legal_of(game, views[0])
    if budget.is_nothing:
        return by_policy(game, views[0], legal, seed)
    if found := counted(game, views, nodes_for(budget) // len(views)):
        return found
    plain = not is_ready(game)
    rankings, done, start = [], 0, 0.0
    shares = sharing(game, views)
    for number, together in enumerate(shares):
        search = at_leisure(game, together, legal, seed + number, plain=plain, threads=budget.threads)
        start = start or perf_counter()
        left = len(shares) - number
        if budget.seconds is not None:
            search.go_on_for((budget.seconds - (perf_counter() - start)) / left)
        else:
            imagine(search, (budget.games - done) // left, done, told if plain else None)
        done += search.done
        rankings.append(search.ranking())
    return Advice(tuple(pooled(rankings)), said_of(game, done, plain=plain, threads=budget.threads))


def counted(game: Game, views: Sequence[View], most: int) -> Advice | None:
    """The advice where what is left of the game can be solved, by every view; None where it cannot."""
    rests = []
    for view in views:
        rest = solved(game, view, most)
        if rest is None:
            return None
        rests.append(rest)
    first = rests[0]
    if len(rests) == 1:
        return Advice(first.choices, first.judge, exact=True, odds=first.odds if first.gap else ())
    return Advice(tuple(pooled([list(rest.choices) for rest in rests])), first.judge)


def nodes_for(budget: Budget) -> int:
    """How large the rest of a game may be that is counted instead of imagined."""
    return FOR_ADVICE if budget.seconds is None else min(FOR_ADVICE, int(budget.seconds * NODES_A_SECOND))


def imagine(search: Search | RolloutAdvice, games: int, before: int, told: Progress | None) -> None:
    """Imagine so many games, telling how far it is."""
    while told and search.done < games:
        search.go_on(min(PIECE, games - search.done))
        told(before + search.done)
    search.go_on(games - search.done)


def legal_of(game: Game, view: View) -> list[int]:
    """What the seat to move may do, by its view alone."""
    state = game.blank()
    game.restore(state, view)
    return game.legal(state)


def by_policy(game: Game, view: View, legal: Sequence[int], seed: int) -> Advice:
    """What the game's first policy does, or its first strategy where it has no policy; nothing is imagined."""
    name = next(iter([*policies(game), *game.strategies]))
    if policies(game):
        state = game.blank()
        game.restore(state, view)
        action = chosen(game, state, 0, seeded_rng(game, seed))
    else:
        action = game.strategies[name](view, list(legal), Random(seed))
    unknown = [Ranked(each, 0, 0.0, float("inf"), 0.0) for each in sorted(legal, key=lambda each: each != action)]
    return Advice(tuple(unknown), f"the strategy {name}, which imagines nothing")


def pooled(rankings: Sequence[list[Ranked]]) -> list[Ranked]:
    """One ranking of several, each of which is as likely as the others; the best first."""
    if len(rankings) == 1:
        return rankings[0]
    by_action: dict[int, list[Ranked]] = {}
    for ranking in rankings:
        for one in ranking:
            by_action.setdefault(one.action, []).append(one)
    found = [together(action, [one for one in ones if one.tried]) for action, ones in by_action.items()]
    return sorted(found, key=lambda one: (-one.tried, -one.promise))


def together(action: int, ones: list[Ranked]) -> Ranked:
    """What an action is worth on average over several rankings."""
    if not ones:
        return Ranked(action, 0, 0.0, float("inf"), 0.0)
    error = float("inf")
    if len(ones) > 1:
        error = max(stdev(one.worth for one in ones), sqrt(fmean(one.error**2 for one in ones))) / sqrt(len(ones))
    worth, promise = fmean(one.worth for one in ones), fmean(one.promise for one in ones)
    return Ranked(action, sum(one.tried for one in ones), worth, error, promise)
