"""Illegal actions in cribbage, and invariants of every match."""

import pytest

from kibitz.cards import as_set, cards_of, parse_cards
from kibitz.engine.contract.checking import random_game
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.cribbage import rules
from kibitz.games.cribbage.rules import DISCARD, GO
from kibitz.table.match import play_match
from tests.games.cribbage_table import CRIBBAGE, act, in_play
from tests.strategies.seats import Strategist
from tests.table.test_match import Answering


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2D", "Discard exactly 2 cards, not 1"),
        ("2D 3D 4D", "Discard exactly 2 cards, not 3"),
        ("", "Discard exactly 2 cards, not 0"),
        ("2D 2D", "2D appears 2 times"),
        ("2D KS", "You don't hold K♠"),
        ("2D XX", "without jokers"),
        ("2D 1S", "'1S' is not a card"),
        ("go", "Go is for the play"),
    ],
)
def test_an_illegal_discard_is_refused_and_changes_nothing(text, why):
    s = CRIBBAGE.deal(1)
    s.hand[s.player] = as_set(parse_cards("2D 3D 4D 5D 6D 7D"))
    before = s.copy()
    with pytest.raises((RuleError, NotationError), match=why) as caught:
        act(CRIBBAGE, s, text)
    assert "\n" not in str(caught.value)
    assert s == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("KD", "can't go above 31"),
        ("go", "say go only if none of your cards fits"),
        ("9D", "from your own hand"),
        ("3D 4D", "exactly one card"),
        ("", "exactly one card"),
        ("XX", "without jokers"),
        ("KD KD", "KD appears 2 times"),
    ],
)
def test_an_illegal_play_is_refused_and_changes_nothing(text, why):
    played, s = in_play("KD 3D 4D", "2C", trail="9S QD 8S")
    before = s.copy()
    assert s.count == 27
    with pytest.raises((RuleError, NotationError), match=why):
        act(played, s, text)
    assert s == before


def test_actions_of_the_other_phase_are_refused():
    s = CRIBBAGE.deal(1)
    low = min(cards_of(s.hand[s.player]))
    assert "first discard to the crib" in CRIBBAGE.why_not(s, low)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, DISCARD + 0b111)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, DISCARD)
    played, s = in_play("KD 3D 4D", "2C")
    assert "already discarded" in played.why_not(s, DISCARD + 0b11)
    s.over = 1
    assert played.why_not(s, 0) == "The game is over."


def test_invalid_move_forfeits_and_the_game_is_played_out():
    good = Strategist(CRIBBAGE.strategies["greedy"])
    record = play_match(CRIBBAGE, [Answering(GO), good], 3).record
    assert [forfeit.seat for forfeit in record.forfeits] == [0]
    assert "Go is for the play" in record.forfeits[0].sentence
    assert record.outcome.winners == (1,)


@pytest.mark.parametrize("option", ["games=0", "games=101", "target=0", "target=122", "skunks=2", "hand_size=5"])
def test_options_out_of_range_are_refused(option):
    with pytest.raises(NotationError):
        game(f"cribbage:{option}")


def test_every_state_satisfies_the_rules():
    for seed in range(15):
        for state, legal, _ in random_game(CRIBBAGE, seed):
            assert 0 <= state.count <= 31
            assert max(state.pegs) < 121
            if GO in legal:
                assert legal == [GO]
                assert rules.playable(state, state.player) == 0
            known = state.hand[0].bit_count() + state.hand[1].bit_count() + state.plays
            assert known + state.away[0].bit_count() + state.away[1].bit_count() == 12
