"""Advice in every game: the best choice, what each choice is worth, with its error, and the cost of a choice.

    budget      a number of simulated games, or of seconds; with 0 nothing is simulated and the game's first policy is
                used
    views       what the seat may know: one view, or several if the position that was typed in leaves something open;
                these share the budget, and the error includes the differences between them
    judge       the source of the advice, in words: an exact solution, a search, or a strategy

The rest of a game is solved exactly if little is hidden (``endgames``); otherwise the game's strongest player decides
(``search_players``), by a tree search or by trying whole turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, mean, stdev, variance
from time import perf_counter

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.kernels.policies import choose_action, policies, seeded_rng
from kibitz.engine.sentences import counted
from kibitz.engine.views.events import View
from kibitz.search import endgames
from kibitz.search.endgames import NODES_FOR_ADVICE, solve_endgame
from kibitz.search.rollout_planner import RolloutAdvice, has_plans
from kibitz.search.search_players import advice_search, grouped_views, is_ready, judge_name
from kibitz.search.tree_search import RankedAction, Search, Z, final_reward, search_config

Progress = Callable[[int], object]
GAMES_PER_REPORT = 16
"""How many games are simulated in plain Python between two reports of progress."""
NODES_PER_SECOND = 2000
"""A lower bound of the number of nodes that are built and solved in a second."""


class Budget(msgspec.Struct, frozen=True):
    """How many games to simulate; with ``seconds``, as many as fit in that time.

    Several ``threads`` share the games; in a tree search, each grows a tree of its own.
    """

    games: int
    seconds: float | None = None
    threads: int = 1

    @property
    def is_zero(self) -> bool:
        """Whether the budget is 0."""
        return (self.games if self.seconds is None else self.seconds) == 0


class Advice(msgspec.Struct, frozen=True):
    """The choices, the best first, with their judge; ``exact`` if they are computed, not sampled.

    ``odds`` are the probabilities of the choices in an equilibrium; empty if a single choice is best.
    """

    choices: tuple[RankedAction, ...]
    judge: str
    exact: bool = False
    odds: tuple[float, ...] = ()


def advise(
    game: Game, views: Sequence[View], budget: Budget, seed: int = 0, progress: Progress | None = None
) -> Advice:
    """Rank the actions of the seat to move; ``progress`` is called now and then with the number of simulated games."""
    legal = legal_of(game, views[0])
    if budget.is_zero:
        return policy_advice(game, views[0], legal, seed)
    if result := solved_advice(game, views, nodes_for(budget) // len(views)):
        return result
    plain = not is_ready(game)
    rankings, games_done, start = [], 0, 0.0
    groups = grouped_views(game, views)
    for number, group in enumerate(groups):
        search = advice_search(game, group, legal, seed + number, plain=plain, threads=budget.threads)
        start = start or perf_counter()
        groups_left = len(groups) - number
        if budget.seconds is not None:
            search.simulate_for((budget.seconds - (perf_counter() - start)) / groups_left)
        else:
            simulate_games(search, (budget.games - games_done) // groups_left, games_done, progress if plain else None)
        games_done += search.done
        rankings.append(search.ranking())
    return Advice(tuple(pooled_ranking(rankings)), judge_name(game, games_done, plain=plain, threads=budget.threads))


def solved_advice(game: Game, views: Sequence[View], max_nodes: int) -> Advice | None:
    """The advice if the rest of the game can be solved from every view; None if it can't."""
    solutions = []
    for view in views:
        solution = solve_endgame(game, view, max_nodes)
        if solution is None:
            return None
        solutions.append(solution)
    first = solutions[0]
    if len(solutions) == 1:
        return Advice(first.choices, first.judge, exact=True, odds=first.odds if first.gap else ())
    return Advice(tuple(pooled_ranking([list(solution.choices) for solution in solutions])), first.judge)


def nodes_for(budget: Budget) -> int:
    """The rest of a game is solved, not searched, if its tree has at most this many nodes."""
    return NODES_FOR_ADVICE if budget.seconds is None else min(NODES_FOR_ADVICE, int(budget.seconds * NODES_PER_SECOND))


def simulate_games(search: Search | RolloutAdvice, games: int, games_before: int, progress: Progress | None) -> None:
    """Simulate games, and report as progress the number of games so far, including ``games_before``."""
    while progress and search.done < games:
        search.simulate(min(GAMES_PER_REPORT, games - search.done))
        progress(games_before + search.done)
    search.simulate(games - search.done)


def legal_of(game: Game, view: View) -> list[int]:
    """The legal actions of the seat to move, by its view alone."""
    state = game.blank()
    game.restore(state, view)
    return game.legal(state)


def policy_advice(game: Game, view: View, legal: Sequence[int], seed: int) -> Advice:
    """The choice of the game's first policy, or of its first strategy if it doesn't have one; nothing is simulated."""
    name = next(iter([*policies(game), *game.strategies]))
    if policies(game):
        state = game.blank()
        game.restore(state, view)
        action = choose_action(game, state, 0, seeded_rng(game, seed))
    else:
        action = game.strategies[name](view, list(legal), Random(seed))
    ranking = [RankedAction(each, 0, 0.0, float("inf"), 0.0) for each in sorted(legal, key=lambda each: each != action)]
    return Advice(tuple(ranking), f"the strategy {name}, without simulated games")


def pooled_ranking(rankings: Sequence[list[RankedAction]]) -> list[RankedAction]:
    """One ranking, the best first, from rankings for several equally likely views."""
    if len(rankings) == 1:
        return rankings[0]
    by_action: dict[int, list[RankedAction]] = {}
    for ranking in rankings:
        for entry in ranking:
            by_action.setdefault(entry.action, []).append(entry)
    pooled = [
        pooled_action(action, [entry for entry in entries if entry.tried]) for action, entries in by_action.items()
    ]
    return sorted(pooled, key=lambda entry: (-entry.tried, -entry.winning_chance))


