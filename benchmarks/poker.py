"""Poker: random hands of heads-up no-limit hold'em, and sessions of every game, on one core.

Peers: OpenSpiel's universal_poker (C++, the ACPC's engine) where ``open_spiel`` is installed, and PokerKit (Python).
All play 1000 chips with blinds 5 and 10, but draw from different sets of raises, so hands differ in length.
"""

from __future__ import annotations

from collections.abc import Callable

import kibitz
from benchmarks import playouts
from benchmarks.harness import Probe, Row, Rows, rate
from benchmarks.peers import open_spiel, pokerkit_hands
from kibitz.engine.game import Game

HEADS_UP = "holdem:players=2,hands=1"
UNIVERSAL_POKER = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=1000 1000,bettingAbstraction=fchpa)"
)


def rows() -> Rows:
    """Hands a second with the compiled and the plain kernels, then games of the other kinds."""
    game = kibitz.game(HEADS_UP)
    fast, plain = games(game, 20_000), playouts.plain(game)
    slow = rate(lambda: plain()[0])
    peer, python = open_spiel.random_games(UNIVERSAL_POKER), pokerkit_hands.random_hands()
    found = [
        Row("heads-up no-limit hands, compiled; peer OpenSpiel", "hands/s", fast, peer, 500e3),
        Row("heads-up no-limit hands, compiled; peer PokerKit", "hands/s", fast, python),
        Row("heads-up no-limit hands, plain; peer PokerKit", "hands/s", slow, python),
    ]
    for name, peer_name in (("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")):
        found.append(
            Row(f"{name}, compiled; peer OpenSpiel", "hands/s", rated(name), open_spiel.random_games(peer_name))
        )
    found.append(Row("six players, sessions of up to 10 hands", "sessions/s", rated("holdem")))
    found.append(Row("draw, four players, sessions of up to 10 hands", "sessions/s", rated("draw")))
    return found, [] if peer else [open_spiel.MISSING]


def rated(name: str) -> Probe:
    """Compiled random games of a name."""
    return games(kibitz.game(name), 2000)


def games(game: Game, batch: int) -> Probe:
    """Compiled random games."""
    play: Callable[[], tuple[int, int]] = playouts.compiled(game, batch)
    return rate(lambda: play()[0])
