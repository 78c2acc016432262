"""What the order of one match says of its players: who was chosen from whom.

    choice      a stage of the Plackett-Luce model: one of several seats comes next, seat i with probability
                exp(s_i) / sum of exp(s_j) over the seats it is chosen from
    basis       "wins": one choice a match, its winner; "places": a choice for every place, from the first on
    tie         seats in one place; their log-likelihood is averaged over all their orders, and so a shared win
                of two is half a win each
    failed      a seat that forfeited: it is judged against all, the others among themselves only

The surprising rule: a choice counts for some of its seats only.  That a seat failed tells how good it is, and nothing
about who else is good; to win against a seat that has failed earns no rating.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Literal

import msgspec

Basis = Literal["wins", "places"]


class Choice(msgspec.Struct, frozen=True):
    """A choice among ``seats``; how much of it counts for each of them."""

    seats: tuple[int, ...]
    weights: tuple[float, ...]


class Reading(msgspec.Struct, frozen=True):
    """All that a match says: how often each seat was chosen, and each choice that it was part of.

    A seat's score is ``chosen`` less the sum over choices of its weight times its probability there.
    """

    chosen: tuple[float, ...]
    choices: tuple[Choice, ...]


def tells_places(places: tuple[int, ...], failed: tuple[bool, ...]) -> bool:
    """Whether a match tells more than who won: three places or more among the seats that did not fail."""
    return len({place for place, out in zip(places, failed, strict=True) if not out}) > 2


@lru_cache(maxsize=100_000)
def reading(
    places: tuple[int, ...], shares: tuple[float, ...], failed: tuple[bool, ...], basis: Basis, *, stopped: bool = False
) -> Reading:
    """Read one match: place, share of the win and failure of every seat.

    With ``stopped``, a game ended where a seat failed, and then says nothing about the others.
    """
    seats = tuple(range(len(places)))
    if not any(failed):
        return counted(whole(seats, places, shares, basis), frozenset(seats), len(seats))
    out = frozenset(seat for seat in seats if failed[seat])
    rest = tuple(seat for seat in seats if seat not in out)
    against_all = counted(whole(seats, places, shares, basis, lost=True), out, len(seats))
    if stopped:
        return against_all
    among_rest = counted(whole(rest, places, shares, basis), frozenset(rest), len(seats))
    chosen = tuple(a + b for a, b in zip(against_all.chosen, among_rest.chosen, strict=True))
    return Reading(chosen, against_all.choices + among_rest.choices)


Whole = tuple[dict[int, float], list[tuple[tuple[int, ...], float]]]


def whole(
    seats: tuple[int, ...], places: tuple[int, ...], shares: tuple[float, ...], basis: Basis, *, lost: bool = False
) -> Whole:
    """How often each seat was chosen and the choices with their weights; with ``lost``, even if nobody has won."""
    if basis == "places":
        return placed(seats, places)
    total = sum(shares[seat] for seat in seats)
    if total == 0 and not lost:
        return {}, []
    return {seat: shares[seat] / (total or 1) for seat in seats}, [(seats, 1.0)]


def placed(seats: tuple[int, ...], places: tuple[int, ...]) -> Whole:
    """The stages of a whole order, the mean of all orders of the seats that tie.

    After j of t tied seats are gone, each set of t-j of them is as likely to be left, so the mean needs the sets
    only, not the t! orders.
    """
    chosen = dict.fromkeys(seats, 1.0)
    choices: list[tuple[tuple[int, ...], float]] = []
    for place in sorted({places[seat] for seat in seats}):
        tied = [seat for seat in seats if places[seat] == place]
        later = tuple(seat for seat in seats if places[seat] > place)
        for left in range(len(tied), 0, -1):
            weight = 1 / comb(len(tied), left)
            choices += [(tuple(sorted(left_over + later)), weight) for left_over in combinations(tied, left)]
    return chosen, choices


def counted(told: Whole, judged: frozenset[int], seats: int) -> Reading:
    """A reading in which choices count for ``judged`` seats only; choices from one seat say nothing and go."""
    chosen, choices = told
    counts = [chosen.get(seat, 0.0) if seat in judged else 0.0 for seat in range(seats)]
    kept = []
    for among, weight in choices:
        if len(among) > 1:
            kept.append(Choice(among, tuple(weight if seat in judged else 0.0 for seat in among)))
        elif among[0] in judged:
            counts[among[0]] -= weight
    return Reading(tuple(counts), tuple(choice for choice in kept if any(choice.weights)))
