"""Solvers: CFR+, discounted CFR and external-sampling MCCFR, with exact best responses.

    policy      by choice of the tree, its probability
    value       by seat, the value of the game if everybody follows a policy
    response    by seat, the value of its best response to the others' policies
    exploitability      the gain of a best response, averaged over the seats: 0 at an equilibrium

In two-seat zero-sum games, a policy with low exploitability loses little to any opponent.  With more seats these
methods usually lower the exploitability as well, but without a guarantee.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from kibitz.cards import short_repr
from kibitz.engine import file_io
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import standalone_rng
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.engine.views.events import View
from kibitz.engine.views.plain import plain
from kibitz.errors import NotationError, SeatError, cause
from kibitz.executors import Executor, map_unordered
from kibitz.executors.mapping import add_value
from kibitz.search import cfr_kernels
from kibitz.search.game_tree import Tree

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

METHODS = ("cfr+", "dcfr", "mccfr")
"""CFR+ and discounted CFR visit the whole tree in each iteration, MCCFR a sample."""
LARGEST_FILE = 1 << 30
ROUNDING = 1e-5
"""How far the probabilities in an information set may be from adding up to 1."""
ITERATIONS_PER_REPORT = {"cfr+": 100, "dcfr": 100, "mccfr": 10_000}
"""The number of iterations between two reports of progress."""


@dataclass(frozen=True)
class Solution:
    """A policy for a tree, with the value of the game and of a best response for each seat, in the tree's units."""

    tree: Tree
    policy: np.ndarray[Any, Any]
    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """How much more a best response wins than the policy, on average over the seats."""
        gains = (best - value for best, value in zip(self.responses, self.values, strict=True))
        return sum(gains) / len(self.values)


def check_method(method: object) -> None:
    """Raise NotationError for an unknown method."""
    if method not in METHODS:
        raise NotationError(f"{short_repr(method)} isn't a method; known methods: {', '.join(METHODS)}.")


