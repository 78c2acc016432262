"""Finds puzzles in games between the computer players of the middle level: ``python -m tools.puzzles [GAME ...]``.

A puzzle is a mistake that a review finds, if a second, longer judgement with other simulated games agrees: every other
choice costs ``CLEAR`` of the chances or more, by the lower end of its 95 % interval, and if the game has words for what
the best one is good for: not only for what it costs, and not the same for the next best. The file of puzzles is written
again with those of the given games replaced.
"""

from __future__ import annotations

import argparse
from itertools import count
from time import process_time
from typing import Any

import msgspec

import kibitz
from kibitz.arena.games import Position
from kibitz.arena.puzzles import FILE, Cost, Puzzle, puzzles
from kibitz.arena.reviews import real_decisions, review
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.players.built_in import StrategyPlayer, levels
from kibitz.search import endgames
from kibitz.search.advice import mean_and_margin
from kibitz.search.search_players import advice_search, warm
from kibitz.table.match import play_match

GAMES = ("go", "president", "cribbage", "hearts")
"""In Bo and Huxxy a choice is one step of a turn, and only the whole turn shows why it is best: the reasons of those
that were found said little ("It gets rid of 7 points"), or all the same. In hold'em there was one puzzle in 100 games,
and the first four had the same answer: all in."""
WANTED, SECONDS = 30, 150
REVIEWED, SEARCHED, COMPARED = 60, 2000, 1000
"""Simulated games for a decision of a review, and for the search and each choice of the longer judgement."""
CLEAR = 0.03
FEWEST, MOST = 3, 24
"""How many choices a puzzle has."""


def compared(game: Game, position: Position, seed: int) -> tuple[int, list[Cost]]:
    """The best choice, and what the others cost, the least first."""
    if rest := endgames.solved(game, position.view):
        best = max(rest.choices, key=lambda one: one.promise)
        costs = [Cost(one.action, best.promise - one.promise, rest.gap) for one in rest.choices if one is not best]
        return best.action, sorted(costs, key=lambda cost: cost.chance)
    search = advice_search(game, [position.view], position.legal, seed, plain=False)
    search.simulate(SEARCHED)
    best = search.ranking()[0].action
    ours, costs = search.rollout_values(best, COMPARED), []
    for action in position.legal:
        if action != best:
            theirs = search.rollout_values(action, COMPARED)
            costs.append(Cost(action, *mean_and_margin([a[1] - b[1] for a, b in zip(ours, theirs, strict=True)])))
    return best, sorted(costs, key=lambda cost: cost.chance)


def found(game: Game, record: Record, seed: int) -> Puzzle | None:
    """The clearest puzzle in a game, if there is one."""
    made: list[tuple[float, Puzzle]] = []
    positions = {position.step: position for position in real_decisions(record)}
    for one in review(record, REVIEWED, seed).mistakes:
        position = positions[one.step]
        why = game.words.explain(position.view, one.judgement.best)
        if not why or "costs" in why or not FEWEST <= len(position.legal) <= MOST:
            continue
        best, costs = compared(game, position, seed + 1)
        least = min(cost.chance - cost.error for cost in costs)
        told_apart = why != game.words.explain(position.view, costs[0].action)
        if best == one.judgement.best and least >= CLEAR and told_apart:
            costs = [Cost(cost.action, round(cost.chance, 3), round(cost.error, 3)) for cost in costs]
            actions = record.actions[: one.step]
            made.append((least, Puzzle(record.game, record.rules, record.seed, actions, best, tuple(costs))))
    return max(made, key=lambda each: each[0])[1] if made else None


def mined(name: str, seconds: float) -> list[Puzzle]:
    """Puzzles of one game, as many as are wanted or are found in some seconds of CPU time."""
    game = kibitz.game(name)
    warm(game)
    middle = list(levels(game).values())[1]
    begun, puzzles = process_time(), []
    for seed in count(1):
        players: Any = [StrategyPlayer(middle.name, middle.strategy) for _ in range(game.seats)]
        if puzzle := found(game, play_match(game, players, seed).record, seed):
            puzzles.append(puzzle)
        if len(puzzles) == WANTED or process_time() - begun > seconds:
            print(f"{name}: {len(puzzles)} puzzles in {seed} games, {process_time() - begun:.0f} s")
            return puzzles
    raise AssertionError


def written(puzzles: dict[str, tuple[Puzzle, ...]]) -> str:
    """The file, with a line for each puzzle."""
    games = (
        f'"{game}": [\n' + ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in some) + "\n]"
        for game, some in puzzles.items()
    )
    return "{" + ",\n".join(games) + "}\n"


def main() -> None:
    """Find puzzles and write them."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=main.__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time for each game (default: %(default)s)")
    asked = parser.parse_args()
    known = puzzles() if FILE.exists() else {}
    for name in asked.games:
        known = {**known, name: tuple(mined(name, asked.seconds))}
        FILE.write_text(written(known), encoding="utf-8")


if __name__ == "__main__":
    main()
