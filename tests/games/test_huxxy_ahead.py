"""What the benchmarks of looking ahead in Huxxy are asked, and how they weigh seats."""

import sys

import pytest

import kibitz
from benchmarks import huxxy_ahead, huxxy_loop, huxxy_weights
from kibitz.cards.sets import size
from kibitz.engine.game import seed_words
from kibitz.games.huxxy.glance import SCRATCH, turn_made
from kibitz.games.huxxy.policies import JOKERS, LAYS, SEATS, SIZES, WEIGHTS
from tests.tiers import first_fast


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


def held(state, seat):
    """How many cards a seat holds."""
    return size(state.hand_once[seat]) + size(state.hand_twice[seat])


@pytest.mark.parametrize("limit", first_fast([huxxy_loop.GLANCED, 4]))
def test_what_turns_lay_is_what_leaves_the_hand_where_more_than_one_has_opened(limit):
    """The same games, in which each of those turns is carried out on a copy as it is found."""
    game, seed, scratch, plays, counts = (
        kibitz.game("huxxy:players=2,hand_size=4,opening=0"),
        3,
        [0] * SCRATCH,
        [0] * 8,
        [0, 0],
    )
    huxxy_loop.laid_in(game.deal(0), scratch, plays, seed_words(seed), 4, limit, 2, counts, 0, 1)
    state, turns, lays = game.deal(seed), 0, 0
    while not state.over:
        if state.opened[state.player] and sum(state.opened) > 1:
            copy, seat, before = state.copy(), state.player, held(state, state.player)
            if limit == huxxy_loop.GLANCED:
                turn_made(copy, scratch)
            else:
                huxxy_loop.play_turn(copy, scratch, plays, limit)
            turns, lays = turns + 1, lays + max(0, before - held(copy, seat))
        huxxy_loop.play_turn(state, scratch, plays, 4)
    assert counts == [turns, lays]
    assert min(turns, lays) > 20


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
