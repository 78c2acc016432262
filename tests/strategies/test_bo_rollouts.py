"""The rollouts of best of Bo: distinct plans, and winning chances of the seats."""

from hashlib import sha256
from itertools import islice
from random import Random

import pytest

import kibitz
from kibitz.games.bo import leaf_values, policies, turn_search
from kibitz.games.bo.piles import NONE, SOURCE, STOCK
from kibitz.games.bo.policies import NEARNESSES, STOCKPILE_SIZES, WEIGHTS
from kibitz.games.bo.rules import BUILD

BO = kibitz.game("bo")
ONE = 1 << 14


def beginnings(seed):
    """Positions at the start of turns in a game between marshals."""
    state, play = BO.deal(seed), BO.strategies["marshal"]
    while not state.over:
        if not state.plays:
            yield state.copy()
        BO.advance(state, play(BO.view(state, state.player), BO.legal(state), Random(0)))


def plans(state, most=16):
    """The plays of every plan."""
    scratch, found = [0] * turn_search.SCRATCH, []
    for j in range(policies.find_plans(state, scratch, most)):
        out = [NONE] * 8
        n = policies.write_plan(state, scratch, j, out, 0)
        found.append(out[:n])
    return found


def position_after(state, plan):
    """The position after a plan, every play of which must be legal."""
    after = state.copy()
    for play in plan:
        assert play in BO.legal(after)
        BO.rules.apply(after, play)
    return after


@pytest.mark.long
def test_plans_are_legal_and_the_first_is_marshals_play():
    for seed in range(3):
        for state in beginnings(seed):
            found = plans(state)
            assert 0 < len(found) <= 16
            assert len({tuple(plan) for plan in found}) == len(found)
            for plan in found:
                position_after(state, plan)
            view, legal = BO.view(state, state.player), BO.legal(state)
            assert found[0][0] == BO.strategies["marshal"](view, legal, Random(0))


def test_only_marshals_plan_is_tried_against_slow_rivals():
    """A position in the first turns has several plans; late, when the rivals have played little, only one."""
    more = 0
    for state in islice(beginnings(2), 8):
        more += len(plans(state)) > 1
        state.round = 15
        (plan,) = plans(state)
        view, legal = BO.view(state, state.player), BO.legal(state)
        assert plan[0] == BO.strategies["marshal"](view, legal, Random(0))
    assert more > 4


def test_plans_use_the_first_empty_pile_of_a_kind():
    """Except for the first plan, which is always kept."""
    n_empty = n_used = 0
    for state in islice(beginnings(1), 12):
        for plan in plans(state)[1:]:
            filled = {play % SOURCE for play in plan if state.empty >> play % SOURCE & 1}
            for kinds in (BUILD, 0xF0 << 4 * state.player):
                piles = [pile for pile in range(20) if (state.empty & kinds) >> pile & 1]
                mine = sorted(filled & set(piles))
                assert mine == piles[: len(mine)]
                n_empty, n_used = n_empty + len(piles), n_used + len(mine)
    assert n_empty > n_used > 0


def test_winning_chance_of_a_finished_game_is_one_or_zero():
    state = BO.deal(1)
    state.over, state.winner = 1, 2
    assert [policies.winning_chance(state, seat, [], ONE) for seat in range(4)] == [0, 0, ONE, 0]


def test_winning_chances_add_up_and_favour_short_stockpiles():
    for state in islice(beginnings(2), 20):
        found = [policies.winning_chance(state, seat, [0] * turn_search.SCRATCH, ONE) for seat in range(4)]
        assert min(found) > 0
        assert abs(sum(found) - ONE) < ONE // 4, "a seat models itself as a marshal and others as greedy"
    for turns in range(4):
        for near in range(2):
            column = [WEIGHTS[NEARNESSES * (STOCKPILE_SIZES * turns + size) + near] for size in range(STOCKPILE_SIZES)]
            assert column == sorted(column, reverse=True)
            assert column[0] > 5 * column[-1]


def test_plays_until_a_stockpile_card_are_counted():
    """A stockpile card that fits at once counts 1; one that fits later counts the plays before it, too."""
    met = set()
    for seed in range(3):
        for state in beginnings(seed):
            scratch = [0] * turn_search.SCRATCH
            found = policies.plays_to_stockpile(state, state.player, scratch)
            out = [NONE] * 8
            n = turn_search.plays_to(scratch, 0, out, 0)
            assert found == (n if out[n - 1] // SOURCE == STOCK else 0)
            met.add(found)
            if any(play // SOURCE == STOCK for play in BO.legal(state)):
                assert found > 0
    assert {0, 1, 2} <= met


def test_rollouts_use_the_parameters_of_the_player_to_move():
    state, scratch = BO.deal(1), [0] * turn_search.SCRATCH
    for seat, parameters in ((0, leaf_values.MARSHAL), (1, leaf_values.GREEDY)):
        policies.rollout_plays(state, seat, scratch, [0] * 8)
        assert tuple(scratch[: leaf_values.PARAMETERS]) == parameters
        assert (scratch[leaf_values.LEAF_LIMIT], scratch[turn_search.TRY_LIMIT]) == (1, policies.ROLLOUT_TRIES)


def test_weights_are_those_best_was_measured_with():
    """After fitting new weights (``python -m tools.bo_weights``), measure ``best`` again and pin them here."""
    text = " ".join(map(str, (NEARNESSES, STOCKPILE_SIZES, *WEIGHTS)))
    assert len(WEIGHTS) == BO.seats * NEARNESSES * STOCKPILE_SIZES
    assert sha256(text.encode()).hexdigest() == "c21fb83d1788653b904d46de520feacbf6a8a7db76a85196d4763e9ba937b6f6"
