"""Random games through the kernels, plain and compiled, on one core, beside their peers; moves and turns of two games.

games       Bo, Go, Hearts and poker.  Peers: the class versions in benchmarks/peers, as a student would write them;
            OpenSpiel (C++), if ``open_spiel`` is installed, whose redeal in Hearts ignores known voids; PokerKit
            (Python).  All play hold'em with 1000 chips and blinds of 5 and 10, but choose from different sets of
            raises, so hands differ in length.
huxxy       the best turn in positions of played games, and random games among turns that can be ended.  The peer is
            OpenSpiel's gin rummy, the nearest published game.
president   all moves of a hand, random rounds, and the fewest moves that empty a hand.  The peers are
            benchmarks/peers/president_report.py, which tries every set of up to five cards, and OpenSpiel's dou dizhu.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np

import kibitz
from benchmarks import hand_loops
from benchmarks.harness import Probe, Row, Rows, cpu_rate, each_time, rate
from benchmarks.peers import bo_classes, go_classes, open_spiel, president_report, published
from benchmarks.peers.hearts_classes import RANKS, Hearts
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.kernels.batch import records
from kibitz.games.huxxy import best, random_games
from kibitz.games.huxxy.best import best_turn
from kibitz.games.huxxy.policies import greedy
from kibitz.games.huxxy.view import HuxxyView
from kibitz.games.president import listing, moves, planning, rules

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
    openspiel_rate, pokerkit_rate = open_spiel.random_games(UNIVERSAL_POKER), published.pokerkit_hands()
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


HUXXY_GAMES = 30
WHOLE_BATCH = 2000


def huxxy() -> Rows:
    """Huxxy: rows of best turns with and without rearranging, and of random games."""
    best.compile_search()
    table_rows, notes = [], []
    for name in ("huxxy", "huxxy-bonus"):
        turn_starts = turn_views(name)
        notes.append(f"{len(turn_starts)} turns of {HUXXY_GAMES} games of {name} that greedy played against itself.")
        for goal, percent, asked in (("cards", 50, 50e-3), ("cards", 99, 500e-3), ("points", 99, None)):
            probe = each_time(best_turn_search(goal, True), turn_starts, percent)
            table_rows.append(Row(f"{name}: best turn, most {goal}, {percent} %", "s", probe, None, asked))
        hand_only = each_time(best_turn_search("cards", False), turn_starts)
        table_rows.append(Row(f"{name}: hand cards only, 50 %", "s", hand_only, None, 5e-3))
    whole, uniform = whole_turns("huxxy"), compiled(kibitz.game("huxxy"), 2000)
    table_rows.append(
        Row(
            "random games among completable turns",
            "games/s",
            cpu_rate(whole),
            open_spiel.random_games("gin_rummy"),
            10e3,
        )
    )
    notes.append("Every completable turn has a positive probability, if not the same.")
    table_rows.append(Row("uniformly random games, which soon concede", "games/s", rate(lambda: uniform()[0])))
    return table_rows, notes


def turn_views(name: str) -> list[HuxxyView]:
    """The mover's view at the beginning of every turn of some games."""
    game, random, turn_starts = kibitz.game(name), Random(1), []
    for seed in range(HUXXY_GAMES):
        state = game.deal(seed)
        while not state.over:
            view: HuxxyView = game.view(state, state.player)
            if view.plays == 0:
                turn_starts.append(view)
            game.rules.apply(state, greedy(view, game.legal(state), random))
    return turn_starts


def best_turn_search(goal: str, rearrange: bool) -> Callable[[HuxxyView], object]:
    """A function that finds the best turn of a view."""

    def find(view: HuxxyView) -> object:
        min_points = 0 if view.opened[view.player] else view.opening
        return best_turn(view.hand, view.table, goal=goal, min_points=min_points, rearrange=rearrange)

    return find


def whole_turns(name: str) -> Callable[[], int]:
    """A function that plays a batch of random games of whole turns in machine code."""
    game, kernels, key = kibitz.game(name), compilation.compiled(random_games), 0
    states, w, steps = records(game, 1), np.zeros(random_games.SCRATCH, np.int64), np.zeros(WHOLE_BATCH, np.int64)

    def play() -> int:
        nonlocal key
        kernels.playouts(states, w, steps, key, 0, WHOLE_BATCH)
        key += 1
        return WHOLE_BATCH

    play()
    return play


HANDS = 4000


def random_hands(n: int) -> list[int]:
    """Random hands of ``n`` cards as sets of heights."""
    random = Random(n)
    return [sum(1 << card for card in random.sample(range(52), n)) for _ in range(HANDS)]


def per_hand(work: Callable[[], object], n: int) -> Callable[[], float]:
    """A probe: seconds a hand, for work in machine code on ``n`` hands."""
    probe = rate(lambda: (work(), n)[1])
    return lambda: 1 / probe()


def president() -> Rows:
    """President: rows of lists of moves against the report's method, of rounds, and of the fewest moves."""
    table_rows = []
    loop, out = compilation.compiled(hand_loops), np.zeros(rules.ACTIONS, np.int64)
    scratch = [0] * rules.ACTIONS
    for n, tried, asked in ((13, 20, None), (26, 2, 3e-6)):
        some = random_hands(n)
        array = np.array(some, np.int64)
        loop.list_each(array, 0, 1, out)
        fast_hands = per_hand(lambda array=array: loop.list_each(array, 0, HANDS, out), HANDS)
        slow_hands = each_time(lambda hand: listing.list_all(hand, moves.ALL_FIVES, scratch), some[:400])
        peer_hands = [[(c + 8) % 52 for c in range(52) if hand >> c & 1] for hand in some[:tried]]
        peer = each_time(president_report.all_moves, peer_hands)
        table_rows.append(Row(f"all moves of {n} cards, compiled", "s", fast_hands, peer, asked))
        table_rows.append(Row(f"all moves of {n} cards, plain", "s", slow_hands, peer))
    game = kibitz.game("president:rounds=1")
    play, fast = plain(game), compiled(game, 5000)
    table_rows.append(Row("rounds of four, plain", "rounds/s", rate(lambda: play()[0])))
    table_rows.append(
        Row(
            "rounds of four, compiled",
            "rounds/s",
            cpu_rate(lambda: fast()[0]),
            open_spiel.random_games("dou_dizhu"),
            100e3,
        )
    )
    machine_work = np.zeros(planning.SHED_SIZE, np.int64)
    for n, most, asked in ((13, 20e-3, 200e-6), (26, None, None)):
        some = random_hands(n)[: HANDS if n == 13 else 50]
        array = np.array(some, np.int64)
        loop.shed_each(array, 0, 1, machine_work)
        fast_hands = per_hand(lambda a=array: loop.shed_each(a, 0, len(a), machine_work), len(some))
        slow_hands = each_time(planning.fewest_moves, some[:200])
        table_rows.append(Row(f"fewest moves of {n} cards, plain, median", "s", slow_hands, None, most))
        table_rows.append(Row(f"fewest moves of {n} cards, compiled, mean", "s", fast_hands, None, asked))
    return table_rows, [
        "The peer, benchmarks/peers/president_report.py, lists 20 hands of 13 and 2 of 26: a small sample."
    ]
