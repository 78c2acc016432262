"""Beliefs and evaluations of the heads-up player, step by step, against sums done by hand."""

from math import exp
from types import SimpleNamespace

import pytest

from kibitz.games.poker.headsup import (
    CALL_MARGIN,
    CALLING_STATION_SHARE,
    CHECK_CAP,
    FOLD_BELOW,
    LATER_CHIPS_SHARE,
    MANIAC_SHARE,
    OVERBET_WORTH,
    RERAISE_MANIAC_FACTOR,
    RERAISE_STRENGTH,
    BettingSpot,
    Holding,
    average_gain,
    checked,
    response_to_push,
    reweighted,
    showdown_gain,
    weighted_by_bets,
    wins_against,
)
from kibitz.games.poker.rules import CALL, FOLD, RAISE

STRONG = Holding(4.0, 0.8, 0.3, 0.6)
WEAK = Holding(6.0, 0.2, 0.9, 0.4)
BOTH = (STRONG, WEAK)


def view_with(*, board=(1, 2, 3), paid=(10, 10), bets=(0, 0), pot=20, **turn):
    """A view of seat 0 against seat 1, with the fields that beliefs use."""
    usual = {"aggressor": None, "to_call": 0, "initiative": None, "raises": 0, "waiting": (0,)}
    return SimpleNamespace(
        seat=0,
        live=(0, 1),
        board=board,
        paid=paid,
        bets=bets,
        pot=pot,
        chips=(100, 100),
        setup=SimpleNamespace(big=10),
        turn=SimpleNamespace(**(usual | turn)),
    )


def logistic(strength, aim, width, maniacs=MANIAC_SHARE):
    return maniacs + (1 - maniacs) / (1 + exp((aim - strength) / width))


def weights(view):
    return [one.weight for one in weighted_by_bets(view, BOTH)]


def test_bets_make_strong_holdings_likelier_and_weak_ones_still_possible():
    found = reweighted(list(BOTH), [0.8, 0.2], 0.5, 0.05)
    assert [one.weight for one in found] == pytest.approx([4 * logistic(0.8, 0.5, 0.05), 6 * logistic(0.2, 0.5, 0.05)])
    assert found[0].weight > 0.99 * 4
    assert 6 * MANIAC_SHARE < found[1].weight < 6 * MANIAC_SHARE * 1.02
    assert found[0]._replace(weight=4.0) == STRONG


def test_beliefs_after_the_flop_depend_on_the_preflop_price():
    waiting = (0, 1)
    assert weights(view_with(waiting=waiting)) == [4.0, 6.0]
    assert weights(view_with(waiting=waiting, paid=(20, 20))) == pytest.approx(
        [4 * logistic(0.6, 0.45, 0.06), 6 * logistic(0.4, 0.45, 0.06)]
    )


def test_a_pot_is_raised_if_a_seat_paid_over_a_big_blind_before_this_round():
    """Bets of this round do not count, and the seat that has paid most decides."""
    waiting = (0, 1)
    assert weights(view_with(waiting=waiting, paid=(10, 30), bets=(0, 20))) == [4.0, 6.0]
    assert weights(view_with(waiting=waiting, paid=(11, 11)))[0] < 4.0
    assert weights(view_with(waiting=waiting, paid=(2, 21)))[0] < 4.0
    assert weights(view_with(waiting=waiting, paid=(30, 30), bets=(5, 19)))[0] < 4.0
    assert weights(view_with(waiting=waiting, paid=(10, 22), bets=(0, 12))) == [4.0, 6.0]
    assert weights(view_with(waiting=waiting, paid=(12, 22), bets=(2, 11)))[0] < 4.0


def test_the_preflop_raiser_is_believed_stronger_than_the_caller():
    led = weights(view_with(waiting=(0, 1), paid=(20, 20), initiative=1))
    assert led == pytest.approx([4 * logistic(0.6, 0.5, 0.06), 6 * logistic(0.4, 0.5, 0.06)])
    own = weights(view_with(waiting=(0, 1), paid=(20, 20), initiative=0))
    assert own == pytest.approx([4 * logistic(0.6, 0.45, 0.06), 6 * logistic(0.4, 0.45, 0.06)])


