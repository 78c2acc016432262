"""The strength of hands, by kernel and by table, against a slow oracle, PokerKit and published counts."""

from itertools import combinations, combinations_with_replacement, pairwise
from random import Random

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers import poker_course
from kibitz.cards import as_set, cards_of, parse_hand, poker_code
from kibitz.engine.kernels import compilation
from kibitz.games.poker.hands import best_hand, bulk, evaluator, hand_class, in_words, ranking
from tests.contract.groups import sharing
from tools import poker_ranks

pytestmark = sharing("holdem")

COUNTS = {
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584],
}
"""The number of hands by category, high card first, as in every textbook; by size of hand."""
DECKS = st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True)


def codes(cards):
    return [poker_code(card) for card in cards]


def one_of_each_class():
    """A hand of every class; five different ranks come once unsuited and once suited."""
    for ranks in combinations_with_replacement(range(13), 5):
        different = len(set(ranks)) == 5
        if max(map(ranks.count, ranks)) < 5:
            yield [
                4 * rank + (place == 4 if different else ranks[:place].count(rank)) for place, rank in enumerate(ranks)
            ]
        if different:
            yield [4 * rank + 2 for rank in ranks]


def test_the_7462_classes_are_in_the_order_of_the_rules():
    hands = [(poker_course.hand_rank(codes(cards)), cards) for cards in one_of_each_class()]
    assert len(hands) == 7462
    hands.sort(key=lambda hand: hand[0])
    assert [ranking.strength(as_set(cards)) for _, cards in hands] == list(range(1, 7463))
    for rank, cards in hands:
        assert ranking.category(ranking.strength(as_set(cards))) == rank[0]


def test_five_card_categories_match_known_counts():
    found = bulk.strength_counts(5)
    assert bulk.category_counts(found) == COUNTS[5]
    assert found[0] == 0
    assert (found[1:] > 0).all()


def test_seven_card_categories_match_known_counts():
    found = bulk.strength_counts(7)
    assert bulk.category_counts(found) == COUNTS[7]
    assert (found > 0).sum() == 4824


@pytest.mark.parametrize(("n", "count"), [(5, 2000), (6, 400), (7, 150)])
def test_hands_compare_as_in_the_course_version(n, count):
    random = Random(n)
    hands = [random.sample(range(52), n) for _ in range(count)]
    hands += near_straights_and_flushes(random, n)
    ranked = sorted((poker_course.best_rank(codes(hand)), ranking.strength(as_set(hand))) for hand in hands)
    for (rank, strength), (other_rank, other) in pairwise(ranked):
        assert (rank == other_rank) == (strength == other)
        assert strength <= other


def near_straights_and_flushes(random, n):
    """Hands in which straights, flushes and both are likely."""
    for _ in range(100):
        low = random.randrange(8)
        near = [card for card in range(52) if low <= card >> 2 <= low + 5 and (card & 3) in (0, 1)]
        yield random.sample(near, n)


@pytest.mark.parametrize("n", [5, 6, 7])
def test_hands_compare_as_in_pokerkit(n):
    random = Random(10 + n)
    hands = [random.sample(range(52), n) for _ in range(150)]
    theirs = [
        pokerkit.StandardHighHand.from_game("".join(code[0] + code[1].lower() for code in codes(h))) for h in hands
    ]
    ours = [ranking.strength(as_set(hand)) for hand in hands]
    for k in range(1, len(hands)):
        assert (theirs[k] > theirs[k - 1]) == (ours[k] > ours[k - 1])
        assert (theirs[k] == theirs[k - 1]) == (ours[k] == ours[k - 1])


@given(DECKS)
def test_best_five_are_held_and_as_strong_as_the_hand(cards):
    held = as_set(cards)
    five = ranking.best_five(held)
    assert five.bit_count() == 5
    assert five & ~held == 0
    assert ranking.strength(five) == ranking.strength(held)


def test_machine_code_ranks_as_python_does():
    kernels, random = compilation.compiled(ranking), Random(3)
    for n in (5, 6, 7):
        hands = [random.sample(range(52), n) for _ in range(1000)] + list(near_straights_and_flushes(random, n))
        for cards in map(as_set, hands):
            strength = ranking.strength(cards)
            assert kernels.strength(cards) == strength
            assert kernels.category(strength) == ranking.category(strength)
            assert kernels.best_five(cards) == ranking.best_five(cards)


