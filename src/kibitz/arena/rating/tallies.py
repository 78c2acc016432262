"""Results as arrays: what everybody has done, and all choices that the matches tell of.

    seat        here one seat of one match; columns have one entry a seat, in the order of the matches' numbers
    pattern     places, shares and failures of a match with its seats in order, which is all that ``orders`` reads
    above       how often a submission has won, or with places, how many seats it has left behind; ties are halves

Results are sorted before anything is summed, so their order cannot change the last digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.model import MatchResult, SeatResult
from kibitz.arena.rating.equations import Evidence, Floats, Ints, evidence
from kibitz.arena.rating.orders import Basis, Reading, reading, tells_places
from kibitz.errors import NotationError


class Columns(msgspec.Struct, frozen=True):
    """Seats of matches; ``match`` and ``cluster`` count from 0, ``who`` is the place of the submission in order."""

    match: Ints
    cluster: Ints
    who: Ints
    place: Ints
    share: Floats
    failed: NDArray[np.bool_]


class Tally(msgspec.Struct, frozen=True):
    """What every submission has done, by submission, and what the matches say."""

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
    """Count and read all results of one tournament.

    NotationError if they are of two, if a match stands twice or a submission changes hands.
    """
    matches = sorted(results, key=lambda result: result.match)
    check_numbers(matches)
    seats = list(chain.from_iterable(result.seats for result in matches))
    owners = owned(seats)
    submissions = sorted(owners)
    columns = arranged(matches, seats, submissions)
    patterns = gathered(columns)
    if basis is None:
        basis = "places" if any(tells_places(places, failed) for (places, _, failed), _, _ in patterns) else "wins"
    n = len(submissions)  # where there is none, nothing is divided by it
    met = np.unique(columns.cluster * n + columns.who) % n
    read: list[tuple[Reading, Ints, Ints]] = []
    above, below = np.zeros(n), np.zeros(n)
    for (places, shares, failed), lineups, clusters in patterns:
        read.append((reading(places, shares, failed, basis), lineups, clusters))
        for seat in range(len(places)):
            more, less = compared(seat, places, shares, basis)
            games = np.bincount(lineups[:, seat], minlength=n)
            above += more * games
            below += less * games
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
        evidence=evidence(n, read),
    )


def check_numbers(matches: Sequence[MatchResult]) -> None:
    """Refuse results of two tournaments and a match that stands twice."""
    for one, two in pairwise(matches):
        if one.tournament != two.tournament:
            raise NotationError(f"rate one tournament at a time, not {one.tournament} and {two.tournament} together.")
        if one.match == two.match:
            raise NotationError(f"match {one.match} of {one.tournament} stands twice among the results.")


def owned(seats: Sequence[SeatResult]) -> dict[int, tuple[str, int]]:
    """The player and the version that each submission is."""
    owners: dict[int, tuple[str, int]] = {}
    for submission, player, version in sorted({(seat.submission, seat.player, seat.version) for seat in seats}):
        known = owners.setdefault(submission, (player, version))
        if known != (player, version):
            raise NotationError(
                f"submission {submission} is version {known[1]} of {known[0]} in one match "
                f"and version {version} of {player} in another."
            )
    return owners


def arranged(matches: Sequence[MatchResult], seats: Sequence[SeatResult], submissions: Sequence[int]) -> Columns:
    """The columns, the seats of each match from the first to the last."""
    sizes = [len(result.seats) for result in matches]
    match = np.repeat(np.arange(len(matches)), sizes)
    cluster = np.repeat(numbered(np.array([result.block for result in matches], np.int64)), sizes)
    found = np.array([seat.submission for seat in seats], np.int64)
    who = np.searchsorted(np.array(submissions, np.int64), found)
    place = np.array([seat.place for seat in seats], np.int64)
    share = np.array([seat.win_share for seat in seats], np.float64)
    failed = np.array([seat.forfeit is not None for seat in seats], np.bool_)
    order = np.lexsort((who, -share, place, failed, match))
    return Columns(match, cluster, who[order], place[order], share[order], failed[order])


Pattern = tuple[tuple[int, ...], tuple[float, ...], tuple[bool, ...]]


def gathered(columns: Columns) -> list[tuple[Pattern, Ints, Ints]]:
    """Every pattern with the lineups (matches, seats) and the clusters of its matches."""
    _, starts, sizes = np.unique(columns.match, return_index=True, return_counts=True)
    codes = paired(paired(columns.share, columns.place), columns.failed)
    found = []
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
            found.append((pattern, columns.who[same], columns.cluster[same[:, 0]]))
    return found


def numbered(values: NDArray[np.generic]) -> Ints:
    """Equal values as equal numbers, from 0 in the order of the values."""
    return np.asarray(np.unique(values, return_inverse=True)[1])


def paired(first: NDArray[np.generic], second: NDArray[np.generic]) -> Ints:
    """Equal pairs as equal numbers, from 0 in the order of the pairs.

    >>> paired(np.array([0.5, 0.0, 0.5, 0.5]), np.array([2, 9, 1, 2])).tolist()
    [2, 0, 1, 2]
    """
    return numbered(numbered(first) * len(second) + numbered(second))


def compared(seat: int, places: Sequence[int], shares: Sequence[float], basis: Basis) -> tuple[float, float]:
    """How much a seat has won and how much it has lost in a match."""
    if basis == "wins":
        return shares[seat], 1 - shares[seat]
    ties = (places.count(places[seat]) - 1) / 2
    return sum(p > places[seat] for p in places) + ties, sum(p < places[seat] for p in places) + ties
