"""Fits each seat's chance to win at the beginning of a turn of Huxxy: writes ``src/kibitz/games/huxxy/weights.txt``.

``python -m tools.huxxy_weights`` plays GAMES games of Huxxy and as many of the Joker game in machine code, with
``quick_turn`` in every seat, and finds the weights of maximum likelihood: a seat's chance is its weight divided by the
sum of all four.  The last fifth of the turns is held out to measure how well the weights predict the winner.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz
from benchmarks.harness import progress
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.kernels.policies import hook_modules
from kibitz.games.huxxy import policies, quick_turn
from kibitz.games.huxxy.policies import HAND_SIZES, JOKER_WEIGHTS, LAY_COUNTS
from tools import huxxy_turns
from tools.huxxy_turns import ROW, SEATS

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

GAMES = 60_000
FIRST_SEED = 6_000_000
MAX_TURNS = 200
"""The maximum number of turns of a game: each lays or picks up at least one card."""
ROUNDS = 200
CARD_COST = 0.28
"""How much one more card lowers the logarithm of a weight for which nothing was observed."""
PRIOR = 8.0
"""Strength of the prior, in turns."""
LARGEST = 10_000_000
CERTAIN = 1000 * LARGEST
"""The weight of a seat that can lay all its cards."""


def turn_starts(game: Game) -> Numbers:
    """A row for the start of every turn of GAMES games."""
    import numpy as np

    kernels, state = compilation.compiled(huxxy_turns, *hook_modules(game)), records(game, 1)[0]
    scratch, rows = np.zeros(quick_turn.SCRATCH, np.int64), np.zeros(MAX_TURNS * ROW, np.int64)
    parts, seeds = [], np.array([word for i in range(GAMES) for word in seed_words(FIRST_SEED + i)], np.int64)
    for i in range(GAMES):
        n = kernels.record_turn_starts(state, scratch, seeds, rows, i, i + 1)
        parts.append(rows.reshape(-1, ROW)[:n].copy())
        progress(f"{game.name}: {i + 1} of {GAMES} games")
    progress("")
    return np.concatenate(parts)


def prior() -> Numbers:
    """The logarithms of the weights before any data: by the number of cards left."""
    import numpy as np

    logs, cards = np.zeros(JOKER_WEIGHTS), np.arange(HAND_SIZES)
    left = np.maximum(cards[:, None] - np.arange(LAY_COUNTS), 0)
    logs[1:] = np.tile(-CARD_COST * left, (2 * SEATS, 1)).ravel()
    return logs


def chances(logs: Numbers, indices: Numbers) -> Numbers:
    """The chance of every seat, by turn."""
    import numpy as np

    weights = np.exp(logs[indices] - logs[indices].max(1, keepdims=True))
    shares: Numbers = weights / weights.sum(1, keepdims=True)
    return shares


def fit(indices: Numbers, won: Numbers) -> Numbers:
    """The logarithms of the most likely weights, with a prior, by Newton steps."""
    import numpy as np

    start, changes = prior(), np.zeros(JOKER_WEIGHTS)
    for _ in range(ROUNDS):
        expected = chances(start + changes, indices)
        slope = np.bincount(indices.ravel(), (won - expected).ravel(), JOKER_WEIGHTS)
        bend = np.bincount(indices.ravel(), (expected * (1 - expected)).ravel(), JOKER_WEIGHTS)
        changes += 0.6 * (slope - PRIOR * changes) / (bend + 2 * PRIOR)
    return start + changes


def fitted(game: Game) -> list[int]:
    """The weights as integers; prints how well they predict."""
    import numpy as np

    rows = turn_starts(game)
    rows = rows[rows[:, 0] > 0]
    indices, won = rows[:, :SEATS], rows[:, SEATS:] / rows[:, SEATS:].sum(1, keepdims=True)
    held_out = np.arange(len(rows)) >= 0.8 * len(rows)
    logs = fit(indices[~held_out], won[~held_out])
    predicted = np.exp((won[held_out] * np.log(chances(logs, indices[held_out]))).sum(1).mean())
    sentence = f"the winner's predicted chance: {predicted:.1%} in geometric mean (uniform: 25 %)"
    print(f"{game.name}: {len(rows)} turns; {sentence}.", flush=True)
    weights = np.clip(np.round(10_000 * np.exp(logs)), 1, LARGEST).astype(np.int64)
    return [CERTAIN, *weights[1:].tolist()]


def table(weights: list[int]) -> str:
    """The weights of a game as lines of text, a line for each number of cards of each seat."""
    rows = [weights[first : first + LAY_COUNTS] for first in range(1, JOKER_WEIGHTS, LAY_COUNTS)]
    return "\n".join(" ".join(map(str, row)) for row in rows)


def main() -> None:
    """Play, fit and write."""
    lines = [f"{weights[0]}\n{table(weights)}\n" for weights in map(fitted, map(kibitz.game, ("huxxy", "huxxy-bonus")))]
    Path(str(policies.__file__)).with_name("weights.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