def test_hands_share_a_description_only_if_they_tie():
    words = {in_words(as_set(cards)) for cards in one_of_each_class()}
    assert len(words) == 7462


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AS KS QS JS TS 2D 3D", "a royal flush"),
        ("AS 2S 3S 4S 5S KD KH", "a straight flush to the five"),
        ("6S 6D 6H 6C 2D", "four sixes, two kicker"),
        ("KS KH KD 4C 4S 4D 2H", "a full house, Kings full of fours"),
        ("2S 9S JS QS AS AD AC", "a flush, Ace high, kickers Q, J, 9, 2"),
        ("AS 2D 3H 4C 5S KD KH", "a straight to the five"),
        ("7S 7D 7H AC KD 2D", "three sevens, kickers A, K"),
        ("AS AH TD TC QD 2C 2H", "two pair, Aces and tens, Queen kicker"),
        ("9S 9H 8D 7C 2D", "a pair of nines, kickers 8, 7, 2"),
        ("7D 5H 4C 3S 2C", "seven high, kickers 5, 4, 3, 2"),
    ],
)
def test_hands_are_described_as_players_do(cards, words):
    assert in_words(as_set(parse_hand(cards))) == words


def test_classes_are_numbered_from_the_royal_flush():
    assert hand_class(ranking.strength(as_set(parse_hand("AS KS QS JS TS")))) == 1
    assert best_hand(parse_hand("7D 5H 4C 3S 2C")).hand_class == 7462


def test_best_five_are_listed_in_order_of_importance():
    hand = best_hand(parse_hand("2D KS 4C KH 4S KD 9H"))
    assert [card >> 2 for card in hand.five] == [12, 12, 12, 3, 3]
    wheel = best_hand(parse_hand("AS 2D 3H 4C 5S"))
    assert [card >> 2 for card in wheel.five] == [4, 3, 2, 1, 0]
    assert cards_of(as_set(wheel.five)) == sorted(parse_hand("AS 2D 3H 4C 5S"))


@pytest.mark.parametrize("n", [5, 6, 7])
def test_tables_and_kernel_agree_on_random_hands(n):
    random, strength = Random(n), evaluator.evaluator().strength
    for _ in range(5000):
        cards = as_set(random.sample(range(52), n))
        assert strength(cards) == ranking.strength(cards)


def test_tables_and_kernel_agree_on_every_kind_of_flush():
    """Every five ranks of one suit, with every pair of two more cards of one rank."""
    strength = evaluator.evaluator().strength
    for ranks in combinations(range(13), 5):
        suited = as_set(4 * rank + 2 for rank in ranks)
        assert strength(suited) == ranking.strength(suited)
        more = suited | 1 << 4 * ranks[0] | 1 << 4 * ranks[0] + 1
        assert strength(more) == ranking.strength(more)


def test_stored_table_matches_its_command(tmp_path):
    poker_ranks.main(str(tmp_path / "ranks.z"))
    assert (tmp_path / "ranks.z").read_bytes() == evaluator.files("kibitz.games.poker.hands").joinpath(
        evaluator.FILE
    ).read_bytes()


def test_sums_identify_every_hand():
    assert [len(set(each)) for each in evaluator.sums()] == [6175, 18395, 49205]
    assert len(evaluator.table()) == 6175 + 18395 + 49205


def test_other_numbers_of_cards_are_rejected():
    for cards in (0, 0b1111, 0xFF):
        with pytest.raises(KeyError):
            evaluator.evaluator().strength(cards)


def test_machine_code_is_used_when_ready(monkeypatch):
    monkeypatch.setattr(compilation, "is_compiled", lambda *modules: False)
    assert evaluator.fastest_evaluator() == evaluator.evaluator().strength
    monkeypatch.setattr(compilation, "is_compiled", lambda *modules: True)
    assert evaluator.fastest_evaluator() is compilation.compiled(ranking).strength
    assert evaluator.fastest_evaluator()(0b11111) == evaluator.evaluator().strength(0b11111)
