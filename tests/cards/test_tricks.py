"""Tricks, checked against plain lists of cards; redeals, checked against every deal consistent with play."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from kibitz.cards import Suit, as_set, parse_cards, tricks
from kibitz.engine.chance_tree import ChanceScript
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import CHANCE, Field, Layout

LAYOUT = Layout(
    "TrickState",
    *CHANCE,
    *(Field(name, 5) for name in ("hand", "lacks", "known")),
    Field("pool", 52),
    Field("frames", tricks.FRAMES),
)


def card(text):
    (found,) = parse_cards(text)
    return found


def cards(text):
    return as_set(parse_cards(text))


@pytest.mark.parametrize(
    ("trick", "leader", "trumps", "seat"),
    [
        ("5C KC AC 2C", 0, -1, 2),  # aces are high
        ("5C KD AH QC", 0, -1, 3),  # only the suit led wins
        ("5C KD AH QC", 1, -1, 1),
        ("5C KD AH QC", 0, Suit.HEARTS, 2),
        ("2H KD AH QC", 3, Suit.HEARTS, 2),
        ("3H 2H AD QC", 2, Suit.HEARTS, 0),
    ],
)
def test_highest_trump_or_else_highest_card_of_suit_led_wins(trick, leader, trumps, seat):
    assert tricks.winner(parse_cards(trick), 4, leader, trumps) == seat


def test_seats_that_have_not_played_yet_cannot_win_and_add_no_card():
    trick = [-1, card("5S"), card("KS"), -1]
    assert tricks.winner(trick, 4, 1, -1) == 2
    assert tricks.cards_in_trick(trick, 4) == cards("5S KS")


def test_following_gives_cards_of_suit_led_and_other_suit_shows_a_void():
    hand = cards("5C KC AH 2D")
    assert tricks.cards_to_follow(hand, Suit.CLUBS) == cards("5C KC")
    assert tricks.cards_to_follow(hand, Suit.SPADES) == hand
    assert tricks.suit_ruled_out(card("5C"), card("KC")) == 0
    assert tricks.suit_ruled_out(card("5S"), card("KC")) == sum(1 << 4 * value + Suit.SPADES for value in range(13))


@pytest.mark.parametrize("n", [1, 2, (1 << 30) - 1, 1 << 30, 5**20, 1 << 58])
def test_large_random_numbers_stay_in_range_and_are_uniform(n):
    state, draws = LAYOUT.plain(), 2000
    found = [tricks.below_large(state, n) for _ in range(draws)]
    assert 0 <= min(found) <= max(found) < n
    assert abs(sum(number < n // 2 for number in found) / draws - (n // 2) / n) < 0.06


def deals(cards, hands):
    """Every way to deal ``cards`` to hands, each described as (number of cards, cards it may hold)."""
    if not hands:
        yield ()
        return
    (number, allowed), *other_hands = hands
    for hand in combinations(sorted(cards & allowed), number):
        for rest in deals(cards - set(hand), other_hands):
            yield (frozenset(hand), *rest)


def random_situation(random, seats=4, most=9):
    """A pack, hands, the cards left over, a seat, and the cards each hand is known to lack and to hold."""
    pack = random.sample(range(52), random.randrange(seats, most + 1))
    hands = [set() for _ in range(seats)]
    for card in pack:
        random.choice(hands).add(card)
    rest = hands.pop()
    seat = random.randrange(-1, seats - 1)
    lacks, known = [], []
    for hand in hands:
        lacks.append({card for card in range(52) if random.random() < 0.6 and card % 4 not in {c % 4 for c in hand}})
        if random.random() < 0.3:
            lacks[-1] |= {card for card in range(52) if random.random() < 0.3} - hand
        known.append({card for card in hand if random.random() < 0.15})
    return set(pack), hands, rest, seat, lacks, known


def bits(cards):
    return sum(1 << card for card in cards)


def state_with(hands, lacks, known):
    state = LAYOUT.plain()
    for p in range(len(hands)):
        state.hand[p], state.lacks[p], state.known[p] = bits(hands[p]), bits(lacks[p]), bits(known[p])
    return state


@pytest.mark.parametrize("number", range(60))
def test_redeal_gives_every_consistent_deal_equally_often(number):
    pack, hands, _, seat, lacks, known = random_situation(Random(number))
    others = [p for p in range(len(hands)) if p != seat]
    fixed = set().union(*(known[p] for p in others), hands[seat] if seat >= 0 else ())
    unknown = [(len(hands[p]) - len(known[p]), set(range(52)) - lacks[p]) for p in others]
    expected = {
        tuple(frozenset(known[p] | hand) for p, hand in zip(others, deal, strict=True))
        for deal in deals(pack - fixed, unknown)
    }
    script = ChanceScript()
    redeal = compilation.plain(tricks, randbelow=script.randbelow).redeal_unseen
    found = Counter()
    for _ in script.paths():
        state = state_with(hands, lacks, known)
        rest = redeal(state, state.hand, len(hands), seat, bits(pack), state.lacks, state.known)
        dealt = [{card for card in range(52) if state.hand[p] >> card & 1} for p in others]
        assert rest == bits(pack - set().union(*dealt, hands[seat] if seat >= 0 else ()))
        found[tuple(map(frozenset, dealt))] += script.weight
    assert found == dict.fromkeys(expected, Fraction(1, len(expected)))


def hands_after(random, tricks_played):
    """Four hands after some tricks with 52 cards, and the cards of the suits in which each has shown a void."""
    pack = random.sample(range(52), 52)
    hands, voids, leader = [set(pack[p::4]) for p in range(4)], [set() for _ in range(4)], random.randrange(4)
    for _ in range(tricks_played):
        led = random.choice(sorted(hands[leader])) % 4
        for hand, void in zip(hands, voids, strict=True):
            suited = [card for card in sorted(hand) if card % 4 == led]
            void |= set() if suited else {led}
            hand.remove(random.choice(suited or sorted(hand)))
        leader = random.randrange(4)
    return hands, [{card for card in range(52) if card % 4 in void} for void in voids]


@pytest.mark.parametrize("seat", [-1, 0, 3])
def test_compiled_redeal_of_a_full_pack_matches_python(seat):
    compiled, random = compilation.compiled(tricks), Random(seat)
    for number in range(100):
        hands, lacks = hands_after(random, number % 13)
        known = [{card for card in hand if random.random() < 0.1} for hand in hands]
        state, records = state_with(hands, lacks, known), np.zeros(1, LAYOUT.dtype)
        LAYOUT.store(state, records, 0)
        r, cards = records[0], bits(set().union(*hands))
        tricks.redeal_unseen(state, state.hand, 4, seat, cards, state.lacks, state.known)
        compiled.redeal_unseen(r, r["hand"], 4, seat, cards, r["lacks"], r["known"])
        assert LAYOUT.load(records, 0).position() == state.position()
        for p in range(4):
            assert state.hand[p].bit_count() == len(hands[p])
            assert p == seat or (state.hand[p] & bits(lacks[p]), bits(known[p]) & ~state.hand[p]) == (0, 0)
        assert sum(state.hand[:4]) == cards
