"""What following advice costs in Bo, and what a review finds: choices held against the best one in many worlds.

    position    one in which a seat has a choice, from games among ``greedy``, a game and a tenth of its positions each
    adviser     ``turns:GAMES``: whole turns tried out in so many imagined games, as ``kibitz best`` does;
                ``search:GAMES``: the tree search that it made before; or a player; ``plain`` behind it is plain Python
    lost        by how much a choice wins less often than the best one, which ``--judge`` imagined games have found; in
                ``--worlds`` other worlds, the same for both

``python -m benchmarks.bo_advice POSITIONS [ADVISER ...]``: 95 % intervals with the game as the unit, since each of its
positions is of a game of its own.  All advice is from the view alone.
"""

from __future__ import annotations

import argparse
from argparse import ArgumentTypeError
from collections.abc import Iterator
from random import Random
from statistics import fmean
from time import process_time

import kibitz
from benchmarks.harness import progress
from benchmarks.strength import FIRST_SEED, error
from benchmarks.words import MOST, SPREAD, whole
from kibitz.engine.events import View
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.players.built_in import strategies
from kibitz.search.surveys import Survey
from kibitz.search.thinking import Search, thought_of

USUAL = ("search:2000", "turns:2000", "best", "marshal", "greedy")
LATEST = 60
"""A position is one of so many first decisions of its game."""


def adviser(text: str) -> tuple[str, int, bool]:
    """Who advises, in how many imagined games if any, and whether in plain Python."""
    name, _, rest = text.partition(":")
    games, _, plain = rest.partition(":")
    if name in ("turns", "search") and plain in ("", "plain"):
        return name, whole(0)(games), bool(plain)
    if rest or name not in strategies(kibitz.game("bo")):
        raise ArgumentTypeError(f"turns:GAMES, search:GAMES or a player of Bo is wanted, not {text[:60]!r}")
    return name, 0, False


def positions(game: Game, count: int, first: int) -> Iterator[tuple[View, list[int]]]:
    """So many positions, each from a game of its own, with the legal actions."""
    greedy = game.strategies["greedy"]
    for seed in range(first, first + count):
        random, state, met = Random(seed), game.deal(seed), []
        while not state.over and len(met) < LATEST:
            view, legal = game.view(state, state.player), game.legal(state)
            if len(legal) > 1:
                met.append((view, legal))
            game.advance(state, greedy(view, legal, random))
        yield random.choice(met)


def choice(game: Game, who: tuple[str, int, bool], view: View, legal: list[int]) -> int:
    """What an adviser would do."""
    name, games, plain = who
    if name not in ("turns", "search"):
        return strategies(game)[name](view, legal, Random(1))
    search: Search | Survey = Survey(game, [view], legal, 1, plain=plain)
    if name == "search":
        search = Search(game, view, legal, 1, thought_of(game), plain=plain)
    search.go_on(games)
    return search.ranking()[0].action


def main() -> None:
    """Ask all advisers in all positions, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bo_advice", description=__doc__.partition("\n")[0])
    parser.add_argument("positions", type=whole(SPREAD))
    parser.add_argument("advisers", nargs="*", default=[adviser(one) for one in USUAL], type=adviser)
    parser.add_argument("--judge", type=whole(1), default=20_000, help="imagined games that find the best choice")
    parser.add_argument("--worlds", type=whole(SPREAD), default=1000, help="in which choices are held against it")
    parser.add_argument("--first", type=whole(0, SEED_LIMIT - 1 - MOST), default=FIRST_SEED, help="the first deal's seed")
    asked = parser.parse_args()
    game = kibitz.game("bo")
    lost: list[list[float]] = [[] for _ in asked.advisers]
    times, same = [0.0] * len(lost), [0] * len(lost)
    for number, (view, legal) in enumerate(positions(game, asked.positions, asked.first)):
        progress(f"{number} of {asked.positions} positions")
        judge = Survey(game, [view], legal, 2)
        judge.go_on(asked.judge)
        best = judge.ranking()[0].action
        ends = {best: judge.ends(best, asked.worlds)}
        for k, who in enumerate(asked.advisers):
            start = process_time()
            found = choice(game, who, view, legal)
            times[k] += process_time() - start
            if found not in ends:
                ends[found] = judge.ends(found, asked.worlds)
            lost[k].append(fmean(a[1] - b[1] for a, b in zip(ends[best], ends[found], strict=True)))
            same[k] += found == best
    progress("")
    for (name, games, plain), values, seconds, agreed in zip(asked.advisers, lost, times, same, strict=True):
        how = f"{name}, {games} imagined games" if games else name
        print(
            f"bo, {how}{', plain Python' if plain else ''}: {fmean(values):.2%} ± {1.96 * error(values):.2%} of a game"
            f" lost in {len(values)} positions, the best choice in {agreed / len(values):.0%};"
            f" {1000 * seconds / len(values):.0f} ms of CPU time a position."
        )


if __name__ == "__main__":
    main()
