"""What looking ahead is worth in Huxxy, all in machine code: one who tries its turns out, among three ``greedy``.

    best        the player, in so many ``--games`` imagined at most for a play; it is told nothing
    told        the same told the hands, and not the order of the stock: a ceiling, and no player

``python -m benchmarks.huxxy_ahead huxxy DEALS [best|told]``: every deal from every seat, 95 % intervals with the deal
as the unit.  ``greedy`` wins exactly a quarter in the same deals: so the first places beyond a quarter are what is had
by looking ahead.  The others think once a turn.  Ctrl-C prints what came of the deals so far.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks import huxxy_loop, huxxy_told
from benchmarks.harness import progress
from benchmarks.huxxy_loop import SEATS, WHOLE
from benchmarks.strength import FIRST_SEED, share
from benchmarks.told_turns import has_whole_turns
from benchmarks.words import MOST, SPREAD, a_game, whole
from kibitz.engine import compilation
from kibitz.engine.batch import records
from kibitz.engine.game import SEED_LIMIT, Game, seed_words
from kibitz.engine.policies import modules_of
from kibitz.games.huxxy import policies
from kibitz.search import rollout_kernels

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

KNOWN = {"best": (), "told": (huxxy_told,)}


def seeds_of(first: int, games: int, each: int = 1) -> Numbers:
    """The seeds of so many deals, each so many times."""
    import numpy as np

    return np.array([word for i in range(games) for _ in range(each) for word in seed_words(first + i)], np.int64)


def played(game: Game, asked: argparse.Namespace) -> tuple[list[float], list[int], float]:
    """By deal the share of games won, what was counted, and the seconds of CPU time."""
    import numpy as np

    states = records(game, 3)
    raw, items = states.view(np.int64), asked.deals * SEATS
    sizes = (
        policies.SCRATCH,
        rollout_kernels.EACH,
        rollout_kernels.EACH * rollout_kernels.PLANS,
        rollout_kernels.WORLDS * rollout_kernels.PLANS,
        rollout_kernels.PLANS,
        4,
        2,
    )
    won, counts = np.zeros(items, np.int64), np.zeros(4, np.int64)
    arrays = (
        *(states, raw, len(raw) // 3, game.rules.LAYOUT.kept_words, *(np.zeros(size, np.int64) for size in sizes)),
        *(asked.games, seeds_of(asked.first, asked.deals, SEATS), np.arange(items) % SEATS, won, counts),
    )
    play = compilation.compiled(huxxy_loop, *KNOWN[asked.who], *modules_of(game)).games
    play(*arrays, 0, 0)
    start = process_time()
    shares: list[float] = []
    with suppress(KeyboardInterrupt):
        for i in range(0, items, SEATS):
            play(*arrays, i, i + SEATS)
            shares.append(float(won[i : i + SEATS].mean()) / WHOLE)
            progress(f"{asked.who}: {mean(shares):.1%} in {len(shares)} of {asked.deals} deals")
    progress("")
    return shares, counts.tolist(), process_time() - start


def main() -> None:
    """Play, and print a line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.huxxy_ahead", description=__doc__.partition("\n")[0])
    parser.add_argument("game", type=a_game)
    parser.add_argument("deals", type=whole(SPREAD))
    parser.add_argument("who", nargs="?", default="best", choices=KNOWN)
    parser.add_argument(
        "--games", type=whole(1), default=policies.SEARCH_PLAYERS["best"][0], help="imagined for a play"
    )
    parser.add_argument("--first", type=whole(0, SEED_LIMIT - 1 - MOST), default=FIRST_SEED, help="the first deal")
    asked = parser.parse_args()
    if not has_whole_turns(asked.game) or asked.game.seats != SEATS:
        parser.error("that is a question about Huxxy for four")
    shares, counts, taken = played(asked.game, asked)
    if len(shares) < SPREAD:
        parser.exit(1, "Stopped before two deals were played.\n")
    print(sentence(asked, shares, counts, taken))


def sentence(asked: argparse.Namespace, shares: list[float], counts: list[int], taken: float) -> str:
    """What came of it, in words."""
    decisions, thought, overruled, imagined = counts
    games, many = len(shares) * SEATS, max(1, thought)
    return (
        f"{asked.game.name}, {asked.who}, among greedy: first {share(shares)},"
        f" {len(shares)} deals from every seat; {asked.games} imagined games at most: {decisions / games:.0f} decisions"
        f" a game, {thought / decisions:.0%} thought over in {imagined / many:.0f} games each,"
        f" {overruled / many:.0%} of them not the first turn; {1000 * taken / games:.0f} ms of CPU time a game."
    )


if __name__ == "__main__":
    main()
