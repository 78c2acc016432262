"""The report's computer player, against worked examples from the written rules and a brute-force oracle.

The rule: of the hands that the valid moves leave, take the greatest.  A hand is as great as its distinct kinds of
moves, compared from the greatest kind down; then the longer list.
"""

from itertools import combinations
from random import Random

import pytest

from benchmarks.peers.president_report import TYPES, hand_type
from kibitz.engine.registry import game
from kibitz.games.president import moves, policies
from kibitz.games.president.rules import ASK, PASS, PLAY, RETURN, TRADE
from kibitz.games.president.view import to_cards
from tests.games.president_table import act, cards, next_trade, position
from tests.games.test_president_moves import as_set, random_hand


def choice_of(played, s):
    view = played.view(s, s.player)
    return played.text(view, policies.report(view, played.legal(s), Random(0)))


@pytest.mark.parametrize(
    ("hand", "pile", "choice"),
    [
        # Without 9D there is still a pair: pair, single. Without a five, or both, only single cards.
        ("5D 5C 9D", None, "9D"),
        # Going out leaves no kind at all, and a list with one kind is longer than one with none.
        ("5D 5C", None, "5D"),
        # Only without the king stay straight, three, pair, single; a seven less leaves no three.
        ("3D 4C 5H 6S 7D 7C 7H KD", "6H", "KD"),
        # A four less leaves straight, pair, single; any other card less three, pair, single: straights are greater.
        ("4D 4C 4H 5C 6D 7C 8S", "3S", "4D"),
        # A four less leaves full house, three, pair, single; a nine less only pair, single, however many pairs.
        ("4D 4C 5D 5C 6D 6C 9D 9C 9H", "3S", "4D"),
        # A pair of fours leaves full house, three, pair, single, a pair of nines (two of four) just pair and single.
        ("4D 4C 5D 5C 9D 9C 9H 9S", "3D 3C", "4D 4C"),
        # Either ace leaves a straight; without the two there is none. Of equals the lowest.
        ("JD QC KH AD AC 2D", "KS", "AD"),
        # It passes only if it must, and breaks up what it has.
        ("JD QC KH AS 2D", "AC", "AS"),
        ("JD QC KH AD 2D", "AS", "2D"),
        ("3D 4C 5H", "2S", "pass"),
        # After 2D: flush and single; after 7S: flush, pair, single. The first difference is below the flush.
        ("3D 5D 7D 9D JD 7S 2C", "6S", "2C"),
    ],
)
def test_choice_matches_worked_examples(hand, pile, choice):
    played, s = position(hand, "3H 3S", pile=pile, last=1)
    assert choice_of(played, s) == choice


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        # Without a king there is still a straight; without one of its cards there is none.
        ("3D 4C 5H 6S 7D KD KC", "KD"),
        # Without 3D stay full house, three, pair, single: what is not in it is given away.
        ("3D 5D 5C 9D 9C 9H", "3D"),
    ],
)
def test_returned_card_leaves_the_greatest_hand(hand, card):
    played = game("president")
    s = next_trade(played)
    s.hand[s.player] = cards(hand)
    assert s.phase == RETURN
    assert choice_of(played, s) == card


@pytest.mark.parametrize("name", ["president-asking", "president-open"])
def test_requested_card_would_make_the_greatest_hand(name):
    """Any seven makes a straight, and the highest of them is requested; a king would make only a pair."""
    played = game(name)
    s = next_trade(played)
    s.hand[s.player] = cards("3D 4C 5H 6S KD")
    assert s.phase == ASK
    assert choice_of(played, s) == "7S"


def test_kinds_that_do_not_count_are_ignored():
    """Without straights a four less leaves pair and single, a card of the straight less three, pair, single."""
    played, s = position("4D 4C 4H 5C 6D 7C 8S", "3H", pile="3S", last=1, name="president:players={n},fives=30")
    assert choice_of(played, s) == "5C"


def kinds_of(hand, fives=31):
    """The distinct kinds of moves of a hand, the greatest first, by trying every set of cards."""
    tried = (hand_type(some) for size in range(1, 6) for some in combinations(to_cards(hand), size))
    ranks = {TYPES.index(kind) for kind in tried if kind}
    return sorted((rank for rank in ranks if rank < 4 or fives >> (rank - 4) & 1), reverse=True)


def test_kinds_held_match_brute_force():
    random = Random(11)
    for number in range(250):
        hand = as_set(random_hand(random, 11))
        fives = 31 if number % 3 else random.randrange(32)
        assert policies.kinds_held(hand, fives) == sum(1 << rank for rank in kinds_of(hand, fives))


@pytest.mark.parametrize(
    "text",
    ["3D 4D 5D 6D 7D", "3D 4D 5D 6D 7D 8D", "3D 4D 5D 6D 7D 7C", "3D 4D 5D 6D 7D 9D", "JD QD KD AD 2D", "3D 3C 3H 3S"],
)
def test_kinds_held_of_edge_cases(text):
    assert policies.kinds_held(cards(text), 31) == sum(1 << rank for rank in kinds_of(cards(text)))


def greatest(hand, actions, fives):
    """The kinds left in hand after each action, and the greatest of these lists."""
    left = {}
    for action in actions:
        gone = 1 << (action - TRADE) if action >= TRADE else moves.cards_in(action)
        left[action] = kinds_of(hand & ~gone, fives)
    return left, max(left.values())


@pytest.mark.parametrize("name", ["president:players=6,rounds=2", "president:players=7,rounds=2,fives=22"])
def test_choices_in_whole_matches_match_the_oracle(name):
    played, random = game(name), Random(3)
    s = played.deal(7)
    choices = 0
    while not s.over:
        legal, view = played.legal(s), played.view(s, s.player)
        action = policies.report(view, legal, random)
        options = [a for a in legal if a != PASS]
        if options:
            left, best = greatest(s.hand[s.player], options, s.fives)
            assert left[action] == best
            assert action == min(a for a in options if left[a] == best)
            choices += len(options) > 1
        else:
            assert action == PASS
        # The others of the table play anything, so that many hands are met.
        played.play(s, action if s.phase != PLAY or random.random() < 0.5 else random.choice(legal))
    assert choices > 30


def test_report_depends_only_on_its_own_hand():
    played, s = position("4D 4C 9S", "5D 6D", "7D 8D")
    act(played, s, "4D")
    other = s.copy()
    other.hand[1], other.hand[2] = cards("3H 2S"), cards("KD KC")
    s.player = other.player = 0
    assert choice_of(played, s) == choice_of(played, other)
