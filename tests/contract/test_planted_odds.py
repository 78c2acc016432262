"""The contract fails on wrong odds that only larger games can have: with four seats, or two alike opponents."""

import dataclasses
import types

import pytest

from kibitz.engine.contract import Violation, imagination
from kibitz.engine.registry import game
from tests.tiers import first_fast


def imagining(played, changed):
    """A game whose imagined states are changed by a function, in plain Python."""

    def resample(state, seat):
        found = played.rules.resample(state, seat)
        if found and not state.over:
            changed(state, seat)
        return found

    return dataclasses.replace(played, rules=types.SimpleNamespace(**{**vars(played.rules), "resample": resample}))


def aces_to_the_stock(state, seat):
    """The last of four seats never holds an Ace: each is swapped with another card of the stock."""
    for ace in range(4 if seat != 3 else 0):
        others = state.stock & ~15
        if state.hand[3] >> ace & 1 and others:
            both = 1 << ace | others & -others
            state.hand[3] ^= both
            state.stock ^= both


def less_first(state, seat):
    """Of two other seats with equally many cards, the first always gets the smaller hand."""
    first, last = [p for p in range(3) if p != seat][:2]
    one, other = state.hand[first], state.hand[last]
    if one > other and one.bit_count() == other.bit_count():
        state.hand[first], state.hand[last] = other, one


@pytest.mark.parametrize(
    ("name", "changed"), [("eights", aces_to_the_stock), ("eights:players=3,hand_size=2", less_first)]
)
def test_wrong_odds_of_a_larger_game_are_caught(name, changed):
    with pytest.raises(Violation, match="with a wrong frequency"):
        imagination.imagination_has_true_frequencies(imagining(game(name), changed))


@pytest.mark.parametrize("name", first_fast(["kuhn", "go-mini", "eights:players=3,hand_size=2"]))
def test_correct_odds_pass_with_more_samples(name):
    """With four times as many samples."""
    imagination.imagination_has_true_frequencies(game(name), 4)
