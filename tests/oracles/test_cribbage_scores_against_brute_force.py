"""Scores of the show and the play in cribbage, against slow functions that follow the wording of the rules."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import as_set, code, parse_cards
from kibitz.engine.kernels import compilation
from kibitz.errors import NotationError
from kibitz.games.cribbage import show
from kibitz.games.cribbage.hands import bulk, lookup
from kibitz.games.cribbage.hands.show import count_show
from kibitz.games.cribbage.scoring import play_points, run_length, same_rank_count, show_points
from kibitz.kernel import kernel
from tests.oracles.cribbage_by_hand import brute_play, brute_show, worth

CARDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


def points_of(hand, starter, crib=0):
    return int(show_points(as_set(hand), starter, crib))


@given(CARDS, st.booleans())
def test_a_show_scores_as_brute_force(five, crib):
    assert points_of(five[:4], five[4], int(crib)) == brute_show(five[:4], five[4], crib)


def test_thousands_of_shows_score_as_brute_force():
    random = Random(4)
    for k in range(1500):
        low = random.randrange(40)
        near = range(low, low + 12)
        five = random.sample(near if k % 2 else range(52), 5)
        expected = brute_show(five[:4], five[4], k % 3 == 0)
        assert points_of(five[:4], five[4], int(k % 3 == 0)) == expected
        assert count_show(five[:4], five[4], crib=k % 3 == 0).points == expected


@given(CARDS, st.permutations(range(4)), st.permutations(range(4)), st.booleans())
def test_card_order_and_suits_do_not_change_the_score(five, order, suits, crib):
    hand, starter = five[:4], five[4]
    other = [hand[place] for place in order]
    renamed = [card // 4 * 4 + suits[card % 4] for card in five]
    expected = points_of(hand, starter, int(crib))
    assert show(hand, starter, crib=crib).points == show(other, starter, crib=crib).points == expected
    assert points_of(renamed[:4], renamed[4], int(crib)) == expected
    assert (
        list(bulk.show_points([hand, other, renamed[:4]], [starter, starter, renamed[4]], crib=crib)) == [expected] * 3
    )


def test_all_hands_with_all_starters_score_as_published():
    """Published figures of all 12 994 800 shows."""
    tally = bulk.tally()
    assert sum(tally) == 12_994_800
    assert tally[0] == 1_009_008
    assert [points for points, times in enumerate(tally) if not times] == [19, 25, 26, 27]
    assert tally[28:] == (76, 4)
    mean = sum(points * times for points, times in enumerate(tally)) / sum(tally)
    assert round(mean, 4) == 4.7692


@kernel
def tally_one_by_one(tally):
    """Every hand of cards a < b < c < d with every starter, each scored separately."""
    for a in range(49):
        for b in range(a + 1, 50):
            for c in range(b + 1, 51):
                for d in range(c + 1, 52):
                    for e in range(52):
                        if e != a and e != b and e != c and e != d:
                            tally[show_points(1 << a | 1 << b | 1 << c | 1 << d, e, 0)] += 1


def test_the_tally_agrees_with_counting_each_show():
    import sys

    counts = np.zeros(lookup.TALLY_SIZE, np.int64)
    compilation.compiled(sys.modules[__name__]).tally_one_by_one(counts)
    assert tuple(counts[:30]) == bulk.tally()
    assert not counts[30:].any()


def test_arrays_of_shows_score_as_single_shows():
    random = Random(8)
    five = [random.sample(range(52), 5) for _ in range(1000)]
    for crib in (False, True):
        scores = bulk.show_points([some[:4] for some in five], [some[4] for some in five], crib=crib)
        assert scores.tolist() == [points_of(some[:4], some[4], int(crib)) for some in five]
    assert bulk.show_points(np.zeros((0, 4), np.int64), np.zeros(0, np.int64)).tolist() == []


@pytest.mark.parametrize(
    ("hands", "starters", "why"),
    [
        ([[0, 1, 2]], [3], "the shape"),
        ([[0, 1, 2, 3]], [4, 5], "the shape"),
        ([0, 1, 2, 3], [4], "the shape"),
        ([[0, 1, 2, 52]], [4], "from 0"),
        ([[0, 1, 2, 3]], [-1], "from 0"),
        ([[0, 1, 2, 3.5]], [4], "whole numbers"),
        ([[0, 1, 2, 3], [0, 1, 2, 3]], [4, 3], "row 1 has a card twice"),
    ],
)
def test_invalid_arrays_are_refused(hands, starters, why):
    with pytest.raises(NotationError, match=why):
        bulk.show_points(hands, starters)


def random_count(random):
    """The cards of a count in a random play, often close to one another."""
    low, trail = random.randrange(10), []
    cards = [card for card in range(52) if low <= card // 4 <= low + 4] if random.random() < 0.7 else list(range(52))
    while True:
        fits = [card for card in cards if card not in trail and sum(map(worth, trail)) + worth(card) <= 31]
        if not fits or len(trail) == 8:
            return trail
        trail.append(random.choice(fits))


def test_plays_of_random_counts_score_as_brute_force():
    random, seen = Random(6), Counter()
    for _ in range(800):
        trail = random_count(random)
        for n in range(1, len(trail) + 1):
            equal, run, points = brute_play(trail[:n])
            others = [51, 51]  # what came before this count does not matter
            played = [*others, *trail[:n]]
            assert same_rank_count(played, 2, len(played)) == equal
            assert run_length(played, 2, len(played)) == run
            assert play_points(played, 2, len(played), sum(map(worth, trail[:n]))) == points
            seen[equal, run] += 1
    assert {equal for equal, _ in seen} == {1, 2, 3, 4}
    assert {run for _, run in seen} >= {0, 3, 4, 5, 6}


def test_a_worked_example_of_the_play():
    """4 5 6 out of order, broken by a second 5, and three sixes."""
    trail = parse_cards("4D 6D 5D 5C 4C 6C")
    scores = [play_points(trail, 0, n, sum(map(worth, trail[:n]))) for n in range(1, 7)]
    assert scores == [0, 0, 2 + 3, 2, 0, 3]
    assert sum(map(worth, trail)) == 30
    sixes = parse_cards("6D 6C 6H 6S")
    assert [play_points(sixes, 0, n, 6 * n) for n in range(1, 5)] == [0, 2, 6, 12]


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points", "counting"),
    [
        ("2H 4H 6H KH", "8S", False, 4, "a flush is four"),
        ("2H 4H 6H KH", "8S", True, 0, "nothing"),
        ("2H 4H 6H KH", "8H", True, 5, "a flush is five"),
        ("2H 4H 6H JH", "8H", False, 6, "a flush is five, and nob is six"),
        ("5D JH 9C KS", "2H", False, 5, "fifteen two, fifteen four, and nob is five"),
        ("2D 3S QC QD", "8H", False, 6, "fifteen two, fifteen four, and a pair is six"),
        ("5D JD AS 9C", "3H", False, 4, "fifteen two, fifteen four"),
        ("9D 9C 9H AS", "9S", False, 12, "a double pair royal is twelve"),
        ("9D 9C 9H AS", "KS", False, 6, "a pair royal is six"),
    ],
)
def test_hands_are_counted_aloud_as_players_do(hand, starter, crib, points, counting):
    counted = show(hand, starter, crib=crib)
    assert counted.points == points
    assert counted.counting == counting


def test_cards_score_as_a_hand_by_default():
    """Four of a suit are a flush in the hand but not in the crib, in every function that scores a show."""
    held, starter = parse_cards("2H 4H 6H KH"), parse_cards("8S")[0]
    for shown, asked in (
        (show, (held, starter)),
        (count_show, (held, starter)),
        (bulk.show_points, ([held], [starter])),
    ):
        whole, hand, crib = (shown(*asked, **said) for said in ({}, {"crib": False}, {"crib": True}))
        points = [int(each[0]) if shown is bulk.show_points else each.points for each in (whole, hand, crib)]
        assert points == [4, 4, 0], shown


def test_the_items_of_a_show_name_their_cards():
    found = show("4D 5C 6H JS", "6S")
    names = Counter(item.name for item in found.items)
    assert names == {"fifteen": 3, "a pair": 1, "a run of three": 2, "nob": 1}
    assert [code(card) for card in found.items[-1].cards] == ["JS"]
    assert str(found).endswith("15  in all")
    assert found.counting == (
        "fifteen two, fifteen four, fifteen six, a pair is eight, a run of three is eleven, "
        "a run of three is fourteen, and nob is fifteen"
    )


@pytest.mark.parametrize(
    ("hand", "starter", "why"),
    [
        ("5S 5C 5D", "JH", "four cards besides the starter, not 3"),
        ("5S 5C 5D JH 2D", "JS", "four cards besides the starter, not 5"),
        ("5S 5C 5D JH", "JH", "two cards JH"),
        ("5S 5S 5D JH", "JD", "two cards 5S"),
        ("5S 5C 5D XX", "JH", "one of the 52"),
        ("5S 5C 5D 1H", "JH", "'1H' is not a card"),
        ([1, 2, 3, 99], 4, "one of the 52"),
        ([1, 2, 3, None], 4, "None is not a card"),
        (7, 4, "isn't a hand"),
        ("5S 5C 5D JH", None, "None is not a card"),
    ],
)
def test_an_invalid_hand_is_refused_in_one_sentence(hand, starter, why):
    with pytest.raises(NotationError, match=why) as caught:
        show(hand, starter)
    assert "\n" not in str(caught.value)
