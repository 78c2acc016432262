"""Ratings are a pure function of the results, match other programs, and have correct intervals."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise, permutations, product
from math import exp, isclose, log, sqrt

import msgspec
import numpy as np
import pytest
import scipy  # loads its parts on first use
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ratings import STYLES, coverage, season, strengths
from kibitz.arena.rating.ratings import MEAN, SCALE, fit
from kibitz.arena.rating.standings import small_sample_factor, t_quantile
from kibitz.errors import NotationError
from tests.arena.results import match, placed, seat, won
from tests.parts import share
from tests.tiers import first_fast


def points(ratings):
    return {rating.submission: rating.points for rating in ratings.current + ratings.former}


def direct(results, basis):
    """Points by SciPy from the defining likelihood: every possible order, and the drawn virtual game."""
    who = sorted({s.submission for result in results for s in result.seats})

    def minus(theta):
        of = dict(zip(who, theta, strict=True))
        total = sum(0.5 * log(1 / (1 + exp(-s))) + 0.5 * log(1 / (1 + exp(s))) for s in theta)
        for result in results:
            if basis == "wins":
                everyone = log(sum(exp(of[s.submission]) for s in result.seats))
                total += sum(s.win_share * (of[s.submission] - everyone) for s in result.seats)
                continue
            orders = [o for o in permutations(result.seats) if all(a.place <= b.place for a, b in pairwise(o))]
            for order in orders:
                line = [of[s.submission] for s in order]
                total += sum(a - log(sum(map(exp, line[i:]))) for i, a in enumerate(line)) / len(orders)
        return -total

    found = scipy.optimize.minimize(minus, np.zeros(len(who)), method="BFGS", options={"gtol": 1e-8})
    return dict(zip(who, MEAN + SCALE * (found.x - found.x.mean()), strict=True))


@pytest.mark.parametrize("style", first_fast(STYLES, 3), ids=lambda style: style.name)
def test_ratings_match_the_likelihood_computed_directly(style):
    results = season(style, strengths(6, 3), 12, 5)
    found = points(fit(results, style.basis))
    assert found == pytest.approx(direct(results, style.basis), abs=0.01)


def test_margins_match_a_numerical_sandwich_estimate():
    """Scores of clusters and their slope, by finite differences of the direct likelihood of wins."""
    results = season(STYLES[0], strengths(5, 3), 40, 5)
    ratings = fit(results)
    theta = np.array([points(ratings)[s] for s in range(5)])
    theta = (theta - MEAN) / SCALE
    for _ in range(50):  # strengths are points up to a constant, which the virtual games fix
        shift = float((0.5 - 1 / (1 + np.exp(-theta))).sum() / (np.exp(theta) / (1 + np.exp(theta)) ** 2).sum())
        theta = theta + shift

    def score(at, cluster):
        total = np.zeros(5)
        for result in results:
            if result.block == cluster:
                power = np.array([exp(at[s.submission]) for s in result.seats])
                for s, p in zip(result.seats, power / power.sum(), strict=True):
                    total[s.submission] += s.win_share - p
        return total

    def everything(at):
        return sum((score(at, c) for c in range(1, 41)), 0.5 - 1 / (1 + np.exp(-at)))

    assert abs(everything(theta)).max() < 1e-5
    step = 1e-5
    slope = np.array([(everything(theta + step * e) - everything(theta - step * e)) / (2 * step) for e in np.eye(5)])
    half = 1 / (1 + np.exp(-theta))
    meat = np.diag(half * (1 - half)) + sum(np.outer(score(theta, c), score(theta, c)) for c in range(1, 41))
    bread = np.linalg.inv(slope)
    centre = np.eye(5) - 1 / 5
    covariance = centre @ bread @ meat @ bread.T @ centre.T
    for rating in ratings.current:
        error = sqrt(covariance[rating.submission, rating.submission]) * small_sample_factor(rating.blocks)
        assert rating.margin == pytest.approx(SCALE * t_quantile(rating.blocks - 1) * error, rel=1e-4)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.sampled_from(STYLES))
def test_the_order_of_results_does_not_change_ratings(random, style):
    results = season(style, strengths(7, 1), 10, random.randrange(1000))
    shuffled = random.sample(results, len(results))
    assert msgspec.json.encode(fit(results)) == msgspec.json.encode(fit(shuffled))


def test_seating_does_not_change_ratings():
    results = season(STYLES[2], strengths(7, 1), 10, 1)
    turned = [msgspec.structs.replace(r, seats=r.seats[1:] + r.seats[:1]) for r in results]
    assert fit(results) == fit(turned)


def test_the_number_of_threads_does_not_change_ratings():
    script = (
        "import msgspec, sys\nfrom benchmarks.ratings import *\n"
        "sys.stdout.buffer.write(msgspec.json.encode(fit(season(STYLES[2], strengths(90, 1), 150, 1))))"
    )
    found = set()
    for threads in ("1", "4"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, "PYTHONHASHSEED": threads, **dict.fromkeys(names, threads)}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
        found.add(ran.stdout)
    assert len(found) == 1
    assert len(found.pop()) > 1000


def test_unbeaten_and_winless_players_have_finite_points_and_wide_margins():
    results = [won(n, (1, 2, 3, 4), 1) for n in range(1, 101)]
    found = {rating.submission: rating for rating in fit(results).current}
    assert 2000 < found[1].points < 3500
    assert found[2].points == found[3].points == found[4].points
    assert found[1].margin > 150
    assert (found[1].rank, found[1].best, found[1].worst) == (1, 1, 1)
    assert {found[n].rank for n in (2, 3, 4)} == {2}


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_two_player_ratings_converge_in_one_sided_seasons(lost):
    matches = [won(n, (1, 2), 1 if n > lost else 2) for n in range(1, 3000)]
    first, second = fit(matches).current
    assert (first.player, second.player) == ("p1", "p2")
    odds = (len(matches) - lost) / max(lost, 0.25)
    assert first.points - second.points == pytest.approx(SCALE * log(odds), rel=0.15)


def test_an_unbeaten_player_gains_with_every_further_win():
    early, late = (points(fit([won(n, (1, 2, 3), 1) for n in range(1, games)]))[1] for games in (10, 100))
    assert late > early


def test_separate_fields_are_both_average_with_uncertain_ranks():
    first = [won(n, (1, 2), 1 + n % 2) for n in range(1, 41)]
    second = [won(n, (3, 4), 3 + n % 2) for n in range(41, 81)]
    found = fit(first + second).current
    assert all(isclose(r.points, MEAN, abs_tol=1e-6) for r in found)
    assert all((r.best, r.worst) == (1, 4) for r in found)
    assert all(r.margin > 100 for r in found)


def test_one_block_gives_no_margin_and_no_certain_rank():
    found = fit([won(n, (1, 2, 3), 1, 1) for n in (1, 2, 3)]).current
    assert [(r.margin, r.best, r.worst) for r in found] == [(None, 1, 3)] * 3


def test_no_results_give_an_empty_table():
    assert fit([]).current == fit([]).former == ()


def test_current_versions_average_1500_points():
    results = season(STYLES[0], strengths(5, 1), 20, 1)
    changed = []
    for result in results:
        seats = [
            msgspec.structs.replace(s, player="player 1", version=2) if s.submission == 4 else s for s in result.seats
        ]
        changed.append(msgspec.structs.replace(result, seats=tuple(seats)))
    found = fit(changed)
    assert sorted(r.submission for r in found.current) == [0, 2, 3, 4]
    assert [(r.submission, r.version, r.rank) for r in found.former] == [(1, 1, 0)]
    assert sum(r.points for r in found.current) / 4 == pytest.approx(MEAN, abs=1e-5)
    assert found.current[0].points - found.current[1].points == pytest.approx(
        points(fit(results))[found.current[0].submission] - points(fit(results))[found.current[1].submission], abs=1e-5
    )


def test_disqualified_players_have_points_but_no_rank():
    results = season(STYLES[0], strengths(5, 1), 20, 1)
    found = fit(results, excluded=[3])
    assert [r.submission for r in found.former] == [3]
    assert sorted(r.rank for r in found.current) == [1, 2, 3, 4]
    assert max(r.worst for r in found.current) <= 4


def test_a_forfeit_is_a_loss_and_favours_no_opponent():
    def results(forfeits):
        played = [won(n, (1, 2, 3), 1 + n % 3) for n in range(1, 61)]
        for n in range(61, 61 + forfeits):
            seats = [seat(1, 3, 0.0, "illegal"), seat(2, 1, 1.0 * (n % 2)), seat(3, 2 - n % 2, 1.0 * (1 - n % 2))]
            played.append(match(n, seats))
        return played

    clean, failing = points(fit(results(0))), points(fit(results(30)))
    assert failing[1] < clean[1] - 50
    assert failing[2] > clean[2]
    assert isclose(failing[2], failing[3], abs_tol=2)
    assert fit(results(30)).current[2].failures == 30


def test_places_are_rated_if_any_match_has_three_of_them():
    losers = [won(n, (1, 2, 3), 1 + n % 3) for n in range(1, 10)]
    assert fit(losers).basis == "wins"
    assert fit([*losers, placed(10, (1, 2, 3), (2, 1, 3))]).basis == "places"
    assert fit([*losers, placed(10, (1, 2, 3), (2, 1, 3))], "wins").basis == "wins"


def test_contradictory_results_are_refused():
    one = won(1, (1, 2), 1)
    with pytest.raises(NotationError, match="match 1 of go appears twice"):
        fit([one, one])
    with pytest.raises(NotationError, match="rate one tournament at a time, not bo and go together"):
        fit([one, match(0, one.seats, tournament="bo")])
    with pytest.raises(NotationError, match="submission 1 is version 1 of ann in one match and version 1 of p1"):
        fit([one, match(2, [seat(1, 1, 1.0, player="ann"), seat(2, 2)])])


def test_ratings_converge_over_a_wide_field():
    results = [won(n, (a, a + 1), a + 1) for a in range(30) for n in range(1 + 20 * a, 21 + 20 * a)]
    found = points(fit(results))
    assert [found[a] for a in range(31)] == sorted(found.values())


@pytest.mark.parametrize("style", first_fast(STYLES[k] for k in (0, 3, 4, 7)), ids=lambda style: style.name)
def test_intervals_cover_the_truth_93_to_97_percent_of_the_time(style):
    """A few fixed seasons; ``test_intervals_cover_the_truth_in_many_long_seasons`` has many."""
    found = coverage(style, players=8, blocks=100, seasons=40, seed=3, longer=30)
    assert 0.93 <= found.points <= 0.97
    assert found.ranks >= 0.95


@pytest.mark.long
@pytest.mark.parametrize(
    ("style", "blocks"), share(product(STYLES, [90, 300]), 4), ids=lambda of: getattr(of, "name", of)
)
def test_intervals_cover_the_truth_in_many_long_seasons(style, blocks):
    """Each player's own share is below 93 % by no more than chance explains among 16 times 12 players."""
    seasons = 400
    found = coverage(style, players=12, blocks=blocks, seasons=seasons, seed=2)
    assert 0.93 <= found.points <= 0.97
    assert found.ranks >= 0.95
    assert found.worst >= 0.93 - 4 * (0.93 * 0.07 / seasons) ** 0.5
