"""OpenSpiel's own checks of our games, in a separate process: ``python -m tests.environments.spiel_suite kuhn``.

A failure in its C++ code ends the process, so tests run it as a subprocess.  Prints the checks that passed.
"""

import math
import random
import sys
import tempfile
import unittest
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from random import Random
from time import process_time

import numpy as np
import pyspiel
from absl import flags

from kibitz.engine.registry import game as kibitz_game
from kibitz.environments import spiel
from kibitz.environments.spiel.openspiel_games import short_name
from kibitz.environments.spiel.tree_positions import TreePosition
from kibitz.search.game_tree import tree_of

flags.FLAGS([sys.argv[0]])

from open_spiel.integration_tests import api_test  # noqa: E402  (its flags must be parsed before)
from open_spiel.python import policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
)

CHECKS: dict[str, Callable[[str], None]] = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


@check
def simulation(name):
    for serialize in (False, True):
        pyspiel.random_sim_test(spiel.load(name), num_sims=2, serialize=serialize, verbose=False)


@check
def playthrough(name):
    spiel.register()
    game = short_name(kibitz_game(name))
    text = generate_playthrough.playthrough(game, action_sequence=None, seed=3)
    assert "InformationStateString(0)" in text
    assert "PrivateObservationString(1)" in text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{game}.txt"
        path.write_text(text)
        before, after = generate_playthrough.replay(str(path))
    assert before == after


@check
def kept_and_read_back(name):
    game = spiel.load(name)
    state = walked(game, 4, 6)
    other_game, other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(other_game) == str(game)
    assert (str(other), other.history()) == (str(state), state.history())
    assert [other.information_state_string(p) for p in range(2)] == [
        state.information_state_string(p) for p in range(2)
    ]


class PartialTree(api_test.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's check of states a few steps from the start, which in most games are all chance nodes of the deal.

    So it also checks states from later in games, the same ones each time.
    """

    @classmethod
    def setUpClass(cls):
        random.seed(5)
        super().setUpClass()
        cls.some_states += [walked(cls.game, seed, steps) for seed, steps in product(range(3), (0, 1, 2, 5, 12, 30))]


@check
def partial_tree(name):
    suite(PartialTree, name)


@check
def full_tree(name):
    """For small trees: as many nodes and information sets as in Kibitz's own tree."""
    tree = tree_of(kibitz_game(name))
    counts = [int((tree.seat == kind).sum()) for kind in (-1, -2)]
    game = short_name(kibitz_game(name))
    api_test.TOTAL_NUM_STATES[game] = (counts[0], tree.nodes - sum(counts), counts[1])
    api_test.PERFECT_RECALL_NUM_STATES[game] = len(tree.sets)
    suite(api_test.EnforceAPIOnFullTreeBase, name)


@check
def solved(name):
    """OpenSpiel's solvers find the same value for our game as Kibitz's own solver."""
    game = spiel.load(name)
    tree = pyspiel.convert_to_cached_tree(game)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert pyspiel.exploitability(tree, average) < 0.01
    value = pyspiel.expected_returns(tree.new_initial_state(), [average, average], -1, True)
    print(f"{name}: worth {value[0]:.4f} to seat 0")
    known = {"kuhn": -1 / 18, "leduc": -0.0856}
    if name in known:
        assert abs(value[0] - known[name]) < 0.002


@check
def exploited(name):
    """The measures of OpenSpiel, in C++ and in Python, agree on a policy; so does Kibitz's."""
    from kibitz.search.solving import policy_value

    game = spiel.load(name)
    uniform = pyspiel.UniformRandomPolicy(game)
    found = pyspiel.exploitability(game, uniform)
    nash_conv = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert abs(found - nash_conv / 2) < 1e-9
    tree = tree_of(kibitz_game(name))
    even = np.concatenate([np.full(len(known.legal), 1 / len(known.legal)) for known in tree.sets])
    assert abs(policy_value(tree, even).exploitability - found) < 1e-9


def log_odds(game, seed):
    """The log probability of one game in which all actions are equally likely."""
    state, rng, found = game.new_initial_state(), Random(seed), 0.0
    while not state.is_terminal():
        ways = state.chance_outcomes() if state.is_chance_node() else [(a, None) for a in state.legal_actions()]
        number, odds = rng.choice(ways)
        found += math.log(odds or 1 / len(ways))
        state.apply_action(number)
    return found


@check
def sampled(name):
    """Sampling solvers run on trees that are far too large to build.

    They divide by the odds of their samples, and refuse a game whose odds underflow a double.
    """
    game = spiel.load(name)
    solver, refused = pyspiel.OutcomeSamplingMCCFRSolver(game, seed=3), ""
    try:
        for _ in range(5):
            solver.run_iteration()
    except pyspiel.SpielError as error:
        refused = str(error)
    if refused:
        assert "increment" in refused
        assert min(log_odds(game, seed) for seed in range(5)) < math.log(sys.float_info.min)
        return
    state = walked(game, 1, 0)
    odds = solver.average_policy().action_probabilities(state)
    assert abs(sum(odds.values()) - 1) < 1e-9


@check
def improved(name):
    """Python solvers that traverse the tree."""
    game = spiel.load(name)
    external_sampling_mccfr.ExternalSamplingSolver(game).iteration()
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.1


@check
def searchers_play(name):
    game, random = spiel.load(name), np.random.RandomState(3)
    state = walked(game, 2, 0)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.0, 6, random_state=random)
    assert bot.step(state) in state.legal_actions()
    bot.set_resampler(spiel.resampler(seed=4))
    assert bot.step(state) in state.legal_actions()
    assert mcts.MCTSBot(game, 1.0, 3, evaluator, random_state=random).step(state) in state.legal_actions()
    fast = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 5), 1.0, 3, 10, False, 6, False)
    assert fast.mcts_search(state).best_child().action in state.legal_actions()


