"""What the benchmarks of looking ahead in Huxxy are asked, and how they weigh seats."""

import sys

import pytest

from benchmarks import huxxy_ahead, huxxy_weights
from kibitz.games.huxxy.weights import JOKERS, LAYS, SEATS, SIZES, WEIGHTS


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
    assert lines[0].count(",") == LAYS
    assert tuple(number for line in lines for number in eval(f"[{line}]")) == WEIGHTS[1:JOKERS]
    assert len(WEIGHTS) == 2 * JOKERS


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bo", "2"], "that is a question about Huxxy for four"),
        (["huxxy:players=2", "2"], "that is a question about Huxxy for four"),
        (["huxxy", "1"], "argument deals: 2 to 10000000 is wanted, not 1"),
        (["huxxy", "2", "--games", "0"], "argument --games: 1 to 10000000 is wanted, not 0"),
        (["huxxy", "2", "guessing"], "argument who: invalid choice: 'guessing'"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(words, sentence, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["huxxy_ahead", *words])
    with pytest.raises(SystemExit):
        huxxy_ahead.main()
    assert sentence in capsys.readouterr().err
