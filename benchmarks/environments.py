"""The vector environment on one core, observations and legal actions included, beside random games and other systems.

A step of ours is everything: a legal choice is drawn by lot, looked at and carried out, finished games are dealt anew,
the tensor of the seat to move is written and its legal actions are listed.  A step of the peer is what its
documentation shows: ``apply_action`` with a random legal action and ``observation_tensor``, a new state after the last.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

import kibitz
from benchmarks import environments_python
from benchmarks.harness import Probe, Row, Rows, cpu_rate
from kibitz.environments import VectorGames

LANES = 512
BATCH = 2_000
GAMES: tuple[tuple[str, str], ...] = (
    ("leduc", "leduc_poker"),
    ("kuhn", "kuhn_poker"),
    ("go", ""),
    ("go-mini", ""),
    ("eights", "crazy_eights(players=4)"),
    ("cribbage", ""),
    ("president:rounds=1", ""),
    ("holdem", ""),
    ("bo", ""),
    ("huxxy", ""),
)
"""A game, and the same or the like in OpenSpiel."""
AGAINST = ("eights", ["learner", "quick", "quick", "quick"])


def stepped(name: str, players: list[str] | None = None) -> Callable[[], int]:
    """A step of all lanes."""
    games, rng = VectorGames(name, LANES, players), np.random.default_rng(1)

    def step() -> int:
        games.step(games.drawn(rng))
        return LANES

    return step


def random_steps(name: str) -> Callable[[], int]:
    """Some random games by the batch engine, on one core: how many actions."""
    game, number = kibitz.game(name), [0]

    def play() -> int:
        number[0] += 1
        return int(kibitz.random_games(game, BATCH, number[0], threads=1).steps.sum())

    return play


def peer(name: str) -> Probe | None:
    """Steps of OpenSpiel from Python, with the observation tensor of the seat to move."""
    if not name or not find_spec("pyspiel"):
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    return cpu_rate(environments_python.spiel_steps(game, tensor=game.get_type().provides_observation_tensor))


def rows() -> Rows:
    """Steps a second of the vector environment and of random games."""
    found = []
    for name, other in GAMES:
        found.append(Row(f"{name}, {LANES} games at once", "steps/s", cpu_rate(stepped(name)), peer(other), 1e6))
    name, players = AGAINST
    found.append(Row(f"{name}, one learner against three of quick", "steps/s", cpu_rate(stepped(name, players))))
    for name, _ in GAMES:
        asked = 5e6 if name == "leduc" else None
        found.append(Row(f"{name}, random games", "steps/s", cpu_rate(random_steps(name)), None, asked))
    told = "By CPU time. The peer is OpenSpiel from Python, one game at a time, where it has the game or one like it."
    return found + environments_python.found(), [told]