def solve(
    tree: Tree,
    method: str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> Solution:
    """The average policy after some iterations of ``method``, one of METHODS, with its values.

    ``seed`` determines MCCFR's samples; ``progress`` is called now and then with the number of iterations done. Raises
    NotationError for an unknown method or a number of iterations below 1. MCCFR can run on an ``executor``, in blocks
    with samples of their own: the result is the same on every executor.
    """
    check_tree(tree)
    check_method(method)
    if iterations < 1:
        raise NotationError(f"iterations must be 1 or more, not {short_repr(iterations)}.")
    if executor is not None:
        if method != "mccfr":
            raise NotationError(f"{method} needs the whole tree in one place: only mccfr can be distributed.")
        return policy_value(tree, mccfr_in_blocks(tree, iterations, seed, executor, progress))
    import numpy as np

    kernels = compilation.compiled(cfr_kernels)
    regret, total, policy = (np.zeros(tree.choices) for _ in range(3))
    kernels.match_regrets(tree.start, len(tree.sets), regret, policy)
    work = [np.zeros(tree.nodes) for _ in range(3)]
    s = standalone_rng(seed)
    queue = np.zeros(tree.nodes, np.int64)
    for first, last in chunks(iterations, ITERATIONS_PER_REPORT[method]):
        if method == "mccfr":
            seats = tree.game.seats
            kernels.run_mccfr(s, *tree.arrays, first, last, seats, regret, total, policy, work[0], queue)
        else:
            size = tree.nodes, len(tree.sets), tree.game.seats
            method_number = METHODS.index(method)
            gain = np.zeros(tree.choices)
            kernels.run_cfr(
                *tree.arrays, *size, tree.level, first, last, method_number, regret, total, policy, *work, gain
            )  # fmt: skip
        if progress:
            progress(last - 1)
    kernels.match_regrets(tree.start, len(tree.sets), total, policy)
    return policy_value(tree, policy)


def chunks(iterations: int, length: int) -> Iterator[tuple[int, int]]:
    """Split iterations 1 to ``iterations`` into chunks of at most ``length``; yields (first, last + 1) of each."""
    for first in range(1, iterations + 1, length):
        yield first, min(first + length, iterations + 1)


def check_tree(tree: object) -> None:
    """Raise NotationError unless this is a game's tree."""
    if not isinstance(tree, Tree):
        raise NotationError(f"tree must be a game's tree, such as tree_of('kuhn'), not {short_repr(tree)}.")


def checked_policy(tree: Tree, policy: object) -> Numbers:
    """A policy as an array. Raises NotationError unless it has a probability for every choice of the tree."""
    import numpy as np

    check_tree(tree)
    try:
        numbers = np.asarray(policy, float)
    except (TypeError, ValueError):
        numbers = None
    if numbers is None or numbers.shape != (tree.choices,):
        given = short_repr(policy) if numbers is None else f"an array of shape {numbers.shape}"
        raise NotationError(f"a policy of {tree.game.name} must be an array of {tree.choices} numbers, not {given}.")
    if not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise NotationError("a policy's numbers must be probabilities: finite, and not negative.")
    sums = np.add.reduceat(numbers, tree.start[:-1])
    wrong = np.flatnonzero(abs(sums - 1) > ROUNDING)
    if wrong.size:
        number = int(wrong[0])
        first, last = tree.start[number : number + 2]
        raise NotationError(
            f"the probabilities in an information set must add up to 1; those of set {number}, policy[{first}:{last}],"
            f" add up to {sums[number]:g}."
        )
    return numbers


def policy_value(tree: Tree, policy: np.ndarray[Any, Any]) -> Solution:
    """A policy with its exact values, and those of each seat's best response to it.

    ``policy`` has the probability of every choice of the tree (otherwise NotationError, as in the other functions).
    """
    policy = checked_policy(tree, policy)
    responses = [best_response(tree, policy, seat)[1] for seat in range(tree.game.seats)]
    return Solution(tree, policy, policy_values(tree, policy), tuple(responses))


def policy_values(tree: Tree, policy: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """The value of the game to each seat if everybody follows a policy."""
    import numpy as np

    policy = checked_policy(tree, policy)
    kernels, value = compilation.compiled(cfr_kernels), np.zeros(tree.nodes)
    result = []
    for seat in range(tree.game.seats):
        kernels.compute_values(*tree.arrays, tree.nodes, tree.game.seats, seat, policy, value)
        result.append(float(value[0]))
    return tuple(result)


def best_response(tree: Tree, policy: np.ndarray[Any, Any], seat: int) -> tuple[np.ndarray[Any, Any], float]:
    """The best response of ``seat`` to the others' policies, and its value.

    The response is a policy too, in which the other seats follow ``policy``.
    """
    import numpy as np

    policy = checked_policy(tree, policy)
    if check_number("seat", seat) not in range(tree.game.seats):
        raise SeatError(f"seat must be from 0 to {tree.game.seats - 1}, not {seat}.")
    kernels, best = compilation.compiled(cfr_kernels), np.zeros(tree.choices)
    work = [np.zeros(tree.nodes) for _ in range(3)]
    size = tree.nodes, len(tree.sets), tree.game.seats
    deepest = int(tree.level.max(initial=0))
    gain = np.zeros(tree.choices)
    worth = kernels.best_response(*tree.arrays, *size, seat, tree.level, deepest, policy, best, *work, gain)
    return best, float(worth)


# Policies in files: a line of JSON for each information set, with the seat, its view and the probability of each choice


def policy_text(solution: Solution) -> str:
    """A policy as JSON lines: seat, view, and the choices by their text with their probabilities."""
    tree, lines = solution.tree, []
    for number, information_set in enumerate(tree.sets):
        probabilities = solution.policy[tree.start[number] : tree.start[number + 1]]
        choices = {
            tree.game.text(information_set.view, action): round(float(p), 6)
            for action, p in zip(information_set.legal, probabilities, strict=True)
        }
        line = {"seat": information_set.seat, "view": plain(information_set.view), "choices": choices}
        lines.append(msgspec.json.encode(line).decode())
    return "\n".join([*lines, ""])


class PolicyLine(msgspec.Struct, frozen=True):
    """One information set in a file."""

    view: msgspec.Raw
    choices: dict[str, Annotated[float, msgspec.Meta(ge=0, le=1)]]


@dataclass(frozen=True)
class TabularPolicy:
    """A policy from a file as a player, which draws each action with its probability.

    ``choices`` has the probabilities by view (as JSON) and by the text of the action.
    """

    game: str
    choices: dict[bytes, dict[str, float]] = field(repr=False)

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """An action drawn with the policy's probabilities. Raises NotationError if the policy lacks the position."""
        probabilities = self.action_probabilities(view, legal)
        if probabilities is None:
            raise NotationError(
                f"the policy of {self.game} has no such position: it belongs to other options or rules."
            )
        return random.choices(legal, probabilities)[0]

    def action_probabilities(self, view: View, legal: list[int]) -> list[float] | None:
        """The probability of each legal action, for ``policy_from_weights``; None if the policy lacks the view."""
        choices, game = self.choices.get(msgspec.json.encode(plain(view)), {}), game_of(self.game)
        probabilities = [choices.get(game.text(view, action), 0.0) for action in legal]
        return probabilities if sum(probabilities) > 0 else None


def read_policy(game: Game | str, path: str | Path) -> TabularPolicy:
    """The policy that ``kibitz solve GAME -o FILE`` has written, as a player for ``play_games`` and the like.

    Raises NotationError if the file can't be read, or if a seat has the same view in two information sets, since a
    player sees only the view.
    """
    name = game_of(game).name
    try:
        text = file_io.read_text(path, LARGEST_FILE)
        lines = [msgspec.json.decode(line, type=PolicyLine) for line in text.splitlines()]
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        why = cause(error) if isinstance(error, OSError) else "it isn't a policy that 'kibitz solve -o' has written"
        raise NotationError(f"{short_repr(str(path))} can't be read: {why}.") from error
    choices = {bytes(line.view): line.choices for line in lines}
    if len(choices) < len(lines):
        raise NotationError(
            f"{short_repr(str(path))} can't be played: some information sets of {name} have the same view."
        )
    return TabularPolicy(name, choices)


# MCCFR in blocks, which many workers can run at the same time
#
#   round       blocks that begin with the same regrets; the next round begins with the mean of their final regrets
#   block       some iterations of external sampling, with a generator of its own; its length grows from round to round
#
# The number of blocks in a round is fixed, so the same seed gives the same policy on every executor.  A block runs
# external sampling (Lanctot et al. 2009).  The mean of several blocks has less sampling noise, but each block builds on
# fewer iterations than one long run does.  In Leduc poker, 200,000 iterations leave an exploitability of 0.064 chips a
# game in blocks, and of 0.048 in one run.  Adding up the changes of all blocks, as if they had followed one another,
# overshoots: 0.7.


BLOCKS = 8
"""The number of blocks in a round."""
FIRST_ITERATIONS, MAX_ITERATIONS = 50, 10_000
"""The iterations of a block in the first round, which double from round to round, and their maximum."""


def mccfr_in_blocks(
    tree: Tree, iterations: int, seed: int, executor: Executor, progress: Callable[[int], object] | None = None
) -> Numbers:
    """The average policy after ``iterations``; ``progress`` is called after each round with the iterations done."""
    import numpy as np

    regret, total, policy = (np.zeros(tree.choices) for _ in range(3))
    executor.begin()
    name = add_value(executor, (tree.arrays, tree.game.seats))
    iterations_done = number = 0
    while iterations_done < iterations:
        lengths = round_of(number, iterations - iterations_done)
        items = [(block_seed_of(seed, number * BLOCKS + k), length) for k, length in enumerate(lengths)]
        by_block = dict(map_unordered(executor, run_block, regret, items, more=[name]))
        for k in range(len(items)):
            regret += by_block[k][0] / len(items)
            total += by_block[k][1]
        iterations_done, number = iterations_done + sum(lengths), number + 1
        if progress:
            progress(iterations_done)
    executor.forget_blob(name)
    compilation.compiled(cfr_kernels).match_regrets(tree.start, len(tree.sets), total, policy)
    return policy


def round_of(number: int, iterations_left: int) -> list[int]:
    """The lengths of the blocks in round ``number``, if this many iterations are left.

    >>> round_of(0, 120), round_of(3, 10**6)[:2]
    ([50, 50, 20], [400, 400])
    """
    length = min(MAX_ITERATIONS, FIRST_ITERATIONS << min(number, 30))
    lengths: list[int] = []
    while iterations_left and len(lengths) < BLOCKS:
        lengths.append(min(length, iterations_left))
        iterations_left -= lengths[-1]
    return lengths


def block_seed_of(seed: int, block: int) -> int:
    """The seed of a block's own generator."""
    return int.from_bytes(hashlib.sha256(f"mccfr {seed} {block}".encode()).digest()[:16])


def run_block(
    regret: Numbers, item: tuple[int, int], tree_and_seats: tuple[tuple[Numbers, ...], int]
) -> tuple[Numbers, Numbers]:
    """Run one block; return what it adds to the regrets and to the sum of policies; ``item`` is its seed and length."""
    import numpy as np

    block_seed, length = item
    shape, seats = tree_and_seats
    block_regret, total, policy = regret.copy(), np.zeros_like(regret), np.zeros_like(regret)
    nodes = len(shape[0])
    kernels = compilation.compiled(cfr_kernels)
    kernels.run_mccfr(
        *(
            standalone_rng(block_seed),
            *shape,
            1,
            length + 1,
            seats,
            block_regret,
            total,
            policy,
            np.zeros(nodes),
            np.zeros(nodes, np.int64),
        )
    )
    return block_regret - regret, total
