"""Greedy's look-ahead over a turn of Bo, against playing cards one by one."""

import pytest

from kibitz.cards import face
from kibitz.games.bo import lookahead
from kibitz.games.bo.piles import FROM_PILE, NONE, SOURCE, STOCK, ending_piles, value
from tests.strategies.test_bo_turn_search import BO, KINDS, fitting, laid, positions


def kind_on(state, seat):
    """The kind of card on top of a stockpile, and its number of cards."""
    count = state.stock_counts[seat]
    return lookahead.kind(state.stock[8 * seat + count - 1]), count


def rivals_worth(state, after):
    """The value of the table after a play to the other seats."""
    worth = 0
    for further in range(3):
        wanted, count = kind_on(state, (state.player + 1 + further) % 4)
        weight = lookahead.RIVAL_TOP * (1 + (8 - count) / 4) * lookahead.RIVAL_DECAY**further
        worth += weight * (1 - lookahead.RIVAL_MISS ** fitting(after, wanted))
    return worth


def table_worth(state, after):
    """The value of the piles after a play: own value less that of rivals, plus the width of the table."""
    own = lookahead.OWN_TOP * (1 - lookahead.OWN_MISS ** fitting(after, kind_on(state, state.player)[0]))
    takes = sum(fitting(after, kind) > 0 for kind in KINDS)
    return own - rivals_worth(state, after) + lookahead.WIDTH * takes


def hand_worth(state, hand, table):
    """The value of the cards kept; a bridge is a card that would take the seat's own stockpile card."""
    worth = 0
    for card in hand:
        worth -= lookahead.CARD_LEFT
        if value(card) == 1:
            worth -= lookahead.ACE_LEFT
        elif laid(state, card, 4).accepts[kind_on(state, state.player)[0]] >> 4 & 1:
            worth += lookahead.BRIDGE if fitting(table, lookahead.kind(card)) else lookahead.BRIDGE / 2
    return worth


def turns(games):
    """Positions of random games with the look-ahead turn and the hand by place."""
    for state in positions(games):
        held = state.hand[5 * state.player : 5 * state.player + 5]
        hand = {place: card for place, card in enumerate(held) if card != NONE}
        yield state, lookahead.RestOfTurn(BO.view(state, state.player)), hand


def without(hand, card):
    return [held for held in hand.values() if held != card]


def test_end_of_turn_plays_are_valued_by_the_resulting_table():
    """On every pile where a card ends the turn; an empty pile is worth more."""
    ended = 0
    for state, turn, hand in turns(4):
        worths = {}
        for place, card in hand.items():
            for pile in range(4, 20):
                if ending_piles(state, card) >> pile & 1:
                    worth = table_worth(state, laid(state, card, pile)) + hand_worth(state, without(hand, card), state)
                    worths[SOURCE * place + pile] = worth + lookahead.NEW_PILE * (state.top[pile] == NONE)
        found = {play: worth for worth, play in turn.endings(turn.start)}
        assert found == {play: pytest.approx(worths[play]) for play in found}
        assert {(face(hand[play // SOURCE]), play % SOURCE) for play in worths} == {
            (face(hand[play // SOURCE]), play % SOURCE) for play in found
        }
        ended += len(found)
    assert ended > 600


def test_turns_ended_by_the_last_play_are_valued_by_the_table():
    stood = 0
    for state, turn, hand in turns(3):
        for spot in turn.plays(turn.start):
            source, pile = divmod(spot.first, SOURCE)
            card, origin = hand.get(source), None
            if card is None:
                card = state.top[4 + source - FROM_PILE]
                origin = 4 + source - FROM_PILE, state.under[card]
            after = laid(state, card, pile, origin)
            assert spot.hand == tuple(sorted(without(hand, card), key=lambda held: (face(held), held)))
            assert turn.worth_at_end(spot) == pytest.approx(
                table_worth(state, after) + hand_worth(state, spot.hand, after)
            )
            stood += 1
    assert stood > 300


def test_stockpile_plays_are_valued_by_cards_left_and_help_to_rivals():
    gone = 0
    for state, turn, hand in turns(4):
        own, count = kind_on(state, state.player)
        card = state.stock[8 * state.player + count - 1]
        left, worths = turn.start.left, {}
        for pile in range(20):
            if not state.accepts[own] >> pile & 1:
                continue
            after = laid(state, card, pile)
            width = sum(fitting(after, kind) > 0 for kind in KINDS) / len(KINDS)
            more = lookahead.expected_stock_cards(left - 1, width) if left > 1 else lookahead.NEXT_TURN * width
            worth = lookahead.STOCK_CARD * (10 if count == 1 else 1) - lookahead.CARD_LEFT * len(hand)
            worths[SOURCE * STOCK + pile] = worth + lookahead.MORE_THIS_TURN * more - 0.6 * rivals_worth(state, after)
        assert {play: worth for worth, play in turn.stock_plays(turn.start)} == pytest.approx(worths)
        gone += len(worths)
    assert gone > 30


@pytest.mark.parametrize(
    ("left", "share", "expected"),
    [
        (0, 1.0, 0.0),
        (1, 1.0, 1.0),
        (1, 0.25, 0.25),
        (2, 0.0, lookahead.SETUP_CHANCE),
        (2, 1.0, 2.0),
        (2, 0.25, 0.25 * 1.25 + 0.75 * lookahead.SETUP_CHANCE),
        (3, 0.0, lookahead.SETUP_CHANCE),
        (4, 0.0, lookahead.SETUP_CHANCE * (1 + lookahead.SETUP_CHANCE)),
    ],
)
def test_expected_stockpile_cards_are_computed_from_chances(left, share, expected):
    """A card that surely fits counts 1; one that fits nowhere may still fit after another play."""
    assert lookahead.expected_stock_cards(left, share) == pytest.approx(expected)
