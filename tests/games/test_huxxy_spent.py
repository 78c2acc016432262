"""The worlds that best of Huxxy imagines: as its seat sees them, and nobody holds what it would have laid."""

from itertools import combinations
from random import Random

import kibitz
from kibitz.cards.chance import rekey
from kibitz.cards.sets import size
from kibitz.games.huxxy import policies
from kibitz.games.huxxy.groups import is_valid, points
from kibitz.games.huxxy.quick_turn import SCRATCH
from kibitz.games.huxxy.rules import PICKED, resample
from kibitz.games.huxxy.view import faces, pair
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
        while not imagined(world, state.player, [0] * SCRATCH):
            pass
        yield world


def uniform(s, seat, _):
    """A world in which all that a seat cannot know is drawn by lot."""
    return resample(s, seat)


def as_dealt(s, seat, _):
    """The true hands; what is drawn from the stock follows from the world's key."""
    return True


def lays_nothing(world, p, groups):
    """Whether no card of a hand fits one of some groups, and no three make a new one, or not enough to begin with."""
    hand = faces(world.hand_once[p], 0)
    threes = [three for three in combinations(hand, 3) if is_valid(*pair(three))]
    if world.opened[p]:
        fit = any(is_valid(*pair([*group, card])) for group in groups for card in hand)
        return not fit and not threes
    return all(sum(map(points, three)) < world.opening for three in threes)


def told(state, seat, world):
    """Of the others whose hand their last turn tells about, all of it, how many could have laid nothing of it."""
    found = []
    for p in range(state.players):
        last = policies.last_of(state, p)
        if p != seat and not policies.is_free(state, p, last) and state.log[last] & 63 != PICKED:
            new = {entry & 63 for entry in state.log[last + 1 : state.logged]}
            table = (faces(*group) for group in zip(state.group_once, state.group_twice, strict=True))
            found.append(lays_nothing(world, p, [group for group in table if group and not new & {*group}]))
    return found


def held(s):
    """How many cards each seat holds."""
    return [size(once) + size(twice) for once, twice in zip(s.hand_once, s.hand_twice, strict=True)]


def test_a_world_is_as_the_seat_sees_it():
    game, several = kibitz.game(SMALL), 0
    for state in beginnings(game, range(2)):
        view = game.view(state, state.player)
        for world in worlds_of(state, policies.imagined, 2):
            assert game.view(world, state.player) == view
            assert held(world) == held(state)
            several += world.hand_once != state.hand_once
    assert several


def test_nobody_holds_in_a_spent_world_what_nobody_held_back():
    game, found = kibitz.game("huxxy"), {as_dealt: [], uniform: [], policies.imagined: []}
    for state in beginnings(game, range(2)):
        for imagined, shares in found.items():
            for world in worlds_of(state, imagined, 1):
                shares += told(state, state.player, world)
    true, any_hand, as_played = (sum(each) / len(each) for each in found.values())
    assert len(found[uniform]) > 50
    assert true > 0.9
    assert as_played > 0.98
    assert any_hand < 0.7
