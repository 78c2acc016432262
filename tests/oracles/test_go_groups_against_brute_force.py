"""Groups and partitions of Go against the assignment's brute force, which was written from the rules alone.

    hand        different cards as ints, ``codes(hand)`` in the assignment's notation
    answer      the best score and all partitions that reach it, as a set of sets of sets of cards

Rich hands are likely to have groups; nearly all random hands hold little more than orphans.
"""

from itertools import combinations
from random import Random

import pytest

from benchmarks.peers import go_classes
from kibitz.cards.notation import code
from kibitz.games.go import groups
from tests.parts import share
from tests.tiers import first_fast

EXAMPLES = [  # the assignment's examples of ``comp10001go_best_partitions``
    ["0H", "8S", "6H", "AC", "0S", "JS", "8C", "7C", "6D", "QS"],
    ["9D", "2S", "4D", "4H", "6D", "AH", "2C", "JH", "3C", "9H"],
    ["3C", "5H", "9S", "JS", "4C", "2C", "AS", "KC", "6H", "QC"],
    ["0D", "AS", "5C", "8H", "KS", "AH", "QH", "AC"],
]
MAX_PARTS_SEEN = ["AD", "AC", "AH", "4S", "5D", "6C", "7H", "8S", "9D", "0C"]
"""Found by hill climbing over hands of ten; no hand found has more than its 136 parts."""
CARD = {code(card): card for card in range(52)}


def codes(hand):
    return [code(card) for card in hand]


def as_set(cards):
    return sum(1 << card for card in cards)


def rich_hand(random, n):
    """A random hand in which groups are likely: some Aces, the rest of few values."""
    low = random.randrange(1, 9)
    values = range(low, low + random.randrange(3, 6))
    near = [*random.sample(range(4), random.randrange(4)), *(4 * v + suit for v in values for suit in range(4))]
    return random.sample(near if random.random() < 0.7 and len(near) >= n else range(52), n)


def answer(hand):
    """The result of ``best_partitions``, checked against the count of ``best_score``."""
    hand_sorted = sorted(hand)
    total, partitions = groups.best_partitions(hand)
    work = [0] * groups.WORK
    assert groups.best_score(hand_sorted, len(hand), work) == total
    assert work[groups.WAYS] == len(partitions)
    found = {
        frozenset(frozenset(c for k, c in enumerate(hand_sorted) if part >> k & 1) for part in partition)
        for partition in partitions
    }
    assert len(found) == len(partitions), "a partition comes twice"
    return total, found


def brute_answer(hand):
    partitions = go_classes.best_partitions(codes(hand))
    found = {frozenset(frozenset(CARD[c] for c in group) for group in partition) for partition in partitions}
    return go_classes.score(partitions[0]), found


def parts_found(hand):
    """The groups that ``find_parts`` lists, with their scores."""
    work = [0] * groups.WORK
    found = groups.find_parts(sorted(hand), len(hand), work)
    return dict(zip(work[groups.PARTS :][:found], work[groups.SCORES :][:found], strict=True)), found


def swapped(hand):
    """The hand with every suit replaced by the other of its colour."""
    return [card ^ 2 for card in hand]


def check_groups(random, n):
    """Check score, validity and the list of groups on every subset of a random hand."""
    hand = sorted(rich_hand(random, n))
    parts, found = parts_found(hand)
    assert len(parts) == found, "a group comes twice"
    for size in range(1, n + 1):
        for positions in combinations(range(n), size):
            cards = [hand[k] for k in positions]
            total, valid = go_classes.score_group(codes(cards)), go_classes.is_valid_group(codes(cards))
            assert groups.score(as_set(cards)) == total, codes(cards)
            assert bool(groups.is_valid(as_set(cards))) == valid, codes(cards)
            part = as_set(positions)
            assert parts.get(part) == (total if valid and size > 1 else None), codes(cards)


def test_all_pairs_and_triples_score_as_brute_force():
    for size in (0, 1, 2, 3):
        for cards in combinations(range(52), size):
            assert groups.score(as_set(cards)) == go_classes.score_group(codes(cards)), codes(cards)


def test_groups_in_random_hands_match_brute_force():
    random = Random(1)
    for _ in range(60):
        check_groups(random, random.randrange(11))


@pytest.mark.long
@pytest.mark.parametrize("seed", share(range(10), 5))
def test_groups_in_thousands_of_random_hands_match_brute_force(seed):
    random = Random(f"groups {seed}")
    for _ in range(300):
        check_groups(random, 10)


@pytest.mark.parametrize("n", first_fast(range(8), 6))
def test_best_partitions_of_small_hands_match_brute_force(n):
    random = Random(n)
    for _ in range(100 if n < 6 else 60):
        hand = rich_hand(random, n)
        assert answer(hand) == brute_answer(hand), codes(hand)


@pytest.mark.long
@pytest.mark.parametrize("seed", share(range(16), 8))
def test_best_partitions_of_many_hands_match_brute_force(seed):
    random = Random(f"best {seed}")
    for n, hands in ((6, 300), (7, 150), (8, 30), (9, 6), (10, 3)):
        for _ in range(hands):
            hand = rich_hand(random, n)
            assert answer(hand) == brute_answer(hand), codes(hand)


@pytest.mark.parametrize("hand", first_fast(EXAMPLES[::-1]))
def test_best_partitions_of_the_examples_match_brute_force(hand):
    cards = [CARD[c] for c in hand]
    assert answer(cards) == brute_answer(cards)


def test_two_choices_of_an_ace_are_two_partitions():
    total, found = answer([CARD[c] for c in EXAMPLES[3]])
    assert (total, len(found)) == (72, 2)


def test_the_assignments_run_with_three_aces_is_worth_57():
    run = ["AH", "AS", "QS", "9H", "7H", "AC"]
    assert groups.score(as_set(CARD[c] for c in run)) == go_classes.score_group(run) == 57


def test_hand_order_and_suits_within_a_colour_do_not_matter():
    random = Random(3)
    for _ in range(400):
        hand = rich_hand(random, random.randrange(11))
        total, found = answer(hand)
        assert answer(random.sample(hand, len(hand))) == (total, found)
        mirrored = {frozenset(frozenset(swapped(group)) for group in partition) for partition in found}
        assert answer(swapped(hand)) == (total, mirrored)


def test_another_card_costs_at_most_its_orphan_score():
    random = Random(4)
    for _ in range(200):
        hand = rich_hand(random, random.randrange(1, 11))
        card, *rest = hand
        single = go_classes.score_group([code(card)])
        assert answer(hand)[0] >= answer(rest)[0] + single


def test_scratch_is_large_enough_for_any_hand():
    random = Random(5)
    assert parts_found([CARD[c] for c in MAX_PARTS_SEEN])[1] == 136
    assert max(parts_found(rich_hand(random, 10))[1] for _ in range(3000)) <= 136
    assert groups.RUNS - groups.SCORES > 3 * 136
