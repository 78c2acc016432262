"""Fits each seat's chance to win at the beginning of a turn of Bo: writes ``src/kibitz/games/bo/weights.txt``.

``python -m tools.bo_weights`` plays ``GAMES`` games among four ``greedy`` in machine code and finds the weights of
maximum likelihood: a seat's chance is its weight divided by the sum of all four.  A random fifth of the turns is held
out to measure how well the weights predict the winner.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz
from kibitz.engine.game import seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.games.bo import leaf_values, policies, turn_search
from kibitz.games.bo.policies import NEARNESSES, STOCKPILE_SIZES
from tools import bo_turns

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

GAMES = 20_000
FIRST_SEED = 700_000
MAX_TURNS = 80
TRIES = 100
"""Plays that the search looks at in a turn."""
ROUNDS = 400
SEATS = 4
LEAST, LARGEST = 100, 10_000_000
"""The smallest weight, and the upper limit of the largest."""
PRIOR = 5.0
"""Strength of the prior, in turns: a weight with few observations stays near the others."""


def turn_starts(games: int) -> Numbers:
    """A row for the start of every turn, in games that somebody won."""
    import numpy as np

    game = kibitz.game("bo")
    seeds = np.array([word for i in range(games) for word in seed_words(FIRST_SEED + i)], np.int64)
    out, scratch = np.zeros(games * MAX_TURNS * bo_turns.TURN, np.int64), np.zeros(turn_search.SCRATCH, np.int64)
    scratch[: leaf_values.PARAMETERS] = leaf_values.GREEDY
    scratch[leaf_values.LEAF_LIMIT], scratch[turn_search.TRY_LIMIT] = 1, TRIES
    play = compilation.compiled(bo_turns, game.rules, policies).record_turn_starts
    n = play(records(game, 1)[0], scratch, np.zeros(16, np.int64), seeds, out, 0, games)
    rows: Numbers = out.reshape(-1, bo_turns.TURN)[:n]
    return rows[rows[:, 8] >= 0]


def cells(turns: Numbers) -> Numbers:
    """The indices of the four weights of each turn."""
    import numpy as np

    nearness = np.minimum(turns[:, 1:8:2], NEARNESSES - 1)
    nearness[:, 0] = turns[:, 9]
    return NEARNESSES * (STOCKPILE_SIZES * np.arange(SEATS) + turns[:, 0:8:2] - 1) + nearness


def chances(logs: Numbers, indices: Numbers) -> Numbers:
    """The chance of every seat, by turn."""
    import numpy as np

    weights = np.exp(logs[indices] - logs[indices].max(1, keepdims=True))
    shares: Numbers = weights / weights.sum(1, keepdims=True)
    return shares


def fit(turns: Numbers) -> Numbers:
    """The logarithms of the maximum-likelihood weights, by Newton steps for one weight at a time."""
    import numpy as np

    indices, n_weights = cells(turns), NEARNESSES * STOCKPILE_SIZES * SEATS
    won, logs = np.eye(SEATS)[turns[:, 8]], np.zeros(n_weights)
    for _ in range(ROUNDS):
        expected = chances(logs, indices)
        slope = np.bincount(indices.ravel(), (won - expected).ravel(), n_weights)
        bend = np.bincount(indices.ravel(), (expected * (1 - expected)).ravel(), n_weights)
        logs += 0.7 * (slope - 1e-3 * logs) / (bend + PRIOR)
    return logs - logs[np.bincount(indices.ravel(), minlength=n_weights) > 0].min()


def main() -> None:
    """Play, fit and write."""
    import numpy as np

    turns = turn_starts(GAMES)
    held_out = np.random.default_rng(1).random(len(turns)) >= 0.8
    logs = fit(turns[~held_out])
    indices, won = cells(turns[held_out]), turns[held_out][:, 8]
    predicted = chances(logs, indices)[np.arange(len(won)), won]
    mean = np.exp(np.log(predicted).mean())
    print(f"{len(turns)} turns; the winner's predicted chance: {mean:.1%} in geometric mean (uniform: 25 %).")
    weights = np.clip(np.round(LEAST * np.exp(logs)), 1, LARGEST).astype(int).tolist()
    rows = [" ".join(map(str, weights[k : k + NEARNESSES])) for k in range(0, len(weights), NEARNESSES)]
    Path(str(policies.__file__)).with_name("weights.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
