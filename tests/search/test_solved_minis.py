"""docs/solving.md: every mini variant is solved with the options given there, to the value given there."""

import re
from pathlib import Path

import pytest

import kibitz
from kibitz.engine.registry import all_games
from kibitz.search.game_tree import tree_of
from kibitz.search.solving import solve

PAGE = Path(__file__).parents[2] / "docs" / "solving.md"
ROW = re.compile(r"^\| `([a-z0-9:=,_-]+)` \| ([0-9,]+) \| ([0-9,]+) \| (−?[0-9.]+)(?: chips)? \|$", re.MULTILINE)
QUICK = 2_000
"""Number of nodes that are built at once."""

SOLVED = {
    name: (int(nodes.replace(",", "")), int(sets.replace(",", "")), worth)
    for name, nodes, sets, worth in ROW.findall(PAGE.read_text())
}


def test_every_mini_variant_is_in_the_table_of_solutions():
    """Every game with an enumerable mini variant has a solvable form of it in the table."""
    minis = {game.name for game in all_games() if game.variant.endswith("mini")}
    assert len(minis) > 5
    missing = minis - {name.partition(":")[0] for name in SOLVED}
    assert missing == set()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (nodes > QUICK)) for name, (nodes, *_) in SOLVED.items()]
)
def test_documented_solution_of_a_mini_variant_holds(name):
    nodes, sets, worth = SOLVED[name]
    tree = tree_of(kibitz.game(name), nodes)
    found = solve(tree, "cfr+", 1000)
    assert (tree.nodes, len(tree.sets)) == (nodes, sets)
    assert found.exploitability < 1e-3
    digits = len(worth.partition(".")[2])
    assert found.values[0] == pytest.approx(float(worth.replace("−", "-")), abs=0.6 * 10**-digits)
