"""Makes experience to play Bo by: ``python -m kibitz.games.bo.learning [FOLDER]``, some minutes.

Players learn from their own games.  In every round, seats play by the experience of either of the last two rounds;
then the numbers are fitted to who won, by logistic regression over the last WINDOW rounds, and the next
round begins.  The first experience is empty: whoever has none plays a stockpile card whenever there is one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.engine import twins
from kibitz.engine.batch import records
from kibitz.engine.registry import game
from kibitz.games.bo import practice
from kibitz.games.bo.experience import store
from kibitz.games.bo.planning import ROOM
from kibitz.games.bo.rules import ACTIONS
from kibitz.games.bo.standing import ENDED, NUMBERS, OWN, PARTS, ROUNDS, SCALE, TURNED

GAMES, TIMES, WINDOW = 10_000, 7, 3
STEPS = 60
WAYS = 80
DARING = 200
"""Worths are raised by lot by less than so much, so that other plays are met as well."""
PLACES_A_GAME = 60
STEADY, DAMPED, KEPT_SPEED = 20.0, 11.0, 0.8
"""How carefully numbers move: as if each had been met so often more; for as many numbers as a place has; momentum."""

Numbers = Any


def simple() -> Numbers:
    """The first experience: a stockpile card, and more the fewer are left; else a table that takes one."""
    table = np.zeros(NUMBERS, np.int64)
    for counts in range(8):
        for many in range(5):
            table[ENDED + OWN + 5 * counts + many] = 200 * many - 300 * counts
            table[TURNED + OWN + 5 * counts + many] = 600 + 100 * many - 300 * counts
    return table


def played(tables: list[Numbers], games: int, key: int) -> tuple[Numbers, Numbers]:
    """Games with seats that play by any of the tables: the places with their numbers, and whether their seat won."""
    seated = np.random.default_rng(key).integers(0, len(tables), 4 * games)
    parts, who = np.zeros(PARTS * PLACES_A_GAME * games, np.int64), np.zeros(PLACES_A_GAME * games, np.int64)
    winners = np.zeros(games, np.int64)
    joined = np.concatenate([np.append(table, 0) for table in tables])
    play = twins.compiled(practice).games
    rest = np.zeros(max(ROOM, ACTIONS), np.int64), parts, who, winners, key, 0, games, WAYS, DARING
    n = play(records(game("bo"), 2), joined, seated, *rest)
    return parts.reshape(-1, PARTS)[:n], winners[who[:n] // 4] == who[:n] % 4


def fitted(parts: Numbers, won: Numbers, start: Numbers, steps: int = STEPS) -> Numbers:
    """The numbers whose sums are nearest to the logarithms of the odds to win; the number beyond all tables is 0."""
    numbers, speed = start.astype(float), np.zeros(NUMBERS + 1)
    for _ in range(steps):
        chances = 1 / (1 + np.exp(-numbers[parts].sum(axis=1)))
        wrong, sure = np.repeat(won - chances, PARTS), np.repeat(chances * (1 - chances), PARTS)
        pull = np.bincount(parts.ravel(), wrong, NUMBERS + 1) - 0.5 * numbers
        weight = np.bincount(parts.ravel(), sure, NUMBERS + 1)
        speed = KEPT_SPEED * speed + pull / (DAMPED * weight + STEADY)
        numbers += speed
        numbers[NUMBERS] = 0
    return numbers


def learned(games: int = GAMES, times: int = TIMES) -> Numbers:
    """The experience of so many rounds of so many games."""
    tables, numbers = [simple()], np.zeros(NUMBERS + 1)
    met: list[tuple[Numbers, Numbers]] = []
    for time in range(times):
        met = [*met, played(tables, games, time + 1)][-WINDOW:]
        parts, won = (np.concatenate(each) for each in zip(*met, strict=True))
        numbers = fitted(parts, won, numbers)
        tables = [*tables, np.rint(SCALE * numbers[:NUMBERS]).astype(np.int64)][-2:]
        print(f"{time + 1} of {times} rounds, {len(won)} places", file=sys.stderr)
    found = tables[-1]
    for base in (ENDED, TURNED):
        found[base + ROUNDS : base + ROUNDS + 51] = 0
    return found


def main(folder: str = ".") -> None:
    """Write experience into a folder, the current one if none is named.

    The package's own is replaced by hand, once the new one is known to be better.
    """
    store(Path(folder), learned().tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
