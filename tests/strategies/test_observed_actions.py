"""Observed actions, truncated rollouts and their evaluation, by hand."""

import pytest

import kibitz
from kibitz.games.bo import policies as bo
from kibitz.games.cribbage import policies as cribbage
from kibitz.games.cribbage.rules import ACTIONS as CRIBBAGE_ACTIONS
from kibitz.games.cribbage.rules import DISCARD as CRIBBAGE_DISCARD
from kibitz.games.cribbage.rules import GO
from kibitz.games.go import policies as go
from kibitz.games.poker import policies as poker
from kibitz.games.poker.rules import ACTIONS as POKER_ACTIONS
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, RAISE
from kibitz.games.president import policies as president
from kibitz.games.president.rounds import ASK, RETURN
from kibitz.games.president.rules import ACTIONS, ANY_OF_VALUE, PASS, TRADE
from kibitz.games.president.view import to_card
from tests.games.president_table import PRESIDENT, cards, next_trade


def test_cribbage_discards_are_hidden_from_the_other_seat():
    s = kibitz.game("cribbage:cut_first=0").deal(1)
    for action in (CRIBBAGE_DISCARD + 3, CRIBBAGE_DISCARD + 0b110000):
        assert cribbage.observe_action(s, s.player, action) == action
        assert cribbage.observe_action(s, 1 - s.player, action) == CRIBBAGE_ACTIONS
    for action in (0, 51, GO):
        assert [cribbage.observe_action(s, seat, action) for seat in (0, 1)] == [action, action]


def test_poker_discards_show_others_only_their_number():
    s = kibitz.game("draw").deal(1)
    for marks, number in ((0, 0), (0b1, 1), (0b10110, 3), (0b11111, 5)):
        assert poker.observe_action(s, s.player, DISCARD + marks) == DISCARD + marks
        others = {poker.observe_action(s, seat, DISCARD + marks) for seat in range(s.players) if seat != s.player}
        assert others == {POKER_ACTIONS + number}
    for action in (FOLD, CALL, RAISE, RAISE + 40):
        assert {poker.observe_action(s, seat, action) for seat in range(s.players)} == {action}


def test_a_returned_card_is_seen_by_the_two_traders_only():
    s = next_trade(PRESIDENT)
    top, vice, low, bum = s.order[:4]
    assert (s.phase, s.player) == (RETURN, top)
    seen = {seat: president.observe_action(s, seat, TRADE + 5) for seat in range(4)}
    assert seen == {top: TRADE + 5, bum: TRADE + 5, vice: ACTIONS, low: ACTIONS}
    assert {president.observe_action(s, seat, action) for seat in range(4) for action in (PASS, 0)} == {PASS, 0}


def test_a_request_is_heard_by_all_seats():
    s = next_trade(kibitz.game("president-asking"))
    assert s.phase == ASK
    assert {president.observe_action(s, seat, TRADE + 5) for seat in range(4)} == {TRADE + 5}


@pytest.mark.parametrize("height", [0, 5, 12])
def test_requesting_the_only_card_of_a_value_equals_requesting_the_value(height):
    s = next_trade(kibitz.game("president-open"))
    one, other = TRADE + 4 * height, TRADE + 4 * height + 1
    listener = s.order[1]
    assert [president.observe_action(s, listener, a) for a in (one, other, ANY_OF_VALUE + height)] == [
        one,
        other,
        ANY_OF_VALUE + height,
    ]
    for other in (1, 2, 3):
        s.pack &= ~(1 << to_card(4 * height + other))
    assert (
        president.observe_action(s, listener, one)
        == president.observe_action(s, listener, ANY_OF_VALUE + height)
        == ACTIONS + height
    )
    assert president.observe_action(s, s.player, one) == one


def test_simulated_games_are_truncated():
    s = PRESIDENT.deal(1)
    s.round = 1
    president.truncate_rollout(s)
    assert s.rounds == 2
    s = kibitz.game("holdem").deal(1)
    s.hands_played = 3
    poker.truncate_rollout(s)
    assert s.hands == 4
    s = kibitz.game("go").deal(1)
    go.truncate_rollout(s)
    assert s.auto == 1
    s = kibitz.game("bo").deal(1)
    s.round = 5
    bo.truncate_rollout(s)
    assert s.rounds == 5 + bo.ROUNDS
    s.rounds = 6
    bo.truncate_rollout(s)
    assert s.rounds == 6


def test_unfinished_bo_is_evaluated_by_stockpile_cards_played():
    s, out = kibitz.game("bo").deal(1), [9] * 4
    s.stock_counts[:] = [8, 1, 3, 7]
    bo.evaluate(s, out)
    assert out == [0, 7, 5, 1]


@pytest.mark.parametrize(
    ("hand", "moved", "behind"),
    [
        ("5H 5S 9C", "5H 5S", 0),
        ("5H 5S 9C", "5H", 1),
        ("5D 5C 5H 5S 9C", "5H", 3),
        ("5D 5C 5H 5S 9C", "5D 5S", 2),
        ("3D 3C 2H 2S", "3D 2S", 2),
        ("3D 4C 5H 6S 7D 7C", "3D 4C 5H 6S 7D", 1),
    ],
)
def test_cards_left_of_a_moves_values_are_counted(hand, moved, behind):
    assert president.cards_left_of_values(cards(hand), cards(moved)) == behind


@pytest.mark.parametrize(
    ("sizes", "fewest"), [((1, 3, 3, 3), 3), ((9, 2, 9, 9), 2), ((9, 0, 3, 9), 3), ((9, 9, 9, 1), 1)]
)
def test_fewest_cards_ignores_the_own_seat_and_finished_seats(sizes, fewest):
    s = PRESIDENT.deal(1)
    s.player = 0
    for p, size in enumerate(sizes):
        s.hand[p] = (1 << size) - 1
    assert president.fewest_cards(s) == fewest
