"""Rounds are even and fair, and give more games to players with uncertain ratings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
import scipy  # loads its parts on first use
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.arena.model import Entrant
from kibitz.arena.pairing import Precision, RoundPlan, all_precise, lineups, next_round, quotas
from kibitz.arena.rating.ratings import fit
from kibitz.arena.schedule import deal_seed
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


@given(st.integers(0, 999))
def test_players_sit_in_every_seat_once_per_block(seed):
    results = blocks(next_round(seed, 1, 4, entrants(9), ()), Random(seed))
    sat = Counter((r.block, s.submission, i) for r in results for i, s in enumerate(r.seats))
    assert set(sat.values()) == {1}
    assert len(sat) == 4 * len(results)


def test_different_blocks_have_different_deals():
    assert len({deal_seed(5, block) for block in range(1, 5000)}) == 4999


def test_new_players_play_most_and_well_known_players_least():
    state = {s: Precision(50, 20.0) for s in range(10)} | {10: Precision(), 11: Precision(5, 300.0)}
    given_out = quotas(state, 4, RoundPlan(2, 4, 8), Random(1))
    assert given_out[10] == given_out[11] == 8
    assert sum(given_out[s] for s in range(10)) == 48 - 16


def test_a_player_with_a_wide_interval_stays_within_the_cap():
    random = Random(1)
    results = []
    for number in range(1, 8):
        found = next_round(3, number, 4, entrants(12), results)
        assert block_counts(found)[12] <= RoundPlan().most
        assert min(block_counts(found).values()) >= RoundPlan().least
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


def test_invalid_plan_numbers_are_refused():
    with pytest.raises(NotationError, match="not 5, 4 and 8"):
        RoundPlan(least=5)
    with pytest.raises(NotationError, match="more than 0 points, not 0"):
        RoundPlan(max_margin=0)
    with pytest.raises(NotationError, match="at least 1 round, not 0"):
        RoundPlan(rounds=0)
    with pytest.raises(NotationError, match="only games with 2 to 10 seats can be paired, not with 11"):
        next_round(1, 1, 11, entrants(20), ())
    with pytest.raises(NotationError, match="a submission twice"):
        next_round(1, 1, 2, [*entrants(3), *entrants(1)], ())


def played(n, plan, most=60):
    """Rounds of equal players until the plan is fulfilled: their number, and all results."""
    random = Random(2)
    results = []
    for number in range(1, most):
        found = next_round(9, number, 2, entrants(n), results, plan)
        if not found:
            return number - 1, results
        base = len(results) // 2
        for block, lineup in enumerate(found, start=base):
            for r in range(2):
                one = won(2 * block + r + 1, lineup[r:] + lineup[:r], random.choice(lineup), block + 1)
                results.append(type(one)(**{f: getattr(one, f) for f in one.__struct_fields__} | {"round": number}))
    raise AssertionError("the plan is never fulfilled")


def test_a_final_ends_at_the_requested_interval_width():
    plan = RoundPlan(max_margin=80)
    rounds, results = played(4, plan)
    assert rounds > 2
    assert max(r.margin for r in fit(results).current) <= 80
    earlier = [r for r in results if r.round < rounds]
    assert not all_precise(fit(earlier), [1, 2, 3, 4], 80)


def test_a_final_ends_after_the_requested_rounds():
    assert played(4, RoundPlan(max_margin=1, rounds=3))[0] == 3


def test_an_unbeaten_player_does_not_prolong_a_final():
    results = [won(n, (1, 2), 1) for n in range(1, 301)]
    ratings = fit(results)
    assert max(r.margin for r in ratings.current) > 100
    assert all_precise(ratings, [1, 2], 100)
