"""The Plackett-Luce model: the choices that results imply, and the players' strengths fitted to them.

choice      a stage of the model: one of several seats comes next, seat i with probability exp(s_i) / sum of
            exp(s_j) over these seats
strength    s of a player
virtual     a drawn game of every player against a player of strength 0: a weak prior that keeps the strengths of
            unbeaten and winless players finite and connects separate groups of players
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise
from math import comb, inf
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.model import MatchResult, SeatResult
from kibitz.errors import NotationError

# What the order of one match says about its players.
#
# basis       "wins": one choice per match, its winner; "places": a choice for every place, from the first on
# tie         several seats in one place; their log-likelihood is averaged over all their orders, so a win that two
#             seats share is half a win for each
# failed      a seat that forfeited: it comes after all others, which are chosen before it
#
# With wins, the order of the other seats is ignored; they aren't treated as a tie.


Basis = Literal["wins", "places"]


class Choice(msgspec.Struct, frozen=True):
    """A choice among ``seats``, and its weight."""

    seats: tuple[int, ...]
    weight: float


class Reading(msgspec.Struct, frozen=True):
    """The choices that a match implies: how often each seat was chosen, and the seats it was chosen from.

    The log-likelihood of strengths s is the sum of ``chosen[i] * s[i]`` over the seats, less the sum over the choices
    of weight times log(sum of exp(s[i]) over its seats).
    """

    chosen: tuple[float, ...]
    choices: tuple[Choice, ...]


def has_places(places: tuple[int, ...], failed: tuple[bool, ...]) -> bool:
    """Whether a match has more than winners and losers: three or more places among the seats that did not fail."""
    return len({place for place, out in zip(places, failed, strict=True) if not out}) > 2


@lru_cache(maxsize=100_000)
def reading(places: tuple[int, ...], shares: tuple[float, ...], failed: tuple[bool, ...], basis: Basis) -> Reading:
    """The choices that a match implies, from the place, the share of the win and the failure of every seat."""
    return by_places(places) if basis == "places" else by_wins(shares, failed)


def by_wins(shares: tuple[float, ...], failed: tuple[bool, ...]) -> Reading:
    """One choice from all seats; if nobody won, all seats that did not fail share the win."""
    if not any(shares):
        shares = tuple(float(all(failed) or not out) for out in failed)
    total = sum(shares)
    return Reading(tuple(share / total for share in shares), (Choice(tuple(range(len(shares))), 1.0),))


def by_places(places: tuple[int, ...]) -> Reading:
    """A choice for every place, averaged over all orders of seats that tie.

    After j of t tied seats have been chosen, each set of t-j of them is equally likely to be left, so the mean needs
    only these sets, not all t! orders.  A choice from one seat says nothing.
    """
    seats = range(len(places))
    chosen = [1.0] * len(places)
    choices = []
    for place in sorted(set(places)):
        tied = [seat for seat in seats if places[seat] == place]
        later = tuple(seat for seat in seats if places[seat] > place)
        for left in range(len(tied), 0 if later else 1, -1):
            weight = 1 / comb(len(tied), left)
            choices += [Choice(tuple(sorted(left_seats + later)), weight) for left_seats in combinations(tied, left)]
        if not later:
            for seat in tied:
                chosen[seat] -= 1 / len(tied)
    return Reading(tuple(chosen), tuple(choices))


# The equations, their solution and its error.
#
# score       of a player: how often it was chosen, less how often it would be expected to be from its strength
# sandwich    the covariance of the strengths from the scores of whole clusters (White 1982, Liang and Zeger 1986)
#
# The strengths are the solution of "every player's score is 0": there the Plackett-Luce likelihood times the likelihood
# of the virtual games has its only maximum.
#
# Nothing here calls BLAS or LAPACK, whose last digits depend on the number of threads.


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LONGEST_STEP = 1.5
TOLERANCE = 1e-9
ROUNDING_ERROR = 1e-5
"""If steps shorter than this (0.002 points) grow, they are rounding errors, and the iteration stops."""
MAX_STEPS = 500


class Choices(msgspec.Struct, frozen=True):
    """Choices among the same number of seats: players (choices, seats), weights and clusters (choices,)."""

    players: Ints
    weights: Floats
    clusters: Ints

    def expected(self, strengths: Floats) -> Floats:
        """The probability that each seat is chosen."""
        own = strengths[self.players]
        powers = np.exp(own - own.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


class Evidence(msgspec.Struct, frozen=True):
    """All choices of all matches among ``players`` players, by the number of seats; and who was chosen how often.

    In cluster ``chosen_where[i]``, player ``chosen_who[i]`` was chosen ``chosen[i]`` times.
    """

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


def evidence(players: int, readings: Sequence[tuple[Reading, Ints, Ints]]) -> Evidence:
    """The evidence in readings, each with its matches' players by seat (matches, seats) and their clusters."""
    by_size: dict[int, list[tuple[Ints, Floats, Ints]]] = {}
    chosen, who, where = [np.zeros(0)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for match_reading, lineups, clusters in readings:
        for choice in match_reading.choices:
            among = lineups[:, choice.seats]
            weights = np.full(len(among), choice.weight)
            by_size.setdefault(len(choice.seats), []).append((among, weights, clusters))
        for seat, times in enumerate(match_reading.chosen):
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


def estimate(evidence: Evidence) -> Estimate:
    """The solution of the equations by Newton's method, with its covariances."""
    strengths = np.zeros(evidence.players)
    before = inf
    for _ in range(MAX_STEPS):
        score, slope = scores(evidence, strengths)
        bread = inverse(slope)
        step = matrix_vector(bread, score)
        longest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, LONGEST_STEP / longest if longest else 1.0)
        if longest < TOLERANCE or before <= longest < ROUNDING_ERROR:
            return Estimate(strengths, matrix_product(matrix_product(bread, meat(evidence, strengths)), bread), bread)
        before = longest
    raise AssertionError("Newton's method did not converge.")


