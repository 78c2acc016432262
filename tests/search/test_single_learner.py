"""Search with a single learner: it finds the best response to the policy, and plans over all actions of the others.

plan        the actions of a seat at each of its choices, in order
"""

from dataclasses import replace
from statistics import mean

import pytest

import kibitz
from kibitz.engine.kernels.policies import choose_action, seeded_rng
from kibitz.search import ismcts
from kibitz.search.tree_search import TREE_SIZE, Search, SearchConfig, search_config
from tests.contract.groups import sharing
from tests.search.test_search import decisions, searched

pytestmark = sharing("eights")


def earned(game, state, plan):
    """The score of the first seat with a plan if all others follow the policy; None if the plan is not legal."""
    state, left, rng = state.copy(), list(plan), seeded_rng(game, 0)
    while not state.over:
        if state.player != 0:
            action = choose_action(game, state, 0, rng)
        elif not left or left[0] not in game.legal(state):
            return None
        else:
            action = left.pop(0)
        game.rules.apply(state, action)
    return game.result(state, frozenset()).scores[0]


def deals_of(game, hand):
    """The deals that give the first of two seats a hand, one for each hand of the other."""
    deals = [game.deal(seed) for seed in range(60)]
    return list({game.view(state, 1).hand: state for state in deals if game.view(state, 0).hand == hand}.values())


@pytest.mark.parametrize("deal", range(4))
def test_single_learner_finds_the_best_response_in_kuhn(deal):
    """The first choice of the first seat starts the best plan over all hands of the other seat."""
    game = kibitz.game("kuhn")
    state = game.deal(deal)
    legal, positions = game.legal(state), deals_of(game, game.view(state, 0).hand)
    how = replace(search_config(game), rollout_randomness=0, single_learner=True)
    found = searched(game, game.view(state, 0), legal, 1000, 1, how)
    best = {}
    for action in legal:
        plans = [(action,), *((action, later) for later in range(game.max_legal))]
        worths = [[earned(game, each, plan) for each in positions] for plan in plans]
        best[action] = max(mean(each) for each in worths if None not in each)
    assert best[found[0].action] == max(best.values()) > min(best.values())


def learners(search):
    """The seats that learned in a search."""
    path = search.trees[0].path
    return {path[i + 2] for i in range(0, len(path) - 1, ismcts.STEP) if path[i]}


@pytest.mark.parametrize("name", ["eights", "go"])
def test_only_the_searching_seat_learns_and_plans_ahead(name):
    """After the best choice the seat reaches the same node in nearly all worlds."""
    game = kibitz.game(name)
    state, legal = next(decisions(game, 4))
    seat = state.player
    search = Search(
        game,
        game.view(state, seat),
        legal,
        1,
        SearchConfig(policy="quick", single_learner=True, others_randomness=0.5),
        plain=True,
    )
    search.simulate(60)
    assert learners(search) == {seat}
    best, tree = search.ranking()[0], search.trees[0].tree
    memory = ismcts.mix(0, best.action + 1)
    if name == "go":
        memory = ismcts.mix(0, memory)
    second = ismcts.find_entry(tree, ismcts.mix(memory, seat + 1), TREE_SIZE)
    assert tree[second + ismcts.VISITS] >= best.tried // 2 > 2
    search = Search(game, game.view(state, seat), legal, 1, SearchConfig(policy="quick"), plain=True)
    search.simulate(60)
    assert learners(search) > {seat}


def last_to_choose(seed, turns):
    """A view of the last seat in Go after some turns by policy, when the others have played a card face down."""
    game, rng = kibitz.game("go"), seeded_rng(kibitz.game("go"), 0)
    state = game.deal(seed)
    for _ in range(turns * game.seats + game.seats - 1):
        game.advance(state, choose_action(game, state, 0, rng))
    return game, game.view(state, state.player), game.legal(state)


def test_face_down_choices_follow_the_policy():
    """With all hands known and all seats on the policy, each choice has one outcome, whatever lies face down."""
    for seed in range(4):
        game, view, legal = last_to_choose(seed, 6)
        assert view.player == view.seat == 3
        search = Search(
            game, view, legal, 1, SearchConfig(policy="quick", rollout_randomness=0, single_learner=True), plain=True
        )
        assert [len(set(search.rollout_values(action, 8))) for action in legal] == [1] * len(legal)


def test_every_simulation_counts_for_the_last_of_simultaneous_choosers():
    """The last of four simultaneous choosers: nothing is counted for another seat, even where all seats learn."""
    game, view, legal = last_to_choose(2, 1)
    for how in (
        SearchConfig(policy="quick"),
        SearchConfig(policy="quick", matching=True),
        SearchConfig(policy="quick", single_learner=True),
    ):
        found = searched(game, view, legal, 40, 1, how)
        assert sum(one.tried for one in found) == 40
        assert sorted(one.action for one in found) == sorted(legal)
