"""Simultaneous choices: regret matching converges to an equilibrium, in Python and in machine code alike.

matrix      payoff of the first of two seats, by the choices of both
gap         the total gain of both seats' best responses, as a share of the payoff range
"""

from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.cards.chance import rekey
from kibitz.engine.kernels import compilation
from kibitz.search import endgames, ismcts, search_players
from kibitz.search.ismcts import FIELDS, FIRST_ENTRY, ONE, VISITS
from kibitz.search.search_players import SearchPlayer
from kibitz.search.tree_search import Search, SearchConfig
from tests.contract.groups import sharing
from tests.search.plainly import think_plainly

pytestmark = sharing("go")

TREE_SIZE, NODE = 64, 12345
MATRICES = {
    "pennies of unequal worth": ([[3, 0], [1, 2]], [1 / 4, 3 / 4], [1 / 2, 1 / 2]),
    "scissors of unequal worth": ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], [1 / 4, 1 / 2, 1 / 4], [1 / 4, 1 / 2, 1 / 4]),
    "one choice beats all": ([[1, 1], [0, 0]], [1, 0], None),
}


def played(matrix, rounds, kernels, make, rng):
    """The trees of two seats after playing a matrix game; ``kernels`` choose and learn."""
    low, high = min(map(min, matrix)), max(map(max, matrix))
    trees, number = [make(FIRST_ENTRY + FIELDS * TREE_SIZE) for _ in range(2)], (len(matrix), len(matrix[0]))
    for _ in range(rounds):
        taken = []
        for tree, n in zip(trees, number, strict=True):
            scratch = make(3 * n)
            scratch[:n] = range(n)
            at = ismcts.find_entry(tree, NODE, TREE_SIZE)
            action = kernels.draw_by_regrets(n, scratch, tree, TREE_SIZE, NODE, at, rng)
            taken.append((at, int(action), int(scratch[n])))
        won = (matrix[taken[0][1]][taken[1][1]] - low) * ONE // (high - low)
        for tree, (at, action, odds), value in zip(trees, taken, (won, ONE - won), strict=True):
            edge = ismcts.find_entry(tree, ismcts.mix(NODE, action + 1), TREE_SIZE)
            kernels.update_with_regret(tree, at, edge, value, odds)
    return trees


def average(tree, n):
    """The average strategy: the share of each choice."""
    shares = [int(tree[ismcts.find_entry(tree, ismcts.mix(NODE, i + 1), TREE_SIZE) + VISITS]) for i in range(n)]
    return [share / sum(shares) for share in shares]


def gap(matrix, first, second):
    """The total gain of both seats' best responses."""
    best = max(sum(won * odds for won, odds in zip(row, second, strict=True)) for row in matrix)
    worst = min(sum(row[j] * odds for row, odds in zip(matrix, first, strict=True)) for j in range(len(second)))
    return (best - worst) / (max(map(max, matrix)) - min(map(min, matrix)))


def fresh_rng(state):
    """A generator keyed by a seed."""
    rekey(state, 1, 2, 3, 4)
    return state


@pytest.mark.parametrize("name", MATRICES)
def test_regret_matching_converges_to_the_equilibrium(name):
    """After twenty thousand rounds the gap is nearly zero, and smaller than after two hundred."""
    matrix, first, second = MATRICES[name]
    gaps = []
    for rounds in (200, 20_000):
        rng = fresh_rng(kibitz.game("go-mini").blank())
        trees = played(matrix, rounds, ismcts, lambda size: [0] * size, rng)
        mine, theirs = average(trees[0], len(matrix)), average(trees[1], len(matrix[0]))
        gaps.append(gap(matrix, mine, theirs))
    assert gaps[1] < 0.04
    assert gaps[1] < gaps[0]
    assert mine == pytest.approx(first, abs=0.06)
    assert second is None or theirs == pytest.approx(second, abs=0.06)


@pytest.mark.long
def test_python_and_machine_code_match_regrets_alike():
    matrix = MATRICES["scissors of unequal worth"][0]
    layout = kibitz.game("go-mini").rules.LAYOUT
    plain = played(matrix, 300, ismcts, lambda size: [0] * size, fresh_rng(layout.plain()))
    fast = compilation.compiled(ismcts)
    rng = np.zeros(1, layout.dtype)
    layout.store(fresh_rng(layout.plain()), rng, 0)
    quick = played(matrix, 300, fast, lambda size: np.zeros(size, np.int64), rng[0])
    assert [tree.tolist() for tree in quick] == plain


def test_a_full_tree_draws_actions_uniformly():
    """Actions without an entry are drawn uniformly."""
    rng = fresh_rng(kibitz.game("go-mini").blank())
    tree, scratch = [0] * (FIRST_ENTRY + FIELDS * 4), [0] * 9
    tree[ismcts.USED] = 3
    scratch[:3] = [5, 6, 7]
    found = {ismcts.draw_by_regrets(3, [*scratch], tree, 4, NODE, ismcts.FIRST_ENTRY, rng) for _ in range(60)}
    assert found == {5, 6, 7}


def decision(seed, turns):
    """A view of seat 0 in go-mini after some random turns, where it has a choice, with the legal actions."""
    game, random = kibitz.game("go-mini"), Random(seed)
    state = game.deal(seed)
    for _ in range(turns * game.seats):
        game.advance(state, random.choice(game.legal(state)))
    return game, game.view(state, 0), game.legal(state)


def test_a_matched_search_agrees_with_the_exact_solution():
    """In Go's smallest variant with two cards each, its mixed choice is worth as much as the equilibrium."""
    solved = 0
    for seed in range(8):
        game, view, legal = decision(seed, 1)
        rest = endgames.solve_endgame(game, view, endgames.NODES_FOR_REVIEWS)
        if rest is None:
            continue
        solved += 1
        search = Search(game, view, legal, seed, SearchConfig(policy="quick", matching=True), plain=True)
        search.simulate(400)
        promise = {one.action: one.winning_chance for one in rest.choices}
        worth = sum(odds * promise[action] for action, odds in zip(legal, search.odds(), strict=True))
        assert worth > max(promise.values()) - rest.gap - 0.06
    assert solved > 4


def test_search_player_draws_actions_by_the_odds(monkeypatch):
    """With regret matching the player mixes its actions with the frequencies of the search."""
    game, view, legal = decision(3, 0)
    monkeypatch.setattr(search_players, "search_config", lambda game: SearchConfig(policy="quick", matching=True))
    monkeypatch.setattr(search_players.endgames, "solve_endgame", lambda *arguments: None)
    think_plainly(monkeypatch)
    monkeypatch.setattr(Search, "odds", lambda search: [0.5, 0.5] + [0.0] * (len(legal) - 2))
    found = [SearchPlayer("few", "", 2, game)(view, legal, Random(seed)) for seed in range(60)]
    assert set(found) == set(legal[:2])
    assert 15 < found.count(legal[0]) < 45
