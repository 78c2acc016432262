"""Whole turns of Huxxy tried out: what they are held to be worth, from what a seat sees, the same for a seed."""

from itertools import islice
from random import Random

import pytest

import kibitz
from benchmarks import huxxy_trials as trials
from benchmarks.huxxy_plans import ROOM, SEARCHED
from benchmarks.huxxy_weighed import JOKERS, LAYS, OTHERS, SEATS, SIZES, WEIGHTS
from kibitz.engine import twins
from kibitz.engine.batch import records
from kibitz.games.huxxy.best import best_turn
from kibitz.games.huxxy.plays import CONCEDE, NONE
from kibitz.search import turns
from tests.contract.groups import sharing
from tests.games.test_huxxy_spent import SMALL, beginnings, worlds_of

pytestmark = sharing("huxxy")
HUXXY, JOKER_GAME = kibitz.game("huxxy"), kibitz.game("huxxy-bonus")
ONE = turns.ONE


def room():
    """Room for plans."""
    return [0] * ROOM


def others(game, turn, opened):
    """By cards, the weights of who moves after so many turns."""
    first = JOKERS if game is JOKER_GAME else 0
    return [WEIGHTS[first + OTHERS + 2 * ((turn - 1) * SIZES + cards) + opened] for cards in range(SIZES)]


def movers(game, opened, lays):
    """By cards, the weights of who moves and can lay so many."""
    first = JOKERS if game is JOKER_GAME else 0
    return [WEIGHTS[first + 1 + LAYS * (SIZES * opened + cards) + lays] for cards in range(SIZES)]


def ended(hands, loser=NONE):
    """A game that is over, with these hands."""
    state = HUXXY.deal(1)
    state.over, state.loser = 1, loser
    state.hand_once[:], state.hand_twice[:] = hands, [0] * 4
    return state


