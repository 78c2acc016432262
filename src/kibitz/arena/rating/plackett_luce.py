"""The Plackett-Luce model: the choices that results imply, and the players' strengths fitted to them.

choice      a stage of the model: one of several seats comes next, seat i with probability exp(s_i) / sum of
            exp(s_j) over these seats
strength    the parameter s of a player
virtual     a tied game of each player against an imaginary player of strength 0: a weak prior that keeps the
            strengths of unbeaten and winless players finite and connects separate groups of players
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

# The choices that one match implies.
#
# basis       "wins": one choice per match, its winner; "places": a choice for every place, from the first on
# tie         several seats in one place; their log-likelihood is averaged over all their orders, so a win that two
#             seats share is half a win for each
# failed      a seat that forfeited: all other seats are chosen before it
#
# With wins, the order of the losing seats is ignored; they aren't treated as a tie.


Basis = Literal["wins", "places"]


class Choice(msgspec.Struct, frozen=True):
    """A choice among ``seats``, and its weight."""

    seats: tuple[int, ...]
    weight: float


class MatchChoices(msgspec.Struct, frozen=True):
    """The choices that a match implies, and how often each seat was chosen in them.

    The log-likelihood of strengths s is the sum of ``chosen[i] * s[i]`` over the seats, less the sum over the choices
    of weight * log(sum of exp(s[i]) over the choice's seats).
    """

    chosen: tuple[float, ...]
    choices: tuple[Choice, ...]


def has_places(places: tuple[int, ...], failed: tuple[bool, ...]) -> bool:
    """Whether a match has more than winners and losers: three or more places among the seats that did not fail."""
    return len({place for place, has_failed in zip(places, failed, strict=True) if not has_failed}) > 2


@lru_cache(maxsize=100_000)
def match_choices(
    places: tuple[int, ...], shares: tuple[float, ...], failed: tuple[bool, ...], basis: Basis
) -> MatchChoices:
    """The choices that a match implies, from the place, the share of the win and the failure of every seat."""
    return by_places(places) if basis == "places" else by_wins(shares, failed)


def by_wins(shares: tuple[float, ...], failed: tuple[bool, ...]) -> MatchChoices:
    """One choice from all seats; if nobody won, all seats that did not fail share the win."""
    if not any(shares):
        shares = tuple(float(all(failed) or not has_failed) for has_failed in failed)
    total = sum(shares)
    return MatchChoices(tuple(share / total for share in shares), (Choice(tuple(range(len(shares))), 1.0),))


def by_places(places: tuple[int, ...]) -> MatchChoices:
    """A choice for every place, averaged over all orders of seats that tie.

    After j of t tied seats have been chosen, each set of t-j of them is equally likely to remain, so the mean needs
    only these sets, not all t! orders.  A choice from a single seat has no information, and is left out.
    """
    seats = range(len(places))
    chosen = [1.0] * len(places)
    choices = []
    for place in sorted(set(places)):
        tied = [seat for seat in seats if places[seat] == place]
        later = tuple(seat for seat in seats if places[seat] > place)
        for size in range(len(tied), 0 if later else 1, -1):
            weight = 1 / comb(len(tied), size)
            choices += [Choice(tuple(sorted(remaining + later)), weight) for remaining in combinations(tied, size)]
        if not later:
            for seat in tied:
                chosen[seat] -= 1 / len(tied)
    return MatchChoices(tuple(chosen), tuple(choices))


# The equations, their solution and its error.
#
# score       of a player: how often it was chosen, less how often its strength would lead one to expect
# cluster     the matches of one block: they share a deal, so they count as one observation
# sandwich    the covariance of the strengths from the scores of whole clusters (White 1982, Liang and Zeger 1986); its
#             two outer factors are called the bread, and the middle one the meat
#
# The strengths are the solution of "every player's score is 0": there the Plackett-Luce likelihood times the likelihood
# of the virtual games has its only maximum.
#
# Nothing here calls BLAS or LAPACK, whose last digits depend on the number of threads.


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LONGEST_STEP = 1.5
"""Longer steps of Newton's method are shortened to this change of strength."""
TOLERANCE = 1e-9
"""The iteration stops after a step shorter than this."""
ROUNDING_ERROR = 1e-5
"""The iteration also stops when steps shorter than this (0.002 points) grow, since these are rounding errors."""
MAX_STEPS = 500


class ChoiceArrays(msgspec.Struct, frozen=True):
    """Choices that are all among the same number of seats, as arrays.

    Their shapes are (choices, seats) for ``players``, and (choices,) for ``weights`` and ``clusters``.
    """

    players: Ints
    weights: Floats
    clusters: Ints

    def expected(self, strengths: Floats) -> Floats:
        """The probability that each seat is chosen, as an array (choices, seats)."""
        of_seats = strengths[self.players]
        powers = np.exp(of_seats - of_seats.max(axis=1, keepdims=True))  # without overflow
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


class Evidence(msgspec.Struct, frozen=True):
    """All choices of all matches among ``players`` players, grouped by the number of seats.

    In cluster ``chosen_clusters[i]``, player ``chosen_players[i]`` was chosen ``chosen[i]`` times.
    """

    players: int
    choices: tuple[ChoiceArrays, ...]
    chosen: Floats
    chosen_players: Ints
    chosen_clusters: Ints


class Estimate(msgspec.Struct, frozen=True):
    """The strengths, with two covariance matrices.

    ``sandwich`` is the covariance with clusters; ``model`` is the one that holds if all choices are independent.
    """

    strengths: Floats
    sandwich: Floats
    model: Floats


def evidence(players: int, matches: Sequence[tuple[MatchChoices, Ints, Ints]]) -> Evidence:
    """The evidence in ``matches``, which are grouped by the choices that they imply.

    Each group has these choices, the players by seat (matches, seats), and the cluster of each match.
    """
    by_size: dict[int, list[tuple[Ints, Floats, Ints]]] = {}
    chosen, chosen_players, chosen_clusters = [np.zeros(0)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for implied, lineups, clusters in matches:
        for choice in implied.choices:
            choice_players = lineups[:, choice.seats]
            weights = np.full(len(choice_players), choice.weight)
            by_size.setdefault(len(choice.seats), []).append((choice_players, weights, clusters))
        for seat, times in enumerate(implied.chosen):
            chosen.append(np.full(len(lineups), times))
            chosen_players.append(lineups[:, seat])
            chosen_clusters.append(clusters)
    return Evidence(
        players,
        tuple(ChoiceArrays(*map(np.concatenate, zip(*parts, strict=True))) for _, parts in sorted(by_size.items())),
        np.concatenate(chosen),
        np.concatenate(chosen_players),
        np.concatenate(chosen_clusters),
    )


def estimate(evidence: Evidence) -> Estimate:
    """The solution of the equations by Newton's method, with its covariances."""
    strengths = np.zeros(evidence.players)
    longest_before = inf
    for _ in range(MAX_STEPS):
        score, slope = scores(evidence, strengths)
        bread = inverse(slope)
        step = matrix_vector(bread, score)
        longest = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, LONGEST_STEP / longest if longest else 1.0)
        if longest < TOLERANCE or longest_before <= longest < ROUNDING_ERROR:
            return Estimate(strengths, matrix_product(matrix_product(bread, meat(evidence, strengths)), bread), bread)
        longest_before = longest
    raise AssertionError("Newton's method did not converge.")


def scores(evidence: Evidence, strengths: Floats) -> tuple[Floats, Floats]:
    """Every player's score, and the matrix of slopes: minus the derivative of score i by strength j."""
    n = evidence.players
    virtual = 1 / (1 + np.exp(-strengths))  # each player's expected result in its virtual game
    score = 0.5 - virtual + np.bincount(evidence.chosen_players, evidence.chosen, n)
    slope = np.diag(virtual * (1 - virtual)).ravel()
    for choices in evidence.choices:
        expected = choices.expected(strengths)
        weighted = choices.weights[:, None] * expected
        score -= np.bincount(choices.players.ravel(), weighted.ravel(), n)
        for i in range(choices.players.shape[1]):
            row = choices.players[:, i] * n  # where the player's row begins in the flat matrix
            slope += np.bincount(row + choices.players[:, i], weighted[:, i], n * n)
            for j in range(choices.players.shape[1]):
                slope -= np.bincount(row + choices.players[:, j], weighted[:, i] * expected[:, j], n * n)
    return score, slope.reshape(n, n)


def meat(evidence: Evidence, strengths: Floats) -> Floats:
    """The sum over clusters of the outer product of each cluster's scores; a virtual game is a cluster of its own."""
    n = evidence.players
    virtual = 1 / (1 + np.exp(-strengths))
    total = np.diag(virtual * (1 - virtual)).ravel()
    # A key is a player in a cluster, as the number cluster * n + player. First the score of every key ...
    keys, amounts = [evidence.chosen_clusters * n + evidence.chosen_players], [evidence.chosen]
    for choices in evidence.choices:
        keys.append((choices.clusters[:, None] * n + choices.players).ravel())
        amounts.append(-(choices.weights[:, None] * choices.expected(strengths)).ravel())
    unique_keys, index = np.unique(np.concatenate(keys), return_inverse=True)
    scores_by_key = np.bincount(index, np.concatenate(amounts), len(unique_keys))
    # ... then the products of the scores in each cluster, for all clusters of the same number of players at once.
    _, starts, sizes = np.unique(unique_keys // n, return_index=True, return_counts=True)
    for size in np.unique(sizes):
        rows = starts[sizes == size][:, None] + np.arange(size)
        players, score = unique_keys[rows] % n, scores_by_key[rows]
        for i in range(size):
            for j in range(size):
                total += np.bincount(players[:, i] * n + players[:, j], score[:, i] * score[:, j], n * n)
    return np.asarray(total.reshape(n, n))


def inverse(matrix: Floats) -> Floats:
    """The inverse of a diagonally dominant matrix, by Gauss-Jordan elimination; such a matrix needs no pivoting."""
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


# Results as arrays: every submission's results, and all choices that follow from the matches.
#
# column      an array with one entry for each seat of each match, in the order of the matches' numbers
# pattern     places, shares and failures of a match's seats, in order; choices depend on nothing else
# above       how often a submission has won, or with places, how many seats it was better than; a tie is a half
# below       how often it has lost, or with places, how many seats were better; a tie is a half
#
# Results are sorted before anything is summed, so their order can't change the last digit.


class SeatColumns(msgspec.Struct, frozen=True):
    """Columns of seats; ``match`` and ``cluster`` count from 0, ``player`` is an index into the sorted submissions."""

    match: Ints
    cluster: Ints
    player: Ints
    place: Ints
    share: Floats
    failed: NDArray[np.bool_]


class Tally(msgspec.Struct, frozen=True):
    """The results of every submission, in arrays by player's index, and the choices in the matches."""

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

    Raises NotationError if there are two tournaments, a match is repeated, or a submission belongs to two players.
    """
    matches = sorted(results, key=lambda result: result.match)
    check_numbers(matches)
    seats = list(chain.from_iterable(result.seats for result in matches))
    versions = versions_of(seats)
    submissions = sorted(versions)
    columns = seat_columns(matches, seats, submissions)
    patterns = patterns_of(columns)
    if basis is None:
        basis = "places" if any(has_places(places, failed) for (places, _, failed), _, _ in patterns) else "wins"
    n = len(submissions)  # it may be 0: then the arrays are empty, so nothing is divided by it
    in_blocks = np.unique(columns.cluster * n + columns.player) % n  # a submission once for each of its blocks
    grouped: list[tuple[MatchChoices, Ints, Ints]] = []
    above, below = np.zeros(n), np.zeros(n)
    for (places, shares, failed), lineups, clusters in patterns:
        grouped.append((match_choices(places, shares, failed, basis), lineups, clusters))
        for seat in range(len(places)):
            wins, losses = wins_and_losses(seat, places, shares, basis)
            games = np.bincount(lineups[:, seat], minlength=n)
            above += wins * games
            below += losses * games
    return Tally(
        matches=len(matches),
        submissions=tuple(submissions),
        players=tuple(versions[submission][0] for submission in submissions),
        versions=tuple(versions[submission][1] for submission in submissions),
        games=np.bincount(columns.player, minlength=n),
        blocks=np.bincount(in_blocks, minlength=n),
        wins=np.bincount(columns.player, columns.share, n).astype(np.float64),
        failures=np.bincount(columns.player[columns.failed], minlength=n),
        above=above,
        below=below,
        basis=basis,
        evidence=evidence(n, grouped),
    )


def check_numbers(matches: Sequence[MatchResult]) -> None:
    """Raise NotationError for results of two tournaments, or a repeated match."""
    for last, match in pairwise(matches):
        if last.tournament != match.tournament:
            both = f"{last.tournament} and {match.tournament}"
            raise NotationError(f"rate one tournament at a time, not {both} together.")
        if last.match == match.match:
            raise NotationError(f"match {match.match} of {match.tournament} appears twice.")


def versions_of(seats: Sequence[SeatResult]) -> dict[int, tuple[str, int]]:
    """By submission, its player and version. Raises NotationError if a submission has two."""
    versions: dict[int, tuple[str, int]] = {}
    for submission, player, version in sorted({(seat.submission, seat.player, seat.version) for seat in seats}):
        known = versions.setdefault(submission, (player, version))
        if known != (player, version):
            raise NotationError(
                f"submission {submission} is version {known[1]} of {known[0]} in one match "
                f"and version {version} of {player} in another."
            )
    return versions


def seat_columns(
    matches: Sequence[MatchResult], seats: Sequence[SeatResult], submissions: Sequence[int]
) -> SeatColumns:
    """The columns. In a match, the seats that did not fail come first, by place."""
    sizes = [len(result.seats) for result in matches]
    match = np.repeat(np.arange(len(matches)), sizes)
    cluster = np.repeat(dense_ranks(np.array([result.block for result in matches], np.int64)), sizes)
    submission_of_seat = np.array([seat.submission for seat in seats], np.int64)
    player = np.searchsorted(np.array(submissions, np.int64), submission_of_seat)
    place = np.array([seat.place for seat in seats], np.int64)
    share = np.array([seat.win_share for seat in seats], np.float64)
    failed = np.array([seat.forfeit is not None for seat in seats], np.bool_)
    order = np.lexsort((player, -share, place, failed, match))
    return SeatColumns(match, cluster, player[order], place[order], share[order], failed[order])


Pattern = tuple[tuple[int, ...], tuple[float, ...], tuple[bool, ...]]


def patterns_of(columns: SeatColumns) -> list[tuple[Pattern, Ints, Ints]]:
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
            example_seats, seats_of_kind = seats[example], seats[kinds == kind]
            pattern = (
                tuple(columns.place[example_seats].tolist()),
                tuple(columns.share[example_seats].tolist()),
                tuple(columns.failed[example_seats].tolist()),
            )
            patterns.append((pattern, columns.player[seats_of_kind], columns.cluster[seats_of_kind[:, 0]]))
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


def wins_and_losses(seat: int, places: Sequence[int], shares: Sequence[float], basis: Basis) -> tuple[float, float]:
    """How much a match adds to ``above`` and ``below`` of the submission in one seat."""
    if basis == "wins":
        return shares[seat], 1 - shares[seat]
    ties = (places.count(places[seat]) - 1) / 2
    return sum(p > places[seat] for p in places) + ties, sum(p < places[seat] for p in places) + ties