@check
def learners_step(name):
    environment = rl_environment.Environment(spiel.load(name))
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][seat][0]])
    assert len(step.rewards) == kibitz_game(name).seats


@check
def bots_meet(name):
    game = spiel.load(name)
    bots = [pyspiel.make_uniform_random_bot(seat, 7) for seat in range(game.num_players())]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)
    assert abs(sum(returns)) < 1e-9


@check
def worlds_look_alike(name):
    """A seat is shown the same in all worlds of an information set, though their hidden parts differ.

    Some worlds are drawn from what it knows; others are made independently by exchanging hidden cards.
    """
    game, differing = spiel.load(name), 0
    draw = spiel.resampler(seed=1)
    observers = [game.make_py_observer(pyspiel.IIGObservationType(*kind)) for kind in product(BOTH, BOTH, PRIVATE)]
    for number in range(6):
        state = walked(game, number, number)
        for seat in range(game.num_players() if not state.is_terminal() else 0):
            kept = state.position
            others = kept.tree.game.infoset_states.determinizations(kept.state, seat, Random(number))
            swapped = [TreePosition(kept.tree, other, kept.memories) for other in islice(others, 0, 9, 4)]
            for world in [draw(state, seat), *map(game.state_at, swapped)]:
                same_for(state, world, seat, observers)
                differing += str(world) != str(state)
    assert differing


BOTH = (False, True)
PRIVATE = (pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE)


def same_for(state, world, seat, observers):
    assert world.information_state_string(seat) == state.information_state_string(seat)
    assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
    assert world.observation_string(seat) == state.observation_string(seat)
    assert world.observation_tensor(seat) == state.observation_tensor(seat)
    assert world.to_observation_struct(seat).to_json() == state.to_observation_struct(seat).to_json()
    for observer in observers:
        assert observer.string_from(world, seat) == observer.string_from(state, seat)
    if seat == state.current_player():
        assert world.legal_actions() == state.legal_actions()


@check
def structs_name_actions(name):
    state = walked(spiel.load(name), 3, 2)
    for action in state.legal_actions():
        struct = state.action_to_struct(state.current_player(), action)
        assert state.struct_to_actions(struct) == [action]
        assert state.string_to_action(state.action_to_string(action)) == action


def walked(game, seed, steps):
    """A state after the deal and some random actions, at a decision or the end."""
    state, rng, taken = game.new_initial_state(), Random(seed), 0
    while not state.is_terminal() and (taken < steps or state.is_chance_node()):
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            taken += 1
    return state


def suite(base, name):
    """Run one of OpenSpiel's test classes."""
    kind = type(f"Test_{name}", (base,), {"game": spiel.load(name), "game_name": short_name(kibitz_game(name))})
    with open("/dev/null", "w") as nowhere:
        result = unittest.TextTestRunner(stream=nowhere).run(unittest.TestLoader().loadTestsFromTestCase(kind))
    assert result.testsRun >= 5
    for _, trouble in result.failures + result.errors:
        raise AssertionError(trouble)


if __name__ == "__main__":
    names, wanted = sys.argv[1].split(","), sys.argv[2:]
    for game_name in names:
        for what in wanted:
            begun = process_time()
            CHECKS[what](game_name)
            print(f"passed: {game_name} {what} ({process_time() - begun:.2f} s)", flush=True)
