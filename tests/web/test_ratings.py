"""Ratings of people at the tables of a server."""

from math import log10
from random import Random

import pytest

from kibitz.web.ratings import rating_in, strengths, table_ratings
from kibitz.web.store.tables import RatedGame
from tests.web.serving import play_on


def duels(wins: int, losses: int) -> list[RatedGame]:
    return [RatedGame("kuhn", ("ann", "best"), (0,))] * wins + [RatedGame("kuhn", ("ann", "best"), (1,))] * losses


def test_rating_differences_match_the_odds():
    found = strengths(duels(3000, 1000))
    assert found["ann"] / found["best"] == pytest.approx(3, rel=0.01)
    assert found["ann"] * found["best"] == pytest.approx(1, rel=0.01)
    rating = rating_in("kuhn", duels(3000, 1000), "ann")
    assert rating.points == pytest.approx(1500 + 200 * log10(3), abs=2)
    assert rating.games == 4000


def test_shared_wins_count_in_part_and_players_may_have_several_seats():
    shared = [RatedGame("go", ("ann", "best", "best", "best"), (0, 1))] * 50
    found = strengths(shared)
    assert found["ann"] / (found["ann"] + 3 * found["best"]) == pytest.approx(0.5, abs=0.02)


def test_few_games_and_perfect_records_give_moderate_ratings():
    rating = rating_in("kuhn", duels(3, 0), "ann")
    assert 1500 < rating.points < 1700
    assert rating.margin > 200
    assert rating_in("kuhn", duels(1000, 0), "ann").points < 3000


def test_intervals_cover_the_true_difference_95_percent_of_the_time():
    random, inside = Random(1), 0
    true = {"ann": 2.0, "ben": 1.0, "best": 1.0, "easy": 0.5}
    for _ in range(200):
        games = [
            RatedGame("x", names, (random.choices(range(4), [true[p] for p in names])[0],))
            for names in [tuple(random.sample(list(true), 4)) for _ in range(60)]
        ]
        found = rating_in("x", games, "ann")
        inside += abs(found.points - 1500 - 400 * log10(2)) <= found.margin
    assert inside >= 190


def test_games_are_rated_separately_and_only_with_a_winner():
    games = [*duels(1, 1), RatedGame("go", ("ann", "ben"), (1,)), RatedGame("bo", ("ann", "ben"), ())]
    games.append(RatedGame("hearts", ("ben", "eve"), (0,)))
    assert [one.game for one in table_ratings(games, "ann")] == ["go", "kuhn"]


def test_only_games_without_hints_are_rated(ann, eve):
    for hint in (False, True):
        with ann.at(ann.table("kuhn:hands=9")) as line:
            if hint:
                line.state()
                line.ask("hint")
            play_on(line)
    (rating,) = ann.get("/api/me/ratings").json()["ratings"]
    assert (rating["game"], rating["games"]) == ("kuhn:hands=9", 1)
    assert 1400 < rating["points"] < 1600
    assert eve.get("/api/me/ratings").json() == {"ratings": []}
