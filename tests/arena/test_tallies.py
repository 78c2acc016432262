"""What is counted before anything is rated, worked by hand."""

from math import sqrt

import pytest

from kibitz.arena.rating.margins import few, t_quantile
from kibitz.arena.rating.ratings import SCALE, fit
from kibitz.arena.rating.tallies import compared, tally
from tests.arena.results import match, placed, seat, won

TEN = 10
"""From so many wins and as many defeats on, what a player's own deals show is believed."""
THREE = [
    placed(1, (1, 2, 3), (1, 2, 3), 1),
    placed(2, (2, 3, 1), (1, 1, 3), 1),
    match(3, [seat(3, 1, 1.0), seat(1, 2), seat(2, 3, forfeit="time")], 2),
]
"""Player 1 is first, last and second; 2 is second, shares the win and fails; 3 is last, shares the win and wins."""


def test_places_are_counted_seat_by_seat_and_a_tie_is_half_on_both_sides():
    told = tally(THREE, "places")
    assert told.submissions == (1, 2, 3)
    assert told.above.tolist() == [2 + 0 + 1, 1 + 1.5 + 0, 0 + 1.5 + 2]
    assert told.below.tolist() == [0 + 2 + 1, 1 + 0.5 + 2, 2 + 0.5 + 0]


def test_wins_are_shares_and_what_is_not_won_is_lost():
    told = tally(THREE, "wins")
    assert told.above.tolist() == told.wins.tolist() == [1, 0.5, 1.5]
    assert told.below.tolist() == [2, 2.5, 1.5]


def test_games_blocks_and_failures_are_counted_by_player():
    told = tally([*THREE, won(4, (1, 2), 1, 3)])
    assert told.games.tolist() == [4, 4, 3]
    assert told.blocks.tolist() == [3, 3, 2]
    assert told.failures.tolist() == [0, 1, 0]
    assert told.matches == 4


@pytest.mark.parametrize(
    ("seat", "more", "less"),
    [(0, 3, 0), (1, 1.5, 1.5), (2, 1.5, 1.5), (3, 0, 3)],
    ids=["first", "ties", "ties too", "last"],
)
def test_who_is_above_and_below_each_seat_of_one_match(seat, more, less):
    assert compared(seat, (1, 2, 2, 4), (1.0, 0.0, 0.0, 0.0), "places") == (more, less)


def even(blocks, first, second, number=0):
    """Blocks of two games that each wins once, so that the deals show no spread at all."""
    return [
        won(number + 2 * n + which, (first, second), (first, second)[which - 1], 1000 * first + n)
        for n in range(blocks)
        for which in (1, 2)
    ]


def margins(results):
    return {rating.submission: rating.margin for rating in fit(results).current}


def test_below_ten_wins_or_defeats_the_margin_is_the_model_s():
    """By hand, both of equal strength: the slope of the difference is 1/4 of the virtual games and n/2 of the games."""
    blocks = TEN - 1
    by_model = SCALE * t_quantile(blocks - 1) * sqrt(0.5 / (0.25 + blocks))
    assert margins(even(blocks, 1, 2)) == pytest.approx({1: by_model, 2: by_model}, abs=1e-5)


def test_with_ten_wins_and_ten_defeats_the_deals_own_spread_counts():
    """The deals have none, so what is left is the spread of the virtual games, each a cluster of its own."""
    blocks = TEN
    error = few(blocks) * sqrt(0.5 * 0.25) / (0.25 + blocks)
    by_deals = SCALE * t_quantile(blocks - 1) * error
    assert margins(even(blocks, 1, 2)) == pytest.approx({1: by_deals, 2: by_deals}, abs=1e-5)


def two_of_three(blocks):
    """Blocks of three games of which player 1 wins two."""
    return [won(3 * n + g, (1, 2), 2 if g == 3 else 1, n + 1) for n in range(blocks) for g in (1, 2, 3)]


def ranks(results):
    return {rating.submission: (rating.best, rating.worst) for rating in fit(results).current}


def test_a_rank_is_not_certain_by_deals_without_spread_before_ten_defeats():
    assert ranks(two_of_three(TEN - 1)) == {1: (1, 2), 2: (1, 2)}
    assert ranks(two_of_three(TEN)) == {1: (1, 1), 2: (2, 2)}


def test_one_of_the_two_with_too_few_defeats_makes_their_comparison_uncertain():
    results = two_of_three(TEN - 1) + even(30, 2, 3, number=1000)
    found = ranks(results)
    assert found[1][1] > 1
    assert found[2][0] == 1
    assert ranks(two_of_three(3 * TEN) + even(30, 2, 3, number=1000))[1] == (1, 1)
