"""Ratings and text of a ladder, computed by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import kibitz
from kibitz.arena.ladder import CHIPS_NOTE, Ladder, Rung, ladder, line_of, match_results, rows, seat_results
from kibitz.errors import NotationError


class Games(SimpleNamespace):
    """Invented games."""

    def __len__(self):
        return len(self.lineups)


GAMES = Games(
    players=("a", "b", "c"),
    lineups=np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]),
    scores=np.array([[3.0, 1.0, 3.0], [0.0, 2.0, 1.0], [0.0, 0.0, 0.0], [5.0, 4.0, 3.0]]),
    winners=np.array([[True, False, True], [False, True, False], [False] * 3, [True, False, False]]),
    deals=np.array([0, 0, 0, 1]),
    seeds=(70, 71),
)


def test_a_deal_becomes_a_block_of_its_rotations():
    found = match_results(GAMES)
    assert [(one.block, one.match, one.rotation, one.deal_seed) for one in found] == [
        *((1, 1, 0, 70), (1, 2, 1, 70), (1, 3, 2, 70), (2, 4, 0, 71)),
    ]
    assert {(one.round, one.status, one.phase) for one in found} == {(1, "finished", "open")}


def test_places_and_win_shares_follow_scores_and_winners():
    told = [
        [(s.submission, s.player, s.version, s.place, s.win_share) for s in seat_results(GAMES, i)] for i in range(3)
    ]
    assert told[0] == [(1, "a", 1, 1, 0.5), (2, "b", 1, 3, 0.0), (3, "c", 1, 1, 0.5)]
    assert told[1] == [(2, "b", 1, 3, 0.0), (3, "c", 1, 1, 1.0), (1, "a", 1, 2, 0.0)]
    assert told[2] == [(3, "c", 1, 1, 0.0), (1, "a", 1, 1, 0.0), (2, "b", 1, 1, 0.0)]


def test_the_table_of_a_ladder_is_aligned():
    rungs = (
        Rung("best", "strong", 1815.4, 30.2, 1, 1, 40, 0.5),
        Rung("a", "weak", 984.6, None, 2, 3, 40, 0.125),
    )
    assert rows(Ladder("go", 40, 0, rungs)) == [
        "   1  best   1815 ± 30    50.0% won  strong",
        " 2-3  a       985 ± ?     12.5% won  weak",
    ]


def test_a_ladder_in_chips_says_that_it_counts_no_amounts():
    assert rows(Ladder("kuhn", 2, 0, (Rung("a", "", 1500.0, None, 1, 1, 2, 0.5),)))[1:] == [CHIPS_NOTE]


def last(view, legal):
    return legal[-1]


def test_a_ladder_rates_players_of_any_kind_and_refuses_unknown_ones():
    ranked = ladder("kuhn", 4, workers=1, players=["solved", last]).rungs
    assert {rung.name: rung.line[:11] for rung in ranked} == {
        "solved": "Plays what ",
        "last": "",
    }
    assert [rung.points for rung in ranked] == sorted((rung.points for rung in ranked), reverse=True)
    assert all(rung.margin is None or rung.margin > 0 for rung in ranked)
    assert ranked == ladder("kuhn", 4, workers=1, players=["solved", last]).rungs
    with pytest.raises(
        NotationError, match=r"players\[1\]: Kuhn poker has no player called 'quik'; did you mean 'quick'"
    ):
        ladder("kuhn", 2, players=["solved", "quik"])


def test_a_file_is_described_by_its_path():
    assert line_of(kibitz.game("kuhn"), "mine.py") == "mine.py"
