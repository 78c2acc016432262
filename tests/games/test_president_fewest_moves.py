"""The fewest moves to empty a hand, against brute force over moves with the lowest card."""

from functools import cache
from random import Random

import pytest

from kibitz.games.president import listing, moves, planning
from tests.games.test_president_moves import as_set, cards, random_hand
from tests.parts import share


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
