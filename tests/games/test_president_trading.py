"""Trades of President: what is given and returned, who sees it, and what a seat believes of it exactly."""

import dataclasses

import pytest

from kibitz.cards import parse_cards
from kibitz.engine.contract import Broken, exact
from kibitz.engine.contract.walks import walk
from kibitz.engine.events import to_seat
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.games.president import beliefs, rules
from kibitz.games.president.heights import to_height
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.told import Gave, Returned
from kibitz.games.president.trading import NAME, RETURN
from kibitz.kernel import kernel
from tests.games.president_table import PRESIDENT, next_trade


def test_the_bum_gives_the_highest_cards_and_only_the_two_see_them():
    s = next_trade(PRESIDENT)
    president, vice, vice_bum, bum = s.order[:4]
    assert (s.phase, s.player, s.todo) == (RETURN, president, 2)
    assert [hand.bit_count() for hand in (s.hand[p] for p in s.order[:4])] == [15, 14, 12, 11]
    for giver, pair, n in ((bum, 0, 2), (vice_bum, 1, 1)):
        assert s.given[pair].bit_count() == n
        assert s.hand[giver] < s.given[pair] & -s.given[pair]
    for seat in range(4):
        seen = PRESIDENT.view(s, seat).given
        assert [given is not None for given in seen] == [seat in (president, bum), seat in (vice, vice_bum)]


def test_the_upper_seats_return_any_cards_and_then_the_president_leads():
    s = next_trade(PRESIDENT, 3)
    president, vice, vice_bum, bum = s.order[:4]
    for giver, taker in ((president, bum), (president, bum), (vice, vice_bum)):
        assert s.player == giver
        card = s.hand[giver] & -s.hand[giver]
        notices = PRESIDENT.play(s, TRADE + card.bit_length() - 1)
        assert s.hand[taker] & card
        for seat in range(-1, 4):
            (event,) = (e for e in to_seat(notices, seat) if isinstance(e, Returned))
            assert (event.card is not None) == (seat in (giver, taker))
    assert (s.phase, s.player, s.hand[bum].bit_count()) == (rules.PLAY, president, 13)


@pytest.mark.parametrize(("n", "given"), [(2, [2]), (3, [2]), (4, [2, 1]), (8, [2, 1])])
def test_how_many_cards_are_given(n, given):
    s = next_trade(game("president").with_options(players=n))
    assert [cards.bit_count() for cards in s.given[: len(given)]] == given


def test_cards_asked_for_in_vain_are_not_made_up_for():
    played = game("president-asking")
    s = next_trade(played)
    assert (s.phase, s.todo) == (NAME, 2)
    president, bum = s.order[0], s.order[3]
    held = s.hand[bum] & -s.hand[bum]
    other = s.hand[president] & -s.hand[president]
    played.play(s, TRADE + held.bit_length() - 1)
    assert played.why_not(s, TRADE + held.bit_length() - 1) == "You have asked for that card already."
    played.play(s, TRADE + other.bit_length() - 1)
    assert (s.phase, s.player, s.todo, s.given[0]) == (RETURN, president, 1, held)


def test_trades_refuse_what_is_not_held_and_the_wrong_number():
    s = next_trade(PRESIDENT)
    view = PRESIDENT.view(s, s.player)
    missing = next(card for card in range(52) if card not in view.hand)
    assert PRESIDENT.why_not(s, TRADE + to_height(missing)) == "You can only use cards from your own hand."
    assert PRESIDENT.why_not(s, PASS) == "Cards are being traded: name one card."
    assert PRESIDENT.why_not(PRESIDENT.deal(1), TRADE) == "No cards are being traded now."
    with pytest.raises(NotationError, match="one at a time"):
        PRESIDENT.parse(view, "4D 4C")


def mini(pack, **options):
    found = game("president-mini")
    pack_set = sum(1 << card for card in parse_cards(pack))
    return dataclasses.replace(found, options={**found.options, "pack": pack_set, **options})


def follow_all(played, seeds):
    scripted = exact.Exact(played)
    deals = list(scripted.deals())
    for seed in range(seeds):
        for seat in range(-1, played.seats):
            exact.follow(scripted, deals, seed, seat)


@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD", {"players": 2}),
        ("3D 3C 4D 4C AD", {"players": 2, "traded": 2, "upper_names": 1}),
        ("3D 3C 4D AD 2D 2C", {"upper_names": 1}),
        ("3D 3C 4D 4C AD", {"players": 2, "leftovers": 1, "pass_locks": 1}),
    ],
)
def test_what_seats_believe_of_a_trade_is_exact(pack, options):
    follow_all(mini(pack, **options), 4)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD 2D 2C", {"players": 2, "traded": 2}),
        ("3D 3C 4D 4C 5D AD 2D", {}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4, "upper_names": 1}),
    ],
)
def test_what_seats_believe_of_larger_trades_is_exact(pack, options):
    follow_all(mini(pack, **options), 2)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("gift_candidates", lambda s, j, stayed: 0),
        ("deals", lambda kept, both, given, returned, back, new, gifts, upper_names: 1),
    ],
)
def test_beliefs_that_forget_a_part_of_a_trade_are_caught(name, function, monkeypatch):
    function.__module__ = beliefs.__name__
    monkeypatch.setattr(beliefs, name, kernel(function))
    with pytest.raises((Broken, ZeroDivisionError, ValueError, IndexError)):
        follow_all(mini("3D 3C 4D 4C AD 2D 2C", players=2, traded=1), 6)


def test_gifts_are_told_to_the_two_traders_only():
    played = game("president:rounds=2")
    for state, _, action in walk(played, 2):
        after = state.copy()
        notices = played.play(after, action)
        if after.round == 1 and state.round == 0:
            for seat in range(-1, 4):
                gave = [e for e in to_seat(notices, seat) if isinstance(e, Gave)]
                assert [e.cards is not None for e in gave] == [seat in (e.lower, e.upper) for e in gave]
                assert [e.number for e in gave] == [2, 1]
            return
