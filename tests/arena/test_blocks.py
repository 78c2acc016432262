"""Blocks: what is kept of a match, and the places of its seats."""

from itertools import permutations

import pytest

import kibitz
from kibitz.arena.model import Block
from kibitz.arena.running.blocks import BUILT_IN, PlayerFile, Unplayable, places, play
from kibitz.arena.schedule import deal_seed
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import parse
from kibitz.engine.views.events import Outcome
from kibitz.errors import MachineError
from kibitz.players import rated_game
from kibitz.players.limits import Limits
from kibitz.sandbox import tier

BO = kibitz.game("bo")
LIMITS = Limits()
FILES = {
    n: PlayerFile(n, f"player {n}", words, b"").spec(BO, LIMITS)
    for n, words in enumerate(("first", "random", "greedy", "first"))
}
BLOCK = Block("bo", 1, 1, deal_seed(7, 1), (0, 1, 2, 3))


def failed(seat, moves):
    return Forfeit(moves, seat, "illegal", "No.")


@pytest.mark.parametrize(
    ("scores", "winners", "forfeits", "expected"),
    [
        ((1.0, 0.0, 0.0, 0.0), (0,), (), (1, 2, 2, 2)),
        ((0.0, 0.0, 0.0, 0.0), (), (), (1, 1, 1, 1)),
        ((3.0, 9.0, 9.0, 1.0), (1, 2), (), (3, 1, 1, 4)),
        ((3.0, 9.0, 5.0, 1.0), (0,), (), (1, 2, 3, 4)),
        ((0.0, 9.0, 0.0, 0.0), (), ((1, 5),), (1, 4, 1, 1)),
        ((0.0, 9.0, 8.0, 0.0), (0,), ((1, 5), (2, 9)), (1, 4, 3, 2)),
        ((0.0, 0.0, 0.0, 0.0), (), ((0, 0), (1, 0), (2, 4), (3, 4)), (3, 3, 1, 1)),
    ],
)
def test_places_order_winners_then_scores_then_forfeits(scores, winners, forfeits, expected):
    assert places(Outcome("", scores, winners), [failed(*one) for one in forfeits]) == expected


def test_places_do_not_depend_on_the_seats():
    scores, winner, forfeits = (4.0, 2.0, 2.0, 7.0), 0, {3: 6}
    expected = dict(zip(range(4), (1, 2, 2, 4), strict=True))
    for order in permutations(range(4)):
        outcome = Outcome("", tuple(scores[k] for k in order), (order.index(winner),))
        found = places(outcome, [failed(order.index(k), moves) for k, moves in forfeits.items()])
        assert found == tuple(expected[k] for k in order)


@pytest.fixture(scope="module")
def played():
    """The matches of the block."""
    return list(play(BO, BLOCK, FILES))


def test_a_block_plays_one_deal_in_every_rotation(played):
    assert [match.rotation for match in played] == [0, 1, 2, 3]
    assert [tuple(seat.submission for seat in match.seats) for match in played] == list(BLOCK.rotations())
    assert {match.tier for match in played} == {BUILT_IN}
    assert {match.engine for match in played} == {kibitz.__version__}
    for match in played:
        record = parse(match.record)
        assert record.seed == BLOCK.deal_seed
        assert record.seats == tuple(f"player {seat.submission}" for seat in match.seats)
        assert sum(seat.win_share for seat in match.seats) in (0.0, 1.0)
        assert [seat.place == 1 for seat in match.seats] == [seat.win_share > 0 for seat in match.seats] or all(
            seat.place == 1 for seat in match.seats
        )


def test_a_match_is_retried_after_a_machine_failure_and_is_the_same_again(played, monkeypatch):
    failures = iter([MachineError("No process."), MachineError("No process.")])

    real = rated_game.attempt

    def unlucky(*given, **more):
        if error := next(failures, None):
            raise error
        return real(*given, **more)

    monkeypatch.setattr(rated_game, "attempt", unlucky)
    again = list(play(BO, BLOCK, FILES))
    assert [(m.seats, m.reason, m.record) for m in again] == [(m.seats, m.reason, m.record) for m in played]
    assert next(failures, None) is None


def test_a_machine_that_keeps_failing_breaks_the_match(monkeypatch):
    def broken(*_, **__):
        raise MachineError("No process is to be had.")

    monkeypatch.setattr(rated_game, "attempt", broken)
    with pytest.raises(Unplayable, match="No process is to be had"):
        next(play(BO, BLOCK, FILES))


@pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
def test_output_is_kept_only_of_a_failing_file():
    source = "print('hello')\ndef comp10001bo_play(*_):\n    print('x' * 5000)\n    return 7\n"
    files = {**FILES, 2: PlayerFile(2, "file", "file.py", source.encode()).spec(BO, LIMITS)}
    match = next(play(BO, BLOCK, files))
    bad = match.seats[2]
    assert match.status == "forfeited"
    assert (bad.forfeit, bad.place, bad.win_share) == ("invalid", 4, 0.0) or bad.forfeit == "illegal"
    assert bad.prints.strip().endswith("xxx")
    assert len(bad.prints) <= 2000
    assert "comp10001bo_play(" in bad.detail
    assert all(seat.forfeit is None and not seat.prints for seat in match.seats if seat is not bad)
