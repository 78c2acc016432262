"""The vector environment with Gymnasium's interface."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

from kibitz.environments import register, vector
from kibitz.environments.vector_env import KibitzVectorEnv
from kibitz.errors import NotationError

FIRST = {"game": "go-mini", "n": 3, "players": ["learner", "random"], "seed": 5}


def first(infos) -> np.ndarray:
    """The first legal choice of every game."""
    return infos["action_mask"].argmax(axis=1)


def test_spaces_contain_observations_and_actions():
    env = vector(**FIRST)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=5)
    for _ in range(20):
        assert env.observation_space.contains(observations)
        assert all(env.single_observation_space.contains(one) for one in observations)
        actions = first(infos)
        assert env.action_space.contains(actions)
        observations, rewards, over, cut, infos = env.step(actions)
        assert (rewards.shape, rewards.dtype, over.dtype, cut.any()) == ((3,), np.float64, np.bool_, np.False_)
    env.close()


def played(mode: str, steps: int = 24):
    """The results of every step of the same games, in an autoreset mode."""
    env = vector(**FIRST, autoreset=mode)
    observations, infos = env.reset(seed=5)
    told = []
    for _ in range(steps):
        actions = first(infos)
        observations, rewards, over, _, infos = env.step(actions)
        told.append((observations, rewards, over, infos))
        if mode == "Disabled" and over.any():
            observations, infos = env.reset(options={"reset_mask": over})
    return told


def test_games_end_alike_in_every_autoreset_mode():
    """The same games in each mode, which differ only in when the next game starts."""
    same, late, never = (played(mode) for mode in ("SameStep", "NextStep", "Disabled"))
    assert [over.tolist() for _, _, over, _ in same] == [over.tolist() for _, _, over, _ in never]
    for one, other in zip(same, never, strict=True):
        assert (one[1] == other[1]).all()
        for lane in np.flatnonzero(one[2]):
            assert (one[3]["final_obs"][lane] == other[0][lane]).all()
    ends = [[k for k, (_, _, over, _) in enumerate(told) if over[0]] for told in (same, late)]
    assert ends[1][:3] == [end + k for k, end in enumerate(ends[0][:3])]
    for k in ends[1][:3]:
        assert (late[k][0][0] != late[k + 1][0][0]).any()
        assert late[k + 1][1][0] == 0


def test_rewards_are_of_the_acting_seat_and_returns_of_all():
    env = vector("kuhn", 8, seed=1)
    _, infos = env.reset(seed=1)
    ended = 0
    for _ in range(12):
        mover = infos["seat"]
        _, rewards, over, _, infos = env.step(first(infos))
        for lane in np.flatnonzero(over):
            assert infos["_returns"][lane]
            assert infos["returns"][lane].sum() == 0
            assert rewards[lane] == infos["returns"][lane][mover[lane]]
            ended += 1
    assert ended


def test_stepping_a_finished_game_without_reset_is_refused():
    env = vector(**FIRST, autoreset="Disabled")
    _, infos = env.reset(seed=5)
    over = np.zeros(3, bool)
    while not over.any():
        _, _, over, _, infos = env.step(first(infos))
    with pytest.raises(gymnasium.error.ResetNeeded, match="Game 0 is over: reset it"):
        env.step(first(infos))
    with pytest.raises(NotationError, match="reset_mask must be an array of 3 booleans"):
        env.reset(options={"reset_mask": [True, False, False]})


def test_invalid_arguments_are_refused():
    with pytest.raises(NotationError, match="autoreset must be one of 'NextStep', 'SameStep', 'Disabled'"):
        vector("kuhn", 2, autoreset="never")
    with pytest.raises(NotationError, match="seed must be one whole number"):
        vector("kuhn", 2).reset(seed=[1, 2])
    with pytest.raises(ValueError, match="Game 0"):
        vector("kuhn", 2).step(np.array([0, 0]))


def test_seeds_and_snapshots_reproduce_games():
    env = vector(**FIRST)
    one, infos = env.reset(seed=9)
    two, _ = env.reset(seed=9)
    assert (one == two).all()
    env.step(first(infos))
    kept = env.snapshot()
    _, infos = env.restore(kept)
    told = env.step(first(infos))
    _, infos = env.restore(kept)
    again = env.step(first(infos))
    assert all((a == b).all() for a, b in zip(told[:4], again[:4], strict=True))


def test_legal_actions_are_listed_without_masks():
    env = vector("go-mini", 2, seed=3, masks=False)
    _, infos = env.reset(seed=3)
    assert infos["starts"].tolist() == [0, 3, 6]
    assert sorted(infos["legal"][:3]) == sorted(env.games.game.legal(env.games.game.deal(3)))


def test_gymnasium_makes_the_environment_by_name():
    register()
    env = gymnasium.make_vec("kibitz/go-mini-v1", num_envs=3, players=["learner", "random"])
    assert isinstance(env.unwrapped, KibitzVectorEnv)
    assert env.num_envs == 3
    observations, _ = env.reset(seed=5)
    assert (observations == vector(**FIRST).reset(seed=5)[0]).all()
