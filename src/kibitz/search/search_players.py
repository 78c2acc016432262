"""Players that search: the same algorithm with more or fewer simulated games, each with a name and a description.

    SEARCH_PLAYERS  in a game's ``policies.py``: for each name the number of simulated games per decision, and a line
                on its style; the weakest first, ``best`` last
    SEARCH      in ``policies.py`` too: how the game is searched, as the fields of ``SearchConfig``
    plans       if the game has them, whole turns are tried (``rollout_planner``) instead of a tree search, also for
                advice, so that it agrees with the strongest player
    rest        the rest of the game, once it can be solved exactly (``endgames``): all search players then play alike
    warm        compiled code that is ready (``kibitz warm``): nobody has to wait for the compiler

Until machine code is ready, search players play like the strongest of the game's other strategies.  So seasons and
proofs, whose results must be the same on every machine, don't use them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from kibitz.engine.game import Game, Strategy
from kibitz.engine.views.events import View
from kibitz.search import endgames, rollout_planner, tree_search
from kibitz.search.rollout_planner import RolloutAdvice, RolloutPlanner
from kibitz.search.tree_search import Search, final_reward, search_config

PLAIN_TURNS = 128
"""How many whole turns plain Python tries in about half a second."""


@dataclass(frozen=True)
class SearchPlayer:
    """A strategy that simulates ``games`` games before each of its choices."""

    name: str
    line: str
    games: int
    game: Game = field(repr=False)

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def fallback(self) -> Strategy:
        """The strategy used without machine code."""
        return list(self.game.strategies.values())[-1]

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """The exact best action if the rest of the game can be solved, otherwise the most tried one."""
        seed = random.getrandbits(64)
        if len(legal) == 1:
            return legal[0]
        if solution := endgames.solved(self.game, view, endgames.NODES_FOR_PLAY):
            return solution.draw(Random(seed))
        search = self.run_search(view, legal, seed)
        return search.choice(Random(seed)) if search else self.fallback(view, legal, random)

    def run_search(self, view: View, legal: Sequence[int], seed: int) -> Search | RolloutPlanner | None:
        """A finished search for this decision; None without machine code."""
        if not is_ready(self.game):
            return None
        search = search_kind(self.game, view, legal, seed, plain=False)
        search.simulate(self.games)
        return search


def search_kind(game: Game, view: View, legal: Sequence[int], seed: int, *, plain: bool) -> Search | RolloutPlanner:
    """A game's kind of search: whole turns if the game has plans, otherwise tree search."""
    if rollout_planner.has_plans(game):
        return RolloutPlanner(game, view, legal, seed, plain=plain)
    return Search(game, view, legal, seed, search_config(game), plain=plain)


def advice_search(
    game: Game, views: Sequence[View], legal: Sequence[int], seed: int = 0, *, plain: bool, threads: int = 1
) -> Search | RolloutAdvice:
    """A search for advice, of the game's kind: it finds the worth of every choice; for views see ``grouped_views``."""
    if rollout_planner.has_plans(game):
        return RolloutAdvice(game, views, legal, seed, plain=plain, threads=threads)
    (view,) = views
    return Search(game, view, legal, seed, search_config(game), plain=plain, threads=threads)


def grouped_views(game: Game, views: Sequence[View]) -> list[Sequence[View]]:
    """Views of what a seat may know, in groups that are searched together."""
    return [views] if rollout_planner.has_plans(game) else [[view] for view in views]


def judge_name(game: Game, games: int, *, plain: bool, threads: int = 1) -> str:
    """The search that advice comes from, in words."""
    mode = "plain Python" if plain else "compiled"
    if rollout_planner.has_plans(game):
        return f"whole turns compared in {games:,} simulated games ({mode})"
    trees = f", {threads} trees" if threads > 1 else ""
    return f"search over {games:,} simulated games ({mode}{trees})"


def default_games(game: Game) -> int:
    """The default number of simulated games for advice, with machine code: half a second."""
    return 5000 if rollout_planner.has_plans(game) else 2000


def max_plain_games(game: Game) -> int:
    """The default limit of simulated games for advice in plain Python."""
    return PLAIN_TURNS if rollout_planner.has_plans(game) else sys.maxsize


def final_value(game: Game, scores: Sequence[float], seat: int) -> float:
    """The value of a finished game for a seat, on the scale of its search players.

    With whole turns that is its share of the first place, which is 0 if all earned the same.
    """
    if rollout_planner.has_plans(game):
        most = max(scores)
        return 1 / list(scores).count(most) if scores[seat] == most > min(scores) else 0.0
    return final_reward(game, search_config(game), scores, seat)


def is_ready(game: Game) -> bool:
    """Whether the machine code of a game's search players is ready."""
    return rollout_planner.is_ready(game) if rollout_planner.has_plans(game) else tree_search.is_ready(game)


def search_players(game: Game) -> dict[str, SearchPlayer]:
    """The search players of a game by name, the weakest first; empty if its ``policies.py`` names none."""
    declared: dict[str, tuple[int, str]] = getattr(game.policies, "SEARCH_PLAYERS", {})
    return {name: SearchPlayer(name, line, games, game) for name, (games, line) in declared.items()}


def warm(game: Game) -> None:
    """Compile a game's search for advice and reviews, and the search of its search players, if it has any."""
    state = game.deal(0)
    while not state.over and len(game.legal(state)) < 2:
        game.advance(state, game.legal(state)[0])
    view, legal = game.view(state, state.player), game.legal(state)
    advice_search(game, [view], legal, plain=False).simulate(1)
    if search_players(game):
        search_kind(game, view, legal, 0, plain=False).simulate(1)