def scores(evidence: Evidence, strengths: Floats) -> tuple[Floats, Floats]:
    """Every player's score, and the slopes: minus the derivative of score i by strength j."""
    n = evidence.players
    half = 1 / (1 + np.exp(-strengths))
    score = 0.5 - half + np.bincount(evidence.chosen_who, evidence.chosen, n)
    slope = np.diag(half * (1 - half)).ravel()
    for choices in evidence.choices:
        expected = choices.expected(strengths)
        counted = choices.weights[:, None] * expected
        score -= np.bincount(choices.players.ravel(), counted.ravel(), n)
        for i in range(choices.players.shape[1]):
            row = choices.players[:, i] * n
            slope += np.bincount(row + choices.players[:, i], counted[:, i], n * n)
            for j in range(choices.players.shape[1]):
                slope -= np.bincount(row + choices.players[:, j], counted[:, i] * expected[:, j], n * n)
    return score, slope.reshape(n, n)


def meat(evidence: Evidence, strengths: Floats) -> Floats:
    """The sum, over clusters, of the outer products of their scores; every virtual game is a cluster of its own."""
    n = evidence.players
    half = 1 / (1 + np.exp(-strengths))
    total = np.diag(half * (1 - half)).ravel()
    keys, amounts = [evidence.chosen_where * n + evidence.chosen_who], [evidence.chosen]
    for choices in evidence.choices:
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
    """The inverse of a diagonally dominant matrix by Gauss-Jordan elimination, which needs no pivoting for these."""
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


def matrix_product(left: Floats, right: Floats) -> Floats:
    """The product of two matrices, always summed in the same order."""
    return np.asarray(np.einsum("ij,jk->ik", left, right))


def matrix_vector(matrix: Floats, vector: Floats) -> Floats:
    """A matrix times a vector, always summed in the same order."""
    return np.asarray(np.einsum("ij,j->i", matrix, vector))


# Results as arrays: every player's results, and all choices that follow from the matches.
#
# seat        here, one seat of one match; columns have one entry per seat, in the order of the matches' numbers
# pattern     places, shares and failures of a match's seats, in order; choices depend on nothing else
# above       how often a submission has won, or with places, how many seats it was better than; a tie is a half
# below       the same for losses
#
# Results are sorted before anything is summed, so their order can't change the last digit.


class Columns(msgspec.Struct, frozen=True):
    """Seats of matches; ``match`` and ``cluster`` count from 0, ``who`` is an index into the sorted submissions."""

    match: Ints
    cluster: Ints
    who: Ints
    place: Ints
    share: Floats
    failed: NDArray[np.bool_]


class Tally(msgspec.Struct, frozen=True):
    """The results of every submission, and the choices in the matches."""

    matches: int
    submissions: tuple[int, ...]
    players: tuple[str, ...]
    versions: tuple[int, ...]
    games: Ints
    blocks: Ints
    wins: Floats
    failures: Ints
    above: Floats
    below: Floats
    basis: Basis
    evidence: Evidence