def pooled_action(action: int, entries: list[RankedAction]) -> RankedAction:
    """An action with its mean worth over several rankings."""
    if not entries:
        return RankedAction(action, 0, 0.0, float("inf"), 0.0)
    error = float("inf")
    if len(entries) > 1:
        error = max(stdev(entry.worth for entry in entries), sqrt(fmean(entry.error**2 for entry in entries))) / sqrt(
            len(entries)
        )
    worth, winning_chance = fmean(entry.worth for entry in entries), fmean(entry.winning_chance for entry in entries)
    return RankedAction(action, sum(entry.tried for entry in entries), worth, error, winning_chance)


# The cost of a choice: a comparison with the best alternative, in the same determinizations
#
#   judge       the search that finds the best alternative, and then plays both choices in the same determinizations; in
#               games of whole turns, the best turns that begin with them
#   cost        how much less the seat earns on average by its choice, in the game's own units; in games of whole turns,
#               how much lower its chance to win is
#   chance      how much lower the winning chance is, 0 to 1 (``chance_note``)
#   error       half the width of the 95 % interval of a cost; a cost that does not exceed it is not a mistake
#
# A choice is judged by what its seat could know at the time: determinizations are drawn from its view.


class Judgement(msgspec.Struct, frozen=True):
    """A choice compared with the best one: its cost, the winning chances of both, and errors.

    If the best alternative turns out not to be better, the choice itself counts as the best.
    """

    chosen: int
    best: int
    cost: float
    error: float
    chance: float
    chance_error: float
    best_chance: float
    chosen_chance: float
    chosen_chance_error: float

    @property
    def is_mistake(self) -> bool:
        """Whether another choice had a higher winning chance and a different worth, both beyond the judge's error.

        A lower worth can go with a higher winning chance, such as a few points that are sure to win.
        """
        differs = not self.error or abs(self.cost) > self.error
        return self.chosen != self.best and differs and self.chance > self.chance_error


def judge_choice(
    game: Game, view: View, legal: Sequence[int], chosen: int, games: int, seed: int = 0, *, plain: bool
) -> Judgement:
    """Judge a choice of the seat that sees ``view``.

    ``games`` games are simulated to find the best choice, and then as many after each of the two choices.  If the rest
    of the game can be solved, no game is simulated, and the error is the equilibrium's gap, mostly 0.
    """
    if solution := endgames.solve_endgame(game, view, endgames.NODES_FOR_REVIEWS):
        return judge_exactly(solution, chosen)
    search = advice_search(game, [view], legal, seed, plain=plain)
    search.simulate(games)
    best = search.ranking()[0].action
    best_results = search.rollout_values(best, games)
    best_chance, best_chance_error = mean_and_margin([end[1] for end in best_results])
    if best == chosen:
        return Judgement(chosen, best, 0.0, 0.0, 0.0, 0.0, best_chance, best_chance, best_chance_error)
    chosen_results = search.rollout_values(chosen, games)
    chosen_chance, chosen_chance_error = mean_and_margin([end[1] for end in chosen_results])
    cost, error = mean_and_margin([a[0] - b[0] for a, b in zip(best_results, chosen_results, strict=True)])
    chance, chance_error = mean_and_margin([a[1] - b[1] for a, b in zip(best_results, chosen_results, strict=True)])
    if chance <= 0:
        return Judgement(
            chosen, chosen, 0.0, error, 0.0, chance_error, chosen_chance, chosen_chance, chosen_chance_error
        )
    return Judgement(chosen, best, cost, error, chance, chance_error, best_chance, chosen_chance, chosen_chance_error)


def judge_exactly(solution: endgames.EndgameSolution, chosen: int) -> Judgement:
    """Judge a choice by the solution of the rest of the game."""
    best = max(solution.choices, key=lambda ranked: ranked.winning_chance)
    chosen_action = next(ranked for ranked in solution.choices if ranked.action == chosen)
    chance = best.winning_chance - chosen_action.winning_chance
    if chance <= max(solution.gap, endgames.TIE_TOLERANCE):
        return Judgement(
            chosen, chosen, 0.0, 0.0, 0.0, solution.gap, chosen_action.winning_chance, chosen_action.winning_chance, 0.0
        )
    cost = best.worth - chosen_action.worth
    return Judgement(
        chosen, best.action, cost, 0.0, chance, solution.gap, best.winning_chance, chosen_action.winning_chance, 0.0
    )


def chance_note(game: Game) -> str:
    """A sentence on what a game's winning chances include besides the chance to win; empty if nothing.

    >>> from kibitz.engine.registry import game
    >>> chance_note(game("hearts"))
    'Winning chances also give some credit for places below first: coming second of 4 counts as 17%.'
    """
    config = search_config(game)
    if config.chips:
        won = counted(config.chips, "chip")
        return f"In this game winning chances measure chips: breaking even is 50%, and winning {won} is 100%."
    if game.seats == 2 or has_plans(game):
        return ""
    second = final_reward(game, config, [1, 0, *[-1] * (game.seats - 2)], 1)
    example = f"coming second of {game.seats} counts as {second:.0%}"
    return f"Winning chances also give some credit for places below first: {example}."


def mean_and_margin(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some values, such as paired differences, and half the width of its 95 % interval."""
    if len(values) < 2:
        return mean(values), float("inf")
    return mean(values), Z * sqrt(variance(values) / len(values))
