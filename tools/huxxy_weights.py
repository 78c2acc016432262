"""What seats of Huxxy have of the chances to win where a turn begins: writes ``src/kibitz/games/huxxy/weights.txt``.

``python -m tools.huxxy_weights`` plays GAMES games of Huxxy and as many of the Joker game in machine code, among
four who play the turns of quick_turn, and finds the weights by which who won is likeliest: a seat's chance is its
weight, of the weights of all.  The last fifth of the turns is left out, and says how well they foretell.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz
from benchmarks.harness import progress
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.kernels.policies import modules_of
from kibitz.games.huxxy import policies, quick_turn
from kibitz.games.huxxy.policies import JOKER_WEIGHTS, LAYS, SIZES
from tools import huxxy_turns
from tools.huxxy_turns import ROW, SEATS

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

GAMES = 60_000
FIRST_SEED = 6_000_000
MAX_TURNS = 200
"""Of a game: so many cards can be laid and picked up at most, one a turn at least."""
ROUNDS = 200
A_CARD = 0.28
"""By so much the logarithm of a weight is less for a card more, where nothing was met."""
DRAWN = 8.0
"""So many turns of little news are added to each weight."""
LARGEST = 10_000_000
SURE = 1000 * LARGEST
"""The weight of who can lay all that it holds."""


def beginnings(game: Game) -> Numbers:
    """A row for every turn of some games."""
    import numpy as np

    kernels, state = compilation.compiled(huxxy_turns, *modules_of(game)), records(game, 1)[0]
    scratch, rows = np.zeros(quick_turn.SCRATCH, np.int64), np.zeros(MAX_TURNS * ROW, np.int64)
    found, seeds = [], np.array([word for i in range(GAMES) for word in seed_words(FIRST_SEED + i)], np.int64)
    for i in range(GAMES):
        n = kernels.beginnings(state, scratch, seeds, rows, i, i + 1)
        found.append(rows.reshape(-1, ROW)[:n].copy())
        progress(f"{game.name}: {i + 1} of {GAMES} games")
    progress("")
    return np.concatenate(found)


def guessed() -> Numbers:
    """The logarithms of weights before anything is known: by the cards that are left."""
    import numpy as np

    logs, cards = np.zeros(JOKER_WEIGHTS), np.arange(SIZES)
    left = np.maximum(cards[:, None] - np.arange(LAYS), 0)
    logs[1:] = np.tile(-A_CARD * left, (2 * SEATS, 1)).ravel()
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

    guess, more = guessed(), np.zeros(JOKER_WEIGHTS)
    for _ in range(ROUNDS):
        expected = chances(guess + more, known)
        slope = np.bincount(known.ravel(), (won - expected).ravel(), JOKER_WEIGHTS)
        bend = np.bincount(known.ravel(), (expected * (1 - expected)).ravel(), JOKER_WEIGHTS)
        more += 0.6 * (slope - DRAWN * more) / (bend + 2 * DRAWN)
    return guess + more


def fitted(game: Game) -> list[int]:
    """The weights as whole numbers; how well they foretell is printed."""
    import numpy as np

    rows = beginnings(game)
    rows = rows[rows[:, 0] > 0]
    known, won = rows[:, :SEATS], rows[:, SEATS:] / rows[:, SEATS:].sum(1, keepdims=True)
    last = np.arange(len(rows)) >= 0.8 * len(rows)
    logs = likeliest(known[~last], won[~last])
    foretold = np.exp((won[last] * np.log(chances(logs, known[last]))).sum(1).mean())
    print(f"{game.name}: {len(rows)} turns; a seat that won was foretold by {foretold:.1%}, by lot 25 %.", flush=True)
    found = np.clip(np.round(10_000 * np.exp(logs)), 1, LARGEST).astype(np.int64)
    return [SURE, *found[1:].tolist()]


def table(found: list[int]) -> str:
    """The weights of a game as lines of text, a line for each number of cards of each seat."""
    rows = [found[at : at + LAYS] for at in range(1, JOKER_WEIGHTS, LAYS)]
    return "\n".join(" ".join(map(str, row)) for row in rows)


def main() -> None:
    """Play, fit and write."""
    lines = [f"{found[0]}\n{table(found)}\n" for found in map(fitted, map(kibitz.game, ("huxxy", "huxxy-bonus")))]
    Path(str(policies.__file__)).with_name("weights.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
