"""Lookup tables, arrays of hands and counted boards, against evaluating hand by hand."""

import os
import subprocess
import sys
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from kibitz.cards import FULL_PACK, as_set, cards_of, parse_hand
from kibitz.engine.kernels import compilation
from kibitz.errors import NotationError
from kibitz.games.poker.hands import boards, bulk, lookup, ranking, wild
from kibitz.games.poker.hands.equity import hand_equity
from tests.contract.groups import sharing

pytestmark = sharing("holdem")


def random_hands(n, count, seed):
    random = Random(seed)
    return [as_set(random.sample(range(52), n)) for _ in range(count)]


def a_set(text):
    return as_set(parse_hand(text))


MIXED = [*random_hands(5, 700, 1), *random_hands(6, 700, 2), *random_hands(7, 700, 3)]
SUITED = [as_set(Random(seed).sample(range(seed % 4, 52, 4), 5)) | 1 << (seed % 4 ^ 1) for seed in range(200)]


def test_hands_in_an_array_rank_as_single_hands():
    hands = MIXED + SUITED
    found = bulk.evaluate_many(hands)
    assert found.dtype == np.int16
    assert found.tolist() == [ranking.strength(hand) for hand in hands]


def test_array_shape_is_kept_for_any_integer_type():
    hands = np.array(MIXED[:24])
    expected = bulk.evaluate_many(hands)
    assert (bulk.evaluate_many(hands.reshape(2, 3, 4)) == expected.reshape(2, 3, 4)).all()
    assert (bulk.evaluate_many(hands.astype(np.uint64)) == expected).all()
    assert (bulk.evaluate_many(hands[::-1]) == expected[::-1]).all()
    hands.flags.writeable = False
    assert (bulk.evaluate_many(hands) == expected).all()
    assert bulk.evaluate_many(MIXED[0]).shape == ()
    assert bulk.evaluate_many([]).shape == (0,)


def test_hands_with_jokers_in_an_array_rank_as_single_hands():
    hands, random = random_hands(5, 100, 4), Random(5)
    black = [random.randrange(2) for _ in hands]
    red = [random.randrange(2) for _ in hands]
    expected = [wild.wild_strength(*hand) for hand in zip(hands, black, red, strict=True)]
    assert bulk.evaluate_many(hands, black, red).tolist() == expected
    assert bulk.evaluate_many(hands, red=2).tolist() == [wild.wild_strength(hand, 0, 2) for hand in hands]


@pytest.mark.parametrize(
    ("hands", "jokers", "sentence"),
    [
        ([31, 15], {}, "hands[1] must be a set of 5 to 7 cards of one pack, with up to two jokers of each colour."),
        ([255], {}, "hands[0] must be a set"),
        ([-1], {}, "hands[0] must be a set"),
        ([[31, 31], [31, 31 << 48]], {}, "hands[1, 1] must be a set"),
        ([1 << 63], {}, "hands must be whole numbers below 2**52, not uint64."),
        ([1 << 70], {}, "hands must be whole numbers below 2**52, not object."),
        ([31.0], {}, "hands must be whole numbers below 2**52, not float64."),
        (["31"], {}, "hands must be whole numbers"),
        ([31], {"black": 3}, "hands[0] must be a set"),
        ([127], {"red": 1}, "hands[0] must be a set"),
        ([31], {"red": -1}, "hands[0] must be a set"),
        ([31, 31], {"black": [1, 1, 1]}, "the numbers of jokers have the shape (3,), not (2,)."),
    ],
)
def test_an_invalid_array_of_hands_is_refused(hands, jokers, sentence):
    with pytest.raises(NotationError) as refused:
        bulk.evaluate_many(hands, **jokers)
    assert sentence in str(refused.value)


def test_card_numbers_become_sets():
    assert bulk.sets_of([[0, 1, 51], [2, 3, 4]]).tolist() == [as_set([0, 1, 51]), as_set([2, 3, 4])]
    assert bulk.sets_of(np.array([[0, 1]], np.uint8)).tolist() == [3]


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ([[0, 0]], "cards[0] has a card twice."),
        ([[0, 52]], "cards are the numbers 0 to 51"),
        ([[0, -1]], "cards are the numbers 0 to 51"),
        ([0, 1], "cards must have the shape"),
        ([["2S"]], "cards must be whole numbers"),
    ],
)
def test_an_invalid_array_of_cards_is_refused(cards, sentence):
    with pytest.raises(NotationError) as refused:
        bulk.sets_of(cards)
    assert sentence in str(refused.value)


def test_census_accepts_five_to_seven_cards_only():
    with pytest.raises(NotationError, match=r"hands have 5, 6 or 7 cards, not 8\."):
        bulk.strength_counts(8)


