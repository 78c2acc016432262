"""Every game is a PettingZoo environment: the official suites pass, and what cannot be meant gets a sentence."""

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import InvalidAction, NameNotFound, ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from kibitz.engine.registry import all_games, game
from kibitz.environments import aec, parallel, raw, register
from kibitz.table import Table

pytestmark = [
    # The suite knows by name which of its own environments have masks beside the observation, as all classic ones do.
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
def test_the_official_suites_pass(name):
    suites(name, 60, compiled=False)


@pytest.mark.long
@pytest.mark.parametrize("name", [*MINIS, *OTHERS])
def test_the_official_suites_pass_for_long_and_in_machine_code(name):
    suites(name, 1000, compiled=False)
    suites(name, 1000, compiled=True)


@pytest.mark.parametrize("name", AT_ONCE)
def test_the_official_parallel_suite_passes(name):
    parallel_api_test(parallel(name), num_cycles=200)
    render_test(lambda render_mode=None: AsTurns(parallel(name, render_mode)))


class AsTurns:
    """What ``render_test`` needs of an environment whose agents act at once."""

    def __init__(self, env):
        self.env, self.metadata, self.num_agents = env, env.metadata, 2

    def reset(self):
        self.seen, _ = self.env.reset(seed=1)

    def agent_iter(self, steps):
        yield from self.env.agents[:1]

    def last(self):
        return None, 0.0, False, False, {}

    def action_space(self, agent):
        return self.env.action_space(agent)

    def step(self, action):
        self.seen, *_ = self.env.step({a: int(seen["action_mask"].argmax()) for a, seen in self.seen.items()})

    def render(self):
        return self.env.render()

    def close(self):
        self.env.close()


@pytest.mark.parametrize("name", AT_ONCE)
def test_agents_that_act_at_once_come_out_as_in_turn(name):
    """The same seed and the same choices: the same tensors for the seats that are asked, and the same payoffs."""
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


def listed_as_marked(env):
    """Whether every agent of an environment is listed what its mask marks."""
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.possible_agents}
    return {a: env.legal(a) for a in masks} == {a: np.flatnonzero(mask).tolist() for a, mask in masks.items()}


def listed_to_the_end(env):
    """For every agent, to the end of the game and beyond."""
    env.reset(seed=3)
    while not env.driver.over:
        assert listed_as_marked(env)
        env.step(env.legal(env.agent_selection)[-1])
    assert listed_as_marked(env)
    assert not any(env.legal(agent) for agent in env.possible_agents)


@pytest.mark.parametrize("name", MINIS)
def test_what_may_be_chosen_is_listed_as_the_mask_marks_it(name):
    listed_to_the_end(aec(name, compiled=False))


@pytest.mark.long
@pytest.mark.parametrize("name", [*MINIS, *OTHERS])
def test_what_may_be_chosen_is_listed_in_machine_code_too(name):
    listed_to_the_end(aec(name, compiled=False))
    listed_to_the_end(raw(name))


@pytest.mark.parametrize("name", AT_ONCE)
def test_agents_that_act_at_once_are_listed_what_their_masks_mark(name):
    env = parallel(name)
    env.reset(seed=3)
    while env.agents:
        assert listed_as_marked(env)
        env.step({agent: env.legal(agent)[0] for agent in env.waiting})
    assert listed_as_marked(env)


def test_a_seed_deals_the_game_that_it_deals_everywhere():
    env = aec("go")
    env.reset(seed=7)
    assert env.view("seat_0") == Table.deal("go", 7).view(0)


def test_one_seed_decides_all_games_that_follow():
    first, second = aec("go"), aec("go")
    for env in (first, second):
        env.reset(seed=7)
        env.reset()
    assert first.view("seat_1") == second.view("seat_1")
    assert first.view("seat_1") != Table.deal("go", 7).view(1)


def test_a_game_goes_on_from_a_position():
    state = game("go-mini").deal(5)
    env = raw("go-mini", compiled=False)
    env.reset(seed=1, options={"position": state})
    assert env.view("seat_0") == game("go-mini").view(state, 0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert state == game("go-mini").deal(5)


def test_an_illegal_action_is_refused_with_the_rules_sentence_and_nothing_is_done():
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


def test_a_game_that_has_not_begun_or_is_over_is_not_stepped():
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


def test_agents_that_act_at_once_are_refused_all_together():
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


def test_what_there_is_not_is_said():
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


def test_every_game_has_its_name_at_pettingzoo():
    register()
    register()
    for each in all_games():
        name = f"kibitz/{each.name}-v{each.rules.VERSION}"
        assert str(pettingzoo.make("aec", name)) == name
    assert pettingzoo.make("parallel", "kibitz/go-mini-v1").agents == []
    with pytest.raises(Exception, match="not found"):
        pettingzoo.make("aec", "kibitz/gogo-v1")
