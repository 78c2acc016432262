"""Crazy Eights, sentence by sentence of its rules (``kibitz rules eights``)."""

from random import Random

import pytest

import kibitz
from kibitz.cards import as_set, parse_cards
from kibitz.cards.card import SUIT_NAMES
from kibitz.games.eights.rules import CALL, DRAW, PASS

GAME = kibitz.game("eights:players=3")
NAMES = ("Ann", "Ben", "Cem")


def card(text):
    (found,) = parse_cards(text)
    return found


def table(top="5D", hands=("6D 5C 8C KH", "AD 2D", "3C 9S"), stock="QS QH QC JS", **fields):
    """A position with the given cards; the stock is a set, so any of its cards may be drawn."""
    state = GAME.deal(1)
    state.hand[:3] = [as_set(parse_cards(hand)) for hand in hands]
    state.stock = as_set(parse_cards(stock))
    state.pack = state.stock | sum(state.hand) | 1 << card(top)
    state.top, state.suit, state.discards = card(top), card(top) & 3, 1 << card(top)
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def cards(text):
    return list(parse_cards(text))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deal_gives_five_cards_each_and_turns_one_up(players):
    game = kibitz.game(f"eights:players={players}")
    state = game.deal(7)
    assert [hand.bit_count() for hand in state.hand] == [5] * players + [0] * (5 - players)
    assert state.stock.bit_count() == 52 - 5 * players - 1
    assert state.player == 0
    parts = [*state.hand, state.stock, state.discards]
    assert sum(part.bit_count() for part in parts) == 52
    assert sum(parts) == state.pack
    assert kibitz.game(f"eights:players={players},hand_size=8").deal(7).hand[0].bit_count() == 8


def test_a_play_follows_suit_or_value_or_is_an_eight():
    assert GAME.legal(table()) == [*cards("5C 6D 8C"), DRAW]
    assert GAME.why_not(table(), card("KH")) == (
        "Play a card of the suit to follow, one of the same value as the top card, or an eight."
    )
    assert GAME.why_not(table(), card("AD")) == "You can only play a card that you hold."


def test_played_card_sets_the_suit_and_the_turn_passes_left():
    state = table()
    GAME.play(state, card("5C"))
    assert (state.player, SUIT_NAMES[state.suit], state.top) == (1, "clubs", card("5C"))
    assert GAME.legal(state) == [DRAW]


def test_an_eight_names_the_suit_to_follow():
    state = table()
    GAME.play(state, card("8C"))
    assert state.player == 0
    assert GAME.legal(state) == [CALL, CALL + 1, CALL + 2, CALL + 3]
    assert GAME.why_not(state, card("5C")) == "You have played an eight: name a suit."
    GAME.play(state, CALL + SUIT_NAMES.index("spades"))
    assert (state.player, state.suit) == (1, 3)
    assert GAME.legal(state) == [DRAW]
    state.player = 2
    assert GAME.legal(state) == [*cards("9S"), DRAW]


def test_another_eight_can_follow_an_eight():
    state = table(hands=("8C KH", "8H 2D", "3C 9S"))
    GAME.play(state, card("8C"))
    GAME.play(state, CALL + 3)
    assert GAME.legal(state) == [*cards("8H"), DRAW]


def test_an_eight_played_as_last_card_names_no_suit():
    state = table(hands=("8C", "AD 2D", "3C 9S"))
    GAME.play(state, card("8C"))
    assert state.over
    assert GAME.why_not(state, CALL) == "The game is over."


def test_only_an_eight_names_a_suit():
    assert GAME.why_not(table(), CALL) == "You can name a suit only after an eight."


def test_an_eight_turned_up_sets_its_own_suit():
    state = table(top="8H")
    assert not state.calling
    assert GAME.legal(state) == [*cards("8C KH"), DRAW]


def test_up_to_three_cards_may_be_drawn_in_a_turn():
    state = table()
    for drawn in range(3):
        assert GAME.why_not(state, PASS).startswith("You can pass only after")
        GAME.play(state, DRAW)
        assert (state.player, state.drawn, state.hand[0].bit_count()) == (0, drawn + 1, 5 + drawn)
    assert GAME.why_not(state, DRAW) == "You have drawn the most cards for a turn: play or pass."
    GAME.play(state, PASS)
    assert (state.player, state.drawn) == (1, 0)


def test_a_drawn_card_can_be_played():
    state = table(stock="QD")
    GAME.play(state, DRAW)
    assert card("QD") in GAME.legal(state)


def test_passing_is_allowed_when_the_stock_is_empty():
    state = table(stock="")
    assert GAME.why_not(state, DRAW) == "The stock is empty: play or pass."
    GAME.play(state, PASS)
    assert state.player == 1


def test_an_empty_hand_ends_the_game_and_cards_left_count_against_seats():
    state = table(hands=("6D", "8S KD QC JH", "AS 9S 0D"), stock="")
    GAME.play(state, card("6D"))
    assert state.over
    assert GAME.returns(state) == (0, -80, -20)
    outcome = GAME.result(state, frozenset())
    assert (outcome.winners, outcome.reason) == ((0,), "A hand is empty.")
    assert GAME.result(state, frozenset({0})).winners == (2,)


def test_consecutive_passes_end_the_game_and_ties_share_the_win():
    state = table(hands=("KH", "KC", "AS 2S"), stock="", top="5D")
    for seat in range(3):
        assert state.player == seat
        GAME.play(state, PASS)
    assert state.over
    outcome = GAME.result(state, frozenset())
    assert (outcome.winners, outcome.reason) == ((2,), "Nobody can play, and the stock is empty.")
    state.hand[2] = as_set(parse_cards("KS"))
    assert GAME.result(state, frozenset()).winners == (0, 1, 2)


def test_a_play_resets_the_count_of_passes():
    state = table(hands=("KH 2H", "AD 2D", "3C 9S"), stock="")
    GAME.play(state, PASS)
    GAME.play(state, card("AD"))
    assert state.passes == 0


def test_a_hand_is_hidden_from_others_until_the_game_is_over():
    state = table(hands=("6D 7D", "AD 2D", "3C 9S"))
    own, spectator = GAME.view(state, 1), GAME.view(state, -1)
    assert (own.hand, spectator.hand) == (tuple(cards("AD 2D")), ())
    assert (own.counts, own.stock, own.hands) == ((2, 2, 2), 4, ())
    state.hand[0] = as_set(parse_cards("6D"))
    GAME.play(state, card("6D"))
    assert GAME.view(state, -1).hands == ((), tuple(cards("AD 2D")), tuple(cards("3C 9S")))


def test_greedy_keeps_eights_and_cards_playable_next():
    greedy = GAME.strategies["greedy"]
    state = table(hands=("6D 5C 7C 8C", "AD 2D", "3C 9S"))
    assert greedy(GAME.view(state, 0), GAME.legal(state), Random(0)) == card("5C")
    state = table(hands=("8C KH", "AD 2D", "3C 9S"))
    assert greedy(GAME.view(state, 0), GAME.legal(state), Random(0)) == card("8C")
    state = table(hands=("KH 2S 3S", "AD 2D", "3C 9S"), calling=1, top="8C")
    assert greedy(GAME.view(state, 0), GAME.legal(state), Random(0)) == CALL + 3
