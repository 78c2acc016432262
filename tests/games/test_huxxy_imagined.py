"""The worlds that best of Huxxy imagines: they fit the view, and no hand holds cards that could have been played."""

from itertools import combinations
from random import Random

import kibitz
from kibitz.cards.chance import rekey
from kibitz.cards.sets import size
from kibitz.games.huxxy import policies
from kibitz.games.huxxy.actions import PICK_UP_FACE
from kibitz.games.huxxy.beliefs import resample
from kibitz.games.huxxy.groups import is_valid, points
from kibitz.games.huxxy.quick_turn import SCRATCH
from kibitz.games.huxxy.view import bit_sets, faces
from tests.contract.groups import sharing

pytestmark = sharing("huxxy")
SMALL = "huxxy:hand_size=6,opening=6"
TURNS_PER_SEAT = 12


def beginnings(game, seeds):
    """Positions at the start of turns, in games between greedy players."""
    for seed in seeds:
        state, random = game.deal(seed), Random(seed)
        turns = 0
        while not state.over and turns < 4 * TURNS_PER_SEAT:
            if not state.plays:
                turns += 1
                yield state
            view, legal = game.view(state, state.player), game.legal(state)
            game.advance(state, game.strategies["greedy"](view, legal, random) if len(legal) > 1 else legal[0])


def imagined_positions(state, redraw, many):
    """Worlds of a position."""
    for i in range(many):
        world = state.copy()
        rekey(world, 1, 2, i, 0)
        while not redraw(world, state.player, [0] * SCRATCH):
            pass
        yield world


def any_hands(s, seat, _):
    """A world in which everything hidden from a seat is drawn at random."""
    return resample(s, seat)


def true_hands(s, seat, _):
    """The true hands; draws from the stock follow from the world's key."""
    return True


def has_no_play(world, p, groups):
    """Whether no card of a hand fits a group and no three cards make one, or not one with enough points to open."""
    hand = faces(world.hand_once[p], 0)
    threes = [three for three in combinations(hand, 3) if is_valid(*bit_sets(three))]
    if world.opened[p]:
        fit = any(is_valid(*bit_sets([*group, card])) for group in groups for card in hand)
        return not fit and not threes
    return all(sum(map(points, three)) < world.opening for three in threes)


def hands_without_plays(state, seat, world):
    """For each other seat whose last turn reveals its whole hand, whether it had no play with that hand."""
    found = []
    for p in range(state.players):
        last = policies.last_logged(state, p)
        if p != seat and not policies.reveals_nothing(state, p, last) and state.log[last] & 63 != PICK_UP_FACE:
            new = {entry & 63 for entry in state.log[last + 1 : state.log_length]}
            table = (faces(*group) for group in zip(state.group_once, state.group_twice, strict=True))
            found.append(has_no_play(world, p, [group for group in table if group and not new & {*group}]))
    return found


def hand_sizes(s):
    """How many cards each seat holds."""
    return [size(once) + size(twice) for once, twice in zip(s.hand_once, s.hand_twice, strict=True)]


def test_an_imagined_position_gives_the_seat_the_same_view():
    game, several = kibitz.game(SMALL), 0
    for state in beginnings(game, range(2)):
        view = game.view(state, state.player)
        for world in imagined_positions(state, policies.draw_hidden, 2):
            assert game.view(world, state.player) == view
            assert hand_sizes(world) == hand_sizes(state)
            several += world.hand_once != state.hand_once
    assert several


def test_imagined_hands_rarely_hold_cards_that_could_have_been_played():
    game, found = kibitz.game("huxxy"), {true_hands: [], any_hands: [], policies.draw_hidden: []}
    for state in beginnings(game, range(2)):
        for redraw, shares in found.items():
            for world in imagined_positions(state, redraw, 1):
                shares += hands_without_plays(state, state.player, world)
    true, any_hand, as_played = (sum(each) / len(each) for each in found.values())
    assert len(found[any_hands]) > 50
    assert true > 0.9
    assert as_played > 0.98
    assert any_hand < 0.7
