"""Players that search before each choice; those of one game differ in the number of simulated games.

    SEARCH_PLAYERS  in a game's ``policies.py``: for each name the number of simulated games per decision, and a line
                on its style; the weakest first, ``best`` last
    SEARCH      in ``policies.py`` too: how the game is searched, as the fields of ``SearchConfig``
    plans       if the game has them, whole turns are tried (``rollout_planner``) instead of a tree search, also for
                advice, so that it agrees with the strongest player
    endgame     once the rest of the game can be solved exactly (``endgames``), all search players play alike
    compile_search  compiles in advance (``kibitz compile``), so that nobody has to wait for the compiler

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

MAX_PLAIN_ROLLOUTS = 128
"""How many simulated games of whole turns plain Python plays in about half a second."""


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
        """The strategy used until machine code is ready."""
        return list(self.game.strategies.values())[-1]

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """An action of the exact solution if the rest of the game can be solved, otherwise the choice of the search."""
        seed = random.getrandbits(64)
        if len(legal) == 1:
            return legal[0]
        if solution := endgames.solve_endgame(self.game, view, endgames.NODES_FOR_PLAY):
            return solution.draw(Random(seed))
        search = self.run_search(view, legal, seed)
        return search.choice(Random(seed)) if search else self.fallback(view, legal, random)

    def run_search(self, view: View, legal: Sequence[int], seed: int) -> Search | RolloutPlanner | None:
        """A finished search for this decision; None without machine code."""
        if not is_ready(self.game):
            return None
        search = new_search(self.game, view, legal, seed, plain=False)
        search.simulate(self.games)
        return search


def new_search(game: Game, view: View, legal: Sequence[int], seed: int, *, plain: bool) -> Search | RolloutPlanner:
    """A new search of the game's kind: whole turns if the game has plans, otherwise a tree search."""
    if rollout_planner.has_plans(game):
        return RolloutPlanner(game, view, legal, seed, plain=plain)
    return Search(game, view, legal, seed, search_config(game), plain=plain)


def advice_search(
    game: Game, views: Sequence[View], legal: Sequence[int], seed: int = 0, *, plain: bool, threads: int = 1
) -> Search | RolloutAdvice:
    """A new search for advice, which finds the worth of every choice; ``views`` are a group of ``grouped_views``."""
    if rollout_planner.has_plans(game):
        return RolloutAdvice(game, views, legal, seed, plain=plain, threads=threads)
    (view,) = views
    return Search(game, view, legal, seed, search_config(game), plain=plain, threads=threads)


def grouped_views(game: Game, views: Sequence[View]) -> list[Sequence[View]]:
    """The views in groups that are searched together: all at once in a game with plans, otherwise one by one."""
    return [views] if rollout_planner.has_plans(game) else [[view] for view in views]


def judge_name(game: Game, games: int, *, plain: bool, threads: int = 1) -> str:
    """A description of the search that gives advice."""
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
    return MAX_PLAIN_ROLLOUTS if rollout_planner.has_plans(game) else sys.maxsize


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


def compile_search(game: Game) -> None:
    """Compile a game's search, which search players, advice and reviews share."""
    state = game.deal(0)
    while not state.over and len(game.legal(state)) < 2:
        game.advance(state, game.legal(state)[0])
    advice_search(game, [game.view(state, state.player)], game.legal(state), plain=False).simulate(1)
