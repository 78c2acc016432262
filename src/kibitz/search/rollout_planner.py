"""What to do, by trying out whole turns in imagined worlds (``rollout_kernels``): for games in which a turn is a plan.

    trial       the plans of one position, tried in so many imagined games at most, and stopped sooner where it is plain
                what to do first
    chance      what a plan is worth: how likely the seat is to win, 0 to 1

It is asked as a ``Search`` is, and has the same answers.  A game that has plans says so in its ``policies.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import Any

from kibitz.engine import compilation
from kibitz.engine.events import View
from kibitz.engine.game import Game, seed_words
from kibitz.engine.policies import modules_of, scratch_size
from kibitz.search import rollout_kernels
from kibitz.search.search_tree import fast_states, nothing, plain_states, whole_numbers, zeros
from kibitz.search.thinking import Ranked


class RolloutPlanner:
    """The plans of one position; ``view`` is that of the seat to move."""

    def __init__(self, game: Game, view: View, legal: Sequence[int], seed: int = 0, *, plain: bool = False) -> None:
        self.legal, self.plain = list(legal), plain
        state = game.blank()
        game.restore(state, view)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        space = nothing if plain else zeros
        self.scratch, self.plays = space(scratch_size(game)), space(rollout_kernels.EACH)
        self.plans, self.chances = (
            space(rollout_kernels.EACH * rollout_kernels.PLANS),
            space(rollout_kernels.WORLDS * rollout_kernels.PLANS),
        )
        self.worlds, self.noted = space(rollout_kernels.PLANS), space(4)
        keys = seed_words(seed)[:2]
        self.keys: Any = list(keys) if plain else whole_numbers(keys)
        self.kernels = plain_kernels(game) if plain else compilation.compiled(rollout_kernels, *modules_of(game))
        self.first = self.legal[0]

    def go_on(self, games: int) -> None:
        """Try the plans in so many imagined games at most."""
        own = self.scratch, self.plans, self.plays, self.chances, self.worlds, self.noted
        self.first = int(self.kernels.tried(self.states, *self.raw, *own, self.keys, games))

    def choice(self, random: Random) -> int:
        """The first play of the best plan."""
        return self.first

    def ranking(self) -> list[Ranked]:
        """The legal actions, the best first: what was tried most is best.  Empty where nothing had to be tried."""
        if not self.noted[rollout_kernels.DONE]:
            return []
        found = {action: Ranked(action, 0, 0.0, float("inf"), 0.0) for action in self.legal}
        for j in range(int(self.noted[rollout_kernels.FOUND])):
            at = rollout_kernels.WORLDS * j
            chances = [int(each) / rollout_kernels.ONE for each in self.chances[at : at + int(self.worlds[j])]]
            error = sqrt(variance(chances) / len(chances))
            one = Ranked(
                int(self.plans[rollout_kernels.EACH * j + 1]), len(chances), fmean(chances), error, fmean(chances)
            )
            found[one.action] = max(found[one.action], one, key=lambda each: (each.tried, each.promise))
        return sorted(found.values(), key=lambda one: (one.action != self.first, -one.tried, -one.promise))


def plain_kernels(game: Game) -> Any:
    """The kernels of a trial in plain Python."""

    def copied(states: list[Any], raw: object, words: int, part: int, source: int, target: int) -> None:
        states[target] = states[source].copy()

    return compilation.plain(rollout_kernels, *modules_of(game), copied=copied)


def has_plans(game: Game) -> bool:
    """Whether whole turns can be tried out in a game."""
    return hasattr(game.policies, "plans_of")


def is_ready(game: Game) -> bool:
    """Whether the machine code of a trial, and of trying at leisure, need not be made first."""
    return all(
        compilation.is_ready(kernel, rollout_kernels, *modules_of(game)) for kernel in ("laid_out", "tried_on", "tried")
    )
