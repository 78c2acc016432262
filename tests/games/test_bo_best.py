"""The best player of Bo: every way through the rest of a turn, and what places to stop are worth by experience."""

from itertools import islice
from random import Random

import pytest

import kibitz
from kibitz.engine.contract.numbers import watched
from kibitz.engine.twins import kernel_modules
from kibitz.games.bo import planning, rules, standing
from kibitz.games.bo.experience import experience
from kibitz.games.bo.piles import NONE, ending, matches
from kibitz.games.bo.planning import BITS, MOST, ROOM, WAY, plan
from kibitz.games.bo.plays import FROM_PILE, SOURCE, STOCK, source_card
from kibitz.games.bo.situation import situation
from kibitz.games.bo.strategy import best
from kibitz.kernel import mark

BO = kibitz.game("bo")
KERNELS = [
    kernel
    for module in kernel_modules(planning)
    for kernel in vars(module).values()
    if mark(kernel) == "kernel" and kernel.__module__ == module.__name__
]


def positions(seed, game=BO):
    """The positions of a game between ``quick`` in which the seat to move has a choice."""
    state, random = game.deal(seed), Random(seed)
    while not state.over:
        legal = game.legal(state)
        if len(legal) > 1:
            yield state.copy(), legal
            legal = [game.strategies["quick"](game.view(state, state.player), legal, random)]
        game.rules.apply(state, legal[0])


SOME = [(state, legal) for seed in (1, 2) for state, legal in islice(positions(seed), 2, 60, 11)]


def planned(state, table=None, limit=MOST):
    """The worth of the best place to stop, and the plays on the way to it."""
    room = [0] * ROOM
    length = plan(state, experience() if table is None else table, room, limit, state, 0)
    way = room[WAY]
    return room[planning.BEST], [way >> BITS * i & (1 << BITS) - 1 for i in range(length)]


@pytest.mark.parametrize("name", ["bo", "bo:players=2,stock_size=1", "bo-mini"])
def test_the_way_is_legal_and_the_position_stays_as_it_was(name):
    game = kibitz.game(name)
    with watched(KERNELS):
        for state, _ in islice(positions(3, game), 0, 30, 8):
            before, mover = state.copy(), state.player
            _, way = planned(state, limit=60)
            assert state == before
            for action in way:
                assert state.player == mover
                assert game.why_not(state, action) is None
                game.rules.apply(state, action)
            if way and not state.over and way[-1] // SOURCE != STOCK:
                assert state.player != mover, "a place to stop that is no stockpile card ends the turn"


def test_a_win_is_taken_at_once():
    """The last stockpile card is played, by the shortest way."""
    met = 0
    for state, legal in [one for seed in range(4) for one in positions(seed)]:
        p = state.player
        if state.stocked[p] == 1 and matches(state, standing.stock_top(state, p)):
            assert best(BO.view(state, p), legal, Random(0)) // SOURCE == STOCK
            met += 1
    assert met


def test_what_covering_a_pile_does_is_reckoned_as_it_is():
    """The worth of a card that ends the turn, from what changes, is that of the table with the card on it."""
    told, tried = experience(), 0
    for state, _ in SOME:
        room, p = [0] * ROOM, state.player
        for place in range(5):
            card = state.hand[5 * p + place]
            piles = 0 if card == NONE else ending(state, card)
            for pile in range(4, 4 + 4 * state.players):
                if not piles >> pile & 1:
                    continue
                width = standing.widths(state, room, planning.ONLY)
                found = planning.covered_worth(state, told, room, 5 * p + place, pile, width)
                world = state.copy()
                world.hand[5 * p + place] = NONE
                planning.turn_up(world, pile, card)
                assert found == standing.ended_worth(world, p, told, room, planning.ONLY)
                tried += 1
    assert tried > 100


def test_named_parts_add_up_to_what_a_place_is_worth():
    """What is learned from is what is played by: the parts of a position have its worth as their sum."""
    told = [*experience(), 0]
    for state, _ in SOME:
        room, parts, p = [0] * ROOM, [0] * standing.PARTS, state.player
        standing.name_parts(state, p, 0, 0, parts, 0)
        assert sum(told[part] for part in parts) == standing.ended_worth(state, p, told, room, 0)
        standing.name_parts(state, p, 1, 2, parts, 0)
        assert sum(told[part] for part in parts) == standing.turned_worth(state, p, state.stocked[p], 2, told, room, 0)


def test_no_place_to_stop_is_better_than_the_one_found():
    """Against every way, gone play by play on copies without merging, where plays are few."""
    checked = 0
    for state, _ in SOME:
        state.plays = max(state.plays, state.plays_a_turn - 2)
        room = [0] * ROOM
        worths = list(every_worth(situation(BO.view(state, state.player)), state.player, room))
        if worths:
            assert planned(state)[0] == max(worths)
            checked += 1
    assert checked > 5


def every_worth(state, p, room):
    """The worth of every place to stop, by the rules alone."""
    told, out = experience(), [0] * rules.ACTIONS
    for action in out[: rules.legal(state, out)]:
        source, pile = divmod(action, SOURCE)
        world, card = state.copy(), source_card(state, source)
        ends = source < STOCK and not matches(state, card) >> pile & 1
        lay(world, source, pile, card, p)
        world.plays += 1
        left = world.plays_a_turn - world.plays
        if source == STOCK:
            counts = world.stocked[p] - 1
            yield standing.turned_worth(world, p, counts, left, told, room, 0) if counts else planning.CERTAIN
        elif ends or not left:
            yield standing.ended_worth(world, p, told, room, 0)
        else:
            yield from every_worth(world, p, room)


def lay(world, source, pile, card, p):
    """Put a card on a pile; a completed build pile is empty, and the stockpile keeps its card."""
    if source < STOCK:
        world.hand[5 * p + source] = NONE
    elif source >= FROM_PILE:
        planning.turn_up(world, source - FROM_PILE + 4, world.under[card])
    completed = planning.completes(world, card, pile)
    world.under[card] = world.top[pile]
    planning.turn_up(world, pile, NONE if completed else card)


def test_experience_fits_its_tables():
    assert len(experience()) == standing.NUMBERS
    assert len({*experience()}) > 100


def test_numbers_are_fitted_to_who_won():
    """Two kinds of places, won by seven and by two of ten: the sums become the logarithms of the odds."""
    np = pytest.importorskip("numpy")
    from kibitz.games.bo.learning import fitted

    parts = np.full((2000, standing.PARTS), standing.NUMBERS)
    parts[:1000, 0], parts[1000:, 0] = 3, 4
    won = np.concatenate([np.arange(1000) < 700, np.arange(1000) < 200])
    found = fitted(parts, won, np.zeros(standing.NUMBERS + 1), 300)
    assert found[3] == pytest.approx(np.log(7 / 3), abs=0.02)
    assert found[4] == pytest.approx(np.log(2 / 8), abs=0.02)
    assert not found[standing.NUMBERS]


@pytest.mark.long
def test_experience_is_learned_anew(tmp_path):
    """A few rounds of few games already play better than the experience they began with."""
    pytest.importorskip("numba")
    from kibitz.games.bo import learning
    from kibitz.games.bo.experience import store

    found = learning.learned(300, 2)
    store(tmp_path, found.tolist())
    assert tmp_path.joinpath("experience.z").stat().st_size > 200
    _, won = learning.played([found, learning.simple()], 10, 5)
    assert 0 < won.mean() < 1
