"""Kuhn and Leduc poker against their published values, and the solvers against slow obvious oracles."""

import re
from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest

from kibitz.engine.registry import game
from kibitz.errors import NotationError, SeatError
from kibitz.executors import open_executor
from kibitz.search import solving
from kibitz.search.cfr_kernels import match_set
from kibitz.search.exploitability import exact_exploitability, policy_from_weights
from kibitz.search.game_tree import CHANCE, END, MAX_NODES, TooLarge, tree_of
from kibitz.search.solving import METHODS, best_response, policy_text, policy_value, policy_values, read_policy, solve


def worth(tree, policy, seat, node=0):
    """The value of a node, by definition."""
    if tree.seat[node] == END:
        return tree.payoff[node * tree.game.seats + seat]
    total = 0.0
    for j in range(tree.count[node]):
        child = tree.first[node] + j
        p = tree.probability[child] if tree.seat[node] == CHANCE else policy[tree.start[tree.infoset[node]] + j]
        total += p * worth(tree, policy, seat, child)
    return total


def best_of_all(tree, policy, seat):
    """The value of a seat's best pure strategy, by trying all of them."""
    own = [number for number, known in enumerate(tree.sets) if known.seat == seat]
    found = []
    for picks in product(*(range(len(tree.sets[number].legal)) for number in own)):
        tried = policy.copy()
        for number, pick in zip(own, picks, strict=True):
            tried[tree.start[number] : tree.start[number + 1]] = 0
            tried[tree.start[number] + pick] = 1
        found.append(worth(tree, tried, seat))
    return max(found)


def random_policy(tree, seed):
    weights = np.random.default_rng(seed).random(tree.choices)
    for first, last in zip(tree.start, tree.start[1:], strict=False):
        weights[first:last] /= weights[first:last].sum()
    return weights


def test_trees_have_the_published_sizes(kuhn, leduc):
    """Kuhn: 12 information sets, 55 nodes; Leduc: 936 (its published 9457 nodes count single chance outcomes)."""
    assert (len(kuhn.sets), kuhn.nodes) == (12, 55)
    assert len(leduc.sets) == 936
    assert leduc.probability[leduc.first[0] : leduc.first[0] + leduc.count[0]].sum() == pytest.approx(1)


def test_information_sets_share_seat_and_choices(leduc):
    """All nodes of an information set have the same seat to move and equally many choices."""
    for node in range(leduc.nodes):
        if leduc.infoset[node] >= 0:
            known = leduc.sets[leduc.infoset[node]]
            assert (known.seat, len(known.legal)) == (leduc.seat[node], leduc.count[node])


@pytest.mark.parametrize("seed", range(3))
def test_best_responses_match_trying_all_pure_strategies(kuhn, seed):
    policy = random_policy(kuhn, seed)
    for seat in (0, 1):
        best, value = best_response(kuhn, policy, seat)
        assert value == pytest.approx(best_of_all(kuhn, policy, seat))
        assert policy_values(kuhn, best)[seat] == pytest.approx(value)


@pytest.mark.parametrize(
    "function", [policy_value, policy_values, exact_exploitability, partial(best_response, seat=0)]
)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (np.zeros(24), r"those of set 0, policy\[0:2\], add up to 0\."),
        (np.ones(24), r"those of set 0, policy\[0:2\], add up to 2\."),
        (np.tile([1.5, -0.5], 12), "must be probabilities: finite, and not negative"),
        (np.full(24, np.nan), "must be probabilities: finite, and not negative"),
        (np.zeros(3), r"must be an array of 24 numbers, not an array of shape \(3,\)"),
        ({}, "a policy of kuhn must be an array of 24 numbers, not something of type 'dict'"),
    ],
)
def test_an_invalid_policy_is_refused(kuhn, function, wrong, sentence):
    with pytest.raises(NotationError, match=sentence):
        function(kuhn, wrong)


def test_a_best_response_and_a_solution_need_a_seat_and_a_tree(kuhn):
    assert best_response(kuhn, [0.5] * 24, 1)[1] == best_response(kuhn, np.full(24, 0.5, np.float32), 1)[1]
    with pytest.raises(SeatError, match="seat must be from 0 to 1, not 2"):
        best_response(kuhn, np.full(24, 0.5), 2)
    with pytest.raises(NotationError, match=r"tree must be a game's tree, such as tree_of\('kuhn'\), not 'kuhn'"):
        solve("kuhn")


