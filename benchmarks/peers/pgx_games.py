"""Pgx's games, stepped with random legal actions on the device that JAX finds, if ``pgx`` is installed.

Kibitz does not need it: ``pip install pgx "jax[cuda13]"`` into the environment adds these figures.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.harness import Probe, rate

AT_ONCE = 10
"""Steps that are compiled into one call."""


def steps(name: str, n: int) -> Probe | None:
    """A probe: steps a second of ``n`` games side by side, dealt again where they end; None without Pgx or a name."""
    if not name or find_spec("pgx") is None:
        return None
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init))

    def turn(state_and_key: Any, _: None) -> Any:
        state, key = state_and_key
        key, choice, chance = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return (step(state, jax.random.categorical(choice, odds), jax.random.split(chance, n)), key), None

    play = jax.jit(lambda carry: jax.lax.scan(turn, carry, None, length=AT_ONCE)[0])
    lanes: list[Any] = []

    def several() -> int:
        if not lanes:
            lanes.append((jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), n)), jax.random.key(2)))
        lanes[0] = jax.block_until_ready(play(lanes[0]))
        return n * AT_ONCE

    return rate(several)
