"""No environment leaks hidden information: all worlds of an information set look alike.

The worlds are made by the games' own ``infoset_states``, by exchanging hidden cards, and not by code of the
environments.
OpenSpiel's environments are checked in ``spiel_suite``.
"""

from itertools import islice
from random import Random

import numpy as np
import pytest

from kibitz.engine.registry import all_games, game
from kibitz.environments import aec, parallel, single, text
from tests.environments.positions import GAMES, positions

MINIS = [each.name for each in all_games() if each.variant == "mini"]
OTHERS = [each.name for each in all_games() if each.variant != "mini"]


def in_turn(name, state, seat):
    """What the PettingZoo environment shows a seat."""
    shown = []
    for mode in ("ansi", "rgb_array"):
        env = aec(name, mode, compiled=False)
        env.reset(seed=1, options={"position": state})
        if env.viewer() == seat:
            shown.append(env.render())
    agent = f"seat_{seat}"
    return [*env.observe(agent).values(), env.view(agent), env.json(agent), env.text(agent), *shown]


def together(name, state, seat):
    """What the parallel PettingZoo environment shows a seat."""
    env = parallel(name)
    env.reset(seed=1, options={"position": state})
    agent = f"seat_{seat}"
    return [*env.observe(agent).values(), env.view(agent), env.json(agent), env.text(agent)]


def alone(name, state, seat):
    """What the Gymnasium environment shows its seat."""
    env = single(name, seat, "random", "rgb_array")
    env.reset(seed=1)
    env.table._state = state.copy()
    return [*env.observe().values(), env.view(), env.json(), env.text(), env.render()]


def in_words(name, state, seat):
    """What the text environment shows a seat."""
    env = text(name)
    env.reset(seed=1)
    env.table._state = state.copy()
    refusal = env.step("fly to the moon", seat).sentence if seat in env.waiting else ""
    return [env.observation(seat), refusal, env.chat(seat)]


MAX_GAMES = 60
KINDS = (in_turn, together, alone, in_words)


def alike(one, other):
    """Whether two lists of observations are equal to the last pixel."""
    return len(one) == len(other) and all(
        np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in zip(one, other, strict=True)
    )


def compare_worlds(name, kind, games, most, every, enough):
    """Compare positions of random games with worlds of their information sets, until enough worlds differed."""
    random, found = Random(name), GAMES[name]
    differing = seed = 0
    while seed < games or differing < enough:
        assert seed < MAX_GAMES
        for number, state in enumerate(islice(positions(found, seed, most), 0, None, every)):
            seat = state.player if number % 2 and not state.over else random.randrange(found.seats)
            for world in islice(found.infoset_states.determinizations(state, seat, random), 0, 5, 4):
                assert alike(kind(name, state, seat), kind(name, world, seat)), (seed, number, seat)
                differing += found.infoset_states.key(world) != found.infoset_states.key(state)
        seed += 1


def cases(names):
    """All kinds of environments of each game."""
    return [
        pytest.param(name, kind, id=f"{name}-{kind.__name__}")
        for name in names
        for kind in KINDS
        if kind is not together or hasattr(game(name).rules, "simultaneous")
    ]


@pytest.mark.parametrize(("name", "kind"), cases(MINIS))
def test_information_sets_look_alike(name, kind):
    compare_worlds(name, kind, 2, 10, 3, 3)


@pytest.mark.long
@pytest.mark.parametrize(("name", "kind"), cases([*MINIS, *OTHERS]))
def test_information_sets_look_alike_in_every_game(name, kind):
    compare_worlds(name, kind, 4, 60, 2, 20)


def test_different_deals_look_different():
    """The comparison can fail: two deals look different."""
    go = game("go-mini")
    for kind in KINDS:
        assert not alike(kind("go-mini", go.deal(1), 0), kind("go-mini", go.deal(2), 0))
