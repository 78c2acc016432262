"""A seat of Huxxy that is told all cards, by which the benchmarks measure what luck leaves."""

from itertools import islice
from random import Random

import pytest

import kibitz
from benchmarks import huxxy_loop, strength
from benchmarks.huxxy_loop import WHOLE
from benchmarks.told_turns import Told, beyond_doubt
from kibitz.games.huxxy.best import best_turn, play_action, warm
from kibitz.games.huxxy.groups import END, PICK_UP
from kibitz.games.huxxy.plans import SCRATCH
from kibitz.games.huxxy.policies import greedy
from tests.contract.groups import sharing
from tests.tiers import first_fast

pytestmark = sharing("huxxy")
SMALL = ("huxxy:players=2,hand_size=6,opening=6", "huxxy-bonus:players=2,hand_size=6,opening=6", "huxxy-mini")
TURNS = 9
"""So many of a game are looked at: plain Python is quick while little lies on the table."""


def position(state):
    """All that counts of a state at the beginning of a turn or the end of a game, besides how it came about."""
    held = (*state.hand_once, *state.hand_twice, state.stock_once, state.stock_twice)
    table = (*state.group_once[: state.groups], *state.group_twice[: state.groups])
    return state.player, state.over, held, table, tuple(state.opened)


def played(game, state, seed=1):
    """Positions at the beginning of turns, up to the end of a game among ``greedy``."""
    random = Random(seed)
    while not state.over:
        if state.plays == 0:
            yield state.copy()
        game.rules.apply(state, greedy(game.view(state, state.player), game.legal(state), random))


@pytest.mark.parametrize("name", first_fast(SMALL))
def test_it_goes_on_as_greedy_does(name):
    game = kibitz.game(name)
    for seed in range(2 if name == "huxxy-mini" else 1):
        *_, state = islice(played(game, game.deal(seed)), 3 * TURNS)
        other = state.copy()
        while not other.over:
            huxxy_loop.play_turn(other, [0] * SCRATCH, [0] * 8, 0)
        for _ in played(game, state):
            pass
        assert position(other) == position(state)


def test_a_turn_that_comes_first_in_every_world_beats_one_that_does_so_in_some():
    np = pytest.importorskip("numpy")
    ends = np.array([[0, WHOLE, 0], [WHOLE, WHOLE, 0], [0, WHOLE, 0], [0, WHOLE, WHOLE]])
    assert beyond_doubt(ends) == 1
    assert beyond_doubt(ends[:, [0, 2]]) == 0


def whole_turns(game, state):
    """Carry out the best turn of the mover, found once for all its plays; pick up if there is none."""
    view = game.view(state, state.player)
    turn = best_turn(view.hand, view.table, need=view.points_needed)
    for play in turn.plays if turn else ():
        game.rules.apply(state, play_action(game.view(state, state.player).table, play))
    game.rules.apply(state, END if turn else PICK_UP)


@pytest.mark.long
@pytest.mark.parametrize("name", ["huxxy", "huxxy-bonus"])
def test_what_the_told_seat_foresees_comes_true_where_others_think_once_a_turn(name):
    """Whoever finds a turn that leads to the first place has it in the end."""
    pytest.importorskip("numba")
    warm()
    game, foreseen = kibitz.game(name), 0
    for deal in range(4):
        state, sure = game.deal(deal), False
        told = Told(game, 1)
        while not state.over:
            if state.player:
                whole_turns(game, state)
                continue
            game.rules.apply(state, told.choose(state, game.legal(state), []))
            sure = sure or told.sure
        assert not sure or 0 in game.result(state, frozenset()).winners
        foreseen += sure
    assert foreseen


def test_a_ceiling_is_refused_where_none_is_known(capsys):
    for words, sentence in (
        (["bo", "2", "marshal", "ceiling"], "marshal imagines no games"),
        (["huxxy", "2", "ceiling", "--lots", "1"], "argument --lots: 2 to 64 is wanted, not 1"),
        (["go", "2", "ceiling", "--lots", "2"], "--lots is how many stocks are drawn"),
        (["huxxy", "1", "ceiling"], "argument deals: 2 to 10000000 is wanted, not 1"),
    ):
        with pytest.raises(SystemExit):
            strength.main(words)
        assert sentence in capsys.readouterr().err