@pytest.mark.parametrize(
    ("board", "price", "pot", "raises", "aim"),
    [
        ((1, 2, 3), 10, 30, 1, 0.5 + 0.2 * 0.5),
        ((1, 2, 3), 100, 120, 1, 0.5 + 0.2 * 1.5),
        ((1, 2, 3), 10, 30, 3, 0.5 + 0.2 * 0.5 + 0.05 * 2),
        ((1, 2, 3), 10, 10, 1, 0.5 + 0.2 * 1.5),
        ((), 10, 30, 1, 0.46 + 0.06 * 0.5),
        ((), 90, 120, 2, 0.46 + 0.06 * 2),
    ],
)
def test_a_larger_bet_signals_a_stronger_holding(board, price, pot, raises, aim):
    found = weights(view_with(board=board, to_call=price, pot=pot, aggressor=1, raises=raises))
    assert found == pytest.approx([4 * logistic(0.8, aim, 0.05), 6 * logistic(0.2, aim, 0.05)])


def test_each_preflop_reraise_signals_strength_and_fewer_maniacs():
    aim, maniacs = 0.46 + 0.06 + 2 * RERAISE_STRENGTH, MANIAC_SHARE * RERAISE_MANIAC_FACTOR**2
    found = weights(view_with(board=(), to_call=180, pot=360, aggressor=1, raises=4))
    assert found == pytest.approx([4 * logistic(0.8, aim, 0.05, maniacs), 6 * logistic(0.2, aim, 0.05, maniacs)])


def test_own_bets_and_free_bets_do_not_change_beliefs():
    for view in (view_with(aggressor=0, to_call=10, waiting=(0, 1)), view_with(aggressor=1, to_call=0, waiting=(0, 1))):
        assert weights(view) == [4.0, 6.0]


def test_a_check_makes_strong_holdings_unlikely():
    view = view_with(waiting=(0,))
    assert checked(view)
    assert weights(view) == pytest.approx([4 * logistic(-0.8, -CHECK_CAP, 0.05), 6 * logistic(-0.2, -CHECK_CAP, 0.05)])
    assert not checked(view_with(waiting=(0, 1)))
    assert not checked(view_with(waiting=(0,), aggressor=1))
    assert checked(view_with(waiting=(0,), aggressor=0))


def test_equity_counts_continuing_holdings_and_a_share_of_others():
    assert wins_against(list(BOTH)) == pytest.approx((4 * 0.3 + 6 * 0.9, 10.0))
    assert wins_against(list(BOTH), 0.5, 0.25) == pytest.approx((4 * 0.3 + 1.5 * 0.9, 5.5))
    assert wins_against(list(BOTH), 0.8, 0.0) == pytest.approx((4 * 0.3, 4.0))


def test_an_edge_gains_chips_on_later_streets():
    spot = BettingSpot(pot=20, to_call=0, own=100, other=80, bet=0, streets=1, big=10)
    assert showdown_gain(0.75, 20, 5, spot, 95) == pytest.approx(15 - 5 + LATER_CHIPS_SHARE * 0.5 * 20)
    assert showdown_gain(0.75, 20, 5, spot, 7) == pytest.approx(15 - 5 + LATER_CHIPS_SHARE * 0.5 * 7)
    assert showdown_gain(0.75, 20, 5, spot._replace(streets=3), 95) == pytest.approx(
        15 - 5 + LATER_CHIPS_SHARE * 0.5 * 80
    )
    assert showdown_gain(0.75, 20, 5, spot._replace(streets=0), 95) == pytest.approx(15 - 5)
    assert showdown_gain(0.25, 20, 5, spot, 95) == pytest.approx(5 - 5 - LATER_CHIPS_SHARE * 0.5 * 20)
    assert showdown_gain(0.75, 20, 5, spot, -3) == pytest.approx(10)


def test_a_fold_is_worth_nothing_and_a_call_its_showdown_gain():
    spot = BettingSpot(pot=30, to_call=10, own=100, other=100, bet=0, streets=0, big=10)
    assert average_gain(FOLD, spot, list(BOTH)) == 0
    assert average_gain(CALL, spot, list(BOTH)) == pytest.approx(0.66 * 40 - 10)
    assert average_gain(CALL, spot._replace(own=4), list(BOTH)) == pytest.approx(0.66 * 34 - 4)
    later = LATER_CHIPS_SHARE * 0.32 * min(90, 100, 40)
    assert average_gain(CALL, spot._replace(streets=1), list(BOTH)) == pytest.approx(0.66 * 40 - 10 + later)


def test_a_bet_wins_the_pot_from_holdings_that_fold():
    """A bet of 20 into 20: the weak holding is not worth its price and continues in two of five cases."""
    spot = BettingSpot(pot=20, to_call=0, own=100, other=100, bet=0, streets=0, big=10)
    assert max(20 / 60 + CALL_MARGIN, FOLD_BELOW) == FOLD_BELOW
    going_on = 4 + 6 * CALLING_STATION_SHARE
    shown = (4 * 0.3 + 6 * CALLING_STATION_SHARE * 0.9) / going_on * 60 - 20
    hand = (1 - going_on / 10) * 20 + going_on / 10 * shown
    assert average_gain(RAISE + 20, spot, list(BOTH)) == pytest.approx(hand)


