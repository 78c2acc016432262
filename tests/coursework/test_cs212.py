"""The functions of CS212: published results, what naive versions get wrong, and bad input."""

import copy
import random as python_random
from collections import Counter
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers import poker_course
from kibitz.coursework import cs212
from kibitz.coursework.cs212 import (
    allmax,
    best_hand,
    best_wild_hand,
    best_wild_hand_peter,
    deal,
    flush,
    hand_rank,
    kind,
    poker,
    straight,
    two_pair,
)
from kibitz.errors import NotationError
from tests.parts import share, times

split = str.split
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
STRAIGHT_FLUSH, FOUR = split("6C 7C 8C 9C TC"), split("9D 9H 9S 9C 7D")
FULL_HOUSE, HIGH_CARD = split("TD TC TH 7C 7D"), split("2C 4C 5H 7D TS")
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 20) | st.floats() | st.text(max_size=3) | st.sampled_from(CODES),
    lambda inner: st.lists(inner, max_size=7) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("6C 7C 8C 9C TC 5C ?B", "7C 8C 9C TC JC"),
        ("JD TC TH 7C 7D 7S 7H", "JD 7C 7D 7S 7H"),
        ("TD TC 5H 5C 7C ?R ?B", "TD TC 7C TH TS"),
    ],
)
def test_peters_wild_hands_match_the_published_ones_exactly(hand, best):
    assert best_wild_hand_peter(split(hand)) == tuple(split(best))


def test_best_hand_finds_the_best_five_of_seven():
    assert sorted(best_hand(split("6C 7C 8C 9C TC 5C JS"))) == sorted(STRAIGHT_FLUSH)
    assert sorted(best_hand(split("TD TC TH 7C 7D 8C 8S"))) == ["8C", "8S", "TC", "TD", "TH"]
    assert sorted(best_hand(split("JD TC TH 7C 7D 7S 7H"))) == ["7C", "7D", "7H", "7S", "JD"]


@pytest.mark.parametrize(
    ("hand", "rank"),
    [
        ("9H TH JH QH 2C 3D ?R", (8, 13)),
        ("TS JS QS KS 2D ?B ?R", (8, 14)),
        ("9H TH JH QH 2C ?R ?B", (8, 13)),
        ("AS AH AD AC 2C ?B ?R", (7, 14, 13)),
        ("AC 9C 7C 3C 2H 4D ?B", (5, [14, 13, 9, 7, 3])),
        ("AS AC 9D 7D 5H 3C ?B", (2, (14, 9), [14, 14, 9, 9, 7])),
        ("2S 3D 5H 7C ?R ?B ?B", (7, 5, 7)),
    ],
)
def test_wild_hands_that_naive_versions_get_wrong(hand, rank):
    assert hand_rank(best_wild_hand(hand.split())) == rank


def test_poker_returns_all_ties_and_equal_hands():
    assert poker([STRAIGHT_FLUSH, FOUR, FULL_HOUSE]) == [STRAIGHT_FLUSH]
    assert poker([FOUR, FULL_HOUSE]) == [FOUR]
    assert poker([FULL_HOUSE, FULL_HOUSE]) == [FULL_HOUSE, FULL_HOUSE]
    assert poker([STRAIGHT_FLUSH, *[FULL_HOUSE] * 99]) == [STRAIGHT_FLUSH]
    others = [["6D", *FOUR[:4]], ["6H", *FOUR[:4]]]
    assert poker([*others, FULL_HOUSE]) == others
    assert poker([]) == []


def test_allmax_returns_all_greatest_items():
    assert allmax([3, 1, 3]) == [3, 3]
    assert allmax(["a", "bc", "de"], key=len) == ["bc", "de"]
    assert allmax(iter([2, 2])) == [2, 2]
    assert allmax([]) == []


def test_kind_and_two_pair():
    assert [kind(n, [9, 9, 9, 9, 7]) for n in (4, 3, 2, 1)] == [9, None, None, 7]
    assert kind(2, [4, 4, 9, 9, 2]) == 9
    assert two_pair([9, 9, 6, 4, 4]) == (9, 4)
    assert two_pair([10, 10, 10, 7, 7]) is None
    assert two_pair([9, 9, 9, 9, 7]) is None


def test_straight_and_flush():
    assert straight([9, 8, 7, 6, 5])
    assert straight([5, 4, 3, 2, 1])
    assert not straight([14, 5, 4, 3, 2])
    assert not straight([9, 8, 8, 6, 5])
    assert not straight([8, 7, 6, 5])
    assert flush(STRAIGHT_FLUSH)
    assert not flush(FOUR)


def test_best_hands_match_the_course_version_exactly():
    random = Random(2)
    for k in range(300):
        hand = random.sample(NEAR[k % 4], 7)
        assert best_hand(hand) == max(combinations(hand, 5), key=poker_course.hand_rank)


def test_arguments_are_unchanged():
    for function, argument in [
        (best_wild_hand, split("TD TC 5H 5C 7C ?R ?B")),
        (best_hand, split("TD TC 5H 5C 7C 2D 3D")),
        (hand_rank, FOUR[:]),
        (poker, [FOUR[:], FULL_HOUSE[:]]),
        (two_pair, [4, 9, 4, 9, 2]),
    ]:
        before = copy.deepcopy(argument)
        function(argument)
        assert argument == before


