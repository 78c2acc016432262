"""APS106 lab 6: the published examples, the lab's own way of scoring as an oracle, and bad input."""

import copy
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.coursework.aps106 import deal_card, generate_deck, play, score_hand, shuffle
from kibitz.errors import NotationError

SCORED = [
    ("hearts 10, hearts 2, hearts 3, clubs 6, diamonds 5", 4),
    ("hearts 9, spades 2, clubs 3, hearts 3, hearts 4", 12),
    ("diamonds 5, diamonds 12, diamonds 13, diamonds 1, hearts 5", 14),
    ("diamonds 3, diamonds 4, diamonds 5, diamonds 6, diamonds 7", 14),
    ("hearts 1, spades 1, diamonds 2, hearts 3, spades 3", 16),
]
"""The published hands with their scores."""
BAD_HANDS = {
    "no list": 7,
    "a text": "hearts 10",
    "four cards": [["hearts", n] for n in range(1, 5)],
    "six cards": [["hearts", n] for n in range(1, 7)],
    "a card twice": [["hearts", 1]] * 5,
    "no suit": [["heart", 1], *(["hearts", n] for n in range(2, 6))],
    "value 0": [["hearts", 0], *(["hearts", n] for n in range(2, 6))],
    "value 14": [["hearts", 14], *(["hearts", n] for n in range(2, 6))],
    "a value as text": [["hearts", "10"], *(["hearts", n] for n in range(2, 6))],
    "a value that is True": [["hearts", True], *(["hearts", n] for n in range(2, 6))],
    "the other way round": [[10, "hearts"], *(["hearts", n] for n in range(2, 6))],
    "COMP10001's cards": ["0H", "2H", "3H", "4H", "5H"],
    "None": None,
}


def hand_of(text):
    return [[suit, int(value)] for suit, value in (card.split() for card in text.split(", "))]


def slow_score(hand):
    """The score by the wording of the lab's rules, over every set of cards."""
    sets = [some for n in range(1, 6) for some in combinations(hand, n)]
    values = [value for _, value in hand]
    score = 2 * sum(1 for one, other in combinations(values, 2) if one == other)
    score += 2 * sum(1 for some in sets if sum(min(value, 10) for _, value in some) == 15)
    suits = [suit for suit, _ in hand]
    most = max(suits.count(suit) for suit in suits)
    score += {5: 5, 4: 4}.get(most, 0)
    for n in (5, 4, 3):
        runs = [sorted(v for _, v in some) for some in sets if len(some) == n]
        runs = [run for run in runs if run == list(range(run[0], run[0] + n))]
        if runs:
            return score + n * len(runs)
    return score


@pytest.mark.parametrize(("text", "score"), SCORED)
def test_published_hands_score_as_published(text, score):
    hand = hand_of(text)
    before = copy.deepcopy(hand)
    assert score_hand(hand) == score
    assert type(score_hand(hand)) is int
    assert score_hand(tuple(map(tuple, hand))) == score, "tuples are accepted, as in the other assignments"
    assert hand == before


def test_a_game_gives_the_published_result():
    """The result is published without its deck; this seed gives it."""
    random.seed(21)
    assert play(shuffle(generate_deck())) == ["dealer wins", 4, 7]


def test_decks_match_the_lab():
    deck = generate_deck()
    assert deck[0] == ["spades", 1]
    assert deck[13] == ["clubs", 1]
    assert deck[26] == ["diamonds", 1]
    assert deck[51] == ["hearts", 13]
    assert len({tuple(card) for card in deck}) == 52
    assert generate_deck() is not generate_deck()
    random.seed(3)
    expected = random.sample(deck, 52)
    random.seed(3)
    assert shuffle(deck) == expected
    assert deck == generate_deck(), "the given deck is unchanged"


def test_part_of_a_deck_can_be_shuffled():
    some = generate_deck()[:7]
    assert sorted(shuffle(some)) == sorted(some)
    assert shuffle([]) == []


@given(st.sampled_from(list(range(2000))))
def test_scores_agree_with_the_rules_as_worded(seed):
    hand = random.Random(seed).sample(generate_deck(), 5)
    assert score_hand(hand) == slow_score(hand)


def test_scores_agree_for_high_scoring_hands():
    near = [card for card in generate_deck() if 3 <= card[1] <= 6]
    for k, hand in enumerate(combinations(near, 5)):
        if k % 5 == 0:
            assert score_hand(list(hand)) == slow_score(hand)


def test_four_of_a_suit_are_a_flush_and_jacks_score_nothing():
    assert score_hand(hand_of("hearts 2, hearts 4, spades 7, hearts 9, hearts 13")) == 4 + 2
    assert score_hand(hand_of("hearts 11, spades 2, hearts 4, spades 7, hearts 13")) == 0


def test_a_card_is_dealt_from_the_top_to_the_end_of_the_hand():
    deck, hand = generate_deck(), [["hearts", 5]]
    assert deal_card(deck, hand) is None
    assert hand == [["hearts", 5], ["spades", 1]]
    assert len(deck) == 51


def test_the_dealer_gets_the_first_card_and_wins_ties():
    deck = hand_of("hearts 5, spades 2, clubs 5, diamonds 4") + [
        card for card in generate_deck() if card[1] in (6, 8, 10, 12) and card[0] in ("spades", "diamonds")
    ]
    dealer, player = deck[0:10:2], deck[1:10:2]
    assert play(list(deck)) == [
        "player wins" if slow_score(player) > slow_score(dealer) else "dealer wins",
        slow_score(player),
        slow_score(dealer),
    ]
    tied = hand_of(
        "hearts 1, spades 1, hearts 3, spades 3, hearts 6, spades 6, hearts 8, spades 8, clubs 13, diamonds 13"
    )
    assert play(tied)[0] == "dealer wins"
    assert tied == [], "the cards dealt have left the deck"


def test_the_given_deck_is_dealt_unshuffled():
    deck = generate_deck()
    assert play(deck) == ["dealer wins", 5, 9], "spades only, a flush each, and fifteens from 1, 3, 5, 7, 9"
    assert deck == generate_deck()[10:]


@pytest.mark.parametrize("bad", BAD_HANDS.values(), ids=BAD_HANDS)
def test_an_invalid_hand_is_refused_in_one_sentence(bad):
    before = copy.deepcopy(bad)
    with pytest.raises(NotationError) as caught:
        score_hand(bad)
    assert "\n" not in str(caught.value)
    assert bad == before


@pytest.mark.parametrize("deck", [None, 7, "deck", (), {"hearts": 1}, [], [["hearts", 1]] * 3])
def test_an_invalid_deck_is_refused_and_unchanged(deck):
    before = copy.deepcopy(deck)
    with pytest.raises(NotationError):
        play(deck)
    assert deck == before


def test_an_invalid_card_in_the_deck_leaves_it_unchanged():
    deck = generate_deck()
    deck[9] = ["hearts", 99]
    before = copy.deepcopy(deck)
    with pytest.raises(NotationError, match="99 isn't a value"):
        play(deck)
    assert deck == before
    deck[9] = deck[0]
    with pytest.raises(NotationError, match="twice"):
        play(deck)
    assert len(deck) == 52


def test_dealing_without_a_deck_or_hand_is_refused():
    hand = []
    with pytest.raises(NotationError, match="the deck is empty"):
        deal_card([], hand)
    deck = generate_deck()
    with pytest.raises(NotationError, match="the hand must be a list"):
        deal_card(deck, None)
    with pytest.raises(NotationError, match="the deck must be a list"):
        deal_card("deck", hand)
    assert (len(deck), hand) == (52, [])
