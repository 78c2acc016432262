"""Rollouts of whole turns: from the view alone, within the budget, deterministic, and no longer than needed.

decision    a position in which the seat to move has a choice
"""

from itertools import islice
from random import Random
from types import FunctionType

import pytest

import kibitz
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.contract.positions import LinePosition
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import hook_modules
from kibitz.games.bo import policies as bo_trials
from kibitz.games.bo.piles import SOURCE, STOCK
from kibitz.kernel import kernel_kind
from kibitz.search import rollout_kernels, rollout_planner, search_players
from kibitz.search.rollout_planner import RolloutPlanner
from kibitz.search.search_players import SearchPlayer
from tests.search.plainly import think_plainly
from tests.tiers import first_fast

BO = kibitz.game("bo")
FORMS = (
    *("bo", "huxxy-mini", "bo-mini", "bo:players=2", "bo:players=3"),
    *("huxxy-bonus:hand_size=5,opening=6", "huxxy:players=2,hand_size=6,opening=6"),
)


def decisions(game, seed):
    """The decisions of a game between marshals, or greedy players where there is no marshal."""
    state, play = game.deal(seed), game.strategies.get("marshal", game.strategies["greedy"])
    while not state.over:
        legal = game.legal(state)
        if len(legal) > 1:
            yield state.copy(), legal
        view = game.view(state, state.player)
        game.advance(state, play(view, legal, Random(0)))


def planner_after(game, state, legal, games, seed=1):
    """A planner in plain Python after some simulated games."""
    planner = RolloutPlanner(game, game.view(state, state.player), legal, seed, plain=True)
    planner.simulate(games)
    return planner


@pytest.fixture
def brief(monkeypatch):
    """Batches of two worlds, for plain Python."""
    monkeypatch.setattr(rollout_kernels, "BATCH", 2)


def kernels(game):
    """The kernels of a planner."""
    modules = compilation.kernel_modules(rollout_kernels, *hook_modules(game))
    found = (value for module in modules for value in vars(module).values())
    return [value for value in found if kernel_kind(value) == "kernel" and isinstance(value, FunctionType)]


@pytest.mark.parametrize("name", first_fast(FORMS, 2))
def test_planner_choice_is_legal_and_independent_of_hidden_cards(name, brief):
    game = kibitz.game(name)
    chosen = [*islice(decisions(game, 3), 0, 12, 11)]  # players may use machine code, which is made of what is watched
    with numbers_checked(kernels(game)):
        for state, legal in chosen:
            before = state.copy()
            planner = planner_after(game, state, legal, 20)
            assert state == before
            assert planner.choice(Random(0)) in legal
            assert sorted(one.action for one in planner.ranking()) in ([], sorted(legal))
    world = next(iter(determinizations(LinePosition(game, 3, (), state, legal, None), state.player, Random(1))))
    assert list(planner_after(game, world, legal, 20).chances) == list(planner.chances)


def test_python_and_machine_code_plan_rollouts_alike():
    for state, legal in islice(decisions(BO, 5), 3, 4):
        fast = RolloutPlanner(BO, BO.view(state, state.player), legal, 9)
        fast.simulate(20)
        slow = planner_after(BO, state, legal, 20, seed=9)
        assert [list(map(int, one)) for one in (fast.progress, fast.plans, fast.chances)] == [
            list(one) for one in (slow.progress, slow.plans, slow.chances)
        ]
        assert fast.ranking() == slow.ranking()


def test_planner_is_deterministic_for_a_seed(brief):
    state, legal = next(decisions(BO, 1))
    one, same, other = (planner_after(BO, state, legal, 20, seed) for seed in (1, 1, 2))
    assert one.chances == same.chances != other.chances


def test_planner_exceeds_its_budget_by_at_most_a_batch(brief):
    for state, legal in islice(decisions(BO, 2), 0, 8, 7):
        for games in (0, 1, 60):
            planner = planner_after(BO, state, legal, games)
            played = sum(planner.determinizations)
            assert played < games + rollout_kernels.BATCH * rollout_kernels.PLANS
            if not games:
                assert not played
                assert planner.choice(Random(0)) == planner.plans[1]


def test_fewer_games_are_simulated_if_they_are_long(monkeypatch, brief):
    """The counted work ends a search as the number of games does."""
    state, legal = next(islice(decisions(BO, 2), 3, None))
    usual = planner_after(BO, state, legal, 60)
    monkeypatch.setattr(bo_trials, "WORK_PER_GAME", 1)
    long = planner_after(BO, state, legal, 60)
    assert 0 < sum(long.determinizations) < sum(usual.determinizations)


