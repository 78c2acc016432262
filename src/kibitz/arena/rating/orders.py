"""What the order of one match says of its players: who was chosen from whom.

    choice      a stage of the Plackett-Luce model: one of several seats comes next, seat i with probability
                exp(s_i) / sum of exp(s_j) over the seats it is chosen from
    basis       "wins": one choice a match, its winner; "places": a choice for every place, from the first on
    tie         seats in one place; their log-likelihood is averaged over all their orders, and so a win shared by
                two is half a win for each
    failed      a seat that forfeited: it comes after all others, who were chosen before it

With wins, the order of those who have not won is no tie, since nobody has looked at it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Literal

import msgspec

Basis = Literal["wins", "places"]


class Choice(msgspec.Struct, frozen=True):
    """A choice among ``seats`` and how much it counts."""

    seats: tuple[int, ...]
    weight: float


class Reading(msgspec.Struct, frozen=True):
    """All that a match says: how often each seat was chosen, and from whom.

    The log-likelihood of strengths s is the sum of ``chosen[i] * s[i]`` over the seats, less the sum over the choices
    of weight times log(sum of exp(s[i]) over its seats).
    """

    chosen: tuple[float, ...]
    choices: tuple[Choice, ...]


def tells_places(places: tuple[int, ...], failed: tuple[bool, ...]) -> bool:
    """Whether a match tells more than who won: three places or more among the seats that did not fail."""
    return len({place for place, out in zip(places, failed, strict=True) if not out}) > 2


@lru_cache(maxsize=100_000)
def reading(places: tuple[int, ...], shares: tuple[float, ...], failed: tuple[bool, ...], basis: Basis) -> Reading:
    """Read one match: place, share of the win and failure of every seat."""
    return by_places(places) if basis == "places" else by_wins(shares, failed)


def by_wins(shares: tuple[float, ...], failed: tuple[bool, ...]) -> Reading:
    """One choice from all seats; where nobody has won, all who did not fail share the win."""
    if not any(shares):
        shares = tuple(float(all(failed) or not out) for out in failed)
    total = sum(shares)
    return Reading(tuple(share / total for share in shares), (Choice(tuple(range(len(shares))), 1.0),))


def by_places(places: tuple[int, ...]) -> Reading:
    """The stages of an order, the mean of all orders of the seats that tie.

    After j of t tied seats are gone, each set of t-j of them is as likely to be left, so the mean needs the sets
    only, not the t! orders.  A choice from one seat says nothing.
    """
    seats = range(len(places))
    chosen = [1.0] * len(places)
    choices = []
    for place in sorted(set(places)):
        tied = [seat for seat in seats if places[seat] == place]
        later = tuple(seat for seat in seats if places[seat] > place)
        for left in range(len(tied), 0 if later else 1, -1):
            weight = 1 / comb(len(tied), left)
            choices += [Choice(tuple(sorted(some + later)), weight) for some in combinations(tied, left)]
        if not later:
            for seat in tied:
                chosen[seat] -= 1 / len(tied)
    return Reading(tuple(chosen), tuple(choices))
