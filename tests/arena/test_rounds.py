"""The parts of pairing, by hand: precision, precisely rated players, and who is next."""

from math import inf
from random import Random
from types import SimpleNamespace

import pytest

from kibitz.arena.model import Entrant
from kibitz.arena.pairing import (
    PLAN,
    Precision,
    RoundPlan,
    earliest,
    expected_margin,
    expected_precision,
    filled_lineups,
    imprecise_submissions,
    is_fulfilled,
    is_precise,
    next_round,
    pair,
    precisions,
    quotas,
)
from kibitz.errors import NotationError


def rating(submission, margin, best=1, worst=3, blocks=4):
    return SimpleNamespace(submission=submission, margin=margin, best=best, worst=worst, blocks=blocks)


def ratings(*current, former=()):
    return SimpleNamespace(current=current, former=former)


def test_a_round_gives_two_to_eight_blocks_and_four_on_average():
    assert (PLAN.least, PLAN.average, PLAN.most, PLAN.max_margin, PLAN.rounds) == (2, 4, 8, None, None)


@pytest.mark.parametrize("numbers", [(1, 1, 1), (1, 2, 2), (3, 3, 9)])
def test_least_average_and_most_may_be_equal(numbers):
    assert RoundPlan(*numbers).average == numbers[1]


@pytest.mark.parametrize("numbers", [(0, 1, 1), (2, 1, 1), (1, 3, 2)])
def test_inconsistent_plans_are_refused(numbers):
    with pytest.raises(NotationError, match="1 <= least <= average <= most"):
        RoundPlan(*numbers)


def test_only_games_for_two_to_ten_can_be_paired():
    many = [Entrant(number, f"p{number}") for number in range(1, 12)]
    for seats in (2, 10):
        assert {len(lineup) for lineup in next_round(1, 1, seats, many, ())} == {seats}
    for seats in (1, 11):
        with pytest.raises(NotationError, match=f"only games with 2 to 10 seats can be paired, not with {seats}"):
            next_round(1, 1, seats, many, ())


def test_intervals_narrow_with_the_square_root_of_blocks():
    assert expected_precision(Precision(4, 30.0), 12) == Precision(16, 15.0)
    assert expected_margin(Precision(4, 30.0), 0) == 30.0
    assert expected_margin(Precision(0, inf), 99) == inf


def test_a_player_is_settled_by_its_margin_or_a_certain_rank():
    assert is_precise(rating(1, 40.0), 40.0)
    assert not is_precise(rating(1, 40.1), 40.0)
    assert is_precise(rating(1, 900.0, 2, 2), 40.0)
    assert not is_precise(rating(1, None, 1, 1), 40.0)
    assert imprecise_submissions(ratings(rating(1, 40.0), rating(2, 41.0)), [1, 2, 3], 40.0) == [2, 3]


def test_a_plan_ends_after_its_rounds_or_when_all_are_precise():
    some = ratings(rating(1, 40.0))
    assert [is_fulfilled(RoundPlan(rounds=3), some, [1], rounds) for rounds in (2, 3, 4)] == [False, True, True]
    assert not is_fulfilled(RoundPlan(), some, [1], 99)
    assert is_fulfilled(RoundPlan(max_margin=40.0), some, [1], 1)
    assert not is_fulfilled(RoundPlan(max_margin=39.9), some, [1], 1)
    assert is_fulfilled(RoundPlan(max_margin=39.9, rounds=2), some, [1], 2)


def test_precision_is_kept_for_former_versions_and_zero_for_new_ones():
    some = ratings(rating(1, 40.0, blocks=7), rating(2, None, blocks=1), former=(rating(3, 50.0, blocks=2),))
    assert precisions(some, [3, 1, 2, 4]) == {
        3: Precision(2, 50.0),
        1: Precision(7, 40.0),
        2: Precision(1, inf),
        4: Precision(0, inf),
    }
    assert precisions(None, [1]) == {1: Precision(0, inf)}


def test_remaining_blocks_go_to_the_widest_interval():
    """Three players for two seats, at least two and on average four blocks each: six of twelve places remain."""
    known = {1: Precision(4, 10.0), 2: Precision(4, 10.0), 3: Precision(4, 1000.0)}
    assert quotas(known, 2, RoundPlan(2, 4, 6), Random(1)) == {1: 3, 2: 3, 3: 6}
    assert quotas(known, 2, RoundPlan(2, 4, 4), Random(1)) == {1: 4, 2: 4, 3: 4}
    assert sum(quotas(known, 2, RoundPlan(2, 4, 8), Random(1)).values()) == 12


def test_the_earliest_in_the_queue_outside_the_lineup_are_next():
    queue = [3, 1, 3, 2, 1, 4, 5]
    assert earliest(queue, [1], 2) == [3, 2]
    assert earliest(queue, [], 3) == [3, 1, 2]
    assert earliest(queue, [9], 99) == [3, 1, 2, 4, 5]
    assert earliest(queue, [], 0) == []
    assert (pair(1, 2), pair(2, 1), pair(1, 1)) == ((1, 2), (1, 2), (1, 1))


def test_fillers_take_turns():
    found = filled_lineups([1, 2], [8, 9], 3, RoundPlan(1, 4, 4), Random(1))
    assert [sorted(lineup) for lineup in found] == [[1, 2, 8], [1, 2, 9], [1, 2, 8], [1, 2, 9]]
    assert [sorted(lineup) for lineup in filled_lineups([1], [9], 4, RoundPlan(1, 1, 1), Random(1))] == [[1, 9, 9, 9]]
