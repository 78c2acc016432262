"""Trades of President: cards given and returned, who sees them, and exact beliefs about them."""

import dataclasses
from fractions import Fraction
from itertools import combinations

import pytest

from kibitz.cards import parse_cards
from kibitz.engine.chance_tree import ChanceScript
from kibitz.engine.contract import imagination
from kibitz.engine.contract.checking import random_game
from kibitz.engine.kernels import compilation
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.errors import NotationError
from kibitz.games.president import beliefs, rules
from kibitz.games.president.rounds import ASK, RETURN
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.view import Returned, to_height, to_heights
from tests.games.president_table import PRESIDENT, cards, next_trade


def test_the_bum_gives_the_highest_cards_seen_by_both_traders_only():
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


def test_upper_seats_return_any_cards_then_the_president_leads():
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
def test_number_of_cards_given_depends_on_the_players(n, given):
    s = next_trade(game("president").with_options(players=n))
    assert [cards.bit_count() for cards in s.given[: len(given)]] == given


def test_unsuccessful_requests_are_not_replaced():
    played = game("president-asking")
    s = next_trade(played)
    assert (s.phase, s.todo) == (ASK, 2)
    president, bum = s.order[0], s.order[3]
    held = s.hand[bum] & -s.hand[bum]
    other = s.hand[president] & -s.hand[president]
    played.play(s, TRADE + held.bit_length() - 1)
    assert played.why_not(s, TRADE + held.bit_length() - 1) == "You have already asked for that card."
    played.play(s, TRADE + other.bit_length() - 1)
    assert (s.phase, s.player, s.todo, s.given[0]) == (RETURN, president, 1, held)


OPEN = game("president-open")


def asking(lower="5D 5S 9C KD", upper="3D 3C 4H KS"):
    """A trade on request with the hands of the Bum and the President, who asks for two cards."""
    s = next_trade(OPEN)
    s.hand[s.order[3]], s.hand[s.order[0]] = cards(lower), cards(upper)
    assert (s.phase, s.todo) == (ASK, 2)
    return s


def act(s, text, seat=-1):
    """Carry out an action given as text, and return the sentences that a seat reads."""
    view = OPEN.view(s, s.player)
    notices = OPEN.play(s, OPEN.parse(view, text))
    return [OPEN.describe(event, seat, ["Ann", "Ben", "Cem", "Dan"]) for event in to_seat(notices, seat)]


def test_requests_repeat_until_a_card_is_given():
    s = asking()
    president, bum = s.order[0], s.order[3]
    for text in ("2S", "any A", "any kings"):
        before = s.todo
        told = act(s, text)
        if text != "any kings":
            assert told[0].endswith("in vain, and asks again.")
            assert (s.phase, s.player, s.todo) == (ASK, president, before)
    assert told[0].endswith("for any K and gets K♦.")
    assert (s.todo, s.given[0]) == (1, cards("KD"))
    act(s, "5S")
    assert (s.phase, s.todo, s.given[0]) == (RETURN, 2, cards("KD 5S"))
    act(s, "3D")
    act(s, "3C")
    assert s.returned[0] == cards("3D 3C")
    assert s.hand[bum] == cards("5D 9C 3D 3C")
    assert s.phase == ASK
    assert s.player == s.order[1]


def test_a_request_by_value_gets_the_highest_card():
    s = asking()
    assert act(s, "any 5")[0].endswith("for any 5 and gets 5♠.")
    assert s.named[0] == cards("5S")
    assert act(s, "any 5")[0].endswith("for any 5 and gets 5♦.")
    assert s.named[0] == cards("5D 5C 5H 5S")


def test_a_request_cannot_be_repeated():
    s = asking()
    for text in ("any 7", "5S"):
        act(s, text)
    view = OPEN.view(s, s.player)
    for text in ("any 7", "7D", "5S"):
        assert OPEN.why_not(s, OPEN.parse(view, text)) == "You have already asked for that card."
    assert OPEN.why_not(s, OPEN.parse(view, "any 5")) is None


def test_open_trades_are_visible_to_all():
    for seat in range(-1, 4):
        s = asking()
        s.order[0], s.order[1], s.order[2], s.order[3] = 0, 1, 2, 3
        s.hand[3], s.hand[0], s.player = cards("5D 5S 9C KD"), cards("3D 3C 4H KS"), 0
        (told,) = act(s, "2S", seat)
        assert " for 2♠, in vain, and ask" in told
        act(s, "any K", seat)
        act(s, "9C", seat)
        assert any("3♦" in sentence for sentence in act(s, "3D", seat))
        view = OPEN.view(s, seat)
        assert [to_heights(view.given[0]), to_heights(view.returned[0])] == [cards("KD 9C"), cards("3D")]
        assert to_heights(view.named[0]) & cards("2S KH KS") == cards("2S KH KS")


