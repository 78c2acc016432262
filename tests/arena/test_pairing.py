"""Rounds are even and fair, and give more games to players with uncertain ratings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import inf
from random import Random
from types import SimpleNamespace

import pytest
import scipy  # loads its parts on first use
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.arena.model import Entrant
from kibitz.arena.pairing import (
    Precision,
    RoundPlan,
    all_precise,
    expected_margin,
    expected_precision,
    filled_lineups,
    is_precise,
    lineups,
    next_round,
    precisions,
    quotas,
)
from kibitz.arena.rating.ratings import fit
from kibitz.errors import NotationError, RuleError
from tests.arena.results import blocks, won


def entrants(n, first=1):
    return [Entrant(s, f"p{s}") for s in range(first, first + n)]


def block_counts(lineups):
    return Counter(s for lineup in lineups for s in lineup)


fields = st.tuples(st.integers(2, 10), st.integers(0, 30)).map(lambda x: (x[0], x[0] + x[1]))
plans = st.tuples(st.integers(1, 5), st.integers(0, 5), st.integers(0, 9)).map(
    lambda x: RoundPlan(x[0], x[0] + x[1], x[0] + x[1] + x[2])
)
known = st.builds(Precision, st.integers(1, 50), st.floats(1, 900) | st.just(float("inf")))


@given(st.integers(0, 2**128 - 1), st.integers(1, 100), fields, plans)
def test_blocks_have_different_players_within_their_quotas(seed, number, field, plan):
    seats, n = field
    found = next_round(seed, number, seats, entrants(n), (), plan)
    assert all(len(lineup) == seats == len(set(lineup)) for lineup in found)
    count = block_counts(found)
    assert set(count) == set(range(1, n + 1))
    assert min(count.values()) >= plan.least
    assert max(count.values()) <= max(plan.most, plan.average + 1)
    assert plan.average * n <= sum(count.values()) < plan.average * n + seats


@given(st.integers(0, 2**128 - 1), st.integers(1, 100), st.integers(2, 10), st.data(), plans)
def test_a_filler_takes_the_remaining_seats(seed, number, seats, data, plan):
    n = data.draw(st.integers(1, seats - 1))
    field = [*entrants(n), Entrant(99, "planner", fills=True)]
    found = next_round(seed, number, seats, field, (), plan)
    assert len(found) == plan.average
    assert all(Counter(lineup) == {**dict.fromkeys(range(1, n + 1), 1), 99: seats - n} for lineup in found)
    assert found == next_round(seed, number, seats, field[::-1], (), plan)


@given(st.data(), fields, plans, st.integers(0, 99))
def test_quotas_stay_within_the_plan(data, field, plan, luck):
    seats, n = field
    state = {s: data.draw(known) for s in range(n)}
    given_out = quotas(state, seats, plan, Random(luck))
    assert min(given_out.values()) >= plan.least
    assert max(given_out.values()) <= max(plan.most, plan.average + 1)
    assert block_counts(lineups(given_out, seats, Random(luck))) == given_out


@given(st.integers(2, 10), st.data())
def test_all_quotas_are_used_up_if_possible(seats, data):
    n = data.draw(st.integers(seats, 20))
    count = data.draw(st.integers(1, 12))
    wanted = dict.fromkeys(range(n), 0)
    random = Random(data.draw(st.integers(0, 999)))
    for _ in range(count * seats):
        wanted[random.choice([s for s in wanted if wanted[s] < count])] += 1
    found = lineups(wanted, seats, random)
    assert len(found) == count
    assert block_counts(found) == Counter(wanted)
    assert all(len(set(lineup)) == seats for lineup in found)


def test_a_round_is_a_pure_function_of_the_results():
    results = blocks(next_round(5, 1, 4, entrants(9), ()), Random(1))
    once = next_round(5, 2, 4, entrants(9), results)
    assert once == next_round(5, 2, 4, entrants(9)[::-1], results[::-1])
    assert once != next_round(5, 3, 4, entrants(9), results)
    assert once != next_round(6, 2, 4, entrants(9), results)


def test_seats_opponents_and_neighbours_are_drawn_fairly():
    """Chi-square over many rounds; drawing without replacement is even more uniform than chance."""
    seats, n, rounds = 4, 7, 600
    sat, met, beside, deals = Counter(), Counter(), Counter(), Counter()
    for number in range(1, rounds + 1):
        for block, lineup in enumerate(next_round(11, number, seats, entrants(n), ())):
            sat.update(enumerate(lineup))
            met.update(combinations(sorted(lineup), 2))
            beside.update((lineup[i - 1], lineup[i]) for i in range(seats))
            deals.update((s, block) for s in lineup)
    for counts, cells in ((sat, seats * n), (met, n * (n - 1) // 2), (beside, n * (n - 1)), (deals, n * n)):
        assert len(counts) == cells
        assert scipy.stats.chisquare(list(counts.values())).pvalue > 0.001


def test_a_player_with_a_wide_interval_stays_within_the_cap():
    random = Random(1)
    results = []
    for number in range(1, 8):
        found = next_round(3, number, 4, entrants(12), results)
        base = len(results) // 4
        for block, lineup in enumerate(found, start=base):
            for r in range(4):
                strong = [s for s in lineup if s != 12]
                results.append(won(4 * block + r + 1, lineup[r:] + lineup[:r], random.choice(strong), block + 1))
    margins = {r.submission: r.margin for r in fit(results).current}
    assert margins[12] == max(margins.values())
    assert block_counts(next_round(3, 8, 4, entrants(12), results))[12] == RoundPlan().most


@settings(max_examples=30)
@given(st.integers(0, 999), st.integers(8, 40))
def test_a_players_blocks_are_spread_over_the_round(seed, n):
    """So that several workers seldom need two blocks of one player at the same time."""
    found = next_round(seed, 1, 4, entrants(n), ())
    half = block_counts(found[: len(found) // 2])
    assert max(half.values()) <= 4
    assert min(half[s] for s in range(1, n + 1)) >= 1


def test_opponents_vary_within_a_round():
    found = next_round(5, 1, 4, entrants(40), ())
    met = Counter(pair for lineup in found for pair in combinations(sorted(lineup), 2))
    assert max(met.values()) <= 2
    assert sum(times > 1 for times in met.values()) < len(met) / 10


def test_too_few_players_are_refused():
    with pytest.raises(RuleError, match=r"^a rated game needs 4 different players, and 3 can play\.$"):
        next_round(1, 1, 4, entrants(3), ())


def test_invalid_seats_and_submissions_are_refused():
    with pytest.raises(NotationError, match="only games with 2 to 10 seats can be paired, not with 11"):
        next_round(1, 1, 11, entrants(20), ())
    with pytest.raises(NotationError, match="a submission twice"):
        next_round(1, 1, 2, [*entrants(3), *entrants(1)], ())


def rating(submission, margin, best=1, worst=3, blocks=4):
    return SimpleNamespace(submission=submission, margin=margin, best=best, worst=worst, blocks=blocks)


def ratings(*current, former=()):
    return SimpleNamespace(current=current, former=former)


def test_intervals_narrow_with_the_square_root_of_blocks():
    assert expected_precision(Precision(4, 30.0), 12) == Precision(16, 15.0)
    assert expected_margin(Precision(4, 30.0), 0) == 30.0
    assert expected_margin(Precision(0, inf), 99) == inf


def test_a_player_is_settled_by_its_margin_or_a_certain_rank():
    assert is_precise(rating(1, 40.0), 40.0)
    assert not is_precise(rating(1, 40.1), 40.0)
    assert is_precise(rating(1, 900.0, 2, 2), 40.0)
    assert not is_precise(rating(1, None, 1, 1), 40.0)
    some = ratings(rating(1, 40.0), rating(2, 41.0))
    assert [all_precise(some, of, 40.0) for of in ([1], [1, 2], [1, 3], [])] == [True, False, False, True]


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


def test_fillers_take_turns():
    found = filled_lineups([1, 2], [8, 9], 3, RoundPlan(1, 4, 4), Random(1))
    assert [sorted(lineup) for lineup in found] == [[1, 2, 8], [1, 2, 9], [1, 2, 8], [1, 2, 9]]
    assert [sorted(lineup) for lineup in filled_lineups([1], [9], 4, RoundPlan(1, 1, 1), Random(1))] == [[1, 9, 9, 9]]
