"""Fits the odds of ``mimic`` to what ``greedy`` does in Go: ``python -m tools.go_habits [GAMES]``.

The odds are fitted to nine tenths of some games among ``greedy`` players and judged by the rest: by the likelihood that
they give to the chosen card, and by how often, in each turn, that card was the likeliest.  The table is printed in the
form that ``kibitz.games.go.policies`` has; the same number of games gives the same table.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz
from benchmarks.harness import progress, whole
from kibitz.games.go import policies
from kibitz.games.go.policies import greedy

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

GAMES, FIRST_SEED = 800, 10**6
STEPS, PACE = 400, 0.05
PRIOR = 2.0
"""Strength of the prior for small weights, in choices."""
POINTS = 13


class Choices(NamedTuple):
    """Choices that were made, a row for each: the cards that could be laid, the index of the chosen one, and the turn.

    The cards are ``places`` (their features) and ``values``.  If fewer than ten cards could be laid, the other columns
    have ``NO_FEATURE`` and ``open`` is False.
    """

    places: Numbers
    values: Numbers
    open: Numbers
    chosen: Numbers
    turns: Numbers

    def rows(self, part: slice) -> Choices:
        """Some of the rows."""
        return Choices(*(column[part] for column in self))


def recorded(games: int, first: int = FIRST_SEED) -> Choices:
    """Every choice of some games among ``greedy`` players, with seeds from ``first`` on."""
    import numpy as np

    game, rows, scratch = kibitz.game("go"), [], [0] * 40
    for seed in range(first, first + games):
        state, random = game.deal(seed), Random(seed)
        while not state.grouping and state.turn < policies.TURNS - 1:
            view, legal = game.view(state, state.player), game.legal(state)
            action = greedy(view, legal, random)
            n = policies.list_features(state, scratch)
            rows.append(
                (*scratch[: 4 * n], *(0, *(policies.NO_FEATURE,) * 3) * (10 - n), legal.index(action), n, state.turn)
            )
            game.rules.apply(state, action)
        progress(f"{seed + 1 - first} of {games} games")
    progress("")
    table = np.array(rows)
    cards = table[:, :40].reshape(-1, 10, 4)
    can_be_laid = np.arange(10) < table[:, 41, None]
    return Choices(cards[:, :, 1:], (cards[:, :, 0] // 4 + 1) / POINTS, can_be_laid, table[:, 40], table[:, 42])


def odds(choices: Choices, weights: Numbers) -> Numbers:
    """The probability of each card, for each choice."""
    import numpy as np

    scores = weights[0][choices.places].sum(2) + weights[1][choices.places].sum(2) * choices.values
    scores = np.exp(np.where(choices.open, scores - scores.max(1, keepdims=True), -np.inf))
    return scores / scores.sum(1, keepdims=True)


def fitted(choices: Choices) -> Numbers:
    """The weights of maximum likelihood, by Adam: a constant for each feature, and a factor for the card's points."""
    import numpy as np

    weights, means, squares = (np.zeros((2, policies.FEATURES)) for _ in range(3))
    chosen = np.arange(10) == choices.chosen[:, None]
    flat = choices.places.ravel()
    for step in range(1, STEPS + 1):
        missing = chosen - odds(choices, weights)
        slopes = np.stack([
            np.bincount(flat, np.repeat(part.ravel(), 3), policies.FEATURES)
            for part in (missing, missing * choices.values)
        ])  # fmt: skip
        slopes -= PRIOR * weights
        slopes[:, policies.NO_FEATURE] = 0
        means = 0.9 * means + 0.1 * slopes
        squares = 0.99 * squares + 0.01 * slopes**2
        pace = PACE * (1 - step / STEPS)
        weights += pace * (means / (1 - 0.9**step)) / (np.sqrt(squares / (1 - 0.99**step)) + 1e-9)
        progress(f"step {step} of {STEPS}")
    progress("")
    return weights


def written(weights: Numbers) -> str:
    """The table as text, a few weights a line."""
    words = [
        f"{round(number * policies.ONE)}/{round(more * policies.ONE / POINTS)}"
        for number, more in weights[:, : policies.NO_FEATURE].T
    ]  # fmt: skip
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > 118:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def main() -> None:
    """Fit, print the table, and say how well it predicts."""
    import numpy as np

    parser = argparse.ArgumentParser(prog="python -m tools.go_habits", description=main.__doc__)
    parser.add_argument("games", type=whole(10), nargs="?", default=GAMES)
    games = parser.parse_args().games

    choices = recorded(games)
    first = games - games // 10
    n_fitted = len(choices.turns) * first // games
    weights = fitted(choices.rows(slice(n_fitted)))
    print(written(weights))
    rest = choices.rows(slice(n_fitted, None))
    probabilities = odds(rest, weights)
    hits = probabilities.argmax(1) == rest.chosen
    mean_log = np.log(probabilities[np.arange(len(hits)), rest.chosen]).mean()
    turns = " ".join(f"{hits[rest.turns == turn].mean():.0%}" for turn in range(policies.TURNS - 1))
    progress("")
    print(
        f"In {games - first} other games {len(hits)} choices:"
        f" a likelihood of {np.exp(mean_log):.3f} each (geometric mean);"
        f" the likeliest card was laid, by turn, in {turns}.",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
