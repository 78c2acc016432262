"""The likelihood of a match is the mean over all orders that its places allow."""

from itertools import permutations
from math import exp, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.rating.plackett_luce import Basis, MatchChoices, has_places, match_choices

NEVER = (False,) * 10
strength_lists = st.lists(st.floats(-3, 3), min_size=5, max_size=5)


def likelihood(told: MatchChoices, strengths: list[float]) -> float:
    """The log-likelihood of a match's choices."""
    gained = sum(times * strengths[seat] for seat, times in enumerate(told.chosen))
    return gained - sum(c.weight * log(sum(exp(strengths[s]) for s in c.seats)) for c in told.choices)


def of_order(order: tuple[int, ...], strengths: list[float]) -> float:
    """The log-likelihood of a complete order, computed directly."""
    total = 0.0
    for place in range(len(order)):
        total += strengths[order[place]] - log(sum(exp(strengths[seat]) for seat in order[place:]))
    return total


def read(places, basis: Basis = "places", shares=None, failed=None) -> MatchChoices:
    n = len(places)
    won = places.count(1)
    shares = shares or tuple((place == 1) / won if won else 0.0 for place in places)
    return match_choices(tuple(places), tuple(shares), tuple(failed or NEVER[:n]), basis)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5), strength_lists)
def test_ties_average_over_all_orders(places, strengths):
    orders = [o for o in permutations(range(len(places))) if [places[s] for s in o] == sorted(places)]
    mean = sum(of_order(order, strengths) for order in orders) / len(orders)
    assert isclose(likelihood(read(places), strengths), mean, abs_tol=1e-9)


@pytest.mark.long
@given(st.lists(st.booleans(), min_size=2, max_size=5).filter(any), strength_lists)
def test_a_shared_win_averages_over_sole_wins(winners, strengths):
    places = [1 if won else 2 for won in winners]
    everyone = log(sum(exp(s) for s in strengths[: len(winners)]))
    wins = [strengths[seat] - everyone for seat, won in enumerate(winners) if won]
    assert isclose(likelihood(read(places, "wins"), strengths), sum(wins) / len(wins), abs_tol=1e-9)


def test_the_order_of_losers_is_ignored_when_rating_wins():
    assert read((1, 2, 2, 2), "wins") == read((1, 4, 3, 2), "wins")


def test_a_game_without_a_winner_is_shared_by_those_without_a_forfeit():
    told = read((1, 1, 1, 4), "wins", (0.0,) * 4, (False, False, False, True))
    assert told.chosen == (1 / 3, 1 / 3, 1 / 3, 0.0)
    assert [choice.seats for choice in told.choices] == [(0, 1, 2, 3)]
    assert read((1, 1), "wins", (0.0, 0.0), (True, True)).chosen == (0.5, 0.5)


def test_a_forfeit_does_not_make_a_third_place():
    assert not has_places((1, 2, 2, 4), (False, False, False, True))
    assert has_places((1, 2, 3, 4), (False, False, False, True))


def test_all_ten_seats_may_tie():
    told = read((1,) * 10)
    assert isclose(likelihood(told, [0.3] * 10), -sum(log(n) for n in range(1, 11)), abs_tol=1e-9)
