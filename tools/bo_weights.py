"""What seats of Bo have of the chances to win where a turn begins: writes ``src/kibitz/games/bo/weights.txt``.

``python -m tools.bo_weights`` plays ``GAMES`` games among four ``greedy`` in machine code, and finds the weights
by which who won is likeliest: a seat's chance is its weight, of the weights of all.  Every fifth turn is left out, and
says how well they foretell.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz
from kibitz.engine.game import seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.games.bo import leaf_values, policies, turn_search
from kibitz.games.bo.policies import NEAR, SIZES
from tools import bo_turns

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

GAMES = 20_000
FIRST_SEED = 700_000
MAX_TURNS = 80
TRIES = 100
"""So many plays are looked at for a turn."""
ROUNDS = 400
SEATS = 4
LEAST, LARGEST = 100, 10_000_000
"""The weight of who is worst off, and no weight is larger."""
DRAWN = 5.0
"""So many turns of little news are added to each weight: who has hardly been met stays near the others."""


def beginnings(games: int) -> Numbers:
    """A row for every turn of the games that somebody won."""
    import numpy as np

    game = kibitz.game("bo")
    seeds = np.array([word for i in range(games) for word in seed_words(FIRST_SEED + i)], np.int64)
    out, scratch = np.zeros(games * MAX_TURNS * bo_turns.TURN, np.int64), np.zeros(turn_search.SCRATCH, np.int64)
    scratch[: leaf_values.PARAMETERS] = leaf_values.GREEDY
    scratch[leaf_values.LEAF_LIMIT], scratch[turn_search.TRY_LIMIT] = 1, TRIES
    play = compilation.compiled(bo_turns, game.rules, policies).beginnings
    n = play(records(game, 1)[0], scratch, np.zeros(16, np.int64), seeds, out, 0, games)
    found: Numbers = out.reshape(-1, bo_turns.TURN)[:n]
    return found[found[:, 8] >= 0]


def cells(turns: Numbers) -> Numbers:
    """For every turn the numbers of its four weights."""
    import numpy as np

    near = np.minimum(turns[:, 1:8:2], NEAR - 1)
    near[:, 0] = turns[:, 9]
    return NEAR * (SIZES * np.arange(SEATS) + turns[:, 0:8:2] - 1) + near


def chances(logs: Numbers, known: Numbers) -> Numbers:
    """By turn, the chance of every seat."""
    import numpy as np

    found = np.exp(logs[known] - logs[known].max(1, keepdims=True))
    shares: Numbers = found / found.sum(1, keepdims=True)
    return shares


def likeliest(turns: Numbers) -> Numbers:
    """The logarithms of the weights by which who won is likeliest, by Newton's way, one weight at a time."""
    import numpy as np

    known, many = cells(turns), NEAR * SIZES * SEATS
    won, logs = np.eye(SEATS)[turns[:, 8]], np.zeros(many)
    for _ in range(ROUNDS):
        expected = chances(logs, known)
        slope = np.bincount(known.ravel(), (won - expected).ravel(), many)
        bend = np.bincount(known.ravel(), (expected * (1 - expected)).ravel(), many)
        logs += 0.7 * (slope - 1e-3 * logs) / (bend + DRAWN)
    return logs - logs[np.bincount(known.ravel(), minlength=many) > 0].min()


def main() -> None:
    """Play, fit and write."""
    import numpy as np

    turns = beginnings(GAMES)
    left_out = np.random.default_rng(1).random(len(turns)) >= 0.8
    logs = likeliest(turns[~left_out])
    known, won = cells(turns[left_out]), turns[left_out][:, 8]
    foretold = chances(logs, known)[np.arange(len(won)), won]
    print(f"{len(turns)} turns; a seat that won was foretold by {np.exp(np.log(foretold).mean()):.1%}, by lot 25 %.")
    found = np.clip(np.round(LEAST * np.exp(logs)), 1, LARGEST).astype(int).tolist()
    rows = [" ".join(map(str, found[k : k + NEAR])) for k in range(0, len(found), NEAR)]
    Path(str(policies.__file__)).with_name("weights.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
