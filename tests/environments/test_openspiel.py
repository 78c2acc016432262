"""Every game is an OpenSpiel game: its checks, solvers and bots work on it, in separate processes."""

import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pyspiel
import pytest

from kibitz.engine.contract.coverage import package
from kibitz.engine.registry import all_games, game
from kibitz.environments import spiel
from kibitz.environments.spiel.tree_positions import tree_rules
from kibitz.errors import NotationError
from tests.parts import share
from tests.tiers import tiered

ROOT = Path(__file__).parents[2]
ALWAYS = ("simulation", "worlds_look_alike")
OF_MINIS = (
    *("playthrough", "kept_and_read_back", "partial_tree", "sampled", "searchers_play", "learners_step"),
    *("bots_meet", "structs_name_actions"),
)
OF_SMALL_TREES = ("full_tree", "solved", "exploited")
SMALL = ("kuhn", "leduc")
"""Games whose whole tree OpenSpiel's Python code traverses in seconds."""

MINIS = [each.name for each in all_games() if each.variant == "mini"]
OTHERS = [each.name for each in all_games() if each.variant != "mini"]


def run_checks(names, *checks):
    """Run the checks for the games in a separate process; returns its output if all pass."""
    command = [sys.executable, "-m", "tests.environments.spiel_suite", ",".join(names), *checks]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = [line for line in done.stdout.splitlines() if line.startswith("passed: ")]
    assert done.returncode == 0, f"after {passed[-1:]}: {done.stderr[-2000:]}"
    assert len(passed) == len(names) * len(checks)
    return done.stdout


def in_groups(names):
    """The games grouped by package, so that shared code is loaded once."""
    groups = {}
    for name in names:
        groups.setdefault(package(game(name)), []).append(name)
    return list(groups.values())


@pytest.mark.long
def test_openspiel_checks_pass_for_every_mini_variant():
    run_checks(MINIS, *ALWAYS, *OF_MINIS)


@pytest.mark.long
def test_openspiel_finds_the_value_of_kuhn_poker():
    assert "kuhn: worth -0.0556 to seat 0" in run_checks(["kuhn"], *ALWAYS, *OF_MINIS, *OF_SMALL_TREES, "improved")


@pytest.mark.long
def test_openspiel_finds_the_value_of_leduc_poker():
    assert "leduc: worth -0.085" in run_checks(["leduc"], "solved")


@pytest.mark.long
@pytest.mark.parametrize("names", in_groups(share(OTHERS, 3)), ids=lambda names: names[0])
def test_openspiel_checks_pass_for_every_game(names):
    run_checks(names, *ALWAYS, "playthrough", "kept_and_read_back", "partial_tree", "sampled", "structs_name_actions")


@pytest.mark.long
def test_openspiel_checks_the_tree_of_leduc_poker():
    run_checks(["leduc"], *OF_SMALL_TREES)


@pytest.mark.long
@pytest.mark.parametrize("name", ["go-mini", "draw-mini"])
def test_openspiel_solves_larger_mini_variants(name):
    run_checks([name], "solved")


@pytest.mark.parametrize("name", MINIS)
def test_odds_of_chance_outcomes_add_up(name):
    position = tree_rules(name).start
    while position.chance:
        assert sum(position.odds) == pytest.approx(1)
        position = position.after_outcome(len(position.odds) - 1)
    assert position.legal


def test_a_draw_with_millions_of_values_is_split():
    start = tree_rules("eights").start
    assert start.chance.values == 2_598_960
    assert len(start.odds) <= 2_000
    assert sum(start.odds) == pytest.approx(1)
    first, last = start.after_outcome(0).chance, start.after_outcome(len(start.odds) - 1).chance
    assert (first.low, last.high) == (0, 2_598_960)


def test_a_card_before_a_new_deal_is_its_own_chance_node():
    """All chips go in on the turn: most rivers end the match; others split the pot, and the next hand is dealt.

    River and next deal together have millions of outcomes, so the river is a node of its own.
    """
    walk, rng = tree_rules("holdem:players=2"), Random(0)
    position = after_chance(walk.start, rng)
    while len(walk.game.view(position.state, position.player).board) < 4:
        check_or_call = next(action for action in position.legal if action)
        position = after_chance(position.after_action(check_or_call), rng)
    all_in = after_chance(position.after_action(position.legal[-1]), rng)
    called = all_in.after_action(1)
    assert called.odds == pytest.approx([1 / 44] * 44)
    rivers = [called.after_outcome(way) for way in range(44)]
    assert rivers[0].over
    assert {river.over for river in rivers} == {True, False}
    assert all(river.chance.values for river in rivers if not river.over)


def after_chance(position, rng):
    """The next decision after random chance outcomes."""
    while position.chance:
        position = position.after_outcome(rng.randrange(len(position.odds)))
    return position


def test_options_are_openspiels_parameters():
    loaded = spiel.load("bo:players=3")
    assert (loaded.num_players(), loaded.get_parameters()["players"]) == (3, 3)
    assert str(pyspiel.load_game("kibitz_bo(players=3)")) == str(loaded)


def test_an_unknown_game_is_refused():
    with pytest.raises(NotationError, match="Unknown game 'gogo'"):
        spiel.load("gogo")


@pytest.mark.parametrize("name", [*tiered(game.name for game in all_games()), "bo:players=3,rounds=10"])
def test_every_game_and_its_states_can_be_pickled(name):
    loaded = spiel.load(name)
    again = pickle.loads(pickle.dumps(loaded))
    assert again.get_type().short_name == loaded.get_type().short_name
    assert again.get_parameters() == loaded.get_parameters()
    state = pickle.loads(pickle.dumps(loaded.new_initial_state()))
    assert str(state) == str(loaded.new_initial_state())
