"""Every refusal in Bo gives the rule that forbids the play."""

import pytest

from kibitz.cards import parse
from kibitz.engine.registry import game
from kibitz.games.bo import rules
from kibitz.games.bo.piles import NONE, set_top
from kibitz.games.bo.rules import FROM_PILE, SOURCE, STOCK, Reason

BO = game("bo")


@pytest.fixture
def table():
    """Player 0 holds 4S 9D AH 2C QD; build pile 0 shows 3C, discard piles 0 of player 0 and 1 of player 1 cards."""
    s = BO.blank()
    rules.clear(s)
    for place, card in enumerate(("4S", "9D", "AH", "2C", "QD")):
        s.hand[place] = parse(card)
    s.stock_counts[:] = [1, 1, 1, 1]
    s.stock[0] = parse("5S")
    for pile, cards in ((0, "2C 3C"), (4, "8S"), (9, "6H 5C")):
        for card in cards.split():
            s.under[parse(card) + 64] = s.top[pile]
            set_top(s, pile, parse(card) + 64)
    return s


@pytest.mark.parametrize(
    ("source", "pile", "reason"),
    [
        (0, 0, Reason.LEGAL),
        (1, 0, Reason.BUILD_COLOUR),
        (2, 0, Reason.BUILD_COLOUR),
        (4, 1, Reason.BUILD_START),
        (3, 1, Reason.LEGAL),
        (0, 1, Reason.BUILD_START),
        (STOCK, 0, Reason.BUILD_STEP),
        (2, 4, Reason.DISCARD_ACE),
        (1, 4, Reason.LEGAL),
        (STOCK, 5, Reason.DISCARD_START),
        (0, 8, Reason.DISCARD_NOT_YOURS),
        (STOCK, 4, Reason.DISCARD_MISMATCH),
        (FROM_PILE, 4, Reason.SAME_PILE),
        (FROM_PILE + 5, 9, Reason.SAME_PILE),
        (FROM_PILE + 1, 4, Reason.EMPTY_SOURCE),
        (FROM_PILE, 0, Reason.BUILD_STEP),
        (30, 0, Reason.NO_ACTION),
    ],
)
def test_each_play_is_refused_for_its_own_reason(table, source, pile, reason):
    assert Reason(rules.refusal(table, SOURCE * source + pile)) == reason


def test_hand_and_stockpile_cards_are_never_refused_as_same_pile(table):
    plays = [SOURCE * source + pile for source in range(STOCK + 1) for pile in range(20)]
    assert Reason.SAME_PILE not in {rules.refusal(table, play) for play in plays}


def test_passing_is_refused_while_a_play_exists(table):
    assert rules.refusal(table, rules.NO_PLAY) == Reason.PLAY_EXISTS


def test_nothing_is_legal_once_the_game_is_over(table):
    rules.end(table)
    assert {rules.refusal(table, a) for a in range(rules.ACTIONS)} == {Reason.OVER}
    assert BO.legal(table) == []
    assert table.player == NONE
