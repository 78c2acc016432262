"""Games between policies in machine code, one core: how soon it is known whether one is better than another."""

from __future__ import annotations

import kibitz
from benchmarks.harness import Row, Rows, rate
from kibitz.arena.contests import played
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
AT_ONCE = 200


def contest(game: Game, each: int) -> int:
    """Some games of ``quick`` against itself."""
    number = list(game.choosing.POLICIES).index("quick")  # type: ignore[union-attr]
    deals = [(seed, (number,) * game.seats) for seed in range(AT_ONCE // min(AT_ONCE // 10, each))]
    return each * len(played(game, deals))


def simulations(search: Search) -> int:
    """Some imagined games more."""
    search.go_on(AT_ONCE)
    return AT_ONCE


def rows() -> Rows:
    """Rates of games between policies, and of the games that a search imagines with the same policy."""
    found = []
    for name, what, asked, each in GAMES:
        game = kibitz.game(name)
        found.append(
            Row(f"{name}, quick, {what}", f"{what}/s", rate(lambda g=game, n=each: contest(g, n)), None, asked)
        )
    for name in SEARCHED:
        game = kibitz.game(name)
        state = game.deal(1)
        search = Search(game, game.view(state, state.player), game.legal(state), 0, thought_of(game))
        found.append(Row(f"{name}, search", "simulations/s", rate(lambda s=search: simulations(s))))
    return found, ["The peer of a search is its own policy: see the rows above for games a second without a tree."]