def test_plans_with_the_same_first_play_need_no_comparison():
    plans = [0] * (rollout_kernels.PLAN_SIZE * rollout_kernels.PLANS)
    for j, play in enumerate((5, 5, 6)):
        plans[rollout_kernels.PLAN_SIZE * j + 1] = play
    assert [rollout_kernels.plans_differ(plans, 3, alive) for alive in (0b111, 0b011, 0b101, 0b100)] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("behind", "alive"),
    [([0, 0], 0b11), ([0, 1000], 0b01), ([1000, 0], 0b10), ([0, 40], 0b01), ([0, -1], 0b10)],
)
def test_a_plan_never_ahead_of_the_leader_is_dropped(behind, alive):
    """An equal or barely better plan is dropped too if that is certain; the clearly better one stays."""
    chances, done = [8000] * (rollout_kernels.MAX_DETERMINIZATIONS * 2), rollout_kernels.MAX_DETERMINIZATIONS // 2
    for j, less in enumerate(behind):
        for i in range(done):
            chances[rollout_kernels.MAX_DETERMINIZATIONS * j + i] -= less
    noted = [2, done, 0b11, 0]
    rollout_kernels.race(chances, noted)
    assert noted[rollout_kernels.BEST] == (behind[1] < behind[0])
    assert noted[rollout_kernels.ALIVE] == (alive if behind != [0, 0] else 0b01)


def test_a_small_lead_in_few_worlds_drops_no_plan():
    """Behind by a fiftieth in each world: sixteen worlds are too few to drop a plan, five hundred are enough."""
    for done, alive in (rollout_kernels.BATCH, 0b11), (512, 0b01):
        chances = [8000] * rollout_kernels.MAX_DETERMINIZATIONS + [
            8000 - rollout_kernels.ONE // 50
        ] * rollout_kernels.MAX_DETERMINIZATIONS
        noted = [2, done, 0b11, 0]
        rollout_kernels.race(chances, noted)
        assert noted[rollout_kernels.ALIVE] == alive


def test_plans_ahead_as_often_as_behind_stay_open():
    chances = [8000] * (rollout_kernels.MAX_DETERMINIZATIONS * 2)
    for i in range(rollout_kernels.BATCH):
        chances[rollout_kernels.MAX_DETERMINIZATIONS + i] += 3000 if i % 2 else -3010
    noted = [2, rollout_kernels.BATCH, 0b11, 0]
    rollout_kernels.race(chances, noted)
    assert (noted[rollout_kernels.BEST], noted[rollout_kernels.ALIVE]) == (0, 0b11)


def test_ranking_counts_the_trials_of_each_plays_best_plan(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    planner = planner_after(BO, state, legal, 100)
    best, *others = planner.ranking()
    assert best.action == planner.choice(Random(0))
    assert best.tried == planner.progress[rollout_kernels.DONE]
    assert 0 < best.winning_chance < 1
    assert all(one.tried <= best.tried for one in others)


def test_best_of_bo_wins_at_once_if_possible(monkeypatch, brief):
    think_plainly(monkeypatch)
    game, won = kibitz.game("bo:stock_size=1"), 0
    for seed in range(3):
        for state, legal in decisions(game, seed):
            mine = [action for action in legal if action // SOURCE == STOCK]
            if mine:
                won += 1
                view = game.view(state, state.player)
                assert SearchPlayer("best", "", 20, game)(view, legal, Random(0)) in mine
    assert won > 0


def test_best_of_bo_plays_as_marshal_without_machine_code(monkeypatch):
    monkeypatch.setattr(search_players, "is_ready", lambda game: False)
    best = search_players.search_players(BO)["best"]
    for state, legal in islice(decisions(BO, 6), 6):
        view = BO.view(state, state.player)
        assert best(view, legal, Random(3)) == BO.strategies["marshal"](view, legal, Random(3))


def test_is_ready_checks_the_kernels_of_a_games_search_players(monkeypatch):
    monkeypatch.setattr(rollout_planner, "is_ready", lambda game: True)
    monkeypatch.setattr("kibitz.search.tree_search.is_ready", lambda game: False)
    assert search_players.is_ready(BO)
    assert not search_players.is_ready(kibitz.game("go"))
