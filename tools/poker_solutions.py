"""Makes the tables of the strategy ``solved`` of Kuhn and Leduc poker: ``python -m tools.poker_solutions [FOLDER]``.

It takes a few seconds and gives the same digits on every machine.  Equivalent situations, such as those that differ
only in suits, have equal odds in the limit, so their mean is written.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kibitz.engine.registry import game
from kibitz.games import poker
from kibitz.games.poker import policies
from kibitz.search.game_tree import tree_of
from kibitz.search.solving import Solution, solve

ITERATIONS = 20_000
DIGITS = 4


def table_lines(found: Solution) -> Iterator[str]:
    """The lines of a table, in the order of the situations."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    tree = found.tree
    for number, known in enumerate(tree.sets):
        odds = sums[policies.situation(known.view)]
        for k, action in enumerate(known.legal):
            odds[policies.table_column(action)] += float(found.policy[tree.start[number] + k])
    for where, odds in sorted(sums.items()):
        yield " ".join([where, *(f"{part / sum(odds):.{DIGITS}f}".rstrip("0").rstrip(".") for part in odds)])


def table_text(name: str) -> str:
    """The text of a table."""
    found = solve(tree_of(game(name)), "cfr+", ITERATIONS)
    head = f"# {name}: situation, then the probabilities of fold, call and raise (CFR+, {ITERATIONS} iterations)"
    return "\n".join([head, *table_lines(found), ""])


def main(folder: str = "") -> None:
    """Write all tables into a folder, the package's own if none is named."""
    home = Path(folder) if folder else Path(str(poker.__file__)).with_name("solutions")
    home.mkdir(parents=True, exist_ok=True)
    for name in policies.SOLVED_GAMES:
        home.joinpath(f"{name}.txt").write_text(table_text(name), encoding="utf-8")
        print(home / f"{name}.txt")


if __name__ == "__main__":
    main(*sys.argv[1:])
