"""The moves of President: published facts, and listing and planning against trying every set of cards."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from benchmarks.peers import president_report
from kibitz.cards import parse_cards
from kibitz.engine.registry import game
from kibitz.games.president import listing, moves, planning
from kibitz.games.president.rules import PASS
from kibitz.games.president.view import to_cards, to_heights
from kibitz.games.president.words import action_cards, kind_name
from kibitz.table import Table
from tests.parts import share

SOME_FIVES = (0, 1, 2, 4, 8, 16, 21, moves.ALL_FIVES)
"""Kinds of five-card moves that count: none, each alone, three and all."""
ALL = [a for a in range(moves.MOVES) if moves.cards_in(a)]


def cards(text):
    return to_heights(tuple(parse_cards(text)))


def move(text):
    return moves.move_of(cards(text))


def as_set(hand):
    return sum(1 << card for card in hand)


def list_moves(hand, size=None, floor=-1):
    out = [0] * moves.MOVES
    if size is None:
        n = listing.list_all(hand, moves.ALL_FIVES, out)
    else:
        n = listing.list_of_size(hand, size, floor, moves.ALL_FIVES, out, 0)
    return out[:n]


def random_hand(random, most):
    """Random cards, sometimes of few values or suits so that every type occurs."""
    pack = random.choice([range(52), range(20), range(24, 52), [c for c in range(52) if c % 4 < 2]])
    return sorted(random.sample(list(pack), random.randrange(1, min(most, len(pack)) + 1)))


def test_the_pack_holds_18891_moves():
    counts = {}
    for action in ALL:
        counts[kind_name(action)] = counts.get(kind_name(action), 0) + 1
    assert counts == {
        "single card": 52,
        "pair": 78,
        "three of a kind": 52,
        "four of a kind": 13,
        "straight": 9 * (4**5 - 4),
        "flush": 4 * (1287 - 9),
        "full house": 3744,
        "four and one": 624,
        "straight flush": 36,
    }


def test_move_numbers_and_cards_round_trip():
    assert all(moves.move_of(moves.cards_in(action)) == action for action in ALL)
    assert all(moves.size_of(action) == moves.cards_in(action).bit_count() for action in ALL)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("JD QC KH AS 2D", "straight"),
        ("3D 4D 5D 6D 7D", "straight flush"),
        ("3D 4D 5D 6D 8D", "flush"),
        ("3D 3C 3H 4D 4C", "full house"),
        ("3D 3C 3H 3S 4C", "four and one"),
        ("2S", "single card"),
    ],
)
def test_moves_have_the_published_types(text, kind):
    assert kind_name(move(text)) == kind


@pytest.mark.parametrize(
    "text",
    ["AD 2C 3H 4S 5D", "2C 3H 4S 5D 6D", "3D 4C", "3D 3C 4H", "3D 3C 3H 4S", "3D 3C 4H 4S 5D", "3D 4D 5D 6D 7D 8D"],
)
def test_other_cards_are_not_a_move(text):
    assert move(text) == moves.NONE


def test_cards_rank_from_the_three_of_diamonds_to_the_two_of_spades():
    order = ["3D", "3C", "3H", "3S", "4D", "0S", "JD", "QD", "KS", "AD", "AS", "2D", "2S"]
    assert [move(card) for card in order] == sorted(move(card) for card in order)
    assert (move("3D"), move("2S")) == (0, 51)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("8D 8S", "8C 8H"),
        ("4D 4C 4H", "3D 3C 3H"),
        ("JD QC KH AS 2D", "0D JC QH KS AD"),
        ("4D 5C 6H 7S 8S", "4C 5H 6S 7D 8D"),
        ("3D 4D 5D 6D 8D", "JD QC KH AS 2D"),
        ("3C 4C 5C 6C 8C", "3D 4D 5D 6D 8D"),
        ("3D 4D 7D 8D 9D", "4C 5C 6C 7C 9C"),
        ("3D 3C 3H 4D 4C", "9S 0S JS QS 2S"),
        ("4D 4C 4H 3D 3C", "3H 3S 3D 2D 2S"),
        ("3D 3C 3H 3S 4C", "2D 2C 2H AD AC"),
        ("3D 4D 5D 6D 7D", "2D 2C 2H 2S AC"),
    ],
)
def test_higher_moves_have_higher_numbers(higher, lower):
    assert move(higher) > move(lower)


def test_listed_moves_match_brute_force():
    random = Random(1)
    for _ in range(60):
        hand = random_hand(random, 13)
        found = list_moves(as_set(hand))
        tried = {}
        for size in range(1, 6):
            for some in combinations(hand, size):
                if (kind := president_report.hand_type(to_cards(as_set(some)))) is not None:
                    tried[as_set(some)] = kind
        assert {moves.cards_in(action): kind_name(action) for action in found} == tried
        assert len(found) == len(tried)


def test_moves_compare_as_in_the_report():
    random = Random(2)
    hands = [random_hand(random, 20) for _ in range(40)]
    for hand in hands:
        fives = list_moves(as_set(hand))
        for _ in range(60):
            one, other = random.choice(fives), random.choice(fives)
            if moves.size_of(one) != moves.size_of(other) or moves.cards_in(one) & moves.cards_in(other):
                continue
            keys = [president_report.strength(to_cards(moves.cards_in(action))) for action in (one, other)]
            assert (one > other) == (keys[0] > keys[1])


def test_moves_are_listed_by_type_and_from_high_to_low():
    random = Random(3)
    for _ in range(60):
        found = list_moves(as_set(random_hand(random, 26)))
        keys = [(moves.kind_of(action), -action) for action in found]
        assert keys == sorted(keys)


def test_a_follower_is_offered_higher_moves_of_equal_size():
    random = Random(4)
    for _ in range(60):
        hand = as_set(random_hand(random, 26))
        floor = random.choice(list_moves(hand))
        size = moves.size_of(floor)
        assert list_moves(hand, size, floor) == [a for a in list_moves(hand, size) if a > floor]


def test_moves_are_shown_from_low_to_high_with_pass_last():
    table, dice = Table.deal(game("president"), 4), Random(4)
    seen = 0
    while not table.over and seen < 60:
        seat = table.player
        view, legal = table.view(seat), table.legal(seat)
        ordered = table.game.words.ordered(view, legal)
        assert sorted(ordered) == sorted(legal)
        assert PASS not in ordered[:-1]
        singles = [action_cards(action)[0] for action in ordered if action != PASS and len(action_cards(action)) == 1]
        assert singles == [card for card in view.hand if card in singles]
        seen += len(singles) > 1
        table.act(seat, dice.choice(legal))
    assert seen > 5


@pytest.mark.parametrize("fives", SOME_FIVES)
def test_counting_indexing_and_filtering_agree_with_the_list_of_moves(fives):
    random, out, scratch = Random(fives), [0] * moves.MOVES, [0] * moves.MOVES
    for _ in range(12):
        hand = random_hand(random, 17)
        n = listing.list_all(as_set(hand), fives, out)
        assert listing.count_all(as_set(hand), fives) == n
        assert [listing.move_at(as_set(hand), fives, i, scratch) for i in range(n)] == out[:n]
        for card in (hand[0], random.choice(hand), hand[-1]):
            right = [a for a in out[:n] if moves.cards_in(a) >> card & 1]
            assert scratch[: listing.list_containing(as_set(hand), card, fives, scratch)] == right


def brute_force(hand):
    """The fewest moves, by brute force."""

    @cache
    def fewest(left):
        if not left:
            return 0
        out = [0] * moves.MOVES
        with_lowest = [moves.cards_in(a) for a in out[: listing.list_all(left, moves.ALL_FIVES, out)]]
        return min(1 + fewest(left & ~some) for some in with_lowest if some & left & -left)

    return fewest(hand)


def check_plan(hand, work=None):
    """The number of moves of the plan, which is checked to be valid."""
    n, plan = planning.fewest_moves(hand, work)
    assert len(plan) == n
    assert sum(plan) == hand
    assert sum(some.bit_count() for some in plan) == hand.bit_count()
    assert all(moves.move_of(some) >= 0 for some in plan)
    return n


def test_fewest_moves_of_small_hands_match_brute_force():
    random = Random(5)
    for _ in range(250):
        hand = as_set(random_hand(random, 11))
        assert check_plan(hand) == brute_force(hand)


@pytest.mark.long
@pytest.mark.parametrize("seed", share(range(8), 4))
def test_fewest_moves_of_many_hands_match_brute_force(seed):
    random = Random(f"shed {seed}")
    for _ in range(300):
        hand = as_set(random_hand(random, 14))
        assert check_plan(hand) == brute_force(hand)


@pytest.mark.parametrize(
    ("text", "fewest"),
    [
        ("3D", 1),
        ("3D 3C 3H 3S", 1),
        ("3D 4C 5H 6S 7D", 1),
        ("3D 3C 3H 4D 4C", 1),
        ("3D 4C 5H 6S 7D 8D", 2),
        ("3D 3C 4D 4C 5D 5C 6D 6C 7D 7C", 2),
        ("3D 4C 6H 7S 9D JD", 6),
        ("3D 3C 4D 8C 9C KC 2C", 3),
    ],
)
def test_fewest_moves_of_obvious_hands(text, fewest):
    assert check_plan(cards(text)) == fewest


def test_a_reused_table_does_not_change_results():
    random, work = Random(6), [0] * planning.SHED_SIZE
    for _ in range(100):
        hand = as_set(random_hand(random, 13))
        assert check_plan(hand, work) == check_plan(hand)


def test_fewest_moves_of_hands_of_26_cards():
    random = Random(7)
    assert {check_plan(as_set(random.sample(range(52), 26))) for _ in range(5)} <= {6, 7, 8}
