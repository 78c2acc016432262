"""Chooses by trying whole turns in determinizations (``rollout_kernels``): for games in which a turn is a plan.

    RolloutPlanner  tries the plans of one position in a number of simulated games, or fewer once the best is certain
    RolloutAdvice   finds the value of every choice, without a limit (below)
    chance          the value of a plan: the seat's probability of winning, 0 to 1

Both have the interface of ``Search``. A game declares its plans in its ``policies.py``.
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
from kibitz.engine.kernels.policies import hook_modules, scratch_size
from kibitz.engine.views.events import View
from kibitz.search import rollout_kernels
from kibitz.search.tree_search import (
    RankedAction,
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
        zeros = zero_list if plain else zero_array
        self.scratch, self.plays = zeros(scratch_size(game)), zeros(rollout_kernels.PLAN_SIZE)
        self.plans, self.chances = (
            zeros(rollout_kernels.PLAN_SIZE * rollout_kernels.PLANS),
            zeros(rollout_kernels.MAX_DETERMINIZATIONS * rollout_kernels.PLANS),
        )
        self.determinizations, self.progress = zeros(rollout_kernels.PLANS), zeros(4)
        self.numbers: Any = list if plain else int_array
        self.keys = self.numbers(seed_words(seed)[:2])
        self.kernels = plain_kernels(game) if plain else compilation.compiled(rollout_kernels, *hook_modules(game))
        self.first = self.legal[0]

    def simulate(self, games: int) -> None:
        """Try the plans in at most this many simulated games."""
        arrays = self.scratch, self.plans, self.plays, self.chances, self.determinizations, self.progress, self.keys
        numbers = self.numbers([games])
        self.first = int(self.kernels.do_task(rollout_kernels.RACE, self.states, *self.raw, *arrays, numbers))

    def choice(self, random: Random) -> int:
        """The first play of the best plan."""
        return self.first

    def ranking(self) -> list[RankedAction]:
        """The legal actions, the best first, then the most tried; empty if nothing had to be tried."""
        if not self.progress[rollout_kernels.DONE]:
            return []
        best = {action: RankedAction(action, 0, 0.0, float("inf"), 0.0) for action in self.legal}
        for j in range(int(self.progress[rollout_kernels.FOUND])):
            start = rollout_kernels.MAX_DETERMINIZATIONS * j
            chances = [
                int(each) / rollout_kernels.ONE for each in self.chances[start : start + int(self.determinizations[j])]
            ]
            error = sqrt(variance(chances) / len(chances))
            ranked = RankedAction(
                int(self.plans[rollout_kernels.PLAN_SIZE * j + 1]), len(chances), fmean(chances), error, fmean(chances)
            )
            best[ranked.action] = max(best[ranked.action], ranked, key=lambda each: (each.tried, each.winning_chance))
        return sorted(
            best.values(), key=lambda ranked: (ranked.action != self.first, -ranked.tried, -ranked.winning_chance)
        )


def plain_kernels(game: Game) -> Any:
    """The kernels that try plans, in plain Python."""

    def copy_state(states: list[Any], raw: object, words: int, part: int, source: int, target: int) -> None:
        states[target] = states[source].copy()

    return compilation.plain(rollout_kernels, *hook_modules(game), copy_state=copy_state)


def has_plans(game: Game) -> bool:
    """Whether a game has plans of whole turns."""
    return hasattr(game.policies, "find_plans")


def is_ready(game: Game) -> bool:
    """Whether the machine code that lists and tries plans is already compiled."""
    return compilation.is_compiled("do_task", rollout_kernels, *hook_modules(game))


# The worth of every choice, without a time limit
#
#   plan        as in ``rollout_kernels``: the most promising are tried first; for every legal action there is one
#   leader      the plan with the best mean among those that were tried in most determinizations
#   candidate   a plan that may be the best one: it isn't significantly behind the leader in the determinizations in
#               which both were tried
#   worth       of a plan: the leader's mean, plus the mean difference over the determinizations of both
#
# The candidate that was tried least is tried in twice as many determinizations, at least a BATCH, and so on; other
# plans are tried in one of BEHIND_SHARE of the leader's determinizations. So the close plans get most of the games, and
# every plan gets some. The same views, seed and number of simulated games give the same ranking, in plain Python and in
# machine code, on any number of threads, and in any number of calls.


BEHIND_SHARE = 8
"""Plans that aren't candidates are tried in one of this many of the leader's determinizations."""
MAX_PLAN_DETERMINIZATIONS = 1 << 16
"""The maximum number of determinizations for a plan, enough for a standard error of a thousandth or so."""
GAMES_PER_ROUND = 1 << 12
"""The maximum number of simulated games given to the threads at a time."""
Task = tuple[int, int, int]
"""A plan, with the first determinization in which to try it and the one after the last."""


class ThreadBuffers:
    """One thread's buffers to try plans from one view: the position, determinizations, and scratch arrays."""

    def __init__(self, game: Game, view: View, *, plain: bool) -> None:
        zeros = zero_list if plain else zero_array
        state = game.blank()
        game.restore(state, view)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        self.scratch, self.plays = zeros(scratch_size(game)), zeros(rollout_kernels.PLAN_SIZE)


