"""What the ceiling of Bo is told, and when it leaves the first of its turns."""

import pytest

import kibitz
from benchmarks import bo_turns
from kibitz.engine import compilation
from kibitz.games.bo import policies

BO = kibitz.game("bo")
RNG_FIELDS = ("key", "draws", "block")


def copied(states, raw, words, part, source, target):
    """One plain state as a copy of another."""
    states[target] = states[source].copy()


def world_of(state, told, number=0):
    """A world of a position, for one who is told so much."""
    states, how = [state, state.copy(), state.copy()], [told, 1, 0, 7, 0, 0]
    compilation.plain(bo_turns, BO.rules, policies, copied=copied).drawn(states, None, 0, 0, how, 1, number)
    return states[2]


def cards(state):
    """All of a position but the generator that draws from it."""
    names = [name for name in BO.rules.LAYOUT.kept if name not in RNG_FIELDS]
    return {name: getattr(state, name) for name in names}


def test_who_is_told_nothing_sees_its_own_view_in_every_world_and_other_cards_behind_it():
    state = BO.deal(4)
    worlds = [world_of(state, bo_turns.IMAGINED, number) for number in range(3)]
    assert all(BO.view(world, 0) == BO.view(state, 0) for world in worlds)
    assert len({tuple(world.stock) for world in [state, *worlds]}) == 4


def test_who_is_told_what_is_dealt_has_the_true_cards_and_draws_of_its_own():
    state = BO.deal(4)
    one, other = (world_of(state, bo_turns.DEALT, number) for number in range(2))
    assert cards(one) == cards(other) == cards(state)
    assert one.key != other.key != state.key


def test_who_is_told_fate_has_the_true_position():
    state = BO.deal(4)
    assert world_of(state, bo_turns.FATE) == state


@pytest.mark.parametrize(
    ("doubt", "best"),
    [(0, 2), (150, 2), (250, 1), (400, 0)],
)
def test_the_first_turn_is_left_for_one_that_wins_more_beyond_doubt(doubt, best):
    """In 16 worlds: turn 1 wins 5 more, and never less; turn 2 wins 6 more, 9 times and 3 times the other way."""
    sums = [6, 0, 0, 11, 5, 5, 12, 6, 12]
    how = [bo_turns.DEALT, 16, doubt, 1, 0, 0]
    assert bo_turns.beyond_doubt(sums, 3, how) == best
