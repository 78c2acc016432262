"""Random games through the kernels, plain and compiled, on one core: Bo, Go, Hearts and poker beside their peers.

Peers: the class versions in benchmarks/peers, as a student would write them; OpenSpiel (C++), if ``open_spiel`` is
installed, whose redeal in Hearts ignores known voids; PokerKit (Python).  All play hold'em with 1000 chips and blinds
of 5 and 10, but choose from different sets of raises, so hands differ in length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np

import kibitz
from benchmarks.harness import Probe, Row, Rows, cpu_rate
from benchmarks.peers import bo_classes, go_classes, open_spiel, pokerkit_hands
from benchmarks.peers.hearts_classes import RANKS, Hearts
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.kernels.batch import records

PACK = [rank + suit for rank in RANKS for suit in "CDSH"]
STEPS = 30
"""Actions before the unseen cards are dealt again: 12 cards have been passed, and some seats have shown voids."""
HEADS_UP = "holdem:players=2,hands=1"
UNIVERSAL_POKER = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=1000 1000,bettingAbstraction=fchpa)"
)


def rows() -> Rows:
    """The rows of all games; the notes name the peers and say which are missing."""
    table_rows = [*bo(), *go(), *hearts(), *poker()]
    notes = [
        "By CPU time.",
        "The peers of Bo and Go are the class versions in benchmarks/peers; that of Go tries every partition.",
    ]
    return table_rows, notes if open_spiel.random_games("hearts") else [*notes, open_spiel.MISSING]


def bo() -> list[Row]:
    """Steps of Bo in both forms of the kernels, against the class version."""
    game = kibitz.game("bo")
    slow, fast = plain(game), compiled(game, 2000)
    below = Random(1).randrange
    classes = cpu_rate(lambda: len(bo_classes.random_game(below).play_history))
    return [
        Row("Bo, plain kernels", "steps/s", cpu_rate(lambda: slow()[1]), classes, 40e3),
        Row("Bo, compiled kernels", "steps/s", cpu_rate(lambda: fast()[1]), classes, 4e6),
    ]


def go() -> list[Row]:
    """Games of Go with optimal grouping in both forms of the kernels, against the class version."""
    go = kibitz.game("go")
    game = replace(go, options={**go.options, "auto": 1})
    slow, fast = plain(game), compiled(game, 5000)
    below = Random(1).randrange

    def class_game() -> int:
        go_classes.random_game(below)
        return 1

    classes = cpu_rate(class_game)
    return [
        Row("Go, plain kernels", "games/s", cpu_rate(lambda: slow()[0]), classes),
        Row("Go, compiled kernels", "games/s", cpu_rate(lambda: fast()[0]), classes, 60e3),
    ]


def hearts() -> list[Row]:
    """Deals of Hearts in plain Python and in machine code, and redeals."""
    game = kibitz.game("hearts-deal")
    slow, fast = plain(game), compiled(game, 2000)
    return [
        Row("Hearts, deals of four, plain", "deals/s", cpu_rate(lambda: slow()[0]), cpu_rate(class_deals())),
        Row(
            "Hearts, deals of four, compiled", "deals/s", cpu_rate(lambda: fast()[0]), open_spiel.random_games("hearts")
        ),
        Row("Hearts, unseen cards dealt anew, plain", "positions/s", cpu_rate(redeals())),
    ]


def class_deals() -> Callable[[], int]:
    """A function that plays a random deal of the class version."""
    random = Random(1)

    def play() -> int:
        pack = PACK[:]
        random.shuffle(pack)
        game = Hearts([pack[p::4] for p in range(4)], 1, 3)
        while not game.over:
            game.play(random.choice(game.legal()))
        return 1

    return play


def redeals() -> Callable[[], int]:
    """A function that deals unseen cards again in plain Python, for views in the middle of random deals."""
    game, random, views = kibitz.game("hearts-deal"), Random(1), []
    for seed in range(50):
        state = game.deal(seed)
        for _ in range(STEPS):
            game.rules.apply(state, random.choice(game.legal(state)))
        views.append(game.view(state, state.player))

    def imagine() -> int:
        for seed, view in enumerate(views):
            game.imagine(view, seed)
        return len(views)

    return imagine


def poker() -> list[Row]:
    """Hands a second of hold'em with the compiled and the plain kernels, then games of the other kinds."""
    game = kibitz.game(HEADS_UP)
    compiled_rate, play_one = games(game, 20_000), plain(game)
    plain_rate = cpu_rate(lambda: play_one()[0])
    openspiel_rate, pokerkit_rate = open_spiel.random_games(UNIVERSAL_POKER), pokerkit_hands.random_hands()
    table_rows = [
        Row("heads-up no-limit hands, compiled; peer OpenSpiel", "hands/s", compiled_rate, openspiel_rate, 500e3),
        Row("heads-up no-limit hands, compiled; peer PokerKit", "hands/s", compiled_rate, pokerkit_rate),
        Row("heads-up no-limit hands, plain; peer PokerKit", "hands/s", plain_rate, pokerkit_rate),
    ]
    for name, peer_name in (("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")):
        table_rows.append(
            Row(f"{name}, compiled; peer OpenSpiel", "hands/s", rated(name), open_spiel.random_games(peer_name))
        )
    table_rows.append(Row("six players, sessions of up to 10 hands", "sessions/s", rated("holdem")))
    table_rows.append(Row("draw, four players, sessions of up to 10 hands", "sessions/s", rated("draw")))
    return table_rows


def rated(name: str) -> Probe:
    """A probe: compiled random games a second of the game with this name."""
    return games(kibitz.game(name), 2000)


def games(game: Game, batch: int) -> Probe:
    """A probe: compiled random games a second."""
    play: Callable[[], tuple[int, int]] = compiled(game, batch)
    return cpu_rate(lambda: play()[0])


def plain(game: Game) -> Callable[[], tuple[int, int]]:
    """A function that plays the next random game with the plain kernels: games (1) and steps."""
    kernels = compilation.plain(loops, game.rules)
    state, out, number = game.blank(), [0] * game.max_legal, 0

    def play() -> tuple[int, int]:
        nonlocal number
        game.rules.deal(state, number, 0, 0, 0)
        number += 1
        return 1, kernels.playout(state, out, game.max_length)

    return play


def compiled(game: Game, games: int) -> Callable[[], tuple[int, int]]:
    """A function that plays the next batch of ``games`` in machine code: games and steps."""
    kernels = compilation.compiled(loops, game.rules)
    states, out = records(game, 1), np.zeros(game.max_legal, np.int64)
    earned, scores = np.zeros(game.seats, np.int64), np.zeros(game.seats * games, np.int64)
    steps, key = np.zeros(games, np.int64), 0

    def play() -> tuple[int, int]:
        nonlocal key
        kernels.playouts(states, out, earned, scores, steps, key, 0, 0, games, game.seats, game.max_length)
        key += 1
        return games, int(steps.sum())

    play()  # compile, or load
    return play
