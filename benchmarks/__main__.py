"""Measure speed, in one table, or run a study: ``python -m benchmarks games --json FILE``."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import harness
from benchmarks.harness import whole

NAMES = {
    "games": "games:rows",
    "huxxy": "games:huxxy",
    "president": "games:president",
    "partitions": "hands:partitions",
    "poker_hands": "hands:poker_hands",
    "cribbage": "hands:cribbage",
    "environments": "environments:rows",
    "tournament": "arena:tournament",
    "sandbox": "sandbox:rows",
    "arena": "arena:rows",
    "ratings": "ratings:rows",
    "server": "server:rows",
    "cluster": "cluster:rows",
    "cuda": "cuda:rows",
}
"""The benchmarks, each with the module and the function that returns its rows."""
STUDIES = {
    "strength": "strength:main",
    "ladders": "strength:ladders_main",
    "headsup": "headsup:main",
    "seasons": "ratings:main",
    "scaling": "cluster:main",
    "play": "server:first_cards",
    "paired": "paired:main",
    "open_spiel": "peers.open_spiel:main",
}
"""Commands with arguments and output of their own; ``python -m benchmarks NAME --help`` explains each."""


def function(place: str) -> Callable[..., Any]:
    """The function of a module of this package, written ``module:function``."""
    module, _, name = place.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"benchmarks.{module}"), name)
    return found


def main(arguments: list[str]) -> None:
    """Run a study, or measure and print; with ``--json`` also write every figure to a file."""
    if arguments and arguments[0] in STUDIES:
        function(STUDIES[arguments[0]])(arguments[1:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Kibitz and its peers.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="name",
        help=f"one of {', '.join(NAMES)}; none means all. Or a study, with its own arguments: {', '.join(STUDIES)}",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    parser.add_argument("--repeats", type=whole(5, 1000), default=5, help="how often each figure is taken (at least 5)")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in NAMES]:
        known = ", ".join((*NAMES, *STUDIES))
        parser.error(f"there is no benchmark {unknown[0]!r}; known benchmarks: {known}")

    machine = harness.machine()
    print(harness.header(machine), flush=True)
    results = {}
    for name in options.names or NAMES:
        rows, notes = function(NAMES[name])()
        start = harness.clocks()
        measured = harness.measure(name, rows, options.repeats)
        notes = [*notes, harness.share_of(start, harness.clocks())]
        for row in measured:
            print(harness.line(name, *row.cells()), flush=True)
        results[name] = {"rows": [m.as_json() for m in measured], "notes": notes}
    print("", *(f"{name}: {note}" for name, result in results.items() for note in result["notes"]), sep="\n")
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "benchmarks": results}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
