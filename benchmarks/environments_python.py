"""Environments that are stepped from Python, one game at a time.

The engine is its kernels in a loop: ``deal``, ``legal``, ``apply``, with a choice by lot.  A step of PettingZoo's raw
environment is ``last()``, a choice by lot from ``legal()``, ``step()``, and ``reset()`` at the end of a game; beside
it stands the same with a choice from the mask, looked for as PettingZoo's own ``performance_benchmark`` does.  A step
of OpenSpiel's is a choice by lot of the seat to move.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import kibitz
from benchmarks.harness import Row, cpu_rate
from kibitz.environments import Stepping, raw, spiel

STEPPED = ("kuhn", "leduc", "go-mini", "go", "eights", "cribbage", "bo", "president", "huxxy", "holdem")
RAW = (*STEPPED, "president-mini", "eights-mini", "cribbage-mini", "bo-mini", "huxxy-mini", "draw-mini")
TURNS = 500


def engine(name: str) -> Callable[[], int]:
    """The engine's kernels in plain Python, as bare as can be: the next game."""
    game, rng, number = kibitz.game(name), random.Random(1), [0]
    legal, apply, choose = game.rules.legal, game.rules.apply, rng.choice

    def play() -> int:
        number[0] += 1
        state, out, steps = game.deal(number[0]), [0] * game.choices, 0
        listed = out[: legal(state, out)]
        while not state.over:
            apply(state, choose(listed))
            listed = out[: legal(state, out)]
            steps += 1
        return steps

    return play


def stepped(name: str) -> Callable[[], int]:
    """The same through ``Stepping``."""
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


def marked(env: Any, agent: str, seen: Any) -> list[int]:
    """What may be chosen, from the mask."""
    found: list[int] = np.flatnonzero(seen["action_mask"]).tolist()
    return found


def listed(env: Any, agent: str, seen: Any) -> list[int]:
    """The same from the environment."""
    found: list[int] = env.legal(agent)
    return found


def turns(name: str, open_to: Callable[[Any, str, Any], list[int]]) -> Callable[[], int]:
    """Some turns of PettingZoo's raw environment."""
    env, rng = raw(name), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        for agent in env.agent_iter(TURNS):
            seen, _, _, _, _ = env.last()
            env.step(rng.choice(open_to(env, agent, seen)))
            if env.terminations[agent]:
                env.reset()
        return TURNS

    return play


def spiel_steps(game: Any, *, tensor: bool = False) -> Callable[[], int]:
    """A game of OpenSpiel's, from Python; the seat to move looks at its tensor first, if asked for."""
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


def found() -> list[Row]:
    """Stepping beside the engine, PettingZoo's raw environments, and our Kuhn poker beside OpenSpiel's in Python."""
    rows = [
        Row(
            f"{name}, stepped from Python, beside the bare engine",
            "steps/s",
            cpu_rate(stepped(name)),
            cpu_rate(engine(name)),
        )
        for name in STEPPED
    ]
    if find_spec("pettingzoo"):
        rows += [
            Row(
                f"{name}, PettingZoo's raw environment, beside a search of its masks",
                "steps/s",
                cpu_rate(turns(name, listed)),
                cpu_rate(turns(name, marked)),
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
