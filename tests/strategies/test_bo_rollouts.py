"""What best of Bo tries out: plans that differ, and chances that are those of the seats."""

from hashlib import sha256
from itertools import islice
from random import Random

import pytest

import kibitz
from kibitz.games.bo import leaf_values, policies, turn_search
from kibitz.games.bo.piles import NONE, SOURCE, STOCK
from kibitz.games.bo.policies import NEAR, SIZES, WEIGHTS
from kibitz.games.bo.rules import BUILD

BO = kibitz.game("bo")
ONE = 1 << 14


def beginnings(seed):
    """Positions at the beginning of a turn, of a game that marshals play."""
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


def carried_out(state, plan):
    """The position after a plan, RuleError if a play of it is not legal."""
    after = state.copy()
    for play in plan:
        assert play in BO.legal(after)
        BO.rules.apply(after, play)
    return after


@pytest.mark.long
def test_plans_can_be_carried_out_and_the_first_is_what_marshal_plays():
    for seed in range(3):
        for state in beginnings(seed):
            found = plans(state)
            assert 0 < len(found) <= 16
            assert len({tuple(plan) for plan in found}) == len(found)
            for plan in found:
                carried_out(state, plan)
            view, legal = BO.view(state, state.player), BO.legal(state)
            assert found[0][0] == BO.strategies["marshal"](view, legal, Random(0))


def test_among_slow_rivals_nothing_but_the_plan_of_marshal_is_tried():
    """The same position in its first turns and late, when all that the rivals have played is little."""
    more = 0
    for state in islice(beginnings(2), 8):
        more += len(plans(state)) > 1
        state.round = 15
        (plan,) = plans(state)
        view, legal = BO.view(state, state.player), BO.legal(state)
        assert plan[0] == BO.strategies["marshal"](view, legal, Random(0))
    assert more > 4


def test_no_plan_leaves_an_empty_pile_for_a_later_one_of_its_kind():
    """But for the first plan, which stays whatever it is."""
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


def test_an_end_is_won_or_lost():
    state = BO.deal(1)
    state.over, state.winner = 1, 2
    assert [policies.winning_chance(state, seat, [], ONE) for seat in range(4)] == [0, 0, ONE, 0]


def test_chances_are_shared_and_who_can_play_from_a_shorter_stockpile_has_more():
    for state in islice(beginnings(2), 20):
        found = [policies.winning_chance(state, seat, [0] * turn_search.SCRATCH, ONE) for seat in range(4)]
        assert min(found) > 0
        assert abs(sum(found) - ONE) < ONE // 4, "who moves is taken for a marshal by itself and for greedy by others"
    for turns in range(4):
        for near in range(2):
            column = [WEIGHTS[NEAR * (SIZES * turns + size) + near] for size in range(SIZES)]
            assert column == sorted(column, reverse=True)
            assert column[0] > 5 * column[-1]


def test_by_which_play_a_stockpile_card_goes_is_counted():
    """A card that goes at once goes by the first play; one that is by_which later has so many before it."""
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


def test_the_weights_are_those_by_which_best_was_measured():
    """Whoever plays for others (``python -m tools.bo_weights``) measures ``best`` anew, and pins them here."""
    text = " ".join(map(str, (NEAR, SIZES, *WEIGHTS)))
    assert len(WEIGHTS) == BO.seats * NEAR * SIZES
    assert sha256(text.encode()).hexdigest() == "c21fb83d1788653b904d46de520feacbf6a8a7db76a85196d4763e9ba937b6f6"