def test_dealing_gives_distinct_cards_and_leaves_the_deck_unchanged():
    deck = CODES[:]
    python_random.seed(5)
    hands = deal(4, 7, deck)
    assert deck == CODES
    assert [len(hand) for hand in hands] == [7] * 4
    assert len({card for hand in hands for card in hand}) == 28
    python_random.seed(5)
    assert deal(4, 7, deck) == hands
    hands[0].clear()
    assert sorted(card for hand in deal(4, 13) for card in hand) == sorted(CODES)
    assert deal(0) == []
    assert deal(2, 2, ["?B", "?R", "2S", "3S"]) != []


@pytest.mark.parametrize(
    ("function", "arguments", "sentence"),
    [
        (deal, (11,), "11 hands of 5 cards are 55, but the deck has 52."),
        (deal, (-1,), "the number of hands must be 0 or more, not -1."),
        (deal, (1, 2.0), "the number of cards must be 0 or more, not 2.0."),
        (deal, (1, 2, ["2S", "2S"]), "the deck holds 2S twice, but a pack has it only once."),
        (deal, (1, 2, "2S3S"), "the deck must be a list, not '2S3S'."),
        (hand_rank, ([],), "the list of ranks is empty."),
        (hand_rank, (["2S"] * 5,), "the hand holds 2S 5 times, but two packs have it twice."),
        (hand_rank, (split("2S 3S 4S 5S ?B"),), "?B is a joker: only best_wild_hand takes jokers."),
        (hand_rank, ("2S 3S 4S 5S 6S",), "the hand must be a list, not '2S 3S 4S 5S 6S'."),
        (hand_rank, (split("2S 3S 4S 5S 10S"),), "'10S' is not a card: write rank and suit"),
        (hand_rank, (split("2S 3S 4S 5S ts"),), "'ts' is not a card: write rank and suit"),
        (best_hand, (FOUR[:4],), "the hand must have 5 cards or more, not 4."),
        (best_wild_hand, (split("2S 3S 4S 5S 6S 7S XX"),), "'XX' is not a card: write rank and suit"),
        (best_wild_hand, (split("2S 3S 4S 5S 6S 7S ?X"),), "'?X' is not a card: write rank and suit"),
        (best_wild_hand, (split("2S 3S 4S 5S ?B ?B ?B"),), "a hand has at most 2 jokers of one colour, not 3."),
        (best_wild_hand, (split("2S 3S ?B ?R"),), "the hand must have 5 to 8 cards, not 4."),
        (best_wild_hand, ([*CODES[:8], "?R"],), "the hand must have 5 to 8 cards, not 9."),
        (best_wild_hand_peter, (split("2S 2S 4S 5S ?B ?R"),), "the hand holds 2S twice, but a pack has it only once."),
        (cs212.replacement, ("10H",), "'10H' is not a card: write rank and suit"),
        (kind, (2, "99"), "the ranks must be a list, not '99'."),
        (kind, (None, [9, 9]), "None isn't a number of cards: kind looks for 1 to 4 of a kind."),
        (two_pair, ([9, "9"],), "'9' isn't a rank: ranks are 2 to 14, and 1 for the Ace of A-2-3-4-5."),
        (straight, (7,), "the ranks must be a list, not 7."),
        (poker, (7,), "the hands must be a list, not 7."),
        (poker, ([FOUR, 7],), "the hand must be a list, not 7."),
        (allmax, (7,), "7 has no items that can be compared: pass a list."),
    ],
)
def test_invalid_arguments_are_refused_with_the_reason(function, arguments, sentence):
    with pytest.raises(NotationError) as refused:
        function(*arguments)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    "name", split("deal hand_rank card_ranks straight flush two_pair best_hand best_wild_hand poker")
)
@given(argument=JUNK)
def test_nonsense_is_answered_or_refused_with_our_error(name, argument):
    before = copy.deepcopy(argument)
    with suppress(NotationError):
        getattr(cs212, name)(argument)
    assert repr(argument) == repr(before)


def brute_force(hand):
    """The greatest rank of any five cards, each ranked by counting ranks and suits."""
    return max(plain_rank(five) for five in combinations(hand, 5))


