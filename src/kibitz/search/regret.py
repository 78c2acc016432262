"""What a choice has cost: held against the best alternative, in the same imagined worlds.

    judge       the thinking that names the best alternative, and then plays both in the same worlds; where whole turns
                are tried out, the best turns that begin with them
    cost        what the seat earns less in the mean by its choice, in the game's own units; where whole turns are tried
                out, the chance to win that it costs
    chance      the same in promise: 0 to 1, mostly the chance to come first
    error       half the 95 % interval of a cost; what does not exceed it is no mistake

A choice is judged by what its seat could know then: worlds are drawn from its view.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import mean, variance

import msgspec

from kibitz.engine.events import View
from kibitz.engine.game import Game
from kibitz.search import endgames
from kibitz.search.search_players import at_leisure
from kibitz.search.thinking import Z


class Judgement(msgspec.Struct, frozen=True):
    """A choice held against the best one; ``promise`` is that of the best, ``taken`` of the choice, with its error."""

    chosen: int
    best: int
    cost: float
    error: float
    chance: float
    chance_error: float
    promise: float
    taken: float
    taken_error: float

    @property
    def is_mistake(self) -> bool:
        """Whether another choice was better in promise, and earns something else, both beyond the judge's error.

        What earns less may promise more, such as few points that are sure to win.
        """
        apart = not self.error or abs(self.cost) > self.error
        return self.chosen != self.best and apart and self.chance > self.chance_error


def judged(
    game: Game, view: View, legal: Sequence[int], chosen: int, games: int, seed: int = 0, *, plain: bool
) -> Judgement:
    """Judge a choice of the seat that sees ``view``, by ``games`` imagined games for each of finding and comparing.

    What can be counted to its end is: then an error is what an equilibrium leaves to gain, mostly 0.
    """
    if rest := endgames.solved(game, view, endgames.AT_LEISURE):
        return counted(rest, chosen)
    search = at_leisure(game, [view], legal, seed, plain=plain)
    search.go_on(games)
    best = search.ranking()[0].action
    ours = search.ends(best, games)
    promise, promise_error = estimated([end[1] for end in ours])
    if best == chosen:
        return Judgement(chosen, best, 0.0, 0.0, 0.0, 0.0, promise, promise, promise_error)
    theirs = search.ends(chosen, games)
    taken, taken_error = estimated([end[1] for end in theirs])
    cost, error = estimated([a[0] - b[0] for a, b in zip(ours, theirs, strict=True)])
    chance, chance_error = estimated([a[1] - b[1] for a, b in zip(ours, theirs, strict=True)])
    if chance <= 0:
        return Judgement(chosen, chosen, 0.0, error, 0.0, chance_error, taken, taken, taken_error)
    return Judgement(chosen, best, cost, error, chance, chance_error, promise, taken, taken_error)


def counted(rest: endgames.Solved, chosen: int) -> Judgement:
    """A choice held against the best one, where the rest of the game is solved."""
    best = max(rest.choices, key=lambda one: one.promise)
    taken = next(one for one in rest.choices if one.action == chosen)
    chance = best.promise - taken.promise
    if chance <= max(rest.gap, endgames.EVEN):
        return Judgement(chosen, chosen, 0.0, 0.0, 0.0, rest.gap, taken.promise, taken.promise, 0.0)
    cost = best.worth - taken.worth
    return Judgement(chosen, best.action, cost, 0.0, chance, rest.gap, best.promise, taken.promise, 0.0)


def estimated(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some values, such as paired differences, and half its 95 % interval."""
    if len(values) < 2:
        return mean(values), float("inf")
    return mean(values), Z * sqrt(variance(values) / len(values))
