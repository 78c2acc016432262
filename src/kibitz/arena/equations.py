"""Strengths from choices: the equations, their solution and how far off it may be.

    strength    s of a player: it is chosen with probability exp(s) / sum of the exp(s) it is chosen among
    score       of a player: how often it was chosen less how often its strength makes one expect it
    virtual     a drawn game against a player of strength 0, which everybody has played once: the weak prior that
                keeps the strengths of the unbeaten and the winless finite and holds unconnected fields together
    sandwich    the covariance of the strengths from the scores of whole clusters (White 1982, Liang and Zeger 1986)

Strengths solve "every player's score is 0", which is where the Plackett-Luce likelihood times that of the virtual games
has its one maximum.

The surprising rule: nothing here calls BLAS or LAPACK.  Their last digits depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.orders import Reading

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LONGEST_STEP = 1.5
CLOSE = 1e-9
NOISE = 1e-5
"""Below this, 0.002 points, steps that grow again are the rounding of long sums: no more can be had."""
STEPS = 500


class Choices(msgspec.Struct, frozen=True):
    """Choices among equally many: players of shape (choices, seats), weights and clusters of shape (choices,)."""

    players: Ints
    weights: Floats
    clusters: Ints

    def expected(self, strengths: Floats) -> Floats:
        """The probability of each seat to be chosen."""
        at = strengths[self.players]
        powers = np.exp(at - at.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


class Evidence(msgspec.Struct, frozen=True):
    """All choices of all matches among ``players`` players, by size; how often a cluster's players were chosen."""

    players: int
    choices: tuple[Choices, ...]
    chosen: Floats
    chosen_who: Ints
    chosen_where: Ints


class Estimate(msgspec.Struct, frozen=True):
    """The strengths, their sandwich and their model covariance (as if all choices were independent)."""

    strengths: Floats
    sandwich: Floats
    model: Floats


def evidence(players: int, read: Sequence[tuple[Reading, Ints, Ints]]) -> Evidence:
    """Gather matches by what they say: a reading, its matches' players by seat (matches, seats), their clusters."""
    by_size: dict[int, list[tuple[Ints, Floats, Ints]]] = {}
    chosen, who, where = [np.zeros(0)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for told, lineups, clusters in read:
        for choice in told.choices:
            among = lineups[:, choice.seats]
            weights = np.full(len(among), choice.weight)
            by_size.setdefault(len(choice.seats), []).append((among, weights, clusters))
        for seat, times in enumerate(told.chosen):
            chosen.append(np.full(len(lineups), times))
            who.append(lineups[:, seat])
            where.append(clusters)
    return Evidence(
        players,
        tuple(Choices(*map(np.concatenate, zip(*parts, strict=True))) for _, parts in sorted(by_size.items())),
        np.concatenate(chosen),
        np.concatenate(who),
        np.concatenate(where),
    )


def estimate(told: Evidence) -> Estimate:
    """Solve the equations by Newton's method and measure the solution."""
    strengths = np.zeros(told.players)
    before = inf
    for _ in range(STEPS):
        score, slope = scores(told, strengths)
        bread = inverse(slope)
        step = applied(bread, score)
        longest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, LONGEST_STEP / longest if longest else 1.0)
        if longest < CLOSE or before <= longest < NOISE:
            return Estimate(strengths, product(product(bread, meat(told, strengths)), bread), bread)
        before = longest
    raise AssertionError("Newton's method did not settle.")


def scores(told: Evidence, strengths: Floats) -> tuple[Floats, Floats]:
    """Every player's score and its slope: minus the derivative of score i by strength j."""
    n = told.players
    half = 1 / (1 + np.exp(-strengths))
    score = 0.5 - half + np.bincount(told.chosen_who, told.chosen, n)
    slope = np.diag(half * (1 - half)).ravel()
    for choices in told.choices:
        expected = choices.expected(strengths)
        counted = choices.weights[:, None] * expected
        score -= np.bincount(choices.players.ravel(), counted.ravel(), n)
        for i in range(choices.players.shape[1]):
            row = choices.players[:, i] * n
            slope += np.bincount(row + choices.players[:, i], counted[:, i], n * n)
            for j in range(choices.players.shape[1]):
                slope -= np.bincount(row + choices.players[:, j], counted[:, i] * expected[:, j], n * n)
    return score, slope.reshape(n, n)


def meat(told: Evidence, strengths: Floats) -> Floats:
    """The sum over clusters of their scores' outer products, the virtual games each a cluster of its own."""
    n = told.players
    half = 1 / (1 + np.exp(-strengths))
    total = np.diag(half * (1 - half)).ravel()
    keys, amounts = [told.chosen_where * n + told.chosen_who], [told.chosen]
    for choices in told.choices:
        keys.append((choices.clusters[:, None] * n + choices.players).ravel())
        amounts.append(-(choices.weights[:, None] * choices.expected(strengths)).ravel())
    cells, at = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.bincount(at, np.concatenate(amounts), len(cells))
    _, starts, sizes = np.unique(cells // n, return_index=True, return_counts=True)
    for size in np.unique(sizes):
        of = starts[sizes == size][:, None] + np.arange(size)
        who, score = cells[of] % n, sums[of]
        for i in range(size):
            for j in range(size):
                total += np.bincount(who[:, i] * n + who[:, j], score[:, i] * score[:, j], n * n)
    return np.asarray(total.reshape(n, n))


def inverse(matrix: Floats) -> Floats:
    """The inverse of a diagonally dominant matrix by Gauss-Jordan elimination, which needs no pivots there."""
    work = matrix.copy()
    for k in range(len(work)):
        pivot = work[k, k]
        column = work[:, k].copy()
        column[k] = 0.0
        row = work[k] / pivot
        row[k] = 1 / pivot
        work[:, k] = 0.0
        work -= column[:, None] * row
        work[k] = row
    return work


def product(left: Floats, right: Floats) -> Floats:
    """The product of two matrices, always summed in the same order."""
    return np.asarray(np.einsum("ij,jk->ik", left, right))


def applied(matrix: Floats, vector: Floats) -> Floats:
    """A matrix times a vector, always summed in the same order."""
    return np.asarray(np.einsum("ij,j->i", matrix, vector))
