"""The Go functions against the class version, which was written from the rules alone, and against bad input."""

import copy
from itertools import combinations
from random import Random
from time import perf_counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from benchmarks.peers import go_classes
from kibitz.coursework.comp10001 import (
    comp10001go_best_partitions,
    comp10001go_group,
    comp10001go_play,
    comp10001go_score_group,
    comp10001go_valid_groups,
)
from kibitz.coursework.go import view_from
from kibitz.errors import NotationError

CODES = [value + suit for value in "A234567890JQK" for suit in "SHDC"]
OTHER_SUIT = str.maketrans("SHDC", "CDHS")
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(CODES),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=12,
)
BAD_CARDS = [["1S"], ["10S"], ["2s"], ["XX"], [7], [None], ["2S", ["3S"]], "2S3S", None, 5, {"2S": 1}]


def hands(random, n, count):
    """Hands in which groups are likely."""
    for _ in range(count):
        low = random.randrange(9)
        near = [c for c in CODES if low <= "A234567890JQK".index(c[0]) <= low + 4 or c[0] == "A"]
        yield random.sample(near if len(near) >= n and random.random() < 0.7 else CODES, n)


def sets(partitions):
    found = {frozenset(frozenset(group) for group in partition) for partition in partitions}
    assert len(found) == len(partitions), "a partition comes twice"
    return found


def draft(random):
    """A discard history of a whole draft."""
    cards = random.sample(CODES, 40)
    return [cards[4 * t : 4 * t + 4] for t in range(10)]


def test_scores_agree_with_the_class_version():
    random = Random(1)
    for n in range(8):
        for group in hands(random, n, 150):
            assert comp10001go_score_group(group) == go_classes.score_group(group), group


def test_all_pairs_score_as_in_the_class_version():
    for group in combinations(CODES, 2):
        assert comp10001go_score_group(list(group)) == go_classes.score_group(group)


def test_a_duplicate_card_makes_a_group_invalid():
    assert comp10001go_score_group(["KS", "KS"]) == -26
    assert comp10001go_score_group(["AS", "AS", "AS"]) == -60
    assert comp10001go_score_group(["3C", "4H", "5S", "5S"]) == -17
    assert not comp10001go_valid_groups([["KS", "KS"]])
    assert not comp10001go_valid_groups([["KS"], ["KS"]])


def test_validity_agrees_with_the_class_version():
    random = Random(2)
    for _ in range(300):
        (hand,) = hands(random, random.randrange(11), 1)
        cuts = sorted(random.choices(range(len(hand) + 1), k=random.randrange(4)))
        groups = [hand[a:b] for a, b in zip([0, *cuts], [*cuts, len(hand)], strict=True)]
        expected = all(map(go_classes.is_valid_group, groups))
        assert comp10001go_valid_groups(groups) is expected, groups


def test_no_groups_are_valid_but_an_empty_group_is_not():
    assert comp10001go_valid_groups([]) is True
    assert comp10001go_valid_groups([[]]) is False


@given(JUNK)
def test_validity_never_raises(groups):
    assert comp10001go_valid_groups(groups) in (True, False)


@pytest.mark.parametrize("n", range(8))
def test_best_partitions_agree_with_the_brute_force(n):
    for hand in hands(Random(n), n, 40 if n < 7 else 8):
        given_hand = list(hand)
        assert sets(comp10001go_best_partitions(hand)) == sets(go_classes.best_partitions(hand)), hand
        assert hand == given_hand


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_best_partitions_of_ten_cards_agree_with_the_brute_force(seed):
    for hand in hands(Random(100 + seed), 10, 2):
        assert sets(comp10001go_best_partitions(hand)) == sets(go_classes.best_partitions(hand)), hand


def test_partitions_are_new_lists_each_time():
    hand = ["0D", "AS", "5C", "8H", "KS", "AH", "QH", "AC"]
    first, second = comp10001go_best_partitions(hand)
    first[0].clear()
    first.clear()
    assert sets([second]) <= sets(comp10001go_best_partitions(hand))
    lists = [group for partition in comp10001go_best_partitions(hand) for group in partition]
    assert len({id(group) for group in lists}) == len(lists), "no list is used twice"


def test_neither_order_nor_suits_within_a_colour_matter():
    random = Random(3)
    for hand in hands(random, 9, 60):
        mixed = random.sample(hand, len(hand))
        assert comp10001go_best_partitions(mixed) == comp10001go_best_partitions(hand)
        mirrored = [card.translate(OTHER_SUIT) for card in hand]
        best = [[[c.translate(OTHER_SUIT) for c in g] for g in p] for p in comp10001go_best_partitions(hand)]
        assert sets(comp10001go_best_partitions(mirrored)) == sets(best)
        assert comp10001go_score_group(mixed) == comp10001go_score_group(hand) == comp10001go_score_group(mirrored)


def test_grouping_is_optimal_and_covers_the_discards():
    random = Random(4)
    for _ in range(40):
        history = draft(random)
        given_history = copy.deepcopy(history)
        for player in range(4):
            groups = comp10001go_group(history, player)
            mine = [turn[player] for turn in history]
            assert sorted(card for group in groups for card in group) == sorted(mine)
            assert comp10001go_valid_groups(groups)
            assert groups in comp10001go_best_partitions(mine)
        assert history == given_history


