"""Hands with jokers, against trying every card for every joker."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from benchmarks.peers import poker_course
from kibitz.cards import BLACK_JOKER, JOKER, RED_JOKER, as_set, cards_of, is_black, parse_cards, poker_code
from kibitz.engine.kernels import compilation
from kibitz.errors import NotationError
from kibitz.games.poker.hands import best_hand, ranking, wild
from tests.contract.groups import sharing
from tests.parts import times

pytestmark = sharing("holdem")

JOKERS = [(black, red) for black in range(3) for red in range(3) if black + red]


@cache
def strengths():
    """The strength of a hand without jokers, in machine code."""
    return compilation.compiled(ranking).strength


def brute_force(cards, black, red):
    """The greatest strength over all cards the jokers can stand for."""
    free = [card for card in range(52) if not cards >> card & 1]
    best, strength = 0, strengths()
    for blacks in combinations([card for card in free if is_black(card)], black):
        for reds in combinations([card for card in free if not is_black(card)], red):
            best = max(best, strength(cards | as_set((*blacks, *reds))))
    return best


def hands(random, n, count):
    """Random cards, half of them close together, where straights, flushes and groups compete."""
    for k in range(count):
        low, suits = random.randrange(9), random.choice([(0, 2), (1, 3), (0, 1, 2, 3), (0, 1, 2, 3)])
        near = [card for card in range(52) if low <= card >> 2 <= low + 4 and card & 3 in suits]
        yield as_set(random.sample(near if k % 2 else range(52), n))


@pytest.mark.parametrize(("black", "red"), JOKERS)
@pytest.mark.parametrize("n", [5, 6, 7])
def test_joker_hands_match_brute_force(n, black, red):
    random = Random(100 * n + 10 * black + red)
    count = {1: 400, 2: 60, 3: 8, 4: 1}[black + red]
    for cards in hands(random, n - black - red, count):
        assert wild.wild_strength(cards, black, red) == brute_force(cards, black, red), cards_of(cards)


@pytest.mark.long
@pytest.mark.parametrize(("black", "red"), JOKERS)
@pytest.mark.parametrize("n", [5, 6, 7])
def test_many_joker_hands_match_brute_force(n, black, red):
    random = Random(1000 + 100 * n + 10 * black + red)
    count = times({1: 20000, 2: 1500, 3: 100, 4: 6}[black + red], 5)
    for cards in hands(random, n - black - red, count):
        assert wild.wild_strength(cards, black, red) == brute_force(cards, black, red), cards_of(cards)


def test_joker_hands_rank_as_in_the_course_version():
    random = Random(7)
    for n, black, red in [(5, 1, 0), (5, 0, 1), (6, 1, 0), (5, 1, 1)] * 5:
        cards = random.sample(range(52), n - black - red)
        hand = [poker_code(card) for card in cards] + ["?B"] * black + ["?R"] * red
        five = best_hand(parse_cards(hand)).five
        assert poker_course.hand_rank([poker_code(card) for card in five]) == poker_course.best_wild_rank(hand)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("TS JS QS KS 2D ?B ?R", "a royal flush"),
        ("AS AH AD AC 2C ?B ?R", "four Aces, King kicker"),
        ("AC 9C 7C 3C 2H 4D ?B", "a flush, Ace high, kickers K, 9, 7, 3"),
        ("9H TH JH QH 2C ?R ?B", "a straight flush to the King"),
        ("AD AH 5D 5H ?R", "two pair, Aces and fives, King kicker"),
        ("AD AH KD ?R ?R", "two pair, Aces and Kings, Queen kicker"),
        ("6C 6S 2D 9H KD ?B", "two pair, Kings and sixes, nine kicker"),
        ("2C 5S 9C ?B ?B", "two pair, nines and fives, two kicker"),
        ("2D ?B ?B ?R ?R", "four Aces, two kicker"),
        ("2D 3D 4D ?R ?R", "a straight flush to the six"),
        ("AD ?B ?B ?R ?R", "four Aces, King kicker"),
        ("2D 7C 9H ?B ?B ?R ?R", "four Aces, nine kicker"),
    ],
)
def test_joker_hands_are_described(cards, words):
    assert best_hand(parse_cards(cards)).words == words


@pytest.mark.parametrize(("black", "red"), [(0, 0), *JOKERS])
def test_stand_ins_match_the_jokers_colour_and_the_strength(black, red):
    random = Random(5)
    for n in (5, 6, 7):
        for cards in hands(random, n - black - red, 20):
            hand = best_hand([*cards_of(cards), *[BLACK_JOKER] * black, *[RED_JOKER] * red])
            assert [is_black(card) for card in hand.stand_ins] == [True] * black + [False] * red
            full = as_set(hand.stand_ins)
            assert full.bit_count() == black + red
            assert full & cards == 0
            assert as_set(hand.five) & ~(full | cards) == 0
            assert hand.strength == ranking.strength(cards | full) == wild.wild_strength(cards, black, red)


def test_machine_code_and_python_agree_on_jokers():
    kernels, random = compilation.compiled(wild), Random(6)
    for black, red in [(0, 0), *JOKERS]:
        for cards in hands(random, 7 - black - red, 60):
            assert kernels.wild_strength(cards, black, red) == wild.wild_strength(cards, black, red)
        for cards in hands(random, 6 - black - red, 20):
            assert kernels.replace_jokers(cards, black, red) == wild.replace_jokers(cards, black, red)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("2S 3S 4S 5S", "a poker hand has 5 to 7 cards, not 4."),
        ("2S 3S 4S 5S 6S 7S 8S 9S", "a poker hand has 5 to 7 cards, not 8."),
        ("2S 3S 4S 5S 2S", "2S is in the hand 2 times, but a pack has it only once."),
        ("2S 3S ?B ?B ?B", "a hand has at most 2 jokers of one colour, not 3."),
        ("2S 3S 4S 5S XX", "XX isn't a joker of poker: write ?B for a black joker and ?R for a red one."),
    ],
)
def test_an_invalid_hand_is_refused(cards, sentence):
    with pytest.raises(NotationError) as refused:
        best_hand(parse_cards(cards))
    assert str(refused.value) == sentence


def test_cards_of_other_packs_are_refused():
    for strange in (-1, JOKER + 64, 70):
        with pytest.raises(NotationError, match="not a card of one pack"):
            best_hand([0, 4, 8, 12, strange])
