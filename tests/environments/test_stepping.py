"""Stepping one game in Python and in machine code matches the game itself, for every game."""

from random import Random

import numpy as np
import pytest
from gymnasium.error import InvalidAction

from kibitz.engine.registry import all_games, game
from kibitz.environments import Stepping
from kibitz.environments.drivers import CompiledDriver, PlainDriver, driver_of
from kibitz.errors import NotationError, RuleError
from tests.environments.positions import VARIED
from tests.tiers import first_fast, tiered

NAMES = [each.name for each in all_games()]


def check_same(one, other):
    """Check that two drivers have the same position and show every seat the same."""
    assert (one.player, one.over) == (other.player, other.over)
    assert one.state == other.state
    for seat in range(one.game.seats):
        for a, b in zip(one.observe(seat), other.observe(seat), strict=True):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b)


def in_lockstep(name, games, most):
    found = game(name)
    plain, compiled = driver_of(found, False), driver_of(found, True)
    assert isinstance(plain, PlainDriver)
    assert isinstance(compiled, CompiledDriver)
    random = Random(name)
    for seed in range(games):
        for driver in (plain, compiled):
            driver.reset(seed)
        for _ in range(most):
            check_same(plain, compiled)
            if plain.over:
                assert plain.payoffs("zero_sum") == compiled.payoffs("zero_sum")
                assert plain.payoffs("scores") == compiled.payoffs("scores")
                assert sum(plain.payoffs("zero_sum")) == pytest.approx(0)
                break
            legal = plain.observe(plain.player)[1].nonzero()[0].tolist()
            for wrong in {0, plain.choices.n - 1, random.randrange(plain.choices.n)} - set(legal):
                said = []
                for driver in (plain, compiled):
                    with pytest.raises(InvalidAction) as refused:
                        driver.step(wrong)
                    said.append(str(refused.value))
                assert said[0] == said[1]
            choice = random.choice(legal)
            for driver in (plain, compiled):
                driver.step(choice)


@pytest.mark.parametrize("name", first_fast(["kuhn", "go-mini"]))
def test_machine_code_steps_as_plain_python(name):
    in_lockstep(name, 3, 100)


@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, *VARIED])
def test_machine_code_steps_as_plain_python_in_every_game(name):
    in_lockstep(name, 3, 400)


def test_machine_code_can_start_from_a_position():
    found = game("kuhn")
    state = found.deal(3)
    found.play(state, found.legal(state)[-1])
    drivers = driver_of(found, False), driver_of(found, True)
    for driver in drivers:
        driver.reset(1)
        driver.set_position(state)
    check_same(*drivers)


@pytest.mark.parametrize("name", tiered(NAMES))
def test_stepping_matches_playing_the_game(name):
    found, stepping, random = game(name), Stepping(name), Random(5)
    stepping.reset(seed=5)
    state = found.deal(5)
    for _ in range(40):
        assert stepping.state == state
        assert stepping.legal == found.legal(state)
        assert (stepping.player, stepping.over) == (state.player, bool(state.over))
        if stepping.over:
            break
        assert stepping.view(state.player) == found.view(state, state.player)
        action = random.choice(stepping.legal)
        stepping.step(np.int64(action))
        found.play(state, action)
        assert type(stepping.state.player) is int


def test_invalid_steps_are_refused_and_leave_the_state_unchanged():
    stepping = Stepping("president-mini")
    with pytest.raises(RuleError, match="call reset"):
        stepping.step(0)
    stepping.reset(seed=4)
    before = stepping.state.copy()
    for action, error in ((10**9, RuleError), (-1, RuleError), ("7H", NotationError)):
        with pytest.raises(error, match=r"\.$"):
            stepping.step(action)
    assert stepping.state == before
    while not stepping.over:
        stepping.step(stepping.legal[0])
    with pytest.raises(RuleError, match="over"):
        stepping.step(0)
    with pytest.raises(NotationError, match="Unknown game"):
        Stepping("gogo")
    with pytest.raises(NotationError, match="a seed is a whole number"):
        stepping.reset(seed=-1)


def test_unlisted_amounts_can_be_bet():
    stepping = Stepping("holdem")
    stepping.reset(seed=1)
    low, high = stepping.legal[2], stepping.legal[-1]
    between = next(amount for amount in range(low, high) if amount not in stepping.legal)
    stepping.step(between)
    assert stepping.player != 0 or stepping.legal
