"""States: one list of fields, as plain objects and as NumPy records."""

import numpy as np
import pytest

from kibitz.engine.layout import Field, Layout

LAYOUT = Layout("Toy", Field("player"), Field("hand", 3, "i1"), Field("scratch", 2, "i2", True))


def test_a_plain_state_starts_with_zeros():
    state = LAYOUT.plain()
    assert (state.player, state.hand, state.scratch) == (0, [0, 0, 0], [0, 0])


def test_a_copy_is_independent():
    state = LAYOUT.plain()
    copy = state.copy()
    copy.hand[1] = 5
    copy.player = 2
    assert (state.player, state.hand) == (0, [0, 0, 0])


def test_scratch_is_not_part_of_the_position():
    one, other = LAYOUT.plain(), LAYOUT.plain()
    other.scratch[0] = 9
    assert one == other
    assert "scratch" not in repr(one)
    other.hand[0] = 1
    assert one != other
    assert one != "a state"


def test_a_state_round_trips_through_a_numpy_record():
    state = LAYOUT.plain()
    state.player, state.hand = 3, [1, -1, 100]
    states = np.zeros(2, LAYOUT.dtype)
    LAYOUT.store(state, states, 1)
    assert LAYOUT.load(states, 1) == state
    assert LAYOUT.load(states, 0) == LAYOUT.plain()
    assert all(type(value) is int for value in LAYOUT.load(states, 1).hand)


def test_a_field_that_does_not_exist_is_an_error():
    state = LAYOUT.plain()
    with pytest.raises(AttributeError):
        state.wrong = 1
    with pytest.raises(AttributeError):
        _ = state.wrong


def test_states_cannot_be_hashed():
    with pytest.raises(TypeError):
        hash(LAYOUT.plain())


def test_a_duplicate_field_is_refused():
    with pytest.raises(ValueError, match="has a field twice"):
        Layout("Twice", Field("a"), Field("a", 2))