@pytest.mark.parametrize(
    ("hands", "loser", "shares"),
    [
        ([0b1000, 0, 0b10000, 0b1], NONE, [0, ONE, 0, 0]),
        ([0b10000, 0b100000, 0b10000, 0b1000000000000], NONE, [ONE // 3, ONE // 3, ONE // 3, 0]),
        ([0b1, 0b10, 0b100, 0b1000], 2, [ONE // 3, ONE // 3, 0, ONE // 3]),
    ],
)
def test_an_end_is_won_shared_or_lost(hands, loser, shares):
    state = ended(hands, loser)
    assert [trials.chance_of(state, seat, [], ONE) for seat in range(4)] == shares
    won = HUXXY.result(state, frozenset()).winners
    assert [seat for seat, share in enumerate(shares) if share] == sorted(won)


@pytest.mark.parametrize("game", [HUXXY, JOKER_GAME], ids=lambda game: game.name)
def test_fewer_cards_are_worth_more_and_so_is_a_seat_that_moves_sooner(game):
    for column in (*(others(game, turn, 1) for turn in range(1, SEATS)), movers(game, 1, 0)):
        assert column[2] > column[5] > column[9]
    for cards in (2, 4):
        assert others(game, 1, 1)[cards] > others(game, 3, 1)[cards]
    assert movers(game, 1, 3)[6] > movers(game, 1, 0)[6]
    assert WEIGHTS[0] == WEIGHTS[JOKERS] > 100 * max(WEIGHTS[1:JOKERS])


@pytest.mark.parametrize("name", [SMALL, "huxxy-bonus:hand_size=6,opening=6"])
def test_the_seats_share_the_chances(name):
    game = kibitz.game(name)
    for state in islice(beginnings(game, [1]), 16):
        chances = [trials.chance_of(state, seat, room(), ONE) for seat in range(game.seats)]
        assert ONE - game.seats < sum(chances) <= ONE


def test_no_more_is_seen_that_can_be_laid_than_there_is():
    game, met = kibitz.game("huxxy:players=2,hand_size=6,opening=0"), set()
    for state in beginnings(game, range(3)):
        view = game.view(state, state.player)
        turn = best_turn(view.hand, view.table, need=view.points_needed)
        lays = trials.laid_at_once(state, room())
        assert lays <= (turn.cards if turn else 0)
        met.add(lays)
    assert {0, 1, 3} <= met


def test_who_can_lay_all_that_it_holds_has_won():
    state = HUXXY.deal(1)
    for hand, lays in ((0b111 << 40, 3), (0b1111 << 40, 4), (0b1111 << 40 | 1, 4), (0b11 << 40, 0)):
        state.hand_once[0], state.hand_twice[0] = hand, 0
        assert trials.laid_at_once(state, room()) == lays
        assert (trials.weight_of(state, room(), 0) == 0) == (lays == hand.bit_count())
        if lays == hand.bit_count():
            assert trials.chance_of(state, 0, room(), ONE) > 0.99 * ONE


def test_who_cannot_end_its_turn_concedes():
    """A card on the table alone: there is no plan, what is left is carried out play by play, and nothing is won."""
    game = kibitz.game("huxxy:players=2,hand_size=3,opening=0")
    state = next(s for s in map(game.deal, range(50)) if best_turn(game.view(s, 0).hand, ()) is None)
    game.advance(state, next(a for a in game.legal(state) if a > CONCEDE))
    out, seat, plays = [NONE] * 8, state.player, 0
    while not state.over:
        n = trials.plays_of(state, seat, room(), out)
        assert n == 1
        plays += 1
        assert game.rules.refusal(state, out[0]) == 0
        game.rules.apply(state, out[0])
    assert state.loser == seat
    assert trials.chance_of(state, seat, room(), ONE) == 0
    assert plays > 1


def test_work_is_counted_by_steps_of_the_search():
    state = next(islice(beginnings(kibitz.game(SMALL), [1]), 9, None))
    own = room()
    trials.plans_of(state, own, 16)
    assert own[SEARCHED] == trials.effort(own) == 0
    for _ in range(40):
        trials.plays_of(state, state.player, own, [NONE] * 8)
    assert trials.effort(own) > 0


def copied(states, raw, words, part, source, target):
    """What ``copied`` is in machine code: plain states have no memory as integers."""
    states[target] = states[source].copy()


def tried(game, state, kernels, space, games, seed):
    """What is chosen, noted, planned and found out, in so many imagined games."""
    layout, plain = game.rules.LAYOUT, space is list
    if plain:
        states, raw = [state.copy() for _ in range(3)], None
    else:
        states = records(game, 3)
        layout.store(state, states, 0)
        raw = states.view("i8")
    words = 0 if plain else len(raw) // 3
    sizes = ROOM, turns.EACH * turns.PLANS, turns.EACH, turns.WORLDS * turns.PLANS, turns.PLANS, 4
    own = [space([0] * size) for size in sizes]
    first = kernels.tried(states, raw, words, layout.kept_words, *own, space([seed, 5]), games)
    return int(first), *([int(number) for number in own[k]] for k in (1, 3, 5))


def test_plain_python_and_machine_code_try_the_same_and_a_seed_is_a_trial():
    np = pytest.importorskip("numpy")
    pytest.importorskip("numba")
    game, met = kibitz.game("huxxy-bonus:hand_size=6,opening=6"), 0
    slow = twins.plain(turns, trials, game.rules, copied=copied)
    fast = twins.compiled(turns, trials, game.rules)
    for state in islice(beginnings(game, [3]), 8, 24, 5):
        found = tried(game, state, slow, list, 40, 1)
        assert found == tried(game, state, fast, lambda numbers: np.array(numbers, np.int64), 40, 1)
        assert found == tried(game, state, slow, list, 40, 1)
        if found[-1][turns.DONE]:
            met += 1
            assert found != tried(game, state, slow, list, 40, 2)
    assert met


def test_nothing_is_known_of_what_is_hidden():
    game = kibitz.game("huxxy-bonus:hand_size=6,opening=6")
    kernels = twins.plain(turns, trials, game.rules, copied=copied)
    for state in islice(beginnings(game, [4]), 8, 20, 5):
        for world in worlds_of(state, game.rules.resample, 2):
            assert tried(game, world, kernels, list, 20, 1) == tried(game, state, kernels, list, 20, 1)


def test_without_a_game_imagined_it_plays_as_greedy():
    game, played = kibitz.game("huxxy-bonus:hand_size=6,opening=6"), 0
    kernels = twins.plain(turns, trials, game.rules, copied=copied)
    for state in islice(beginnings(game, [2]), 9):
        view, legal = game.view(state, state.player), game.legal(state)
        chosen = game.strategies["greedy"](view, legal, Random(3))
        assert tried(game, state, kernels, list, 0, 1)[0] == chosen
        played += chosen > 0
    assert played
