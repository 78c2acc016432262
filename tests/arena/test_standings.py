"""Standings match the results, and their intervals cover what they promise."""

import re
from itertools import product
from math import inf, isclose, sqrt
from random import Random
from statistics import mean, stdev

import pytest
import scipy  # loads its parts on first use
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.rating.standings import Result, SeatForfeit, clustered_mean, margins, standings, t_quantile
from kibitz.engine.sentences import share_text


def result(deal, rotation, players, scores, winners=None, forfeits=()):
    top = max(scores)
    won = tuple(i for i, score in enumerate(scores) if score == top) if winners is None else winners
    return Result(deal, rotation, deal, tuple(players), tuple(map(float, scores)), won, tuple(forfeits))


def test_wins_are_shared_and_scores_averaged():
    table = standings(["a", "b"], [result(0, 0, (0, 1), (5, 5)), result(1, 0, (1, 0), (1, 3))])
    assert [(line.name, line.rank, line.wins, line.mean_score, line.games) for line in table] == [
        ("a", 1, 1.5, 4.0, 2),
        ("b", 2, 0.5, 3.0, 2),
    ]


def test_wins_have_six_decimals():
    third = standings(["a", "b", "c"], [result(0, 0, (0, 1, 2), (1, 1, 1))])
    assert [line.wins for line in third] == [0.333333] * 3


def test_margins_belong_to_the_ranking_measure():
    games = [result(deal, 0, (0, 1), scores) for deal, scores in enumerate([(1, 0), (1, 0), (0, 9)])]
    lines = {line.name: line for line in standings(["Ada", "Bo"], games)}
    assert margins(games) == {0: lines["Ada"].win_margin, 1: lines["Bo"].win_margin}
    assert margins(games, by_score=True) == {0: lines["Ada"].score_margin, 1: lines["Bo"].score_margin}
    assert margins(games[:1], by_score=True) == {0: inf, 1: inf}


def test_chip_games_rank_by_winnings_and_forfeits_win_nothing():
    scores = [(10, -5, -5), (10, -5, -5), (-110, 65, 45)]
    won = [result(deal, 0, (0, 1, 2), earned) for deal, earned in enumerate(scores)]
    by_wins, by_score = (standings(["a", "b", "c"], won, **more) for more in ({}, {"by_score": True}))
    assert [line.name for line in by_wins] == ["a", "b", "c"]
    assert [(line.name, round(line.mean_score)) for line in by_score] == [("b", 18), ("c", 12), ("a", -30)]
    rich = result(2, 0, (0, 1, 2), (-50, 200, -150), (0,), [SeatForfeit(1, "invalid", "No.")])
    assert [(line.name, line.mean_score) for line in standings(["a", "b", "c"], [rich], by_score=True)] == [
        ("a", -50.0),
        ("b", -150.0),
        ("c", -150.0),
    ]


def test_equal_players_share_a_rank_and_the_next_rank_is_skipped():
    table = standings(["a", "b", "c"], [result(0, 0, (0, 1, 2), (5, 5, 1))])
    assert [(line.name, line.rank) for line in table] == [("a", 1), ("b", 1), ("c", 3)]


def test_the_order_of_results_does_not_change_standings():
    random = Random(1)
    results = [result(d, r, (0, 1), (random.random(), random.random())) for d in range(9) for r in range(2)]
    again = random.sample(results, len(results))
    assert standings(["a", "b"], results) == standings(["a", "b"], again)


def test_forfeits_are_counted_with_their_reasons():
    forfeit = SeatForfeit(1, "time", "Too slow.", "call(1)")
    table = standings(["a", "b"], [result(d, 0, (0, 1), (1, 0), forfeits=[forfeit]) for d in range(3)])
    assert table[1].forfeits == {"time": 3}
    assert table[1].reasons == ("3 games: Too slow.",)
    assert table[0].forfeits == {}


def test_forfeits_of_one_kind_show_the_most_frequent_reason():
    forfeits = [SeatForfeit(0, "invalid", sentence) for sentence in ("a.", "b.", "b.")]
    table = standings(["a"], [result(d, 0, (0,), (1,), forfeits=[f]) for d, f in enumerate(forfeits)])
    assert table[0].reasons == ("3 games, most often: b.",)


def test_an_interval_needs_three_deals():
    for deals in range(1, 5):
        results = [result(d, r, (0,), (r + d,), winners=(0,) if r else ()) for d in range(deals) for r in range(4)]
        (line,) = standings(["a"], results)
        assert (line.win_margin is None) == (line.score_margin is None) == (deals < 3)
        assert line.unknown == ("a has too few games for an interval: that needs 3 deals." if deals < 3 else "")


def test_the_margin_of_a_share_is_at_most_one():
    (line, _) = standings(["a", "b"], [result(d, 0, (0, 1), (d, 1 - d)) for d in range(3)])
    assert line.win_margin == 1.0