def plain_rank(hand):
    """The rank of cards by the lecture's questions in order, written from the rules alone."""
    ranks = sorted(("--23456789TJQKA".index(card[0]) for card in hand), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    exactly = {n: [rank for rank in dict.fromkeys(ranks) if ranks.count(rank) == n] for n in range(1, 10)}
    runs = len(set(ranks)) == 5 and ranks[0] - ranks[-1] == 4
    suited = len({card[1] for card in hand}) == 1
    if runs and suited:
        return (8, ranks[0])
    if exactly[4]:
        return (7, exactly[4][0], exactly[1][0] if exactly[1] else None)
    if exactly[3] and exactly[2]:
        return (6, exactly[3][0], exactly[2][0])
    if suited:
        return (5, ranks)
    if runs:
        return (4, ranks[0])
    if exactly[3]:
        return (3, exactly[3][0], ranks)
    if len(exactly[2]) > 1:
        return (2, (exactly[2][0], exactly[2][-1]), ranks)
    return (1, exactly[2][0], ranks) if exactly[2] else (0, ranks)


NEAR = [CODES, [c for c in CODES if c[0] in "A2345K"], [c for c in CODES if c[1] in "SH"], CODES[:16]]
FLATTENED = [f"{rank}{suit}" for rank, suit in zip("A2346789JQK", "CDHS" * 3, strict=False)]
"""Cards that form no pair, straight or flush, however many are taken."""


def test_hands_of_any_size_from_two_packs_rank_as_in_the_lecture():
    random = Random(11)
    for k in range(1500):
        cards = NEAR[k % 4] * 2
        hand = random.sample(cards, random.randrange(1, 10))
        assert hand_rank(hand) == plain_rank(hand), hand


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 11])
def test_best_five_of_any_number_of_cards_match_brute_force(n):
    random = Random(n)
    for k in range(60 if n < 9 else 12):
        for pack in (NEAR[k % 4], NEAR[k % 4] * 2, FLATTENED):
            hand = random.sample(pack, n)
            found = best_hand(hand)
            assert hand_rank(found) == brute_force(hand), hand
            assert not Counter(found) - Counter(hand)
            rest = iter(hand)
            assert all(card in rest for card in found), "in their order"


def test_best_five_of_two_packs_are_found_quickly():
    assert hand_rank(best_hand(cs212.mydeck * 2)) == (8, 14)
    assert best_hand(["9S", "9H", "9D", "9C"] * 2) == ("9S", "9H", "9D", "9C", "9S"), "five of a kind is no category"


@pytest.mark.parametrize("n", [5, 6, 7, 8])
@pytest.mark.parametrize("jokers", [["?B"], ["?R"], ["?B", "?R"]])
def test_wild_hands_of_five_to_eight_match_the_course_version(n, jokers):
    random = Random(n)
    for k in range(2 if len(jokers) > 1 else 6):
        hand = [*random.sample(NEAR[k % 4], n - len(jokers)), *jokers]
        random.shuffle(hand)
        found = best_wild_hand(hand)
        assert hand_rank(found) == poker_course.best_wild_rank(hand), hand
        assert len(set(found)) == 5
        suits = {card[1] for card in set(found) - set(hand)}
        assert suits <= set(("SC" if "?B" in jokers else "") + ("HD" if "?R" in jokers else ""))


@pytest.mark.parametrize(
    ("jokers", "sizes", "times"),
    [
        ([], (5, 8), 30),
        (["?B"], (5, 6, 7, 8), 12),
        (["?R"], (5, 6, 7, 8), 12),
        (["?B", "?R"], (5, 6, 7, 8), 2),
        (["?B", "?B"], (5, 7), 2),
        (["?R", "?R"], (5, 8), 2),
        pytest.param(["?B", "?R", "?R"], share((5, 6, 7, 8), 2), times(3, 2), marks=pytest.mark.long),
        pytest.param(["?B", "?B", "?R"], share((5, 6, 7, 8), 2, "red"), times(3, 2), marks=pytest.mark.long),
        pytest.param(["?B", "?B", "?R", "?R"], share((5, 6), 2), 1, marks=pytest.mark.long),
    ],
)
def test_peters_wild_hands_match_brute_force_exactly(jokers, sizes, times):
    random = Random(6)
    for n in sizes:
        for k in range(times):
            hand = [*random.sample(NEAR[k % 4], n - len(jokers)), *jokers]
            random.shuffle(hand)
            assert best_wild_hand_peter(hand) == poker_course.best_wild_hand_peter(hand), hand


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("AH KH QH 9H 3H ?R ?R", (8, 14)),
        ("2S 3D 5H 7C ?R ?B ?B", (7, 7, 5)),
        ("?R ?R ?B ?B 9S", (7, 14, 9)),
    ],
)
def test_two_jokers_of_one_colour_may_be_the_same_card(hand, best):
    """Regression: three equal cards were refused as if the hand had held them."""
    assert cs212.rank_of_five_cards(best_wild_hand_peter(hand.split())) == best


def test_a_joker_may_double_a_card_only_for_peter():
    hand = split("AH KH QH 9H 3H 2C ?R")
    assert sorted(best_wild_hand_peter(hand)) == ["9H", "AH", "AH", "KH", "QH"]
    assert sorted(best_wild_hand(hand)) == ["9H", "AH", "JH", "KH", "QH"]


def test_replacements_are_new_lists_of_the_jokers_colour():
    cs212.replacement("?R").clear()
    assert len(cs212.replacement("?R")) == len(cs212.red_cards) == 26
    assert [{card[1] for card in cs212.replacement(joker)} for joker in ("?R", "?B")] == [{*"HD"}, {*"SC"}]
    assert cs212.replacement("TH") == ["TH"]
    assert set(cs212.red_cards) | set(cs212.black_cards) == set(cs212.mydeck)
