"""The whole turns that best of Huxxy chooses from: each is legal and leads to its promised table."""

from itertools import islice
from random import Random

import pytest

import kibitz
from kibitz.games.huxxy import plans, policies
from kibitz.games.huxxy.actions import END, PICK_UP
from kibitz.games.huxxy.groups import NONE
from kibitz.games.huxxy.plans import GROUPS, ONCE, SCRATCH, TURN_SIZE, TURNS, TWICE
from tests.contract.groups import sharing
from tests.tiers import first_fast

pytestmark = sharing("huxxy")
SMALL = ("huxxy:players=2,hand_size=6,opening=6", "huxxy-bonus:players=2,hand_size=6,opening=6", "huxxy-mini")
LONGEST = 24
"""The number of positions tested per game: plain Python is quick while the table is small."""


def positions(game, seed):
    """Positions of a game between players that make the first play of a random plan each time."""
    state, random = game.deal(seed), Random(seed)
    for _ in range(LONGEST):
        if state.over:
            return
        yield state.copy()
        game.advance(state, random.choice(find_all_plans(state))[0])


def list_plans(state, most=16):
    """The scratch array that holds the plans of a position, and the number of plans."""
    scratch = [0] * SCRATCH
    return scratch, policies.find_plans(state, scratch, most)


def actions_of(state, scratch, j):
    """The plays of plan ``j`` in the scratch array."""
    out = [NONE] * 8
    return out[: policies.write_plan(state, scratch, j, out, 0)]


def find_all_plans(state):
    """The plays of every plan of a position."""
    scratch, n = list_plans(state)
    return [actions_of(state, scratch, j) for j in range(n)]


def position_after(game, state, plays):
    """The position after some plays, each of which must be legal."""
    after = state.copy()
    for play in plays:
        assert game.rules.refusal(after, play) == 0
        game.rules.apply(after, play)
    return after


def table(once, twice):
    """The groups of a table that are not empty, in any order."""
    return sorted(pair for pair in zip(once, twice, strict=True) if pair[0])


@pytest.mark.parametrize("name", first_fast(SMALL))
def test_every_plan_is_legal_and_leads_to_its_promised_table(name):
    game, several, within = kibitz.game(name), 0, 0
    for seed in range(9 if name == "huxxy-mini" else 2):
        for state in positions(game, seed):
            scratch, n = list_plans(state)
            for j in range(n):
                *plays, last = actions_of(state, scratch, j)
                at = TURNS + TURN_SIZE * j
                if scratch[at + GROUPS] == NONE:
                    assert (plays, last) == ([], PICK_UP)
                    continue
                before = position_after(game, state, plays)
                promised = (scratch[at + first : at + first + scratch[at + GROUPS]] for first in (ONCE, TWICE))
                assert last == END
                assert table(before.group_once, before.group_twice) == table(*promised)
                assert position_after(game, before, [last]).player != state.player
            several += n > 2
            within += state.plays > 0
    assert within
    assert several or name == "huxxy-mini"


@pytest.mark.parametrize("name", first_fast(SMALL))
def test_the_first_plan_is_what_greedy_plays(name):
    game = kibitz.game(name)
    for seed in range(3):
        for state in positions(game, seed):
            view, legal = game.view(state, state.player), game.legal(state)
            assert find_all_plans(state)[0][0] == game.strategies["greedy"](view, legal, Random(0))


def test_plans_differ_and_include_picking_up_at_the_start_of_a_turn():
    game = kibitz.game(SMALL[0])
    for state in islice(positions(game, 4), 20):
        plays = find_all_plans(state)
        assert len({tuple(each) for each in plays}) == len(plays) <= policies.MAX_PLANS + 1
        ends = position_after(game, state, plays[0]).over
        assert ([PICK_UP] in plays) == (state.plays == 0 and not ends)


def test_a_turn_that_empties_the_hand_is_the_only_plan():
    """Three kings are enough points to open; a fourth card leaves more to choose."""
    game = kibitz.game("huxxy")
    for hand, only in ((0b111 << 48, True), (0b111 << 48 | 1, False)):
        state = game.deal(1)
        state.hand_once[0], state.hand_twice[0] = hand, 0
        plays = find_all_plans(state)
        assert (len(plays) == 1) == only
        assert position_after(game, state, plays[0]).over == only


def test_plans_keep_held_back_cards_and_untouched_groups():
    """Cards noted as held back stay in hand, and groups noted as left alone are unchanged."""
    game, held, alone = kibitz.game(SMALL[0]), 0, 0
    for seed in range(3):
        for state in positions(game, seed):
            scratch, n = list_plans(state)
            for j in range(n - (state.plays == 0)):
                at, seat = TURNS + TURN_SIZE * j, state.player
                after = position_after(game, state, actions_of(state, scratch, j))
                kept = scratch[at + plans.HELD_BACK] & state.hand_once[seat]
                assert after.hand_once[seat] & kept == kept
                held += kept > 0
                for g in range(state.groups):
                    if scratch[at + plans.LEFT_ALONE] >> g & 1:
                        assert (state.group_once[g], state.group_twice[g]) in table(after.group_once, after.group_twice)
                        alone += 1
    assert held
    assert alone


def test_plan_count_stays_within_the_limit():
    game = kibitz.game(SMALL[0])
    for state in islice(positions(game, 2), 12):
        for most in (2, 4):
            assert list_plans(state, most)[1] <= most
