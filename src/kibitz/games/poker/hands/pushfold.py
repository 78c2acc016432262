"""Push or fold heads-up: the equilibrium for stacks of 1 to 20 big blinds, as charts.

    stack       the smaller of the two stacks before the blinds, in big blinds; the small blind is half a big one
    push        by class of hands, the probability that the small blind, which acts first, goes all-in and doesn't fold
    call        by class, the probability that the big blind calls a push and doesn't fold
    chart       the probabilities for all classes (``ranges.NAMES``)
    gap         what both players together could gain by best responses, in big blinds per hand; 0 at the equilibrium

With up to about 8 big blinds, no better strategy than push or fold is known for the small blind; with up to 10, it
loses little. ``pushfold.z`` has the charts for every tenth of a big blind; ``python -m
kibitz.games.poker.hands.pushfold`` makes it.

A fold costs the small blind 0.5 and the big blind 1; after a call, both win or lose the stack by their equity. Card
removal is exact: a card held by one player can't be held by the other.
"""

from __future__ import annotations

import sys
import zlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.errors import NotationError
from kibitz.games.poker.hands import ranges
from kibitz.games.poker.hands.ranges import CLASSES

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


FILE = "pushfold.z"
PROBABILITY_ONE = 200
"""The byte for a probability of 1; smaller bytes are in proportion."""
MAX_GAP = 1.05
"""Ranges of stacks that are less than this apart are joined, in big blinds."""
STACKS = tuple(tenth / 10 for tenth in range(10, 201))


@cache
def stored_charts() -> bytes:
    """For each of STACKS the push chart and the call chart, a byte per class."""
    return zlib.decompress(files(__package__).joinpath(FILE).read_bytes())


def chart(stack: float, *, calling: bool = False) -> tuple[float, ...]:
    """The probability of a push with each class, or of a call, by the chart of the nearest stack.

    Raises NotationError for stacks outside 1 to 20 big blinds.

    >>> from kibitz.games.poker.hands.ranges import NAMES
    >>> chart(10)[NAMES.index("A2o")], chart(10)[NAMES.index("72o")]
    (1.0, 0.0)
    """
    if not STACKS[0] <= stack <= STACKS[-1]:
        raise NotationError(f"the charts are for stacks of 1 to 20 big blinds, not {stack:g}.")
    first = (2 * round(10 * stack - 10) + calling) * CLASSES
    return tuple([byte / PROBABILITY_ONE for byte in stored_charts()[first : first + CLASSES]])


def stacks_of(number: int, *, calling: bool = False) -> list[tuple[float, float]]:
    """The stacks at which a class is mostly pushed, or called: pairs (from, to), the smallest first.

    As in published charts, gaps of up to one big blind are ignored: there the equilibrium folds or mixes because of
    single classes of the opponent, and a push or call is worth hardly less than a fold.

    >>> from kibitz.games.poker.hands.ranges import NAMES
    >>> stacks_of(NAMES.index("63s"))
    [(1.0, 2.3), (5.1, 7.1)]
    """
    result: list[tuple[float, float]] = []
    for stack in STACKS:
        if chart(stack, calling=calling)[number] < 0.5:
            continue
        if result and stack - result[-1][1] < MAX_GAP:
            result[-1] = result[-1][0], stack
        else:
            result.append((stack, stack))
    return result


# The solver


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
    import numpy as np

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
    import numpy as np

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
    import numpy as np

    regret[0] = np.maximum(regret[0] + gain * (1 - policy), 0)
    regret[1] = np.maximum(regret[1] - gain * policy, 0)
    total = regret[0] + regret[1]
    result: Array = np.divide(regret[0], total, out=np.full(len(gain), 0.5), where=total > 0)
    return result


def policy_values(stack: float, push: Array, call: Array, cost: Array, bonus: Array) -> Equilibrium:
    """An Equilibrium of two policies: their value to the small blind, and their gap."""
    import numpy as np

    def value(push: Array, call: Array) -> float:
        return float(push @ (bonus - cost @ call)) - 0.5

    best_push = np.where(bonus - cost @ call > 0, 1.0, 0.0)
    best_call = np.where(push @ cost > 0, 1.0, 0.0)
    return Equilibrium(stack, push, call, value(push, call), value(best_push, call) - value(push, best_call))


def file_content() -> bytes:
    """The compressed charts of all stacks, for ``pushfold.z``; prints its progress."""
    import numpy as np

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
    place = Path(path) if path else Path(__file__).with_name(FILE)
    place.write_bytes(file_content())
    print(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
