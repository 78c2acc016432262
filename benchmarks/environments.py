"""The vector environment on one core, observations and legal actions included, beside random games and other systems.

A step of ours includes everything: a random legal action is drawn, observed and carried out, finished games are dealt
again, the tensor of the seat to move is written and its legal actions are listed.  A step of the peer is the one in its
documentation: ``apply_action`` with a random legal action and ``observation_tensor``, and a new state after the end.

For environments that are stepped from Python, one game at a time:

The engine is its kernels in a loop: ``deal``, ``legal``, ``apply``, with a random choice.  A step of PettingZoo's raw
environment is ``last()``, a random choice from ``legal()``, ``step()``, and ``reset()`` at the end of a game; its peer
chooses from the mask, as PettingZoo's own ``performance_benchmark`` does.  A step of OpenSpiel is a random choice of
the seat to move.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import kibitz
from benchmarks.harness import Probe, Row, Rows, cpu_rate
from kibitz.environments import Stepping, VectorGames, raw, spiel

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
"""A game, and the same or a similar one in OpenSpiel."""
AGAINST = ("eights", ["learner", "quick", "quick", "quick"])


def stepped(name: str, players: list[str] | None = None) -> Callable[[], int]:
    """A function that steps all lanes and returns their number."""
    games, rng = VectorGames(name, LANES, players), np.random.default_rng(1)

    def step() -> int:
        games.step(games.random_choices(rng))
        return LANES

    return step


def random_steps(name: str) -> Callable[[], int]:
    """A function that plays random games with the batch engine, on one core, and returns the number of actions."""
    game, number = kibitz.game(name), [0]

    def play() -> int:
        number[0] += 1
        return int(kibitz.random_games(game, BATCH, number[0], threads=1).steps.sum())

    return play


def peer(name: str) -> Probe | None:
    """A probe: steps a second of OpenSpiel from Python, with the observation tensor of the seat to move."""
    if not name or not find_spec("pyspiel"):
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    return cpu_rate(spiel_steps(game, tensor=game.get_type().provides_observation_tensor))


def rows() -> Rows:
    """Rows of the vector environment, of random games, and of environments stepped from Python."""
    table_rows = []
    for name, other in GAMES:
        table_rows.append(Row(f"{name}, {LANES} games at once", "steps/s", cpu_rate(stepped(name)), peer(other), 1e6))
    name, players = AGAINST
    table_rows.append(Row(f"{name}, one learner against three of quick", "steps/s", cpu_rate(stepped(name, players))))
    for name, _ in GAMES:
        asked = 5e6 if name == "leduc" else None
        table_rows.append(Row(f"{name}, random games", "steps/s", cpu_rate(random_steps(name)), None, asked))
    note = "By CPU time. The peer is OpenSpiel from Python, one game at a time, where it has the game or one like it."
    return table_rows + python_rows(), [note]


STEPPED = ("kuhn", "leduc", "go-mini", "go", "eights", "cribbage", "bo", "president", "huxxy", "holdem")
RAW = (*STEPPED, "president-mini", "eights-mini", "cribbage-mini", "bo-mini", "huxxy-mini", "draw-mini")
TURNS = 500


def engine(name: str) -> Callable[[], int]:
    """A function that plays the next game with the kernels in plain Python, and returns the number of actions."""
    game, rng, number = kibitz.game(name), random.Random(1), [0]
    legal, apply, choose = game.rules.legal, game.rules.apply, rng.choice

    def play() -> int:
        number[0] += 1
        state, out, steps = game.deal(number[0]), [0] * game.max_legal, 0
        listed = out[: legal(state, out)]
        while not state.over:
            apply(state, choose(listed))
            listed = out[: legal(state, out)]
            steps += 1
        return steps

    return play


def stepped_alone(name: str) -> Callable[[], int]:
    """A function that plays the next game through ``Stepping``, and returns the number of actions."""
    stepping, rng, number = Stepping(name), random.Random(1), [0]
    choose = rng.choice

    def play() -> int:
        number[0] += 1
        steps = 0
        stepping.reset(number[0])
        while not stepping.over:
            stepping.step(choose(stepping.legal))
            steps += 1
        return steps

    return play


def legal_by_mask(env: Any, agent: str, observation: Any) -> list[int]:
    """The legal actions, from the mask."""
    actions: list[int] = np.flatnonzero(observation["action_mask"]).tolist()
    return actions


def legal_by_list(env: Any, agent: str, observation: Any) -> list[int]:
    """The legal actions, from the environment's list."""
    actions: list[int] = env.legal(agent)
    return actions


def turns(name: str, legal_actions: Callable[[Any, str, Any], list[int]]) -> Callable[[], int]:
    """A function that plays ``TURNS`` turns of PettingZoo's raw environment."""
    env, rng = raw(name), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        for agent in env.agent_iter(TURNS):
            observation, _, _, _, _ = env.last()
            env.step(rng.choice(legal_actions(env, agent, observation)))
            if env.terminations[agent]:
                env.reset()
        return TURNS

    return play


def spiel_steps(game: Any, *, tensor: bool = False) -> Callable[[], int]:
    """A function that plays a game of OpenSpiel from Python; with ``tensor`` each seat gets its tensor first."""
    rng = random.Random(1)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(numbers, odds)[0])
            else:
                if tensor:
                    np.asarray(state.observation_tensor())
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


def python_rows() -> list[Row]:
    """Rows of stepping beside the engine, PettingZoo's raw environments, and Kuhn poker here and in OpenSpiel."""
    rows = [
        Row(
            f"{name}, stepped from Python, beside the bare engine",
            "steps/s",
            cpu_rate(stepped_alone(name)),
            cpu_rate(engine(name)),
        )
        for name in STEPPED
    ]
    if find_spec("pettingzoo"):
        rows += [
            Row(
                f"{name}, PettingZoo's raw environment, beside a search of its masks",
                "steps/s",
                cpu_rate(turns(name, legal_by_list)),
                cpu_rate(turns(name, legal_by_mask)),
                1e5,
            )
            for name in RAW
        ]
    if find_spec("pyspiel"):
        from open_spiel.python.games import kuhn_poker

        ours, theirs = spiel.load("kuhn"), kuhn_poker.KuhnPokerGame()
        what = "kuhn as one of OpenSpiel's, beside its own in Python"
        rows.append(Row(what, "steps/s", cpu_rate(spiel_steps(ours)), cpu_rate(spiel_steps(theirs))))
    return rows