def test_the_player_plays_the_same_card_for_any_hand_order():
    random = Random(5)
    for turn in range(10):
        cards = random.sample(CODES, 4 * turn + 10 - turn)
        history = [cards[4 * t : 4 * t + 4] for t in range(turn)]
        hand = cards[4 * turn :]
        arguments = copy.deepcopy((history, hand))
        card = comp10001go_play(history, turn % 4, hand)
        assert card in hand
        assert (history, hand) == arguments
        assert comp10001go_play(history, turn % 4, hand[::-1]) == card


@pytest.mark.long
def test_the_player_beats_three_that_play_first():
    game = kibitz.game("go")
    wins = 0
    for seed in range(8):
        state, history = game.deal(seed), []
        while not state.grouping:
            legal, turn = game.legal(state), state.turn
            if state.player == 0:
                hand = [kibitz.cards.code(card) for card in legal]
                action = kibitz.cards.parse(comp10001go_play(history, 0, hand))
            else:
                action = min(legal)
            game.advance(state, action)
            if state.turn > turn:
                history.append([kibitz.cards.code(state.discard[10 * p + turn]) for p in range(4)])
        mine = [sum(map(comp10001go_score_group, comp10001go_group(history, p))) for p in range(4)]
        wins += mine[0] == max(mine)
    assert wins >= 7


@pytest.mark.parametrize("cards", BAD_CARDS)
def test_invalid_cards_are_refused_with_the_reason(cards):
    calls = [
        lambda: comp10001go_score_group(cards),
        lambda: comp10001go_best_partitions(cards),
        lambda: comp10001go_play([], 0, cards),
        lambda: comp10001go_play([cards], 0, ["2S"]),
        lambda: comp10001go_group(cards, 0),
        lambda: comp10001go_group([cards], 0),
    ]
    for call in calls:
        with pytest.raises(NotationError, match=r"\w \w.*"):
            call()
    assert comp10001go_valid_groups([cards]) is False


@pytest.mark.parametrize("player", [-1, 4, "0", None, True, 1.0])
def test_invalid_player_numbers_are_refused(player):
    with pytest.raises(NotationError):
        comp10001go_play([], player, ["2S"])
    with pytest.raises(NotationError):
        comp10001go_group([], player)


def test_impossible_one_pack_positions_are_refused():
    for call in (
        lambda: comp10001go_best_partitions(["KS", "KS"]),
        lambda: comp10001go_best_partitions(CODES[:11]),
        lambda: comp10001go_play([], 0, ["KS", "KS"]),
        lambda: comp10001go_play([], 0, []),
        lambda: comp10001go_play([["2S", "3S", "4S", "5S"]], 0, ["2S"]),
        lambda: comp10001go_play([["2S", "3S", "4S", "4S"]], 0, ["6S"]),
        lambda: comp10001go_play([["2S", "3S", "4S"]], 0, ["6S"]),
        lambda: comp10001go_group([["2S"] * 4], 0),
    ):
        with pytest.raises(NotationError):
            call()


def test_ten_cards_are_partitioned_fast():
    random = Random(6)
    deals = [random.sample(CODES, 10) for _ in range(400)]
    times = []
    for hand in deals:
        start = perf_counter()
        comp10001go_best_partitions(hand)
        times.append(perf_counter() - start)
    assert sorted(times)[200] < 1e-3, "about 50 microseconds; the bound is wide for busy machines"


def test_arguments_of_a_play_give_the_view_without_earlier_hands():
    game = kibitz.game("go")
    for seed in range(3):
        random, state = Random(seed), game.deal(seed)
        while not state.grouping:
            view = game.view(state, state.player)
            turns = [list(turn) for turn in zip(*view.discards, strict=True)]
            told = view_from(turns, state.player, list(view.hands[state.player]))
            assert told == msgspec.structs.replace(view, hands=told.hands)
            assert [hand for hand in told.hands if hand is not None] == [view.hands[state.player]]
            game.rules.apply(state, random.choice(game.legal(state)))


def test_a_hand_size_that_does_not_fit_the_turn_is_refused():
    pack = [value + suit for suit in "SHDC" for value in "A234567890JQK"]
    turns = [pack[4 * k : 4 * k + 4] for k in range(10)]
    for made in range(10):
        hand = pack[40 : 50 - made]
        assert comp10001go_play(turns[:made], 0, hand) in hand
    for made, held, sentence in (
        (0, 0, "after 0 turns the hand cannot hold 0 cards."),
        (0, 11, "after 0 turns the hand cannot hold 11 cards."),
        (1, 10, "after 1 turn the hand cannot hold 10 cards."),
        (10, 1, "after 10 turns the hand cannot hold 1 card."),
    ):
        with pytest.raises(NotationError) as refusal:
            comp10001go_play(turns[:made], 0, pack[40 : 40 + held])
        assert str(refusal.value) == sentence
