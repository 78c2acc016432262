"""The kernels of COMP10001-Bo against the class version, which was written from the rules alone."""

from collections import Counter
from random import Random

import pytest

from benchmarks.peers.bo_classes import INVALID, Bo, Ending
from tests.parts import share
from tests.tiers import first_fast

from .bo_lockstep import EVERY_ACTION, Lockstep, class_position

MALFORMED = [
    *(None, 3, "2C", (), (3,), (3, None), (3, None, None), (4, "2C", (0, 0)), (0, None, (0, 0))),
    *((0, "2C", (0, 4)), (0, "2C", (0, -1)), (0, "2C", (1, 0)), (0, "2C", (1, (4, 0))), (0, "2C", (2, 0))),
    *((0, "2C", (0, 0), 0), (1, "2C", (0, 0)), (1, ("2C", (0, 4)), (0, 0)), (2, ["2C"], (0, 0))),
    *((3, "2C", (None, None)), (0, "2C", (None, None)), [0, "2C", (0, 0)], (0, "2C", (0, 0.0))),
]


@pytest.mark.parametrize("seeds", first_fast([range(10), range(10, 200)]))
def test_kernels_and_classes_play_the_same_games(seeds):
    for seed in seeds:
        Lockstep(seed).finish(eager=seed % 5 / 8)


@pytest.mark.parametrize("seeds", first_fast([range(20), range(20, 200)]))
def test_kernels_and_classes_agree_without_a_draw_pile(seeds):
    for seed in seeds:
        Lockstep(seed).rearrange().finish(eager=seed % 5 / 8)


@pytest.mark.long
@pytest.mark.parametrize("block", share(range(20), 5))
def test_kernels_and_classes_play_thousands_of_equal_games(block):
    for seed in range(1000 + 200 * block, 1200 + 200 * block):
        Lockstep(seed).finish(eager=seed % 5 / 8)
        Lockstep(seed).rearrange().finish(eager=seed % 5 / 8)


@pytest.mark.parametrize("seeds", first_fast([range(1, 2), range(3)]))
def test_kernels_and_classes_agree_on_every_action(seeds):
    for seed in seeds:
        Lockstep(seed).finish(eager=seed / 4, actions=EVERY_ACTION)
        Lockstep(seed).rearrange().finish(eager=seed / 4, actions=EVERY_ACTION)


@pytest.mark.long
def test_compared_games_end_in_every_way():
    endings = Counter(Lockstep(seed).finish(eager=0.25).ending for seed in range(20))
    endings += Counter(Lockstep(seed).rearrange().finish(eager=0.25).ending for seed in range(100))
    assert set(endings) == set(Ending), endings


def test_a_malformed_play_is_refused_and_changes_nothing():
    game = Bo(Random(1).randrange)
    before = repr(class_position(game))
    for play in MALFORMED:
        assert game.verdict(play) == INVALID, play
        with pytest.raises(ValueError, match="may not play"):
            game.play(play)
    assert repr(class_position(game)) == before
