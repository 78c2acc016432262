"""What looking ahead is worth in Huxxy: one who tries whole turns in worlds, among three ``greedy``.

    spent       told nothing: the others' hands are drawn such as they could not have laid in their last turns
    any         told nothing: the others' hands are drawn from all that agree with what was played
    told        told the hands, and not the order of the stock: a ceiling, and no player
    weights     what seats have of the chances to win where a turn begins, found first from ``--games`` among ``greedy``
                that looks ``--looks`` steps far: a seat's chance is its weight, of the weights of all

    promise     how much better the turns that are best in half of the worlds are than those of ``greedy`` in the other
                half, all choices of a game together: so much could be won if the worlds were true

``python -m benchmarks.huxxy_ahead huxxy DEALS [spent|any|told]``: every deal from every seat, 95 % intervals with the
deal as the unit, all in machine code.  ``greedy`` wins exactly a quarter in the same deals: so the first places beyond
a quarter are what is had by looking ahead.  Ctrl-C prints what came of the deals so far.  See ``huxxy_worlds`` for how.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks import huxxy_worlds
from benchmarks.harness import progress
from benchmarks.huxxy_loop import WHOLE, WIDTH
from benchmarks.huxxy_worlds import BATCH, LAYS, ONE, OTHERS, ROW, SEATS, SIZES, WEIGHTS
from benchmarks.strength import FIRST_SEED, error
from benchmarks.told_turns import has_whole_turns
from benchmarks.words import MOST, SPREAD, a_game, whole
from kibitz.engine import twins
from kibitz.engine.batch import records
from kibitz.engine.game import SEED_LIMIT, Game, seed_words
from kibitz.games.huxxy import work

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

KNOWN = {"told": huxxy_worlds.TOLD, "any": huxxy_worlds.ANY, "spent": huxxy_worlds.SPENT}
WEIGHED_SEED = 6_000_000
MOST_TURNS = 150
"""Of a game: so many cards can be laid and picked up at most, one a turn at least."""
ROUNDS = 200
A_CARD = 0.28
"""By so much the logarithm of a weight is less for a card more, where nothing was met."""
DRAWN = 8.0
"""So many turns of little news are added to each weight."""
LARGEST = 10_000_000


def seeds_of(first: int, games: int, each: int = 1) -> Numbers:
    """The seeds of so many deals, each so many times."""
    import numpy as np

    return np.array([word for i in range(games) for _ in range(each) for word in seed_words(first + i)], np.int64)


def beginnings(game: Game, games: int, steps: int) -> Numbers:
    """A row for every turn of some games."""
    import numpy as np

    kernels, state = twins.compiled(huxxy_worlds), records(game, 1)[0]
    w, out, rows = np.zeros(work.WORK, np.int64), np.zeros(SEATS, np.int64), np.zeros(MOST_TURNS * ROW, np.int64)
    found, seeds = [], seeds_of(WEIGHED_SEED, games)
    for i in range(games):
        n = kernels.beginnings(state, w, out, seeds, rows, steps, i, i + 1)
        found.append(rows.reshape(-1, ROW)[:n].copy())
        progress(f"{i + 1} of {games} games among greedy")
    progress("")
    return np.concatenate(found)


def guessed() -> Numbers:
    """The logarithms of weights before anything is known: by the cards that are left."""
    import numpy as np

    logs, cards = np.zeros(WEIGHTS), np.arange(SIZES)
    left = np.maximum(cards[:, None] - np.arange(LAYS), 0)
    logs[1:OTHERS] = np.tile(-A_CARD * left, (2, 1)).ravel()
    logs[OTHERS:] = np.tile(np.repeat(-A_CARD * cards, 2), SEATS - 1)
    return logs


def chances(logs: Numbers, known: Numbers) -> Numbers:
    """By turn, the chance of every seat."""
    import numpy as np

    found = np.exp(logs[known] - logs[known].max(1, keepdims=True))
    shares: Numbers = found / found.sum(1, keepdims=True)
    return shares


def likeliest(known: Numbers, won: Numbers) -> Numbers:
    """The logarithms of the weights by which who won is likeliest, drawn to the guess, by Newton's way."""
    import numpy as np

    guess, more = guessed(), np.zeros(WEIGHTS)
    for _ in range(ROUNDS):
        expected = chances(guess + more, known)
        slope = np.bincount(known.ravel(), (won - expected).ravel(), WEIGHTS)
        bend = np.bincount(known.ravel(), (expected * (1 - expected)).ravel(), WEIGHTS)
        more += 0.6 * (slope - DRAWN * more) / (bend + 2 * DRAWN)
    return guess + more


def weights(game: Game, games: int, steps: int) -> Numbers:
    """The weights as whole numbers; how well they foretell is printed."""
    import numpy as np

    rows = beginnings(game, games, steps)
    rows = rows[rows[:, 0] > 0]
    known, won = rows[:, :SEATS], rows[:, SEATS:] / rows[:, SEATS:].sum(1, keepdims=True)
    last = np.arange(len(rows)) >= 0.8 * len(rows)
    logs = likeliest(known[~last], won[~last])
    foretold = np.exp((won[last] * np.log(chances(logs, known[last]))).sum(1).mean())
    print(f"{game.name}: {len(rows)} turns; a seat that won was foretold by {foretold:.1%}, by lot 25 %.", flush=True)
    found: Numbers = np.clip(np.round(10_000 * np.exp(logs)), 1, LARGEST).astype(np.int64)
    found[0] = 1000 * LARGEST
    return found


