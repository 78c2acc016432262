"""Schedules are fair, and a pure function of their seed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.model import EndCondition
from kibitz.arena.schedule import deal_seed, schedule, seed_of_block


@given(st.integers(1, 12), st.sampled_from([2, 3, 4]), st.integers(1, 40), st.integers(0, 99))
def test_players_get_equal_numbers_of_places(players, seats, deals, seed):
    lineups = schedule(players, seats, deals, seed)
    places = Counter(p for lineup in lineups for p in lineup)
    assert sum(places.values()) == seats * deals
    slack = 1 if players < seats or (seats * deals) % players == 0 else 2
    assert max(places.values()) - min(places[p] for p in range(players)) <= slack


@given(st.integers(4, 12), st.integers(1, 40), st.integers(0, 99))
def test_large_fields_never_pair_a_player_with_itself(players, deals, seed):
    assert all(len(set(lineup)) == 4 for lineup in schedule(players, 4, deals, seed))


@given(st.integers(1, 3), st.integers(1, 20))
def test_every_block_of_a_small_field_has_all_players(players, deals):
    assert all(set(lineup) == set(range(players)) for lineup in schedule(players, 4, deals, 1))


def test_a_schedule_is_fixed_by_its_seed():
    assert schedule(7, 4, 30, 5) == schedule(7, 4, 30, 5)
    assert schedule(7, 4, 30, 5) != schedule(7, 4, 30, 6)


def test_season_deals_are_numbered_from_1_and_tournament_deals_from_0():
    assert [seed_of_block(5, block, None) for block in range(1, 9)] == [deal_seed(5, deal) for deal in range(1, 9)]
    assert [seed_of_block(5, block, EndCondition(9)) for block in range(1, 9)] == [
        deal_seed(5, deal) for deal in range(8)
    ]


def test_opponents_are_mixed():
    """Over many deals, every pair of ten players meets about equally often."""
    meetings = Counter(
        frozenset((a, b)) for lineup in schedule(10, 4, 3000, 1) for a in lineup for b in lineup if a < b
    )
    assert len(meetings) == 45
    assert min(meetings.values()) > 0.8 * 3000 * 6 / 45
    assert max(meetings.values()) < 1.2 * 3000 * 6 / 45


def test_deal_seeds_differ():
    assert len({deal_seed(s, d) for s in range(20) for d in range(200)}) == 4000
    assert max(deal_seed(1, d).bit_length() for d in range(99)) <= 128