def test_every_count_of_ranks_has_its_own_slot():
    counts = np.array(bulk.all_counts(), np.int64)
    assert len(set(counts.tolist())) == len(counts) == 73775
    keys = counts * lookup.FACTOR & lookup.KEYS
    rows, strengths = bulk.table()
    slots = rows[lookup.row_of(keys)].astype(np.int64) + lookup.column_of(keys)
    assert len(set(slots.tolist())) == len(counts)
    worths = [0] * len(counts)
    lookup.evaluate_counts(counts[::50].tolist(), 0, len(counts[::50]), worths)
    assert strengths[slots][::50].tolist() == worths[: len(counts[::50])]


def test_python_and_machine_code_place_the_same_rows():
    random = Random(8)
    lengths = sorted((random.randrange(1, 6) for _ in range(60)), reverse=True)
    starts = np.cumsum([0, *lengths])
    columns = np.array([column for n in lengths for column in sorted(random.sample(range(40), n))], np.int64)
    worths, order = np.arange(1, len(columns) + 1), np.arange(60)
    used, rows, strengths = np.zeros(40, np.int64), np.zeros(60, np.uint32), np.zeros(900, np.uint16)
    length = compilation.compiled(lookup).place_rows(columns, worths, starts, order, 60, used, rows, strengths)
    plain = [[0] * 40, [0] * 60, [0] * 900]
    assert lookup.place_rows(columns.tolist(), worths.tolist(), starts.tolist(), range(60), 60, *plain) == length
    assert plain == [used.tolist(), rows.tolist(), strengths.tolist()]
    assert (strengths > 0).sum() == len(columns)
    for row in range(60):
        for k in range(starts[row], starts[row + 1]):
            assert strengths[rows[row] + columns[k]] == worths[k]


def test_python_and_machine_code_look_up_the_same():
    rows, strengths = (array.tolist() for array in bulk.table())
    found = [0] * len(MIXED)
    assert lookup.evaluate_slice(MIXED, 0, len(MIXED), rows, strengths, found) == -1
    assert found == bulk.evaluate_many(MIXED).tolist()


def test_the_key_of_a_hand_is_the_sum_of_the_keys_of_its_cards():
    for hand in MIXED:
        keys = [lookup.key_of(1 << card) for card in cards_of(hand)]
        assert sum(keys) & lookup.KEYS == lookup.key_of(hand)
        assert sum(lookup.suits_of(1 << card) for card in cards_of(hand)) == lookup.suits_of(hand)


def brute_force_equity(hands, board, dead=0):
    """The equity, by comparing strengths on all boards."""
    gone = board | sum(hands) | dead
    deck = cards_of(FULL_PACK & ~gone)
    wins, ties, pots, n = [0] * len(hands), [0] * len(hands), [0.0] * len(hands), 0
    for more in combinations(deck, 5 - board.bit_count()):
        found = [ranking.strength(hand | board | as_set(more)) for hand in hands]
        best = [player for player, strength in enumerate(found) if strength == max(found)]
        for player in best:
            (wins if len(best) == 1 else ties)[player] += 1
            pots[player] += 1 / len(best)
        n += 1
    return n, tuple(wins), tuple(ties), pots


SITUATIONS = [
    (("AS KS", "QD QH"), "2C 3D 4H 5S 9C"),
    (("AS KS", "QD QH"), "2C 3D 4H 5S"),
    (("AS KS", "QD QH"), "TS JS QS"),
    (("AS KS", "QD QH", "2S 2H"), "TS 3S 4C 5D"),
    (("AS KD", "AD KS", "AC KC"), "2H 3H 4C"),
    (("2S 3S", "2D 3D", "2C 3C", "2H 3H"), "TS JS QS KS AS"),
    (tuple(f"{a}S {b}D" for a, b in ("23", "45", "67", "89", "TJ", "QK", "9A", "32", "54", "76")), "2C 4C 6C"),
]


@pytest.mark.parametrize(("hands", "board"), SITUATIONS)
def test_equities_match_counting_all_boards(hands, board):
    sets = [a_set(hand) for hand in hands]
    found = hand_equity(sets, a_set(board))
    n, wins, ties, pots = brute_force_equity(sets, a_set(board))
    assert (found.boards, found.wins, found.ties) == (n, wins, ties)
    assert [float(won) for won in found.pots] == pytest.approx(pots)
    assert sum(found.pots) == found.boards == n
    assert sum(found.shares) == 1
    assert found.shares == tuple(won / n for won in found.pots)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("missing", [0, 1, 2, 5])
def test_equities_match_counting_for_any_number_of_missing_cards(players, missing):
    """Most of the pack is dead, so that only ten cards can come."""
    for seed in range(4):
        cards = Random(f"{players} {missing} {seed}").sample(range(52), 52)
        hands = [as_set([cards.pop(), cards.pop()]) for _ in range(players)]
        board = as_set([cards.pop() for _ in range(5 - missing)])
        dead = as_set(cards[10:])
        found = hand_equity(hands, board, dead)
        n, wins, ties, pots = brute_force_equity(hands, board, dead)
        assert (found.boards, found.wins, found.ties) == (n, wins, ties)
        assert [float(won) for won in found.pots] == pytest.approx(pots)