def kept(game: Game, asked: argparse.Namespace) -> Numbers:
    """The weights of the file that is named, which is written where there is none."""
    import numpy as np

    if asked.weights and asked.weights.exists():
        found: Numbers = np.loadtxt(asked.weights, np.int64)
        return found
    found = weights(game, asked.games, asked.looks)
    if asked.weights:
        np.savetxt(asked.weights, found, "%d")
    return found


def played(game: Game, asked: argparse.Namespace) -> tuple[list[float], list[int], float]:
    """By deal the share of games won, what was counted, and the seconds of CPU time."""
    import numpy as np

    states = records(game, 3)
    how = [asked.turns, asked.worlds, asked.steps, KNOWN[asked.who], asked.doubt, game.seats - 1]
    items, won, counts = asked.deals * game.seats, np.zeros(asked.deals * game.seats, np.int64), np.zeros(4, np.int64)
    raw = states.view(np.int64)
    arrays = (
        *(states, raw, len(raw) // 3, np.zeros((asked.turns, WIDTH), np.int64), np.zeros(work.WORK, np.int64)),
        *(np.zeros(SEATS, np.int64), kept(game, asked), np.array(how, np.int64)),
        *(np.zeros(asked.worlds * (asked.turns + 1), np.int64), counts, seeds_of(asked.first, asked.deals, game.seats)),
        *(np.arange(items) % game.seats, won),
    )
    kernels = twins.compiled(huxxy_worlds)
    play, whole_share = (kernels.promised, ONE * asked.worlds // 2) if asked.promise else (kernels.games, WHOLE)
    play(*arrays, 0, 0)
    start = process_time()
    shares: list[float] = []
    with suppress(KeyboardInterrupt):
        for i in range(0, items, game.seats):
            play(*arrays, i, i + game.seats)
            shares.append(float(won[i : i + game.seats].mean()) / whole_share)
            progress(f"{asked.who}: {mean(shares):.1%} in {len(shares)} of {asked.deals} deals")
    progress("")
    return shares, counts.tolist(), process_time() - start


def main() -> None:
    """Play, and print a line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.huxxy_ahead", description=__doc__.partition("\n")[0])
    parser.add_argument("game", type=a_game)
    parser.add_argument("deals", type=whole(SPREAD))
    parser.add_argument("who", nargs="?", default="spent", choices=KNOWN)
    parser.add_argument("--promise", action="store_true", help="what choices promise in their worlds, untested by play")
    parser.add_argument("--turns", type=whole(1, 32), default=12, help="how many are tried, and picking up")
    parser.add_argument("--worlds", type=whole(BATCH, 4096), default=192, help="at most, in batches of 16")
    parser.add_argument("--steps", type=whole(1), default=6, help="of every search in a world")
    parser.add_argument("--doubt", type=whole(0, 100), default=3, help="quarters of a standard error")
    parser.add_argument("--games", type=whole(10), default=2500, help="among greedy, for the weights")
    parser.add_argument("--looks", type=whole(0), default=300, help="steps of each search in these games, 0: all")
    parser.add_argument("--weights", type=Path, help="a file that keeps them")
    parser.add_argument("--first", type=whole(0, SEED_LIMIT - 1 - MOST), default=FIRST_SEED, help="the first deal")
    asked = parser.parse_args()
    asked.worlds -= asked.worlds % BATCH
    if not has_whole_turns(asked.game) or asked.game.seats != SEATS:
        parser.error("that is a question about Huxxy for four")
    shares, counts, taken = played(asked.game, asked)
    if len(shares) < SPREAD:
        parser.exit(1, "Stopped before two deals were played.\n")
    print(sentence(asked, shares, counts, taken))


def sentence(asked: argparse.Namespace, shares: list[float], counts: list[int], taken: float) -> str:
    """What came of it, in words."""
    choices, overruled, picked, tried = counts
    games, many = len(shares) * asked.game.seats, max(1, choices)
    found = f"{mean(shares):.2%} ± {1.96 * error(shares):.2%}, {len(shares)} deals from every seat"
    if asked.promise:
        return (
            f"{asked.game.name}, {asked.who}: in {asked.worlds} worlds for each of {asked.turns} turns the choices of a"
            f" game promise {found}; {choices / games:.1f} choices a game."
        )
    return (
        f"{asked.game.name}, {asked.who}, among greedy: first {found}; {asked.turns} turns in {asked.worlds} worlds at"
        f" most: {tried / many:.0f} imagined games a choice, {overruled / many:.0%} not the turn of greedy,"
        f" {picked / many:.0%} picked up; {1000 * taken / games:.0f} ms of CPU time a game."
    )


if __name__ == "__main__":
    main()
