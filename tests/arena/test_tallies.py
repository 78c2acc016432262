"""The counts behind ratings, computed by hand."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from kibitz.arena.rating.plackett_luce import match_choices, tally
from kibitz.arena.rating.ratings import SCALE, fit
from kibitz.arena.rating.standings import small_sample_factor, t_quantile
from tests.arena.results import match, placed, seat, won

TEN = 10
"""From this many wins and losses on, the spread of a player's own deals is used."""
THREE = [
    placed(1, (1, 2, 3), (1, 2, 3), 1),
    placed(2, (2, 3, 1), (1, 1, 3), 1),
    match(3, [seat(3, 1, 1.0), seat(1, 2), seat(2, 3, forfeit="time")], 2),
]
"""Player 1 is first, last and second; 2 is second, shares the win and fails; 3 is last, shares the win and wins."""


def test_places_are_counted_per_seat_with_ties_as_halves():
    counts = tally(THREE, "places")
    assert counts.submissions == (1, 2, 3)
    assert counts.above.tolist() == [2 + 0 + 1, 1 + 1.5 + 0, 0 + 1.5 + 2]
    assert counts.below.tolist() == [0 + 2 + 1, 1 + 0.5 + 2, 2 + 0.5 + 0]


def test_wins_are_shares_and_the_rest_is_lost():
    counts = tally(THREE, "wins")
    assert counts.above.tolist() == counts.wins.tolist() == [1, 0.5, 1.5]
    assert counts.below.tolist() == [2, 2.5, 1.5]


def test_games_blocks_and_failures_are_counted_per_player():
    counts = tally([*THREE, won(4, (1, 2), 1, 3)])
    assert counts.games.tolist() == [4, 4, 3]
    assert counts.blocks.tolist() == [3, 3, 2]
    assert counts.failures.tolist() == [0, 1, 0]
    assert counts.matches == 4


def even_blocks(blocks, first, second, number=0):
    """Blocks of two games, one win each, so that the deals show no spread."""
    return [
        won(number + 2 * n + which, (first, second), (first, second)[which - 1], 1000 * first + n)
        for n in range(blocks)
        for which in (1, 2)
    ]


def margins(results):
    return {rating.submission: rating.margin for rating in fit(results).current}


def test_the_margin_is_the_models_below_ten_wins_or_losses():
    """By hand, for equal strength: the slope of the difference is 1/4 of the virtual games and n/2 of the games."""
    blocks = TEN - 1
    by_model = SCALE * t_quantile(blocks - 1) * sqrt(0.5 / (0.25 + blocks))
    assert margins(even_blocks(blocks, 1, 2)) == pytest.approx({1: by_model, 2: by_model}, abs=1e-5)


def test_the_spread_of_deals_counts_from_ten_wins_and_losses_on():
    """The deals have no spread, so only the virtual games count, each as its own cluster."""
    blocks = TEN
    error = small_sample_factor(blocks) * sqrt(0.5 * 0.25) / (0.25 + blocks)
    by_deals = SCALE * t_quantile(blocks - 1) * error
    assert margins(even_blocks(blocks, 1, 2)) == pytest.approx({1: by_deals, 2: by_deals}, abs=1e-5)


def two_of_three(blocks):
    """Blocks of three games, two of them won by player 1."""
    return [won(3 * n + g, (1, 2), 2 if g == 3 else 1, n + 1) for n in range(blocks) for g in (1, 2, 3)]


def ranks(results):
    return {rating.submission: (rating.best, rating.worst) for rating in fit(results).current}


def test_deals_without_spread_give_no_certain_rank_before_ten_losses():
    assert ranks(two_of_three(TEN - 1)) == {1: (1, 2), 2: (1, 2)}
    assert ranks(two_of_three(TEN)) == {1: (1, 1), 2: (2, 2)}


def test_a_comparison_is_uncertain_if_either_has_few_losses():
    results = two_of_three(TEN - 1) + even_blocks(30, 2, 3, number=1000)
    found = ranks(results)
    assert found[1][1] > 1
    assert found[2][0] == 1
    assert ranks(two_of_three(3 * TEN) + even_blocks(30, 2, 3, number=1000))[1] == (1, 1)


def choices_of(counts):
    """All choices in a tally as (weight, cluster, submissions), with their counts."""
    found = Counter()
    for choices in counts.evidence.choices:
        for players, weight, cluster in zip(
            choices.players.tolist(), choices.weights.tolist(), choices.clusters.tolist(), strict=True
        ):
            found[weight, cluster, tuple(sorted(players))] += 1
    return found


@pytest.mark.parametrize("basis", ["wins", "places"])
def test_combined_matches_equal_the_sum_of_single_matches(basis):
    """Random places, shares and forfeits in games for two to four; the slow way reads match by match."""
    random, results = Random(5), []
    for number in range(1, 120):
        who = random.sample(range(6), random.randint(2, 4))
        seats = [
            seat(s, random.randint(1, 4), random.choice([0.0, 0.25, 0.5, 1.0]), random.choice([None, None, "time"]))
            for s in who
        ]
        results.append(match(number, seats, 1 + number // 3))
    expected, chosen = Counter(), Counter()
    for one in results:
        seats = sorted(one.seats, key=lambda s: (s.forfeit is not None, s.place, -s.win_share, s.submission))
        implied = match_choices(
            tuple(s.place for s in seats),
            tuple(s.win_share for s in seats),
            tuple(s.forfeit is not None for s in seats),
            basis,
        )
        for choice in implied.choices:
            expected[choice.weight, one.block - 1, tuple(sorted(seats[i].submission for i in choice.seats))] += 1
        for s, times in zip(seats, implied.chosen, strict=True):
            chosen[s.submission, one.block - 1] += times
    found = tally(results, basis)
    assert choices_of(found) == expected
    times = Counter()
    for who, where, much in zip(
        *(getattr(found.evidence, name).tolist() for name in ("chosen_players", "chosen_clusters", "chosen")),
        strict=True,
    ):
        times[who, where] += much
    assert times == pytest.approx(chosen)


def test_tenfold_odds_are_400_points():
    """By hand: half a virtual win, ten wins and a share of the last game equal the expected wins."""
    last = 1 / (1 + 10**-0.5) - 0.5
    games = [won(n, (1, 2), 1) for n in range(1, 11)]
    games.append(match(11, [seat(1, 1, last), seat(2, 1, 1 - last)]))
    first, second = fit(games, "wins").current
    assert (first.points, second.points) == pytest.approx((1700, 1300), abs=1e-4)


def test_a_submission_alone_meets_itself_in_every_block():
    counts = tally([placed(n, (7, 7), (1, 2), n) for n in (1, 2, 3)])
    assert counts.blocks.tolist() == [3]
    assert counts.games.tolist() == [6]


def test_figures_have_at_most_six_decimals():
    random = Random(1)
    results = [match(n, [seat(s, 1, 1 / 3) for s in random.sample(range(5), 3)], 1 + n // 3) for n in range(1, 31)]
    ratings = fit([*results, *(won(n, (1, 2, 3), 2) for n in range(31, 50))]).current
    for one in ratings:
        for figure in (one.points, one.margin, one.wins):
            assert round(figure, 6) == figure
    assert any(round(one.points, 5) != one.points for one in ratings)
