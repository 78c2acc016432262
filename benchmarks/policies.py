"""Games between policies in machine code, one core: how soon it is known whether one is better than another."""

from __future__ import annotations

from dataclasses import replace

import kibitz
from benchmarks.harness import Row, Rows, cpu_rate
from benchmarks.peers import open_spiel
from kibitz.arena.chunks import played
from kibitz.engine.game import Game
from kibitz.search.thinking import Search, thought_of

GAMES = (
    ("bo", "games", 20e3, 1),
    ("president:rounds=1", "rounds", 10e3, 1),
    ("cribbage", "games", 30e3, 1),
    ("holdem:players=2,hands=100", "hands", 300e3, 100),
    ("go", "games", None, 1),
    ("huxxy", "games", None, 1),
    ("eights", "games", None, 1),
)
"""A game, what is counted, how many a second are asked for, and how many of them one game has."""
SEARCHED = ("go", "president:rounds=1", "eights")
BY_LOT, SIMULATIONS = ("go", "president:rounds=1"), 100e3
"""Where so many simulations a second are asked for with rollouts by lot."""
NOTE = (
    "A search is at the first decision of a game; rollouts alone draw the same worlds and play them by the same policy."
)
AT_ONCE = 200


def contest(game: Game, each: int) -> int:
    """Some games of ``quick`` against itself."""
    number = list(game.policies.POLICIES).index("quick")  # type: ignore[union-attr]
    deals = [(seed, (number,) * game.seats) for seed in range(AT_ONCE // min(AT_ONCE // 10, each))]
    return each * len(played(game, deals))


def search_of(name: str, policy: str) -> Search:
    """A search at the first decision of a game, rollouts by a policy; any action by lot where it is empty."""
    game = kibitz.game(name)
    state = game.deal(1)
    how = replace(thought_of(game), policy=policy)
    return Search(game, game.view(state, state.player), game.legal(state), 0, how)


def simulations(search: Search) -> int:
    """Some imagined games more."""
    search.go_on(AT_ONCE)
    return AT_ONCE


def rollouts(search: Search) -> int:
    """As many worlds played to their end by the same policy, without a tree."""
    search.ends(search.legal[0], AT_ONCE)
    return AT_ONCE


def searches() -> list[Row]:
    """Simulations a second beside the same rollouts without a tree, and beside OpenSpiel's."""
    found = []
    for name in SEARCHED:
        for policy in dict.fromkeys(("", "quick", thought_of(kibitz.game(name)).policy)):
            search, how = search_of(name, policy), policy or "by lot"
            asked = SIMULATIONS if name in BY_LOT and not policy else None
            what = f"{name}, search, rollouts {how}, beside rollouts alone"
            mine = cpu_rate(lambda s=search: simulations(s))
            found.append(Row(what, "simulations/s", mine, cpu_rate(lambda s=search: rollouts(s)), asked))
            if asked:
                what = f"{name}, search, rollouts {how}, beside OpenSpiel's in hearts"
                found.append(Row(what, "simulations/s", mine, open_spiel.searches("hearts"), asked))
    return found


def rows() -> Rows:
    """Rates of games between policies, and of the games that a search imagines with the same policy."""
    found = []
    for name, what, asked, each in GAMES:
        game = kibitz.game(name)
        found.append(
            Row(f"{name}, quick, {what}", f"{what}/s", cpu_rate(lambda g=game, n=each: contest(g, n)), None, asked)
        )
    return [*found, *searches()], [NOTE] if open_spiel.searches("hearts") else [NOTE, open_spiel.MISSING]