def tally(results: Iterable[MatchResult], basis: Basis | None = None) -> Tally:
    """The tally of all results of one tournament.

    NotationError if there are two tournaments, a match is repeated, or a submission belongs to two players.
    """
    matches = sorted(results, key=lambda result: result.match)
    check_numbers(matches)
    seats = list(chain.from_iterable(result.seats for result in matches))
    owners = owners_of(seats)
    submissions = sorted(owners)
    columns = seat_columns(matches, seats, submissions)
    patterns = patterns_of(columns)
    if basis is None:
        basis = "places" if any(has_places(places, failed) for (places, _, failed), _, _ in patterns) else "wins"
    n = len(submissions)  # if it is 0, nothing is divided by it
    met = np.unique(columns.cluster * n + columns.who) % n
    readings: list[tuple[Reading, Ints, Ints]] = []
    above, below = np.zeros(n), np.zeros(n)
    for (places, shares, failed), lineups, clusters in patterns:
        readings.append((reading(places, shares, failed, basis), lineups, clusters))
        for seat in range(len(places)):
            won, lost = compared(seat, places, shares, basis)
            games = np.bincount(lineups[:, seat], minlength=n)
            above += won * games
            below += lost * games
    return Tally(
        matches=len(matches),
        submissions=tuple(submissions),
        players=tuple(owners[submission][0] for submission in submissions),
        versions=tuple(owners[submission][1] for submission in submissions),
        games=np.bincount(columns.who, minlength=n),
        blocks=np.bincount(met, minlength=n),
        wins=np.bincount(columns.who, columns.share, n).astype(np.float64),
        failures=np.bincount(columns.who[columns.failed], minlength=n),
        above=above,
        below=below,
        basis=basis,
        evidence=evidence(n, readings),
    )


def check_numbers(matches: Sequence[MatchResult]) -> None:
    """Raise NotationError for results of two tournaments, or a repeated match."""
    for one, two in pairwise(matches):
        if one.tournament != two.tournament:
            raise NotationError(f"rate one tournament at a time, not {one.tournament} and {two.tournament} together.")
        if one.match == two.match:
            raise NotationError(f"match {one.match} of {one.tournament} appears twice.")


def owners_of(seats: Sequence[SeatResult]) -> dict[int, tuple[str, int]]:
    """By submission, its player and version."""
    owners: dict[int, tuple[str, int]] = {}
    for submission, player, version in sorted({(seat.submission, seat.player, seat.version) for seat in seats}):
        known = owners.setdefault(submission, (player, version))
        if known != (player, version):
            raise NotationError(
                f"submission {submission} is version {known[1]} of {known[0]} in one match "
                f"and version {version} of {player} in another."
            )
    return owners


def seat_columns(matches: Sequence[MatchResult], seats: Sequence[SeatResult], submissions: Sequence[int]) -> Columns:
    """The columns; a match's seats that did not fail come first, by place."""
    sizes = [len(result.seats) for result in matches]
    match = np.repeat(np.arange(len(matches)), sizes)
    cluster = np.repeat(dense_ranks(np.array([result.block for result in matches], np.int64)), sizes)
    submission_of_seat = np.array([seat.submission for seat in seats], np.int64)
    who = np.searchsorted(np.array(submissions, np.int64), submission_of_seat)
    place = np.array([seat.place for seat in seats], np.int64)
    share = np.array([seat.win_share for seat in seats], np.float64)
    failed = np.array([seat.forfeit is not None for seat in seats], np.bool_)
    order = np.lexsort((who, -share, place, failed, match))
    return Columns(match, cluster, who[order], place[order], share[order], failed[order])


Pattern = tuple[tuple[int, ...], tuple[float, ...], tuple[bool, ...]]


def patterns_of(columns: Columns) -> list[tuple[Pattern, Ints, Ints]]:
    """Every pattern with the lineups (matches, seats) and the clusters of its matches."""
    _, starts, sizes = np.unique(columns.match, return_index=True, return_counts=True)
    codes = paired(paired(columns.share, columns.place), columns.failed)
    patterns = []
    for size in np.unique(sizes):
        seats = starts[sizes == size][:, None] + np.arange(size)
        kinds = np.zeros(len(seats), np.int64)
        for column in range(size):
            kinds = paired(kinds, codes[seats[:, column]])
        _, first = np.unique(kinds, return_index=True)
        for kind, example in enumerate(first):
            at, same = seats[example], seats[kinds == kind]
            pattern = (
                tuple(columns.place[at].tolist()),
                tuple(columns.share[at].tolist()),
                tuple(columns.failed[at].tolist()),
            )
            patterns.append((pattern, columns.who[same], columns.cluster[same[:, 0]]))
    return patterns


def dense_ranks(values: NDArray[np.generic]) -> Ints:
    """A number for each value, from 0 in the order of the values; equal values get equal numbers."""
    return np.asarray(np.unique(values, return_inverse=True)[1])


def paired(first: NDArray[np.generic], second: NDArray[np.generic]) -> Ints:
    """A number for each pair, from 0 in the order of the pairs; equal pairs get equal numbers.

    >>> paired(np.array([0.5, 0.0, 0.5, 0.5]), np.array([2, 9, 1, 2])).tolist()
    [2, 0, 1, 2]
    """
    return dense_ranks(dense_ranks(first) * len(second) + dense_ranks(second))


def compared(seat: int, places: Sequence[int], shares: Sequence[float], basis: Basis) -> tuple[float, float]:
    """How much a seat won in a match, and how much it lost."""
    if basis == "wins":
        return shares[seat], 1 - shares[seat]
    ties = (places.count(places[seat]) - 1) / 2
    return sum(p > places[seat] for p in places) + ties, sum(p < places[seat] for p in places) + ties