def test_preflop_equity_matches_the_published_value():
    found = hand_equity([a_set("AS KS"), a_set("QD QH")])
    assert (found.boards, found.wins, found.ties) == (1712304, (787966, 917606), (6732, 6732))
    assert found.losses == (917606, 787966)
    assert found.equities == pytest.approx((0.462145, 0.537855), abs=1e-6)


@pytest.mark.parametrize(
    ("hands", "board", "dead", "sentence"),
    [
        (["AS KS"], "", "", "an equity needs 2 to 10 hands, not 1."),
        (["AS KS", "QD"], "", "", "a hand of Texas hold'em has 2 cards, not 1."),
        (["AS KS", "AS QD"], "", "", "AS appears twice, but a pack has only one."),
        (["AS KS", "QD QH"], "KS", "", "KS appears twice, but a pack has only one."),
        (["AS KS", "QD QH"], "", "KS", "KS appears twice, but a pack has only one."),
        (["AS KS", "QD QH"], "2S 3S 4S 5S 6S 7S", "", "a board has at most 5 cards, not 6."),
        (["AS KS", "QD ?B"], "", "", "9024791440785408 isn't a set of cards of one pack without jokers."),
    ],
)
def test_an_invalid_situation_is_refused(hands, board, dead, sentence):
    with pytest.raises(NotationError) as refused:
        hand_equity([a_set(hand) for hand in hands], a_set(board), a_set(dead))
    assert str(refused.value) == sentence


def test_a_board_that_cannot_be_completed_is_refused():
    hands = [a_set("AS KS"), a_set("QD QH")]
    with pytest.raises(NotationError, match=r"5 cards are missing on the board, but only 0 are left\."):
        hand_equity(hands, 0, FULL_PACK & ~sum(hands))


def test_python_and_machine_code_count_the_same_boards():
    rows, strengths = (array.tolist() for array in bulk.table())
    deck = cards_of(FULL_PACK & ~a_set("AS KS QD QH 2S 2H TS JC 4C"))
    for hands in (["AS KS", "QD QH"], ["AS KS", "QD QH", "2S 2H"]):
        held = [a_set(hand) | a_set("TS JC 4C") for hand in hands]
        work, tally = [0] * boards.WORK, [0] * boards.TALLY
        fast_work, fast_tally = np.zeros(boards.WORK, np.int64), np.zeros(boards.TALLY, np.int64)
        kernels, n = compilation.compiled(boards), len(deck)
        boards.prepare(held, len(hands), deck, n, work)
        boards.count_boards(len(hands), n, 2, 1, n + 1, rows, strengths, work, tally)
        kernels.prepare(np.array(held), len(hands), np.array(deck), n, fast_work)
        kernels.count_boards(len(hands), n, 2, 1, n + 1, *bulk.table(), fast_work, fast_tally)
        assert tally == fast_tally.tolist()
        assert sum(tally[boards.SHARES :]) == boards.SHARE * comb(n, 2)


def test_boards_counted_in_parts_add_up():
    kernels, table = compilation.compiled(boards), bulk.table()
    held = np.array([a_set("AS KS"), a_set("QD QH")])
    deck = np.array(cards_of(FULL_PACK & ~int(held.sum())))
    work, tally = np.zeros(boards.WORK, np.int64), np.zeros(boards.TALLY, np.int64)
    for first in range(1, 49):
        kernels.prepare(held, 2, deck, 48, work)
        kernels.count_boards(2, 48, 5, first, first + 1, *table, work, tally)
    assert tally[:2].tolist() == [787966, 917606]


@pytest.mark.long
def test_no_loop_reads_or_writes_outside_an_array(tmp_path):
    program = "from kibitz.games.poker.hands import bulk, equity; equity.compile_kernels(); bulk.strength_counts(5)"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "KIBITZ_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_placed_first_fit(seed):
    """Against trying slot by slot, over several words of them; the slots hold the values of the row's columns."""
    random = Random(seed)
    rows = [sorted(random.sample(range(40), random.randint(0, 8))) for _ in range(60)]
    order = sorted((number for number, row in enumerate(rows) if row), key=lambda number: -len(rows[number]))
    columns = [column for row in rows for column in row]
    starts = [sum(map(len, rows[:number])) for number in range(len(rows) + 1)]
    used, placed, strengths = [0] * 100, [0] * len(rows), [0] * 3000
    length = lookup.place_rows(
        columns, [*range(1, 1 + len(columns))], starts, order, len(order), used, placed, strengths
    )
    taken: set[int] = set()
    for number in order:
        row = rows[number]
        place = next(place for place in range(3000) if not taken & {place + column for column in row})
        assert placed[number] == place
        taken |= {place + column for column in row}
        first = starts[number] + 1
        assert [strengths[place + column] for column in row] == [*range(first, first + len(row))]
    assert length == max(taken) + 1
