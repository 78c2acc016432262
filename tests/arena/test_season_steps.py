"""When a season has enough: after rounds, games, or with intervals that are narrow."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Entrant
from kibitz.arena.running.next_round import Until
from tests.arena.results import won

ANN, BEN = Entrant(1, "ann"), Entrant(2, "ben")
EQUAL = [won(n, (1, 2), 1 + n % 2, n) for n in range(1, 201)]


def played(rounds, games):
    return SimpleNamespace(rounds=rounds, matches=games)


@pytest.mark.parametrize(
    ("until", "extent", "results", "reached"),
    [
        (Until(), played(99, 9999), EQUAL, False),
        (Until(rounds=3), played(2, 9999), EQUAL, False),
        (Until(rounds=3), played(3, 0), EQUAL, True),
        (Until(games=100), played(99, 99), EQUAL, False),
        (Until(games=100), played(0, 100), EQUAL, True),
        (Until(rounds=3, games=100), played(2, 100), EQUAL, True),
        (Until(width=1.0), played(0, 0), EQUAL, False),
        (Until(width=900.0), played(0, 0), EQUAL, True),
        (Until(width=900.0), played(0, 0), [], False),
    ],
)
def test_enough_is_so_many_rounds_or_games_or_no_wider_interval(until, extent, results, reached):
    assert until.reached(extent, [ANN, BEN], results) == reached
