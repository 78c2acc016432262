"""The quick whole turn of Huxxy: it is legal, and every way to play a card is found."""

from random import Random

import pytest

import kibitz
from kibitz.cards import parse_cards
from kibitz.cards.sets import size
from kibitz.games.huxxy import plans, quick_turn
from kibitz.games.huxxy.actions import END, PICK_UP
from kibitz.games.huxxy.best import best_turn
from kibitz.games.huxxy.groups import NONE, is_valid
from kibitz.games.huxxy.view import bit_sets, faces
from tests.contract.groups import sharing

pytestmark = sharing("huxxy")
HUXXY, JOKERS = kibitz.game("huxxy"), kibitz.game("huxxy-bonus")
SMALL = ("huxxy:players=2,hand_size=8,opening=6", "huxxy-bonus:players=2,hand_size=8,opening=6", "huxxy-bonus")


def cards_of(text):
    """Faces, written like ``7S``, ``XX`` for the Joker."""
    return parse_cards(text)


def position(hand, groups, opened=1, game=JOKERS):
    """A position with the hand of the seat to move and the groups on the table."""
    state = game.deal(1)
    state.hand_once[0], state.hand_twice[0] = bit_sets(cards_of(hand))
    state.opened[0] = opened
    state.groups = len(groups)
    for g, group in enumerate(groups):
        state.group_once[g], state.group_twice[g] = bit_sets(cards_of(group))
        assert is_valid(state.group_once[g], state.group_twice[g])
    return state


def scratch():
    """A scratch array for a turn."""
    return [0] * quick_turn.SCRATCH


def actions_of(state, w):
    """The actions of the turn in ``w``, including the end of the turn."""
    out = [NONE] * 8
    n = plans.write_plays(state, w, quick_turn.ONCE, quick_turn.TWICE, w[quick_turn.GROUPS], out, 0)
    return out[:n]


def check_turn(game, state):
    """Check that a quick turn can be played to its promised table, and return how many cards it plays."""
    w = scratch()
    lays = quick_turn.find_turn(state, w)
    played = state.copy()
    assert quick_turn.play_turn(played, scratch()) == (lays > 0)
    if not lays:
        assert played == state
        return 0
    after = state.copy()
    for play in actions_of(state, w):
        assert game.rules.refusal(after, play) == 0
        if play == END:
            assert (after.hand_once, after.hand_twice) == (played.hand_once, played.hand_twice)
        game.rules.apply(after, play)
    game.rules.apply(played, END)
    tables = [sorted(zip(s.group_once, s.group_twice, strict=True)) for s in (after, played)]
    assert tables[0] == tables[1]
    assert (after.player, after.over) == (played.player, played.over)
    seat = state.player
    held = [size(s.hand_once[seat]) + size(s.hand_twice[seat]) for s in (state, after)]
    assert held[0] - held[1] == lays
    return lays


@pytest.mark.parametrize("name", SMALL)
def test_quick_turn_is_legal_and_plays_no_more_than_the_best_turn(name):
    game, most, found = kibitz.game(name), 0, 0
    for seed in range(4):
        state, random = game.deal(seed), Random(seed)
        for _ in range(40):
            if state.over:
                break
            lays = check_turn(game, state)
            view = game.view(state, state.player)
            best = best_turn(view.hand, view.table, min_points=view.points_needed, step_limit=300)
            if not best or lays > best.cards:
                best = best_turn(view.hand, view.table, min_points=view.points_needed)
            assert lays <= (best.cards if best else 0)
            most += best.cards if best else 0
            found += lays
            game.rules.apply(
                state, END if random.random() < 0.8 and quick_turn.play_turn(state, scratch()) else PICK_UP
            )
    assert 0.6 * most < found < most


@pytest.mark.parametrize(
    ("hand", "groups", "lays"),
    [
        ("9S 2C", ["6D 7S 8H"], 1),
        ("9D 2C", ["6D 7S 8H"], 0),
        ("4D 4C 4H 9S", [], 3),
        ("4D 5S 6H 0C", [], 3),
        ("4D 5D 6D", [], 0),
        ("4D 5S XX 9C", [], 3),
        ("4D 6D XX KC", [], 3),
        ("4D 4S XX KC", [], 3),
        ("4D 9S XX", [], 0),
        ("KS", ["9S 0H JC", "QD QC QH QS"], 1),
        ("2S", ["9S 0H JC", "QD QC QH QS"], 0),
        ("7D 8S", ["9D 9C 9H 9S"], 2),
        ("7D 8S", ["9D 9C 9H"], 0),
        ("8D 8S", ["8C 9H 0S JH"], 2),
        ("3D", ["3C 4H 5S 6D", "3S 4H 5C 6D"], 1),
        ("3D", ["3C 4H 5S", "3S 4H 5C"], 0),
        ("7S", ["6D 6C 6H 6S", "8D 8C 8H 8S"], 1),
        ("7S", ["6D 6C 6H 6S", "8D 8C 8H"], 0),
        ("6D", ["4D 5S 6H 7C 8D"], 1),
        ("6D", ["4D 5S 6H 7C"], 0),
        ("7D 9C", ["5D 6S 7D 8S 9D"], 1),
        ("7D", ["5D 6S 7D 8S"], 0),
        ("4D 5D", ["7S 7D 7H XX"], 0),
        ("4D 5S", ["7S 7D 7H XX"], 2),
    ],
)
def test_quick_turn_finds_each_way_to_play_a_card(hand, groups, lays):
    assert check_turn(JOKERS, position(hand, groups)) == lays


def test_a_first_turn_with_too_few_points_is_not_found():
    """Three kings are enough, three sevens are not; with a five that fits the table they are."""
    assert check_turn(JOKERS, position("KD KC KH 2S", [], opened=0)) == 3
    assert check_turn(JOKERS, position("7D 7C 7H 2S", [], opened=0)) == 0
    assert check_turn(JOKERS, position("7D 7C 7H 5S", ["5D 5C 5H"], opened=0)) == 4
    assert check_turn(JOKERS, position("7D 7C 7H 2S", [])) == 3


def test_a_turn_has_at_most_six_plays():
    assert check_turn(JOKERS, position("4D 4C 4H 9S 9D 9H KC KD KH", [])) == 6
    table = ["2S 3D 4S", "9C 0H JC", "QD QC QH QS"]
    assert check_turn(JOKERS, position("7D 7C 7S 5D KS 2C", table)) == 5
    assert check_turn(JOKERS, position("7D 7C 7S 5D AD KS 2C", table)) == 5


def test_groups_with_new_cards_are_ignored():
    state = position("9D 0H", ["6S 7D 8S", "7C 8H 9C"])
    new = 1 << cards_of("7D")[0]
    assert quick_turn.find_turn_of(state, scratch(), 0, 0) == 2
    w = scratch()
    assert quick_turn.find_turn_of(state, w, 0, new) == 1
    assert faces(w[quick_turn.HAND_ONCE], w[quick_turn.HAND_TWICE]) == tuple(cards_of("9D"))
