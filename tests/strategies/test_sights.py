"""What simulated seats remember of an action, how simulated games end early, and what then counts: by hand."""

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


def test_the_other_seat_sees_only_that_cards_are_discarded():
    s = kibitz.game("cribbage:cut_first=0").deal(1)
    for action in (CRIBBAGE_DISCARD + 3, CRIBBAGE_DISCARD + 0b110000):
        assert cribbage.observe_action(s, s.player, action) == action
        assert cribbage.observe_action(s, 1 - s.player, action) == CRIBBAGE_ACTIONS
    for action in (0, 51, GO):
        assert [cribbage.observe_action(s, seat, action) for seat in (0, 1)] == [action, action]


def test_of_cards_thrown_the_others_see_how_many_they_are():
    s = kibitz.game("draw").deal(1)
    for marks, number in ((0, 0), (0b1, 1), (0b10110, 3), (0b11111, 5)):
        assert poker.observe_action(s, s.player, DISCARD + marks) == DISCARD + marks
        others = {poker.observe_action(s, seat, DISCARD + marks) for seat in range(s.players) if seat != s.player}
        assert others == {POKER_ACTIONS + number}
    for action in (FOLD, CALL, RAISE, RAISE + 40):
        assert {poker.observe_action(s, seat, action) for seat in range(s.players)} == {action}


def test_a_card_returned_is_seen_by_its_pair_alone():
    s = next_trade(PRESIDENT)
    top, vice, low, bum = s.order[:4]
    assert (s.phase, s.player) == (RETURN, top)
    seen = {seat: president.observe_action(s, seat, TRADE + 5) for seat in range(4)}
    assert seen == {top: TRADE + 5, bum: TRADE + 5, vice: ACTIONS, low: ACTIONS}
    assert {president.observe_action(s, seat, action) for seat in range(4) for action in (PASS, 0)} == {PASS, 0}


def test_a_card_asked_for_is_heard_by_all():
    s = next_trade(kibitz.game("president-asking"))
    assert s.phase == ASK
    assert {president.observe_action(s, seat, TRADE + 5) for seat in range(4)} == {TRADE + 5}


@pytest.mark.parametrize("height", [0, 5, 12])
def test_to_ask_for_the_only_card_of_a_value_is_to_ask_for_that_value(height):
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


def test_imagined_games_end_early():
    s = PRESIDENT.deal(1)
    s.round = 1
    president.truncate_rollout(s)
    assert s.rounds == 2
    s = kibitz.game("holdem").deal(1)
    s.number = 3
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


def test_the_stockpile_cards_that_are_gone_count_in_an_unfinished_game_of_bo():
    s, out = kibitz.game("bo").deal(1), [9] * 4
    s.stocked[:] = [8, 1, 3, 7]
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
def test_cards_left_behind_of_the_values_that_a_move_takes_are_counted(hand, moved, behind):
    assert president.cards_left_of_values(cards(hand), cards(moved)) == behind


@pytest.mark.parametrize(
    ("sizes", "fewest"), [((1, 3, 3, 3), 3), ((9, 2, 9, 9), 2), ((9, 0, 3, 9), 3), ((9, 9, 9, 1), 1)]
)
def test_the_fewest_cards_are_those_of_another_seat_that_is_still_in(sizes, fewest):
    s = PRESIDENT.deal(1)
    s.player = 0
    for p, size in enumerate(sizes):
        s.hand[p] = (1 << size) - 1
    assert president.fewest_cards(s) == fewest
