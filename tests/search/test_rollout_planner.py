"""Whole turns tried out: from the view alone, in the budget, the same for the same seed, and no longer than needed.

decision    a position in which the seat to move has a choice
"""

from itertools import islice
from random import Random
from types import FunctionType

import pytest

import kibitz
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.contract.positions import Position
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import modules_of
from kibitz.games.bo import policies as bo_trials
from kibitz.games.bo.piles import SOURCE, STOCK
from kibitz.kernel import mark
from kibitz.search import rollout_kernels, rollout_planner, search_players
from kibitz.search.rollout_planner import RolloutPlanner
from kibitz.search.search_players import SearchPlayer
from tests.search.plainly import think_plainly

BO = kibitz.game("bo")
FORMS = (
    *("bo", "bo-mini", "bo:players=2", "bo:players=3"),
    *("huxxy-mini", "huxxy-bonus:hand_size=5,opening=6", "huxxy:players=2,hand_size=6,opening=6"),
)


def decisions(game, seed):
    """The decisions of a game that marshals play, or whoever looks ahead over a turn."""
    state, play = game.deal(seed), game.strategies.get("marshal", game.strategies["greedy"])
    while not state.over:
        legal = game.legal(state)
        if len(legal) > 1:
            yield state.copy(), legal
        view = game.view(state, state.player)
        game.advance(state, play(view, legal, Random(0)))


def tried(game, state, legal, games, seed=1):
    """A trial in plain Python."""
    trial = RolloutPlanner(game, game.view(state, state.player), legal, seed, plain=True)
    trial.simulate(games)
    return trial


@pytest.fixture
def brief(monkeypatch):
    """Batches of two worlds, for plain Python."""
    monkeypatch.setattr(rollout_kernels, "BATCH", 2)


def kernels(game):
    """The kernels of a trial."""
    modules = compilation.kernel_modules(rollout_kernels, *modules_of(game))
    found = (value for module in modules for value in vars(module).values())
    return [value for value in found if mark(value) == "kernel" and isinstance(value, FunctionType)]


@pytest.mark.parametrize("name", FORMS)
def test_a_trial_is_legal_and_alike_in_all_worlds_and_every_number_fits(name, brief):
    game = kibitz.game(name)
    chosen = [*islice(decisions(game, 3), 0, 12, 5)]  # players may use machine code, which is made of what is watched
    with numbers_checked(kernels(game)):
        for state, legal in chosen:
            before = state.copy()
            trial = tried(game, state, legal, 20)
            assert state == before
            assert trial.choice(Random(0)) in legal
            assert sorted(one.action for one in trial.ranking()) in ([], sorted(legal))
    world = next(iter(determinizations(Position(game, 3, (), state, legal, None), state.player, Random(1))))
    assert list(tried(game, world, legal, 20).chances) == list(trial.chances)


def test_plain_python_and_machine_code_try_the_same():
    for state, legal in islice(decisions(BO, 5), 3, 4):
        fast = RolloutPlanner(BO, BO.view(state, state.player), legal, 9)
        fast.simulate(20)
        slow = tried(BO, state, legal, 20, seed=9)
        assert [list(map(int, one)) for one in (fast.progress, fast.plans, fast.chances)] == [
            list(one) for one in (slow.progress, slow.plans, slow.chances)
        ]
        assert fast.ranking() == slow.ranking()


def test_a_seed_is_a_trial_and_another_is_another(brief):
    state, legal = next(decisions(BO, 1))
    one, same, other = (tried(BO, state, legal, 20, seed) for seed in (1, 1, 2))
    assert one.chances == same.chances != other.chances


def test_a_budget_is_kept_but_for_a_batch(brief):
    for state, legal in islice(decisions(BO, 2), 0, 8, 3):
        for games in (0, 1, 60):
            trial = tried(BO, state, legal, games)
            played = sum(trial.worlds)
            assert played < games + rollout_kernels.BATCH * rollout_kernels.PLANS
            if not games:
                assert not played
                assert trial.choice(Random(0)) == trial.plans[1]


def test_where_games_are_long_fewer_are_imagined(monkeypatch, brief):
    """The work that is counted ends a trial as the number of games does."""
    state, legal = next(islice(decisions(BO, 2), 3, None))
    usual = tried(BO, state, legal, 60)
    monkeypatch.setattr(bo_trials, "USUAL_WORK", 1)
    long = tried(BO, state, legal, 60)
    assert 0 < sum(long.worlds) < sum(usual.worlds)


def test_plans_that_begin_alike_need_no_thought():
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
def test_a_plan_is_dropped_that_is_behind_in_every_world_or_no_better(behind, alive):
    """A plan that is as good, or better by next to nothing, is dropped too, if that is sure; the better one stays."""
    chances, done = [8000] * (rollout_kernels.WORLDS * 2), rollout_kernels.WORLDS // 2
    for j, less in enumerate(behind):
        for i in range(done):
            chances[rollout_kernels.WORLDS * j + i] -= less
    noted = [2, done, 0b11, 0]
    rollout_kernels.race(chances, noted)
    assert noted[rollout_kernels.BEST] == (behind[1] < behind[0])
    assert noted[rollout_kernels.ALIVE] == (alive if behind != [0, 0] else 0b01)


def test_a_few_worlds_in_which_plans_come_to_the_same_prove_little():
    """Behind by a fiftieth in each of sixteen worlds, or of five hundred: the first is no doubt, the second is."""
    for done, alive in (rollout_kernels.BATCH, 0b11), (512, 0b01):
        chances = [8000] * rollout_kernels.WORLDS + [8000 - rollout_kernels.ONE // 50] * rollout_kernels.WORLDS
        noted = [2, done, 0b11, 0]
        rollout_kernels.race(chances, noted)
        assert noted[rollout_kernels.ALIVE] == alive


def test_plans_that_are_as_often_ahead_as_behind_are_tried_on():
    chances = [8000] * (rollout_kernels.WORLDS * 2)
    for i in range(rollout_kernels.BATCH):
        chances[rollout_kernels.WORLDS + i] += 3000 if i % 2 else -3010
    noted = [2, rollout_kernels.BATCH, 0b11, 0]
    rollout_kernels.race(chances, noted)
    assert (noted[rollout_kernels.BEST], noted[rollout_kernels.ALIVE]) == (0, 0b11)


def test_the_tally_of_a_ranking_is_that_of_the_best_plan_of_each_play(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    trial = tried(BO, state, legal, 100)
    best, *others = trial.ranking()
    assert best.action == trial.choice(Random(0))
    assert best.tried == trial.progress[rollout_kernels.DONE]
    assert 0 < best.promise < 1
    assert all(one.tried <= best.tried for one in others)


def test_best_of_bo_wins_at_once_where_it_can(monkeypatch, brief):
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


def test_whether_machine_code_is_ready_is_asked_of_what_the_thinkers_of_a_game_need(monkeypatch):
    monkeypatch.setattr(rollout_planner, "is_ready", lambda game: True)
    monkeypatch.setattr("kibitz.search.tree_search.is_ready", lambda game: False)
    assert search_players.is_ready(BO)
    assert not search_players.is_ready(kibitz.game("go"))