class RolloutAdvice:
    """The worth of the choices of one position, which can be refined for as long as you like.

    ``views`` are the equally likely views of the seat to move, with the same legal actions. The constructor loads all
    machine code. ``first`` has the first play of each plan, and ``todo`` the next tasks.
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
        self.scratch = [[ThreadBuffers(game, view, plain=plain) for view in views] for _ in range(threads)]
        self.zeros: Any = zero_list if plain else zero_array
        self.numbers: Any = list if plain else int_array
        self.keys = self.numbers(seed_words(seed)[:2])
        self.kernels = plain_kernels(game) if plain else compilation.compiled(rollout_kernels, *hook_modules(game))
        self.plans = self.zeros(rollout_kernels.PLAN_SIZE * (rollout_kernels.PLANS + len(self.legal) + 1))
        n_plans = self.do_task(rollout_kernels.LIST, self.scratch[0][0], self.plans, self.legal)
        self.first = [int(self.plans[rollout_kernels.PLAN_SIZE * j + 1]) for j in range(n_plans)]
        self.chances = [array("h") for _ in self.first]
        self.todo: deque[Task] = deque(
            (j, 0, rollout_kernels.BATCH) for j in range(min(rollout_kernels.PLANS, len(self.first)))
        )

    # Trying

    def simulate(self, games: int) -> None:
        """Simulate this many more games, fewer once MAX_PLAN_DETERMINIZATIONS are reached."""
        games_left = games
        while games_left and (tasks := self.take_tasks(min(games_left, GAMES_PER_ROUND))):
            for (j, first, last), chances in zip(tasks, self.try_tasks(tasks, rollout_kernels.FOR_SEARCH), strict=True):
                self.chances[j].extend(chances)
                games_left -= last - first
                self.done += last - first

    def simulate_for(self, seconds: float) -> None:
        """Simulate games for a time: at least one, and only as many as should finish in time."""
        search_for_seconds(self, seconds)

    def take_tasks(self, games: int) -> list[Task]:
        """The next tasks, together at most ``games`` simulated games; a longer task is cut."""
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
        """The next tasks, one for each plan that was tried least, the best plan first."""
        leader = self.leader()
        most = len(self.chances[leader])
        behind = []
        for j, _ in self.ranked_plans():
            determinizations = len(self.chances[j])
            needed = min(MAX_PLAN_DETERMINIZATIONS, 2 * most) if self.may_be_best(j, leader) else most // BEHIND_SHARE
            if determinizations < needed and needed >= rollout_kernels.BATCH:
                behind.append((j, determinizations))
        fewest = min((determinizations for _, determinizations in behind), default=0)
        return [(j, fewest, max(rollout_kernels.BATCH, 2 * fewest)) for j, tried in behind if tried == fewest]

    def try_tasks(self, tasks: Sequence[Task], purpose: int) -> list[list[int]]:
        """The chances found by each task, with the tasks distributed over all threads."""
        count = min(len(self.scratch), len(tasks))
        if count == 1:
            return [self.try_task(self.scratch[0], task, purpose) for task in tasks]
        result: list[list[int]] = [[]] * len(tasks)

        def work(thread: int) -> None:
            for k in range(thread, len(tasks), count):
                result[k] = self.try_task(self.scratch[thread], tasks[k], purpose)

        with ThreadPoolExecutor(count) as pool:
            list(pool.map(work, range(count)))
        return result

    def try_task(self, scratch: Sequence[ThreadBuffers], task: Task, purpose: int) -> list[int]:
        """The chances found by one task; its determinizations come from every view in turn."""
        j, first, last = task
        chances, views = self.zeros(last - first), len(scratch)
        for k, view_scratch in enumerate(scratch):
            numbers = [purpose, j, first, last, (k - first) % views, views]
            self.do_task(rollout_kernels.TRY, view_scratch, chances, numbers)
        return [int(chance) for chance in chances]

    def do_task(self, task: int, buffers: ThreadBuffers, chances: Any, numbers: Sequence[int]) -> int:
        """Run the kernel that lists plans and tries them."""
        unused = buffers.plays
        arrays = buffers.scratch, self.plans, buffers.plays, chances, unused, unused, self.keys, self.numbers(numbers)
        return int(self.kernels.do_task(task, buffers.states, *buffers.raw, *arrays))

    def rollout_values(self, action: int, games: int) -> list[tuple[float, float]]:
        """The chances of an action's best plan in some determinizations, as pairs like ``Search.rollout_values``.

        Every action is tried in the same determinizations, not in those with which the best plan was found.
        """
        j = self.best_of(action)
        tasks = [
            (j, first, min(games, first + rollout_kernels.BATCH)) for first in range(0, games, rollout_kernels.BATCH)
        ]
        results = (
            chance / rollout_kernels.ONE
            for chances in self.try_tasks(tasks, rollout_kernels.FOR_COMPARISON)
            for chance in chances
        )
        return [(chance, chance) for chance in results]

    # The results so far

    def leader(self) -> int:
        """The best plan of those that were tried in most determinizations; before any, the first plan."""
        batches = [len(chances) // rollout_kernels.BATCH for chances in self.chances]
        most = max(batches)
        most_tried = [j for j, count in enumerate(batches) if count == most]
        return max(most_tried, key=lambda j: sum(self.chances[j][: rollout_kernels.BATCH * most]))

    def may_be_best(self, j: int, leader: int) -> bool:
        """Whether a plan is a candidate, by the determinizations in which it and the leader were tried."""
        differences = [a - b for a, b in zip(self.chances[leader], self.chances[j], strict=False)]
        deficit = sum(differences)
        if j == leader or deficit < 0:
            return True
        return bool(differences) and not rollout_kernels.is_behind(
            deficit, sum(difference * difference for difference in differences), len(differences)
        )

    def plan_value(self, j: int, leader: int) -> RankedAction:
        """The worth of a plan as a RankedAction; with an infinite error before a whole batch, except for the leader."""
        best, plan_chances = self.chances[leader], self.chances[j]
        common = min(len(best), len(plan_chances))
        if not common or (j != leader and common < rollout_kernels.BATCH):
            return RankedAction(self.first[j], 0, 0.0, float("inf"), 0.0)
        differences = [b - a for a, b in zip(best, plan_chances, strict=False)]
        worth = (sum(best) / len(best) + sum(differences) / common) / rollout_kernels.ONE
        return RankedAction(
            self.first[j],
            len(plan_chances),
            worth,
            self.error(best, plan_chances, differences) / rollout_kernels.ONE,
            worth,
        )

    def error(self, best: Sequence[int], plan_chances: Sequence[int], differences: Sequence[int]) -> float:
        """The standard error of a plan's worth, from its difference from the leader and from the leader's own error.

        It covers the variation between views as well.
        """
        n, common = len(best), len(differences)
        if common < 2:
            return float("inf")
        variance_of_worth = (
            covariance(differences, differences) / common
            + (covariance(best, best) + 2 * covariance(best[:common], differences)) / n
        )
        view_means = [
            fmean(plan_chances[k : common : self.views]) for k in range(self.views if 1 < self.views <= common else 0)
        ]
        return max(sqrt(max(0.0, variance_of_worth)), stdev(view_means) / sqrt(len(view_means)) if view_means else 0.0)

    def ranked_plans(self) -> list[tuple[int, RankedAction]]:
        """The plans with their values, the best first: the leader, then by how often they were tried, and by worth.

        Plans that were tried about equally often (see ``doublings``) are ordered by worth.
        """
        leader = self.leader()
        pairs = [(j, self.plan_value(j, leader)) for j in range(len(self.first))]
        return sorted(pairs, key=lambda pair: (pair[0] != leader, -doublings(pair[1].tried), -pair[1].worth))

    def best_of(self, action: int) -> int:
        """The best plan that begins with an action."""
        return next(j for j, ranked in self.ranked_plans() if ranked.action == action)

    def ranking(self) -> list[RankedAction]:
        """The legal actions, the best first, each with the worth of the best plan that begins with it."""
        best: dict[int, RankedAction] = {}
        for _, ranked in self.ranked_plans():
            best.setdefault(ranked.action, ranked)
        return list(best.values())


def doublings(tried: int) -> int:
    """How many times the number of a plan's determinizations has been doubled; the first BATCH counts as one.

    >>> [doublings(tried) for tried in (0, 15, 16, 31, 32, 100)]
    [0, 0, 1, 1, 2, 3]
    """
    return (tried // rollout_kernels.BATCH).bit_length()


def covariance(first: Sequence[int], second: Sequence[int]) -> float:
    """The covariance of two samples of whole numbers; of a sample with itself, this is its variance.

    >>> covariance([1, 2, 3], [1, 2, 3]), covariance([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    n = len(first)
    products = sum(a * b for a, b in zip(first, second, strict=True))
    return (n * products - sum(first) * sum(second)) / (n * (n - 1))