def test_a_saved_policy_is_read_as_a_player_with_probabilities(kuhn, tmp_path):
    solution = solve(kuhn, "cfr+", 100)
    path = tmp_path / "kuhn.policy"
    path.write_text(policy_text(solution))
    saved = read_policy("kuhn", path)
    assert policy_from_weights(kuhn, saved.action_probabilities) == pytest.approx(solution.policy, abs=1e-5)
    known = kuhn.sets[0]
    assert saved(known.view, list(known.legal), Random(1)) in known.legal
    other = game("kuhn").with_options(stack=9)
    state = other.deal(1)
    with pytest.raises(NotationError, match="the policy of kuhn has no such position"):
        saved(other.view(state, 0), other.legal(state), Random(1))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("nothing", "can't be read: it isn't a policy that 'kibitz solve -o' has written"),
        ('{"view": {}, "choices": {}}\n' * 2, "can't be played: some information sets of kuhn have the same view"),
        ('{"view": {}, "choices": {"check": -1, "bet 1": 2}}\n', "it isn't a policy"),
        (None, "can't be read: no such file or directory"),
    ],
)
def test_a_file_that_is_no_playable_policy_is_refused(tmp_path, content, sentence):
    path = tmp_path / "some.policy"
    if content:
        path.write_text(content)
    with pytest.raises(NotationError, match=sentence):
        read_policy("kuhn", path)


def test_policy_values_match_the_definition(leduc):
    policy = random_policy(leduc, 5)
    assert policy_values(leduc, policy) == pytest.approx([worth(leduc, policy, seat) for seat in (0, 1)])


def test_solved_kuhn_is_worth_minus_an_eighteenth(kuhn):
    found = solve(kuhn, "cfr+", 2000)
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-6)
    assert found.exploitability < 1e-4


def test_solved_leduc_has_its_published_value(leduc):
    found = solve(leduc, "cfr+", 1000)
    assert found.values[0] == pytest.approx(-0.0856, abs=1e-4)
    assert found.exploitability < 1e-3


@pytest.mark.parametrize(("method", "iterations", "most"), [("dcfr", 500, 1e-3), ("mccfr", 40_000, 0.03)])
def test_every_method_solves_kuhn(kuhn, method, iterations, most):
    assert solve(kuhn, method, iterations).exploitability < most


def test_sampling_is_deterministic_for_a_seed(kuhn):
    one, again, other = (solve(kuhn, "mccfr", 500, seed).policy for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()


@pytest.mark.long
def test_distributed_sampling_is_independent_of_workers(kuhn):
    """With one worker and with two, to the same accuracy as sampling in one run."""
    done, found = [], []
    for workers in (1, 2):
        with open_executor("local", workers) as place:
            found.append(solve(kuhn, "mccfr", 200_000, progress=done.append, executor=place))
    assert (found[0].policy == found[1].policy).all()
    assert found[0].exploitability < 0.01
    assert done[-1] == 200_000
    assert done == sorted(done[: len(done) // 2]) * 2


def test_only_sampling_can_be_distributed(kuhn):
    with open_executor("local", 1) as place, pytest.raises(NotationError, match="only mccfr can be distributed"):
        solve(kuhn, "cfr+", executor=place)


def test_progress_callback_does_not_change_the_result(kuhn):
    done = []
    assert (solve(kuhn, "cfr+", 250, progress=done.append).policy == solve(kuhn, "cfr+", 250).policy).all()
    assert done == [100, 200, 250]


def test_python_and_machine_code_solve_alike(kuhn, monkeypatch):
    compiled = solve(kuhn, "cfr+", 20)
    monkeypatch.setattr(solving.compilation, "compiled", solving.compilation.plain)
    assert solve(kuhn, "cfr+", 20).policy == pytest.approx(compiled.policy)


def test_regret_matching_is_uniform_without_positive_regret():
    policy = [0.0] * 3
    match_set(0, 3, [-1.0, 0.0, -2.0], policy)
    assert policy == [1 / 3] * 3
    match_set(0, 3, [-1.0, 1.0, 3.0], policy)
    assert policy == [0, 0.25, 0.75]


def test_unknown_methods_and_zero_iterations_are_refused(kuhn):
    with pytest.raises(NotationError, match=re.escape(f"known methods: {', '.join(METHODS)}")):
        solve(kuhn, "cfr")
    with pytest.raises(NotationError, match="iterations must be 1 or more"):
        solve(kuhn, "cfr+", 0)


def test_a_too_large_game_is_refused_with_the_reason():
    with pytest.raises(TooLarge, match=r"a chance node has more than 50 outcomes; try a smaller variant"):
        tree_of(game("bo-mini"), 50)
    with pytest.raises(TooLarge, match=r"leduc is too large .* more than 500 nodes"):
        tree_of(game("leduc"), 500)
    assert MAX_NODES > 200_000
