"""Games of a network against itself, many side by side, and what came of its choices.

lane        where one game after another is played (``VectorGames``)
round       from one deal to the next; what a choice is worth is what its seat gets for the round
row         one choice: what was seen, the action, the seat, and the number of the round
memory      the latest ROOM rows, a ring: a row is fit to learn from once its round is over
"""

import numpy as np

from kibitz.environments import VectorGames
from kibitz.search.network_inputs import Inputs

SCRATCH = 1 << 17
ROUNDS = 1 << 16
"""The results of so many rounds are kept, more than the rows of the memory come from."""
KEPT = ("seen", "taken", "seats", "numbers", "results", "rounds", "before")
COUNTED = ("rows", "begun", "finished")


def best_of(worth, counts):
    """Of values that belong to one choice after another, ``counts`` to each, the place of the highest of each."""
    first = np.cumsum(counts) - counts
    highest = np.flatnonzero(worth >= np.repeat(np.maximum.reduceat(worth, first), counts))
    return highest[np.searchsorted(highest, first)]


def worth_of(points):
    """What the points of a round are worth, 0 to 1: half of it for the President alone, half of it by points."""
    return np.float32(0.5) * (points == 2) + (points + np.float32(2)) / 8


class SelfPlay:
    """``n`` games of President side by side, in which one network plays all seats.

    ``finished`` counts rounds, ``rows`` choices where there was more than one.
    """

    def __init__(self, game, n, seed):
        self.games = VectorGames(game, n, seed=seed)
        self.inputs, self.random = Inputs(self.games.game), np.random.default_rng(seed)
        seats = self.games.game.seats
        self.seen = np.zeros((SCRATCH, self.inputs.view_cells), np.int8)
        self.taken = np.zeros((SCRATCH, self.inputs.action_cells), np.int8)
        self.seats, self.numbers = np.zeros(SCRATCH, np.int64), np.zeros(SCRATCH, np.int64)
        self.results = np.full((ROUNDS, seats), np.nan, np.float32)
        self.rounds, self.before = np.arange(n), np.zeros((n, seats), np.int64)
        self.rows, self.begun, self.finished = 0, n, 0

    def step(self, values, curious):
        """One step in all lanes: the action that ``values`` says is worth most, or with probability ``curious`` any."""
        games = self.games
        starts, counts = games.starts[:-1], games.counts
        choices, lanes = games.legal_actions[starts], np.flatnonzero(counts > 1)
        if lanes.size:
            many = counts[lanes]
            rows = np.repeat(np.arange(lanes.size), many)
            actions = games.legal_actions[np.repeat(counts > 1, counts)]
            tensors = games.observations[lanes]
            seen, taken = self.inputs.of_tensors(tensors), self.inputs.of_actions(tensors, rows, actions)
            pick = best_of(values(seen, taken, rows), many)
            odd = np.flatnonzero(self.random.random(lanes.size) < curious)
            pick[odd] = (np.cumsum(many) - many)[odd] + self.random.integers(many[odd])
            choices[lanes] = actions[pick]
            self.remember(seen, taken[pick], games.seat[lanes], self.rounds[lanes])
        rounds = games.states["round"].copy()
        games.step(choices)
        self.settle(np.flatnonzero(games.over | (games.states["round"] != rounds)))

    def remember(self, seen, taken, seats, numbers):
        """Rows in the place of the oldest."""
        at = (self.rows + np.arange(len(seats))) % SCRATCH
        self.seen[at], self.taken[at], self.seats[at], self.numbers[at] = seen, taken, seats, numbers
        self.rows += len(seats)

    def settle(self, ended):
        """Write down what came of the rounds that have ended in some lanes, and number those that begin there."""
        games = self.games
        over = games.over[ended, None]
        scores = games.states["score"][ended, : games.game.seats]
        earned = np.where(over, games.rewards[ended], scores) - self.before[ended]
        self.before[ended] = np.where(over, 0, scores)
        self.results[self.rounds[ended] % ROUNDS] = worth_of(earned)
        self.rounds[ended] = self.begun + np.arange(ended.size)
        self.results[self.rounds[ended] % ROUNDS] = np.nan
        self.begun += ended.size
        self.finished += ended.size

    def drawn(self, count):
        """Random rows whose rounds are over, at most ``count``: what was seen, the action, and what it came to."""
        at = self.random.integers(max(1, min(self.rows, SCRATCH)), size=count)
        worth = self.results[self.numbers[at] % ROUNDS, self.seats[at]]
        fit = ~np.isnan(worth)
        return self.seen[at[fit]], self.taken[at[fit]], worth[fit]

    def arrays(self):
        """The arrays that say where everything stands, by name."""
        games = {f"games.{name}": array for name, array in self.games.snapshot().items()}
        return games | {name: getattr(self, name) for name in KEPT}

    def snapshot(self):
        """All that is needed to go on from here: numbers, texts and the bytes of arrays."""
        told = {name: array.tobytes() for name, array in self.arrays().items()}
        return {
            "arrays": told,
            "lots": self.random.bit_generator.state,
            **{name: getattr(self, name) for name in COUNTED},
        }

    def restore(self, snapshot):
        """Go on from a snapshot of the same games."""
        found = {
            name: np.frombuffer(snapshot["arrays"][name], array.dtype).reshape(array.shape)
            for name, array in self.arrays().items()
        }
        self.games.restore({name.partition(".")[2]: array for name, array in found.items() if "." in name})
        self.random.bit_generator.state = snapshot["lots"]
        for name in KEPT:
            getattr(self, name)[:] = found[name]
        for name in COUNTED:
            setattr(self, name, snapshot[name])


def share_of_wins(values, games, seed):
    """How often a network comes first among three ``quick`` in about so many rounds, with half the 95 % interval."""
    table = VectorGames("president:rounds=1", 256, ["learner", "quick", "quick", "quick"], seed, rotate=True)
    inputs, won = Inputs(table.game), []
    while len(won) < games:
        rows = np.repeat(np.arange(table.n), table.counts)
        taken = inputs.of_actions(table.observations, rows, table.legal_actions)
        seats, own = (
            table.seat.copy(),
            best_of(values(inputs.of_tensors(table.observations), taken, rows), table.counts),
        )
        table.step(table.legal_actions[own])
        ended = np.flatnonzero(table.over)
        won += (table.rewards[ended, seats[ended]] == 2).tolist()
    share = sum(won) / len(won)
    return share, 1.96 * (share * (1 - share) / len(won)) ** 0.5