def test_imagined_hands_exclude_cards_known_not_to_be_held():
    """Both lower seats have been asked for many cards, mostly in vain; all seats and the spectator know the answers."""
    s = next(s.copy() for s, _, _ in random_game(OPEN, 0) if s.round == 1 and s.phase == rules.PLAY)
    assert sum(named.bit_count() for named in s.named) > 3
    for seat in range(-1, 4):
        for number in range(20):
            world = OPEN.imagine(OPEN.view(s, seat), number)
            for j in range(2):
                lower = s.order[3 - j]
                assert not (world.hand[lower] | world.gone[lower]) & ~world.returned[j] & s.named[j]


def test_requests_by_value_need_repeated_requests():
    blind = game("president-asking")
    s = next_trade(blind)
    sentence = "Here you ask for one card, such as 2S, not for any card of a value."
    assert blind.why_not(s, blind.parse(blind.view(s, s.player), "any 2")) == sentence
    s = asking()
    view = OPEN.view(s, s.player)
    readings = ("any 10", "any 0", "tens", "any tens", "Any TEN", "a ten")
    assert {OPEN.parse(view, text) for text in readings} == {rules.ANY_OF_VALUE + 7}
    assert {OPEN.parse(view, text) for text in ("sixes", "any 6", "any 6s")} == {rules.ANY_OF_VALUE + 3}
    assert OPEN.parse(view, "6S") == TRADE + to_height(parse_cards("6S")[0])


def test_requests_for_own_cards_are_legal_but_not_offered():
    s = asking()
    legal = OPEN.legal(s)
    offered = OPEN.words.main_actions(OPEN.view(s, s.player), legal)
    own = {TRADE + height for height in range(52) if s.hand[s.player] >> height & 1}
    assert set(legal) - set(offered) == own


def test_trades_refuse_cards_not_held_and_wrong_numbers():
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
    scripted = imagination.ScriptedGame(played)
    deals = list(scripted.deals())
    told = imagination.opening_events(scripted, deals)
    for seed in range(seeds):
        for seat in range(-1, played.seats):
            imagination.follow_game(scripted, deals, told[seat], seed, seat)


@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD", {"players": 2}),
        ("3D 3C 4D 4C AD", {"players": 2, "traded": 2, "upper_names": 1}),
        ("3D 3C 4D AD 2D 2C", {"upper_names": 1}),
        ("3D 3C 4D 4C AD", {"players": 2, "leftovers": 1, "pass_locks": 1}),
        ("3D 3C 4D 4C AD", {"players": 2, "traded": 2, "upper_names": 2}),
        ("3D 3C 4D AD 2D 2C", {"upper_names": 2}),
    ],
)
def test_beliefs_after_a_trade_are_exact(pack, options):
    follow_all(mini(pack, **options), 2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD 2D 2C", {"players": 2, "traded": 2}),
        ("3D 3C 4D 4C 5D AD 2D", {}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4, "upper_names": 1}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4, "upper_names": 2}),
    ],
)
def test_beliefs_after_larger_trades_are_exact(pack, options):
    follow_all(mini(pack, **options), 2)


@pytest.mark.parametrize(
    ("named", "a", "b"),
    [(("", "4D 4C"), 2, 1), (("3D", "4D 4C 5H"), 2, 2), (("3D 3C", "4D 4C"), 3, 2), (("", ""), 2, 2)],
)
def test_cards_only_one_lower_seat_can_hold_are_split_exactly(named, a, b):
    """Against counting every pair of hands of two lower seats without the cards they are known not to hold."""
    unseen = cards("3D 3C 4D 4C 5D 5C 5H 6D")
    s = OPEN.blank()
    s.named[0], s.named[1] = (cards(text) for text in named)
    found, right = {}, {}
    script = ChanceScript()
    draw_split = compilation.plain(beliefs, randbelow=script.randbelow).draw_split
    for _ in script.paths():
        i = draw_split(s, unseen, a, b)
        if i >= 0:
            found[i] = found.get(i, 0) + script.weight
    singles = [1 << c for c in range(52) if unseen >> c & 1]
    for first in combinations([c for c in singles if not c & s.named[0]], a):
        barred = s.named[1] | sum(first)
        pairs = sum(1 for _ in combinations([c for c in singles if not c & barred], b))
        i = sum(c & s.named[1] != 0 for c in first)
        right[i] = right.get(i, 0) + pairs
    total, all_pairs = sum(found.values()), sum(right.values())
    assert {i: w / total for i, w in found.items()} == {i: Fraction(n, all_pairs) for i, n in right.items() if n}
