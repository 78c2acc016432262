"""Every game is a PettingZoo environment: the official suites pass, and invalid calls are refused with a reason."""

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import InvalidAction, NameNotFound, ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from kibitz.engine.registry import all_games, game
from kibitz.environments import aec, parallel, raw, register
from kibitz.table import Table

pytestmark = [
    # The suite knows by name which of its own environments have masks beside the observation.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    # Nothing is legal for an agent whose game is over.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

MINIS = [each.name for each in all_games() if each.variant == "mini"]
OTHERS = [each.name for each in all_games() if each.variant != "mini"]
AT_ONCE = [each.name for each in all_games() if hasattr(each.rules, "simultaneous")]


def suites(name, cycles, **how):
    api_test(aec(name, **how), num_cycles=cycles)
    seed_test(lambda: aec(name, **how), num_cycles=cycles)
    render_test(lambda render_mode=None: aec(name, render_mode, **how))


@pytest.mark.parametrize("name", MINIS)
def test_pettingzoo_suites_pass(name):
    suites(name, 60, compiled=False)


@pytest.mark.long
@pytest.mark.parametrize("name", [*MINIS, *OTHERS])
def test_long_pettingzoo_suites_pass_in_python_and_machine_code(name):
    suites(name, 1000, compiled=False)
    suites(name, 1000, compiled=True)


@pytest.mark.parametrize("name", AT_ONCE)
def test_pettingzoo_parallel_suite_passes(name):
    parallel_api_test(parallel(name), num_cycles=200)
    for mode in parallel(name).metadata["render_modes"]:
        env = parallel(name, mode)
        seen, _ = env.reset(seed=1)
        env.step({agent: int(seen[agent]["action_mask"].argmax()) for agent in env.waiting})
        assert type(env.render()) is {"human": type(None), "ansi": str, "rgb_array": np.ndarray}[mode]


@pytest.mark.parametrize("name", AT_ONCE)
def test_parallel_and_turn_based_games_agree(name):
    """With the same seed and choices, the acting seats get the same tensors, and payoffs are equal."""
    for seed in range(3):
        turns, at_once = aec(name, compiled=False), parallel(name)
        turns.reset(seed=seed)
        seen, _ = at_once.reset(seed=seed)
        while at_once.agents:
            actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in at_once.waiting}
            for agent, action in actions.items():
                own = turns.last()[0]
                assert turns.agent_selection == agent
                assert (own["action_mask"] == seen[agent]["action_mask"]).all()
                assert (own["observation"] == seen[agent]["observation"]).all()
                turns.step(action)
            seen, rewards, *_ = at_once.step(actions)
        assert rewards == turns.rewards


def legal_matches_masks(env):
    """Whether the legal actions of every agent match its mask."""
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.possible_agents}
    return {a: env.legal(a) for a in masks} == {a: np.flatnonzero(mask).tolist() for a, mask in masks.items()}


def check_whole_game(env):
    """Check the legal actions of every agent until after the end of a game."""
    env.reset(seed=3)
    while not env.driver.over:
        assert legal_matches_masks(env)
        env.step(env.legal(env.agent_selection)[-1])
    assert legal_matches_masks(env)
    assert not any(env.legal(agent) for agent in env.possible_agents)


@pytest.mark.parametrize("name", MINIS)
def test_legal_matches_the_action_mask(name):
    check_whole_game(aec(name, compiled=False))


@pytest.mark.long
@pytest.mark.parametrize("name", [*MINIS, *OTHERS])
def test_legal_matches_the_action_mask_in_machine_code(name):
    check_whole_game(aec(name, compiled=False))
    check_whole_game(raw(name))


@pytest.mark.parametrize("name", AT_ONCE)
def test_legal_matches_the_action_masks_of_parallel_agents(name):
    env = parallel(name)
    env.reset(seed=3)
    while env.agents:
        assert legal_matches_masks(env)
        env.step({agent: env.legal(agent)[0] for agent in env.waiting})
    assert legal_matches_masks(env)


def test_a_seed_deals_the_same_game_as_elsewhere():
    env = aec("go")
    env.reset(seed=7)
    assert env.view("seat_0") == Table.deal("go", 7).view(0)


def test_a_seed_determines_all_following_games():
    first, second = aec("go"), aec("go")
    for env in (first, second):
        env.reset(seed=7)
        env.reset()
    assert first.view("seat_1") == second.view("seat_1")
    assert first.view("seat_1") != Table.deal("go", 7).view(1)


def test_a_game_can_start_from_a_position():
    state = game("go-mini").deal(5)
    env = raw("go-mini", compiled=False)
    env.reset(seed=1, options={"position": state})
    assert env.view("seat_0") == game("go-mini").view(state, 0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert state == game("go-mini").deal(5)


def test_an_illegal_action_is_refused_and_leaves_the_state_unchanged():
    env = aec("president-mini", compiled=False)
    env.reset(seed=4)
    before = env.state()
    legal = env.last()[0]["action_mask"]
    with pytest.raises(InvalidAction, match=r"[A-Z].*\.") as refused:
        env.step(int(legal.argmin()))
    assert isinstance(refused.value, ValueError)
    assert (env.state() == before).all()
    for nonsense in (-1, len(legal), "7H", 1.5, True, None):
        with pytest.raises(InvalidAction, match="action must be a number from 0 to"):
            env.step(nonsense)


def test_stepping_before_reset_or_after_the_end_is_refused():
    env = aec("kuhn", compiled=False)
    for look in (lambda: env.step(0), env.last, env.state, lambda: env.text("seat_0")):
        with pytest.raises(ResetNeeded, match="call reset"):
            look()
    env.reset(seed=1)
    assert env.outcome() is None
    for _ in env.agent_iter():
        seen, _, ended, _, _ = env.last()
        if ended:
            with pytest.raises(ResetNeeded, match=r"The game is over: step\(None\)"):
                env.step(0)
        env.step(None if ended else int(seen["action_mask"].argmax()))
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    assert env.outcome().winners


def test_parallel_actions_are_refused_together():
    env = parallel("go-mini")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step({})
    seen, _ = env.reset(seed=1)
    legal = {agent: int(each["action_mask"].argmax()) for agent, each in seen.items()}
    wrong = int(seen["seat_1"]["action_mask"].argmin())
    for actions in ({}, {"seat_0": legal["seat_0"]}, None, {**legal, "seat_1": wrong}):
        with pytest.raises(InvalidAction, match="seat_"):
            env.step(actions)
    assert env.waiting == ["seat_0", "seat_1"]
    env.step(legal)


def test_unknown_names_and_arguments_are_refused():
    with pytest.raises(NameNotFound, match="did you mean 'go'"):
        aec("gogo")
    with pytest.raises(ValueError, match="players from 2 to 4"):
        aec("bo:players=9")
    with pytest.raises(ValueError, match=r"use kibitz\.environments\.aec"):
        parallel("bo")
    with pytest.raises(ValueError, match="render_mode must be one of"):
        aec("bo", "opengl")
    with pytest.raises(ValueError, match="reward must be one of"):
        aec("bo", reward="points")
    env = aec("bo")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="agent must be one of seat_0"):
        env.observe("player_0")


def test_every_game_is_registered_with_pettingzoo():
    register()
    register()
    for each in all_games():
        name = f"kibitz/{each.name}-v{each.rules.VERSION}"
        assert str(pettingzoo.make("aec", name)) == name
    assert pettingzoo.make("parallel", "kibitz/go-mini-v1").agents == []
    with pytest.raises(Exception, match="not found"):
        pettingzoo.make("aec", "kibitz/gogo-v1")
