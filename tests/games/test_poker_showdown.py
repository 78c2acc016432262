"""Pots and showdowns in worked examples: side pots, odd chips, showing and mucking."""

import pytest

from kibitz.cards import parse_cards
from kibitz.engine.registry import game
from kibitz.engine.views.events import SPECTATOR
from kibitz.games.poker.view import Mucked, Showed, UncalledBetReturned, Won
from tests.games.poker_table import RUBBISH, act, chips, hand, of_kind


def test_each_all_in_level_has_a_side_pot():
    """The shortest stack has the best hand, the next one the second best: each wins what it could match."""
    played, s = hand([50, 100, 200], "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    told = act(played, s, "all in", "all in", "all in")
    assert [(won.pot, won.winners, won.shares) for won in of_kind(told, Won)] == [
        (0, (0,), (150,)),
        (1, (1,), (100,)),
    ]
    assert of_kind(told, UncalledBetReturned)[0].amount == 100
    assert chips(s) == [150, 100, 100]


def test_a_folded_bet_stays_in_its_pots():
    played, s = hand([1000, 30, 1000, 1000], "AS AH", "KS KH", "QS QH", RUBBISH, board="3D 4C 0H 8S JD")
    act(played, s, "raise 60", "fold", "call", "all in")
    told = act(played, s, "check", "bet 100", "fold")
    assert of_kind(told, UncalledBetReturned)[0].amount == 100
    assert chips(s) == [940, 90, 1000 - 60 + 60, 1000]


def test_odd_chips_go_to_the_first_winner_left_of_the_button():
    """The board plays, so three seats share a pot of 35; seat 1 is the first of them left of the button."""
    played, s = hand([1000] * 4, *["2D 3C", "2C 3D", "2H 3H", "2S 3S"], board="0D JC QH KS AD")
    act(played, s, "call", "call", "fold", "check")
    for _ in range(3):
        told = act(played, s, "check", "check", "check")
    (won,) = of_kind(told, Won)
    assert (won.winners, won.shares) == ((1, 2, 3), (13, 11, 11))


def test_the_last_remaining_player_wins_without_showing():
    played, s = hand([1000] * 3)
    told = act(played, s, "raise 100", "fold", "fold")
    assert not of_kind(told, Showed)
    assert of_kind(told, UncalledBetReturned)[0].amount == 90
    assert chips(s) == [995, 990, 1015]
    assert not any(played.view(s, 0).last.shown)


def check_down(played, s):
    """Call, then check to the showdown."""
    told = []
    while not s.over:
        told += act(played, s, "call")
    return told


@pytest.mark.parametrize(("antes", "back"), [({"ante": 5}, 2 + 5), ({"ante": 4, "ante0": 1, "ante1": 1}, 5)])
def test_antes_above_a_short_ante_are_returned_unless_set_by_seat(antes, back):
    """Seat 1 has 3 chips for its second ante of 5; the blind is returned either way."""
    played = game("holdem").with_options(players=2, hands=2, stack=100, **antes)
    s = played.deal(1)
    act(played, s, "raise 92", "raise 95")
    told = act(played, s, "fold")
    assert [event.amount for event in of_kind(told, UncalledBetReturned)] == [3, back]
    assert sum(chips(s)) == 200


def test_first_seat_left_of_the_button_shows_first_without_a_last_bet():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    told = check_down(played, s)
    assert [event.seat for event in of_kind(told, Showed)] == [0]
    assert [event.seat for event in of_kind(told, Mucked)] == [1, 2]


def test_the_last_aggressor_shows_first_and_a_better_hand_is_shown_too():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    act(played, s, "call", "call", "check", "check", "check", "check", "check", "check", "check")
    told = act(played, s, "check", "check", "bet 50", "call", "call")
    assert [event.seat for event in told if isinstance(event, Showed | Mucked)] == [2, 0, 1]
    assert [event.seat for event in of_kind(told, Mucked)] == [1]


def test_a_hand_that_still_wins_a_side_pot_is_shown():
    played, s = hand([50, 1000, 1000], "AS AH", "QS QH", "KS KH", board="2D 3C 7H 8S 0D")
    act(played, s, "raise 100", "all in", "call", "check", "check", "check", "check")
    told = act(played, s, "check", "check")
    assert [event.seat for event in of_kind(told, Showed)] == [0, 1, 2]
    assert chips(s) == [150, 900, 1000]


def test_mucked_and_folded_hands_are_visible_to_their_owners_only():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    act(played, s, "fold")
    check_down(played, s)
    aces, kings, queens = (tuple(sorted(parse_cards(text))) for text in ("AS AH", "KS KH", "QS QH"))
    for seat, own in enumerate([aces, kings, queens]):
        last = played.view(s, seat).last
        assert (last.hand, last.shown) == (own, (aces, (), ()))
    assert played.view(s, SPECTATOR).last.hand == ()
