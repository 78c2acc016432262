"""Chooses by trying whole turns in simulated worlds (``rollout_kernels``): for games in which a turn is a plan.

    trial       the plans of one position, tried in a number of simulated games, or fewer once the best is certain
    chance      what a plan is worth: the seat's probability of winning, 0 to 1

It has the same interface as ``Search``. A game declares its plans in its ``policies.py``.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from random import Random
from statistics import fmean, stdev, variance
from typing import Any

from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import modules_of, scratch_size
from kibitz.engine.views.events import View
from kibitz.search import rollout_kernels
from kibitz.search.tree_search import (
    Ranked,
    fast_states,
    int_array,
    plain_states,
    search_for_seconds,
    zero_array,
    zero_list,
)


class RolloutPlanner:
    """The plans of one position; ``view`` is that of the seat to move."""

    def __init__(self, game: Game, view: View, legal: Sequence[int], seed: int = 0, *, plain: bool = False) -> None:
        self.legal, self.plain = list(legal), plain
        state = game.blank()
        game.restore(state, view)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        space = zero_list if plain else zero_array
        self.scratch, self.plays = space(scratch_size(game)), space(rollout_kernels.PLAN_SIZE)
        self.plans, self.chances = (
            space(rollout_kernels.PLAN_SIZE * rollout_kernels.PLANS),
            space(rollout_kernels.WORLDS * rollout_kernels.PLANS),
        )
        self.worlds, self.progress = space(rollout_kernels.PLANS), space(4)
        keys = seed_words(seed)[:2]
        self.keys: Any = list(keys) if plain else int_array(keys)
        self.kernels = plain_kernels(game) if plain else compilation.compiled(rollout_kernels, *modules_of(game))
        self.first = self.legal[0]

    def simulate(self, games: int) -> None:
        """Try the plans in at most this many simulated games."""
        own = self.scratch, self.plans, self.plays, self.chances, self.worlds, self.progress
        self.first = int(self.kernels.try_plans(self.states, *self.raw, *own, self.keys, games))

    def choice(self, random: Random) -> int:
        """The first play of the best plan."""
        return self.first

    def ranking(self) -> list[Ranked]:
        """The legal actions, the best first: what was tried most is best. Empty if nothing had to be tried."""
        if not self.progress[rollout_kernels.DONE]:
            return []
        best = {action: Ranked(action, 0, 0.0, float("inf"), 0.0) for action in self.legal}
        for j in range(int(self.progress[rollout_kernels.FOUND])):
            at = rollout_kernels.WORLDS * j
            chances = [int(each) / rollout_kernels.ONE for each in self.chances[at : at + int(self.worlds[j])]]
            error = sqrt(variance(chances) / len(chances))
            one = Ranked(
                int(self.plans[rollout_kernels.PLAN_SIZE * j + 1]), len(chances), fmean(chances), error, fmean(chances)
            )
            best[one.action] = max(best[one.action], one, key=lambda each: (each.tried, each.promise))
        return sorted(best.values(), key=lambda one: (one.action != self.first, -one.tried, -one.promise))


def plain_kernels(game: Game) -> Any:
    """The kernels of a trial in plain Python."""

    def copy_state(states: list[Any], raw: object, words: int, part: int, source: int, target: int) -> None:
        states[target] = states[source].copy()

    return compilation.plain(rollout_kernels, *modules_of(game), copy_state=copy_state)


def has_plans(game: Game) -> bool:
    """Whether a game has plans of whole turns."""
    return hasattr(game.policies, "find_plans")


def is_ready(game: Game) -> bool:
    """Whether the machine code of all trials is already compiled."""
    return all(
        compilation.is_ready(kernel, rollout_kernels, *modules_of(game))
        for kernel in ("list_plans", "try_plan", "try_plans")
    )


# The worth of every choice, without a time limit
#
#   plan        as in ``rollout_kernels``: the most promising are tried first; for every legal action there is one
#   open        a plan that may be the best one: it isn't significantly behind the leader in the worlds in which both
#               were tried
#   leader      the best in the mean of the plans that were tried in most worlds
#   standing    the worth of a plan: the leader's mean, plus the mean difference over the worlds of both
#
# The open plan that was tried least is tried in twice as many worlds, a BATCH at least, and so on; all others are tried
# in one of BEHIND_SHARE of the worlds of the leader. So the close plans get most of the games, and every plan gets
# some. It has the interface of ``Search``. The same views, seed and number of simulated games give the same ranking, in
# plain Python and in machine code, on any number of threads, and in however many pieces.


BEHIND_SHARE = 8
"""Plans that are behind are tried in one of this many worlds."""
MAX_WORLDS = 1 << 16
"""The most worlds for a plan, whose chance is then known to a thousandth."""
GAMES_PER_ROUND = 1 << 12
"""The most simulated games given to the threads at a time."""
Task = tuple[int, int, int]
"""A plan, the first of the worlds in which to try it, and the end of them."""


class Scratch:
    """One thread's memory to try plans of one view: the position with room for worlds, and all output."""

    def __init__(self, game: Game, view: View, *, plain: bool) -> None:
        space = zero_list if plain else zero_array
        state = game.blank()
        game.restore(state, view)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        self.scratch, self.plays = space(scratch_size(game)), space(rollout_kernels.PLAN_SIZE)