@pytest.mark.parametrize(("winners", "part"), [((0,), 0.0), ((0, 1), 0.5), ((1,), 1.0)])
def test_identical_deals_still_have_a_margin(winners, part):
    """All, nothing, or half of each of six deals: at 97.5 % at least 54 % of deals are like that."""
    table = standings(["a", "b"], [result(d, r, (0, 1), (0, 1), winners) for d in range(6) for r in range(2)])
    assert next(line.win_share for line in table if line.name == "b") == part
    assert all(isclose(line.win_margin, max(part, 1 - part) * (1 - 0.025 ** (1 / 6))) for line in table)


def shown(text):
    """The share shown and the ends of its interval, in tenths of a percent; None without an interval."""
    told, part, half, low, high = re.fullmatch(
        r"(([\d.]+) %(?: ± ([\d.]+)| \(([\d.]+)–([\d.]+) %\)))|.* ± \?", text
    ).groups()
    if told is None:
        return None
    share = 10 * float(part)
    ends = (share - 10 * float(half), share + 10 * float(half)) if half else (10 * float(low), 10 * float(high))
    return share, *ends


@given(st.lists(st.tuples(st.sampled_from([(0,), (1,), (0, 1)]), st.sampled_from([(0,), (1,), (0, 1)])), max_size=30))
def test_intervals_of_shares_stay_within_0_and_1_and_mirror_each_other(deals):
    """The shares of two players add up to 1; rounding leaves a tenth of a percent."""
    games = [result(d, r, (0, 1), (0, 0), won) for d, both in enumerate(deals) for r, won in enumerate(both)]
    lines = {line.name: shown(share_text(line.win_share, line.win_margin)) for line in standings(["a", "b"], games)}
    if len(deals) < 3:
        assert lines == {"a": None, "b": None}
        return
    (share, low, high), (other, lowest, highest) = lines["a"], lines["b"]
    assert 0 <= low < high <= 1000
    assert (share + other, low + highest, high + lowest) == pytest.approx((1000, 1000, 1000), abs=2)


def test_standings_without_games_are_valid():
    (line,) = standings(["a"], [])
    assert (line.rank, line.games, line.status) == (0, 0, "a has no games: no deal was complete.")


def test_a_missing_margin_always_has_a_reason():
    results = [result(d, 0, players, (1, 0)) for d, players in enumerate([(0, 1), (0, 2), (1, 0), (2, 0)])]
    for played in range(5):
        for line in standings(["a", "b", "c", "d"], results[:played]):
            unknown = line.win_margin is None or line.score_margin is None
            assert unknown == bool(line.unknown or not line.games)
            assert (line.rank > 0) == (not line.status) == (line.games > 0)


def test_unranked_players_come_last_and_do_not_shift_ranks():
    results = [result(d, 0, (0, 1, 2), (3, 2, 1)) for d in range(4)]
    table = standings(["a", "b", "c", "d", "e"], results, unranked={0: "a is out.", 4: "e was not played."})
    assert [(line.name, line.rank) for line in table] == [("b", 1), ("c", 2), ("d", 0), ("e", 0), ("a", 0)]
    assert table[2].status == "d has no games: it had no seat in the deals that were played."
    assert table[-1].status == "a is out."
    assert table[-1].wins == 4


def test_single_game_deals_give_the_textbook_margin():
    scores = [3.0, 5.0, 4.0, 9.0, 1.0]
    results = [result(d, 0, (0,), (score,)) for d, score in enumerate(scores)]
    middle, margin, games = clustered_mean(0, results, lambda r, seat: r.scores[seat])
    assert (middle, games) == (mean(scores), 5)
    assert isclose(margin, 2.7764451051977987 * stdev(scores) / sqrt(5), rel_tol=1e-9)


def test_games_of_one_deal_count_as_one_observation():
    """Four equal games of a deal carry no more information than one."""
    scores = [3.0, 5.0, 4.0, 9.0, 1.0]
    once = [result(d, 0, (0,), (score,)) for d, score in enumerate(scores)]
    often = [result(d, r, (0,), (score,)) for d, score in enumerate(scores) for r in range(4)]
    pick = lambda r, seat: r.scores[seat]  # noqa: E731
    assert isclose(clustered_mean(0, once, pick)[1], clustered_mean(0, often, pick)[1])


def test_t_quantiles_match_scipy_to_ten_digits():
    """Odd and even degrees of freedom, on both sides of where the expansion takes over."""
    for level, freedom in product([0.6, 0.95, 0.975, 0.999], [1, 2, 3, 10, 30, 51, 200, 201, 400, 5000]):
        assert isclose(t_quantile(freedom, level), scipy.stats.t.ppf(level, freedom), rel_tol=1e-10), (freedom, level)


def test_the_interval_covers_the_truth_in_95_of_100_tournaments():
    """Simulated blocks of four games with a shared deal effect; the true mean score is 0."""
    random = Random(7)
    held = 0
    for _ in range(1000):
        results = []
        for deal in range(12):
            luck = random.gauss(0, 2)
            results += [result(deal, r, (0,), (luck + random.gauss(0, 1),)) for r in range(4)]
        middle, margin, _ = clustered_mean(0, results, lambda r, seat: r.scores[seat])
        held += abs(middle) <= margin
    assert 930 <= held <= 970
