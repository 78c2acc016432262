"""The contract fails on wrong odds that no mini variant has: a fourth seat, two others who look alike."""

import dataclasses
import types

import pytest

from kibitz.engine.contract import Broken, imagination
from kibitz.engine.registry import game
from tests.tiers import first_fast


def imagining(played, changed):
    """A game whose `imagine` changes the result, in plain Python."""

    def resample(state, seat):
        found = played.rules.resample(state, seat)
        if found and not state.over:
            changed(state, seat)
        return found

    return dataclasses.replace(played, rules=types.SimpleNamespace(**{**vars(played.rules), "resample": resample}))


def aces_to_the_stock(state, seat):
    """The last of four seats never holds an Ace: each changes places with another card of the stock."""
    for ace in range(4 if seat != 3 else 0):
        others = state.stock & ~15
        if state.hand[3] >> ace & 1 and others:
            both = 1 << ace | others & -others
            state.hand[3] ^= both
            state.stock ^= both


def less_first(state, seat):
    """Of two others with as many cards the one who sits first has the lesser hand, whoever looks."""
    first, last = [p for p in range(3) if p != seat][:2]
    one, other = state.hand[first], state.hand[last]
    if one > other and one.bit_count() == other.bit_count():
        state.hand[first], state.hand[last] = other, one


@pytest.mark.parametrize(
    ("name", "changed"), [("eights", aces_to_the_stock), ("eights:players=3,hand_size=2", less_first)]
)
def test_wrong_odds_of_a_larger_game_are_caught(name, changed):
    with pytest.raises(Broken, match="with a wrong frequency"):
        imagination.imagination_has_true_frequencies(imagining(game(name), changed))


@pytest.mark.parametrize("name", first_fast(["kuhn", "go-mini", "eights:players=3,hand_size=2"]))
def test_right_odds_pass_whatever_the_lots(name):
    """The same with four times as many samples."""
    imagination.imagination_has_true_frequencies(game(name), 4)