class RolloutAdvice:
    """The worth of the choices of one position, which can be refined for as long as you like.

    ``views`` are what the seat to move may know, each as likely as the others; they have the same legal actions. Once
    it exists, all machine code has been loaded.
    """

    def __init__(
        self,
        game: Game,
        views: Sequence[View],
        legal: Sequence[int],
        seed: int = 0,
        *,
        plain: bool = False,
        threads: int = 1,
    ) -> None:
        self.legal, self.plain, self.views, self.done = list(legal), plain, len(views), 0
        self.scratch = [[Scratch(game, view, plain=plain) for view in views] for _ in range(threads)]
        self.space: Any = zero_list if plain else zero_array
        numbers: Any = list if plain else int_array
        self.keys = numbers(seed_words(seed)[:2])
        self.kernels = plain_kernels(game) if plain else compilation.compiled(rollout_kernels, *modules_of(game))
        self.plans = self.space(rollout_kernels.PLAN_SIZE * (rollout_kernels.PLANS + len(self.legal) + 1))
        own = self.scratch[0][0]
        n_plans = self.kernels.list_plans(own.states[0], own.scratch, self.plans, numbers(self.legal), len(self.legal))
        self.first = [int(self.plans[rollout_kernels.PLAN_SIZE * j + 1]) for j in range(int(n_plans))]
        self.chances = [array("h") for _ in self.first]
        self.try_task(self.scratch[0], (0, 0, 0), rollout_kernels.SEARCHED)
        self.todo: deque[Task] = deque(
            (j, 0, rollout_kernels.BATCH) for j in range(min(rollout_kernels.PLANS, len(self.first)))
        )

    # Trying

    def simulate(self, games: int) -> None:
        """Simulate this many more games, fewer once MAX_WORLDS are reached."""
        left = games
        while left and (tasks := self.take_tasks(min(left, GAMES_PER_ROUND))):
            for (j, first, last), chances in zip(tasks, self.try_tasks(tasks, rollout_kernels.SEARCHED), strict=True):
                self.chances[j].extend(chances)
                left -= last - first
                self.done += last - first

    def simulate_for(self, seconds: float) -> None:
        """Simulate games for a time: at least one, and none that would not finish in time."""
        search_for_seconds(self, seconds)

    def take_tasks(self, games: int) -> list[Task]:
        """The next ``games`` games to simulate, or the rest of them."""
        if not self.todo:
            self.todo.extend(self.next_tasks())
        result: list[Task] = []
        while games and self.todo:
            j, first, last = self.todo.popleft()
            cut = min(last, first + games)
            if cut < last:
                self.todo.appendleft((j, cut, last))
            result.append((j, first, cut))
            games -= cut - first
        return result

    def next_tasks(self) -> list[Task]:
        """The next tasks, the best first."""
        lead = self.leader()
        most = len(self.chances[lead])
        missing = []
        for j, _ in self.standings():
            known = len(self.chances[j])
            wanted = min(MAX_WORLDS, 2 * most) if self.is_open(j, lead) else most // BEHIND_SHARE
            if known < wanted and wanted >= rollout_kernels.BATCH:
                missing.append((j, known))
        least = min((known for _, known in missing), default=0)
        return [(j, known, max(rollout_kernels.BATCH, 2 * known)) for j, known in missing if known == least]

    def try_tasks(self, tasks: Sequence[Task], use: int) -> list[list[int]]:
        """The chances that some tasks find, on all threads."""
        count = min(len(self.scratch), len(tasks))
        if count == 1:
            return [self.try_task(self.scratch[0], task, use) for task in tasks]
        result: list[list[int]] = [[]] * len(tasks)

        def work(thread: int) -> None:
            for k in range(thread, len(tasks), count):
                result[k] = self.try_task(self.scratch[thread], tasks[k], use)

        with ThreadPoolExecutor(count) as pool:
            list(pool.map(work, range(count)))
        return result

    def try_task(self, scratch: Sequence[Scratch], task: Task, use: int) -> list[int]:
        """The chances that one task finds; its worlds come from every view in turn."""
        j, first, last = task
        chances, views = self.space(last - first), len(scratch)
        for k, own in enumerate(scratch):
            position = own.states, *own.raw, own.scratch, self.plans, own.plays
            self.kernels.try_plan(*position, chances, self.keys, use, j, first, last, (k - first) % views, views)
        return [int(chance) for chance in chances]

    def rollout_values(self, action: int, games: int) -> list[tuple[float, float]]:
        """The results of an action in a number of worlds, by its best plan: earned, and promise.

        Every action is tried in the same worlds, which are not those in which the best plan was found.
        """
        j = self.best_of(action)
        tasks = [
            (j, first, min(games, first + rollout_kernels.BATCH)) for first in range(0, games, rollout_kernels.BATCH)
        ]
        found = (
            chance / rollout_kernels.ONE
            for chances in self.try_tasks(tasks, rollout_kernels.COMPARED)
            for chance in chances
        )
        return [(chance, chance) for chance in found]

    # What is known

    def leader(self) -> int:
        """The best plan of those that were tried in most worlds; at first the one that promises most."""
        batches = [len(chances) // rollout_kernels.BATCH for chances in self.chances]
        most = max(batches)
        known = [j for j, count in enumerate(batches) if count == most]
        return max(known, key=lambda j: sum(self.chances[j][: rollout_kernels.BATCH * most]))

    def is_open(self, j: int, lead: int) -> bool:
        """Whether a plan may be the best one, by the worlds in which both were tried."""
        less = [a - b for a, b in zip(self.chances[lead], self.chances[j], strict=False)]
        behind = sum(less)
        if j == lead or behind < 0:
            return True
        return bool(less) and not rollout_kernels.is_behind(behind, sum(one * one for one in less), len(less))

    def standing(self, j: int, lead: int) -> Ranked:
        """The worth of a plan, with its standard error; unknown before a whole batch, except for the leader."""
        best, own = self.chances[lead], self.chances[j]
        both = min(len(best), len(own))
        if not both or (j != lead and both < rollout_kernels.BATCH):
            return Ranked(self.first[j], 0, 0.0, float("inf"), 0.0)
        more = [b - a for a, b in zip(best, own, strict=False)]
        worth = (sum(best) / len(best) + sum(more) / both) / rollout_kernels.ONE
        return Ranked(self.first[j], len(own), worth, self.error(best, own, more) / rollout_kernels.ONE, worth)

    def error(self, best: Sequence[int], own: Sequence[int], more: Sequence[int]) -> float:
        """The standard error of a plan's worth, from its difference from the leader and from the leader's own error.

        It covers the variation between views as well.
        """
        n, both = len(best), len(more)
        if both < 2:
            return float("inf")
        spread = covariance(more, more) / both + (covariance(best, best) + 2 * covariance(best[:both], more)) / n
        apart = [fmean(own[k : both : self.views]) for k in range(self.views if 1 < self.views <= both else 0)]
        return max(sqrt(max(0.0, spread)), stdev(apart) / sqrt(len(apart)) if apart else 0.0)

    def standings(self) -> list[tuple[int, Ranked]]:
        """The plans with their standings, the best first: the leader, then by how often they were tried, and by worth.

        Plans of which none was tried twice as often as another are ordered by worth.
        """
        lead = self.leader()
        pairs = [(j, self.standing(j, lead)) for j in range(len(self.first))]
        return sorted(pairs, key=lambda one: (one[0] != lead, -doublings(one[1].tried), -one[1].worth))

    def best_of(self, action: int) -> int:
        """The best plan that begins with an action."""
        return next(j for j, one in self.standings() if one.action == action)

    def ranking(self) -> list[Ranked]:
        """The legal actions, the best first, each with the worth of the best plan that begins with it."""
        best: dict[int, Ranked] = {}
        for _, one in self.standings():
            best.setdefault(one.action, one)
        return list(best.values())


def doublings(tried: int) -> int:
    """How often the worlds of a plan have been doubled, a BATCH being the first time.

    >>> [doublings(tried) for tried in (0, 15, 16, 31, 32, 100)]
    [0, 0, 1, 1, 2, 3]
    """
    return (tried // rollout_kernels.BATCH).bit_length()


def covariance(ones: Sequence[int], others: Sequence[int]) -> float:
    """The covariance of two samples of whole numbers; of a sample with itself, this is its variance.

    >>> covariance([1, 2, 3], [1, 2, 3]), covariance([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    n = len(ones)
    both = sum(one * other for one, other in zip(ones, others, strict=True))
    return (n * both - sum(ones) * sum(others)) / (n * (n - 1))
