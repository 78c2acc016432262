"""Run the benchmarks that are named, or all of them: ``python -m benchmarks games partitions --json FILE``."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from benchmarks import harness
from benchmarks.harness import whole

NAMES = (
    "games",
    "huxxy",
    "president",
    "cribbage",
    "poker_hands",
    "headsup",
    "partitions",
    "strength",
    "environments",
    "startup",
    "tournament",
    "sandbox",
    "arena",
    "marking",
    "ratings",
    "server",
    "cluster",
    "cuda",
)


def main(arguments: list[str]) -> None:
    """Measure and print; with ``--json`` also write every figure to a file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Kibitz and its peers.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="name",
        help=f"one of {', '.join(NAMES)}; none means all",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    parser.add_argument("--repeats", type=whole(5, 1000), default=5, help="how often each figure is taken (at least 5)")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in NAMES]:
        parser.error(f"there is no benchmark {unknown[0]!r}; known benchmarks: {', '.join(NAMES)}")

    machine = harness.machine()
    print(harness.header(machine))
    results = {}
    for name in options.names or NAMES:
        rows, notes = importlib.import_module(f"benchmarks.{name}").rows()
        start = harness.clocks()
        measured = harness.measure(name, rows, options.repeats)
        notes = [*notes, harness.share_of(start, harness.clocks())]
        print(f"\n{harness.table(name, measured, notes)}", flush=True)
        results[name] = {"rows": [m.as_json() for m in measured], "notes": notes}
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "benchmarks": results}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
