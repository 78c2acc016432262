"""When a season advances, waits or is done, with a fake store."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Entrant
from kibitz.arena.running.next_round import SeasonScheduler, StopCondition
from tests.arena.results import won

ANN, BEN = Entrant(1, "ann"), Entrant(2, "ben")
EQUAL = [won(n, (1, 2), 1 + n % 2, n) for n in range(1, 201)]


def played(rounds, games):
    return SimpleNamespace(rounds=rounds, matches=games)


class FakeStore:
    """A store of one tournament of Kuhn poker."""

    def __init__(self, entrants=(ANN, BEN), *, phase="open", kind="season", last=None, closes=True):
        self.there, self.phase, self.kind, self.last = tuple(entrants), phase, kind, last
        self.closes, self.size, self.done = closes, played(0, 0), []

    def rounds(self, name, newest):
        return [] if self.last is None else [self.last]

    def close_round(self, name, number):
        self.done.append(("close", number))
        return SimpleNamespace() if self.closes else None

    def tournament(self, name):
        return SimpleNamespace(phase=self.phase, seats=2, kind=self.kind)

    def results(self, name, *, stage, rounds, closed):
        self.done.append(("results", stage, list(rounds), closed))
        return [f"round {number}" for number in rounds]

    def entrants(self, name):
        return self.there

    def fill_seats(self, name):
        self.done.append("fill")
        return (*self.there, Entrant(9, "planner", fills=True))

    def extent(self, name, stage):
        return self.size

    def seed(self, name, stage):
        return 7

    def schedule_round(self, name, number, entrants, lineups, *, phase):
        self.done.append(("schedule", number, [one.player for one in entrants], lineups, phase))
        return True


def season(until=None, lineups=((1, 2),), **more):
    shop, asked = FakeStore(**more), []

    def next_round(*given):
        asked.append(given)
        return lineups

    return SeasonScheduler(shop, "kuhn", until or StopCondition(), next_round), shop, asked


def row(number, closed_at=None):
    return SimpleNamespace(number=number, closed_at=closed_at)


def test_the_first_round_reads_no_results():
    going, shop, asked = season()
    assert going.advance() == "scheduled"
    assert asked == [(7, 1, 2, (ANN, BEN), [])]
    assert shop.done == [("schedule", 1, ["ann", "ben"], ((1, 2),), "open")]


def test_an_open_round_is_still_being_played():
    going, shop, _ = season(last=row(3), closes=False)
    assert going.advance() == "playing"
    assert shop.done == [("close", 3)]


def test_a_finished_round_is_closed_once_and_its_results_are_used():
    going, shop, asked = season(last=row(3))
    assert going.advance() == "scheduled"
    assert shop.done[:2] == [("close", 3), ("results", "season", [1, 2, 3], True)]
    shop.last, shop.done = row(4, closed_at=1.0), []
    going.advance()
    assert shop.done[0] == ("results", "season", [4], True)
    assert asked[-1][1] == 5
    assert asked[-1][-1] == ["round 1", "round 2", "round 3", "round 4"]
    shop.done = []
    going.advance()
    assert [entry[0] for entry in shop.done] == ["schedule"], "nothing is read twice"


@pytest.mark.parametrize("closed", [None, 1.0])
def test_a_closed_tournament_does_not_advance(closed):
    assert season(last=row(1, closed), phase="closed")[0].advance() == "closed"


def test_fillers_join_small_fields_except_in_custom_games():
    going, shop, asked = season(entrants=(ANN,))
    assert going.advance() == "scheduled"
    assert shop.done[0] == "fill"
    assert [one.player for one in asked[0][3]] == ["ann", "planner"]
    going, shop, _ = season(entrants=(ANN,), kind="custom")
    assert (going.advance(), shop.done) == ("waiting", [])
    going, shop, _ = season()
    going.advance()
    assert "fill" not in shop.done


def test_a_season_without_lineups_is_done():
    going, shop, _ = season(lineups=())
    assert (going.advance(), shop.done) == ("done", [])


@pytest.mark.parametrize(
    ("until", "extent", "results", "reached"),
    [
        (StopCondition(), played(99, 9999), EQUAL, False),
        (StopCondition(rounds=3), played(2, 9999), EQUAL, False),
        (StopCondition(rounds=3), played(3, 0), EQUAL, True),
        (StopCondition(games=100), played(99, 99), EQUAL, False),
        (StopCondition(games=100), played(0, 100), EQUAL, True),
        (StopCondition(rounds=3, games=100), played(2, 100), EQUAL, True),
        (StopCondition(max_margin=1.0), played(0, 0), EQUAL, False),
        (StopCondition(max_margin=900.0), played(0, 0), EQUAL, True),
        (StopCondition(max_margin=900.0), played(0, 0), [], False),
    ],
)
def test_limits_are_rounds_games_or_interval_width(until, extent, results, reached):
    assert until.reached(extent, [ANN, BEN], results) == reached
