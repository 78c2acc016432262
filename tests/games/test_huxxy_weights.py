"""How the weights of seats in Huxxy are fitted and written."""

import pytest

from kibitz.games.huxxy.policies import JOKERS, LAYS, SEATS, SIZES, WEIGHTS
from tools import huxxy_weights


def test_who_wins_thrice_as_often_weighs_thrice_as_much():
    np = pytest.importorskip("numpy")
    known = np.tile([1, 2, 3, 4], (6000, 1))
    won = np.eye(SEATS)[np.tile([0, 0, 0, 1, 2, 3], 1000)]
    logs = huxxy_weights.likeliest(known, won)
    assert np.exp(logs[1] - logs[2]) == pytest.approx(3, rel=0.05)
    assert logs[3] == pytest.approx(logs[2], abs=0.05)


def test_the_weights_of_both_games_are_written_in_lines_as_they_are_read():
    lines = huxxy_weights.table(list(WEIGHTS[:JOKERS])).splitlines()
    assert len(lines) == SEATS * 2 * SIZES
    assert len(lines[0].split()) == LAYS
    assert tuple(int(number) for line in lines for number in line.split()) == WEIGHTS[1:JOKERS]
    assert len(WEIGHTS) == 2 * JOKERS
