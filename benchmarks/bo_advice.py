"""What following advice costs in Bo, and what a review finds: choices held against the best one in many worlds.

    position    one in which a seat has a choice, from games among ``greedy``, one of the first decisions of each game
    adviser     ``turns:GAMES``: whole turns tried out in so many imagined games, as ``kibitz best`` does;
                ``search:GAMES``: the tree search that it made before; or a player; ``plain`` behind it is plain Python
    review      what ``kibitz review`` calls mistakes of the choices of players, by ``--review`` imagined games
    lost        by how much a choice wins less often than the best one, which ``--judge`` imagined games have found; in
                ``--worlds`` other worlds, the same for both

``python -m benchmarks.bo_advice POSITIONS [ADVISER ...]``: 95 % intervals with the game as the unit, since each
position is of a game of its own.  All advice is from the view alone.
"""

from __future__ import annotations

import argparse
from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from time import process_time

import kibitz
from benchmarks.harness import progress
from benchmarks.strength import FIRST_SEED, error, warmed
from benchmarks.words import MOST, SPREAD, whole
from kibitz.engine.events import View
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.players.built_in import strategies
from kibitz.search.advice import judged
from kibitz.search.rollout_planner import RolloutAdvice
from kibitz.search.thinking import Search, thought_of

USUAL = ("search:2000", "turns:128", "turns:2000", "turns:5000", "best", "marshal", "greedy")
LATEST = 60
"""A position is one of so many first decisions of its game."""


@dataclass
class Found:
    """An adviser, in how many imagined games if any, and what its choices came to."""

    name: str
    games: int
    plain: bool
    seconds: float = 0.0
    same: int = 0
    lost: list[float] = field(default_factory=list)
    wrong: list[bool] = field(default_factory=list)

    @property
    def is_player(self) -> bool:
        """Whether it is a player."""
        return self.name not in ("turns", "search")

    def sentence(self, review: int) -> str:
        """What was found."""
        count, plain = len(self.lost), ", plain Python" if self.plain else ""
        how = self.name if self.is_player else f"{self.name}, {self.games} imagined games"
        told = f"bo, {how}{plain}: {share(self.lost)} of a game lost in {count} positions, the best choice in"
        told += f" {self.same / count:.0%}; {1000 * self.seconds / count:.0f} ms of CPU time each."
        reviewed = list(zip(self.lost, self.wrong, strict=False))
        parts = [[lost for lost, wrong in reviewed if wrong == kind] for kind in (True, False)]
        if min(map(len, parts)) >= SPREAD:
            told += f" A review by {review} imagined games calls {len(parts[0])} of its choices mistakes: they lose"
            told += f" {share(parts[0])}, the others {share(parts[1])}."
        return told


def share(values: list[float]) -> str:
    """A mean share with its 95 % interval."""
    return f"{fmean(values):.2%} ± {1.96 * error(values):.2%}"


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


def choice(game: Game, who: Found, view: View, legal: list[int]) -> int:
    """What an adviser would do."""
    if who.is_player:
        return strategies(game)[who.name](view, legal, Random(1))
    search: Search | RolloutAdvice
    if who.name == "search":
        search = Search(game, view, legal, 1, thought_of(game), plain=who.plain)
    else:
        search = RolloutAdvice(game, [view], legal, 1, plain=who.plain)
    search.go_on(who.games)
    return search.ranking()[0].action


def main() -> None:
    """Ask all advisers in all positions, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bo_advice", description=__doc__.partition("\n")[0])
    parser.add_argument("positions", type=whole(SPREAD))
    parser.add_argument("advisers", nargs="*", default=[adviser(one) for one in USUAL], type=adviser)
    parser.add_argument("--judge", type=whole(1), default=20_000, help="imagined games that find the best choice")
    parser.add_argument("--worlds", type=whole(SPREAD), default=1000, help="in which choices are held against it")
    parser.add_argument(
        "--first", type=whole(0, SEED_LIMIT - 1 - MOST), default=FIRST_SEED, help="the first deal's seed"
    )
    parser.add_argument("--review", type=whole(SPREAD), default=300, help="imagined games of a review")
    asked = parser.parse_args()
    game = warmed("bo")
    found = [Found(*who) for who in asked.advisers]
    for number, (view, legal) in enumerate(positions(game, asked.positions, asked.first)):
        progress(f"{number} of {asked.positions} positions")
        judge = RolloutAdvice(game, [view], legal, 2)
        judge.go_on(asked.judge)
        best = judge.ranking()[0].action
        ends = {best: judge.ends(best, asked.worlds)}
        for one in found:
            if not number:
                choice(game, one, view, legal)
            start = process_time()
            action = choice(game, one, view, legal)
            one.seconds += process_time() - start
            if action not in ends:
                ends[action] = judge.ends(action, asked.worlds)
            one.lost.append(fmean(a[1] - b[1] for a, b in zip(ends[best], ends[action], strict=True)))
            one.same += action == best
            if one.is_player:
                one.wrong.append(judged(game, view, legal, action, asked.review, 1, plain=False).is_mistake)
    progress("")
    for one in found:
        print(one.sentence(asked.review))


if __name__ == "__main__":
    main()
