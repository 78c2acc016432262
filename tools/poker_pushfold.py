"""Computes the charts of push or fold: ``python -m tools.poker_pushfold [FILE]``.

    gap         what both players together could gain by best responses, in big blinds per hand; 0 at the equilibrium

A fold costs the small blind 0.5 and the big blind 1; after a call, both win or lose the stack by their equity. Card
removal is exact: a card held by one player can't be held by the other.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.games.poker.hands import pushfold, ranges
from kibitz.games.poker.hands.pushfold import FILE, PROBABILITY_ONE, STACKS

Array = np.ndarray[Any, Any]
ITERATIONS = 20_000
GAP_TOLERANCE = 1e-7
"""A gap below this many big blinds per hand counts as zero."""
CHECK_INTERVAL = 250
"""The number of iterations between two checks of the gap."""


class Equilibrium(NamedTuple):
    """The policies of both seats for one stack, the value of the game to the small blind, and the gap."""

    stack: float
    push: Array
    call: Array
    value: float
    gap: float


class Weights(NamedTuple):
    """By class of the small blind and class of the big blind: the share of all deals, and that times 2 * equity - 1."""

    deals: Array
    edges: Array


def weights() -> Weights:
    """The weights of all matchups; the shares of deals sum to 1."""
    deals, edges = (np.zeros((ranges.CLASSES, ranges.CLASSES)) for _ in range(2))
    for first in range(ranges.CLASSES):
        for second in range(ranges.CLASSES):
            result = ranges.matchup(first, second)
            deals[first, second] = result.deals
            edges[first, second] = result.deals * (2 * result.equity - 1)
    total = deals.sum()
    return Weights(deals / total, edges / total)


def solve(stack: float, matchup_weights: Weights) -> Equilibrium:
    """The equilibrium for one stack, by CFR+ until the gap is closed."""
    # By class, the gain from a push over a fold if nobody calls; by pair of classes, how much less it gains if called.
    bonus = 1.5 * matchup_weights.deals.sum(axis=1)
    cost = matchup_weights.deals - stack * matchup_weights.edges
    regrets = np.zeros((2, 2, ranges.CLASSES))
    weighted_sums = np.zeros((2, ranges.CLASSES))
    push = call = np.full(ranges.CLASSES, 0.5)
    weight = 0.0
    for t in range(1, ITERATIONS + 1):
        push = next_policy(regrets[0], bonus - cost @ call, push)
        call = next_policy(regrets[1], push @ cost, call)
        weighted_sums += t * np.array([push, call])
        weight += t
        if t % CHECK_INTERVAL == 0 or t == ITERATIONS:
            mean_push, mean_call = weighted_sums / weight
            result = policy_values(stack, mean_push, mean_call, cost, bonus)
            if result.gap < GAP_TOLERANCE:
                break
    return result


def next_policy(regret: Array, gain: Array, policy: Array) -> Array:
    """The next policy by regret matching; ``gain`` is the gain over a fold.  Updates ``regret``."""
    regret[0] = np.maximum(regret[0] + gain * (1 - policy), 0)
    regret[1] = np.maximum(regret[1] - gain * policy, 0)
    total = regret[0] + regret[1]
    result: Array = np.divide(regret[0], total, out=np.full(len(gain), 0.5), where=total > 0)
    return result


def policy_values(stack: float, push: Array, call: Array, cost: Array, bonus: Array) -> Equilibrium:
    """An Equilibrium of two policies: their value to the small blind, and their gap."""

    def value(push: Array, call: Array) -> float:
        return float(push @ (bonus - cost @ call)) - 0.5

    best_push = np.where(bonus - cost @ call > 0, 1.0, 0.0)
    best_call = np.where(push @ cost > 0, 1.0, 0.0)
    return Equilibrium(stack, push, call, value(push, call), value(best_push, call) - value(push, best_call))


def file_content() -> bytes:
    """The compressed charts of all stacks, for ``pushfold.z``; prints its progress."""
    matchup_weights, rows = weights(), []
    for number, stack in enumerate(STACKS, 1):
        equilibrium = solve(stack, matchup_weights)
        for policy in (equilibrium.push, equilibrium.call):
            rows.append(np.rint(policy * PROBABILITY_ONE).astype(np.uint8).tobytes())
        print(f"\r{number} of {len(STACKS)} stacks", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return zlib.compress(b"".join(rows), 9)


def main(path: str = "") -> None:
    """Write the charts to ``path``, by default to the package's own file."""
    place = Path(path) if path else Path(pushfold.__file__).with_name(FILE)
    place.write_bytes(file_content())
    print(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