def test_a_larger_bet_is_called_by_fewer_calling_stations():
    """A bet of 60 into 20: a holding worth less than 60/140 + CALL_MARGIN continues in a third of two fifths."""
    spot = BettingSpot(pot=20, to_call=0, own=100, other=100, bet=0, streets=0, big=10)
    middling = Holding(10.0, 60 / 140 + CALL_MARGIN - 0.01, 0.6, 0.5)
    going_on = 10 * CALLING_STATION_SHARE / 3
    hand = (1 - going_on / 10) * 20 + going_on / 10 * (0.6 * 140 - 60)
    assert average_gain(RAISE + 60, spot, [middling]) == pytest.approx(hand)
    willing = middling._replace(worth=60 / 140 + CALL_MARGIN + 0.01)
    assert average_gain(RAISE + 60, spot, [willing]) == pytest.approx(0.6 * 140 - 60)


def test_a_raise_includes_the_call_and_is_capped_by_the_others_stack():
    """A raise to 50 with 10 already bet and 15 to call: 40 are paid, and the other seat has to call 25."""
    spot = BettingSpot(pot=45, to_call=15, own=100, other=100, bet=10, streets=0, big=10)
    always = [Holding(1.0, 0.99, 0.7, 0.9)]
    assert average_gain(RAISE + 50, spot, always) == pytest.approx(0.7 * (45 + 40 + 25) - 40)
    assert average_gain(RAISE + 50, spot._replace(other=8), always) == pytest.approx(0.7 * (45 + 23 + 8) - 23)
    assert average_gain(RAISE + 50, spot._replace(own=20), always) == pytest.approx(0.7 * (45 + 20 + 5) - 20)


def test_a_huge_preflop_raise_is_called_by_the_best_hands_only():
    """All in for 100 big blinds; with 15, or on a later street, the price alone decides who calls."""
    spot = BettingSpot(pot=15, to_call=5, own=995, other=990, bet=5, streets=3, big=10)
    fair, best = (Holding(1.0, worth, 0.5, 0.5) for worth in (OVERBET_WORTH - 0.01, OVERBET_WORTH + 0.01))
    shown = 0.5 * 2000 - 995
    shy = CALLING_STATION_SHARE / 66
    assert average_gain(RAISE + 1000, spot, [best]) == pytest.approx(shown)
    assert average_gain(RAISE + 1000, spot, [fair]) == pytest.approx((1 - shy) * 15 + shy * shown)
    assert average_gain(RAISE + 1000, spot._replace(streets=2), [fair]) == pytest.approx(shown)
    assert average_gain(RAISE + 150, spot._replace(own=145, other=140), [fair]) == pytest.approx(0.5 * 300 - 145)


def test_a_bet_that_nobody_calls_wins_the_pot(monkeypatch):
    monkeypatch.setattr("kibitz.games.poker.headsup.CALLING_STATION_SHARE", 0.0)
    spot = BettingSpot(pot=20, to_call=0, own=100, other=100, bet=0, streets=2, big=10)
    assert average_gain(RAISE + 20, spot, [WEAK]) == pytest.approx(20)


def test_later_streets_are_played_with_the_remaining_stack():
    spot = BettingSpot(pot=20, to_call=0, own=30, other=100, bet=0, streets=1, big=10)
    always = [Holding(1.0, 0.99, 0.7, 0.9)]
    assert average_gain(RAISE + 20, spot, always) == pytest.approx(0.7 * 60 - 20 + LATER_CHIPS_SHARE * 0.4 * 10)


def test_a_push_is_called_by_equity_over_all_classes(monkeypatch):
    """One class always pushes, one never; maniacs may hold either."""
    holdings = (Holding(1.0, 0.9, 0.2, 0.9), Holding(3.0, 0.1, 0.8, 0.1))
    monkeypatch.setattr("kibitz.games.poker.headsup.preflop_range", lambda number: holdings)
    monkeypatch.setattr("kibitz.games.poker.headsup.chart", lambda stack: (1.0, 0.0))

    def answered(price, pot, own=1000):
        view = SimpleNamespace(turn=SimpleNamespace(to_call=price), chips=(own,), seat=0, pot=pot)
        return response_to_push(view, 0, 5.0)

    # weights 1 and 0.6: equity (0.2 + 0.6 * 0.8) / 1.6 = 0.425, which is price / (pot + price) at 85 to 115
    assert answered(84, 115) == CALL
    assert answered(86, 115) == FOLD
    assert answered(900, 115, own=84) == CALL
    assert answered(85, 100) == FOLD
