"""The worlds of who looks ahead in Huxxy: as its seat sees them, and nobody holds what it would have laid."""

from random import Random

import kibitz
from benchmarks import huxxy_spent as spent
from benchmarks import huxxy_told
from kibitz.cards.chance import rekey
from kibitz.cards.sets import size
from kibitz.games.huxxy.beliefs import PICKED, resample
from tests.contract.groups import sharing

pytestmark = sharing("huxxy")
SMALL = "huxxy:hand_size=6,opening=6"
LONGEST = 12


def beginnings(game, seeds):
    """Positions at the beginning of turns of games among those who play by a rule of thumb."""
    for seed in seeds:
        state, random = game.deal(seed), Random(seed)
        turns = 0
        while not state.over and turns < 4 * LONGEST:
            if not state.plays:
                turns += 1
                yield state
            view, legal = game.view(state, state.player), game.legal(state)
            game.advance(state, game.strategies["greedy"](view, legal, random) if len(legal) > 1 else legal[0])


def worlds_of(state, imagined, many):
    """Worlds of a position."""
    for i in range(many):
        world = state.copy()
        rekey(world, 1, 2, i, 0)
        while not imagined(world, state.player):
            pass
        yield world


def spent_worlds(s, seat):
    """A world in which nobody holds what it would have laid."""
    spent.imagine(s, seat)
    return True


def told(state, seat, world):
    """Of the others whose hand their last turn tells about, all of it, how many could have laid nothing of it."""
    found = []
    for p in range(state.players):
        last = spent.last_of(state, p)
        if p != seat and not spent.is_free(state, p, last) and state.log[last] & 63 != PICKED:
            found.append(bool(spent.is_spent(world, p, spent.fitted_then(state, p))))
    return found


def held(s):
    """How many cards each seat holds."""
    return [size(once) + size(twice) for once, twice in zip(s.hand_once, s.hand_twice, strict=True)]


def test_a_world_is_as_the_seat_sees_it():
    game, several = kibitz.game(SMALL), 0
    for state in beginnings(game, range(2)):
        view = game.view(state, state.player)
        for world in worlds_of(state, spent_worlds, 2):
            assert game.view(world, state.player) == view
            assert held(world) == held(state)
            several += world.hand_once != state.hand_once
    assert several


def test_who_is_told_the_hands_has_them_in_every_world_and_another_stock():
    game = kibitz.game(SMALL)
    for state in beginnings(game, [0]):
        for world in worlds_of(state, huxxy_told.resample, 2):
            assert (world.hand_once, world.hand_twice) == (state.hand_once, state.hand_twice)
            assert world.key != state.key


def test_nobody_holds_in_a_spent_world_what_nobody_held_back():
    game, found = kibitz.game("huxxy"), {huxxy_told.resample: [], resample: [], spent_worlds: []}
    for state in beginnings(game, range(2)):
        for imagined, shares in found.items():
            for world in worlds_of(state, imagined, 1):
                shares += told(state, state.player, world)
    true, by_lot, as_played = (sum(each) / len(each) for each in found.values())
    assert len(found[resample]) > 50
    assert true > 0.9
    assert as_played > 0.9
    assert by_lot < 0.7
