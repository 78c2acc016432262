"""What the contract of a game takes: ``python -m benchmarks.contract go bo --json FILE --against FILE``.

CPU seconds of one process, machine code made beforehand; the games one after another, all of them if none is named.
With ``--against`` the figures of an earlier run stand beside, and how many times as much it is now.  Those of an
earlier commit are had from here by ``PYTHONPATH`` with the sources of its checkout.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import process_time

from benchmarks import harness
from benchmarks.words import a_game
from kibitz.engine.contract import CHECKS
from kibitz.engine.game import Game
from kibitz.engine.registry import all_games


def main(arguments: list[str]) -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contract", description=__doc__)
    parser.add_argument("games", nargs="*", type=a_game, metavar="game", help="a registered game; none means all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--against", type=Path, metavar="FILE", help="figures of an earlier run")
    asked = parser.parse_args(arguments)
    before = json.loads(asked.against.read_text()) if asked.against else {}
    found: dict[str, dict[str, float]] = {}
    print(harness.header(harness.machine()), flush=True)
    for game in asked.games or all_games():
        name = game.name
        found[name] = seconds(game)
        total, past = sum(found[name].values()), sum(before.get(name, {}).values())
        print(f"{name:18} {total:7.2f} s" + (f"  {past:7.2f} s  x {total / past:.2f}" if past else ""), flush=True)
        for check, taken in sorted(found[name].items(), key=lambda pair: -pair[1])[:4]:
            print(f"    {check:44} {taken:6.2f} s", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")


def seconds(played: Game) -> dict[str, float]:
    """CPU seconds of every check, the machine code having been made by a first run of those that use it."""
    from kibitz.engine import compilation, lockstep, loops

    for module in (lockstep, loops):
        compilation.compiled(module, played.rules)
    for check in CHECKS:
        if check.__module__.endswith("kernels"):
            check(played)
    taken = {}
    for check in CHECKS:
        start = process_time()
        check(played)
        taken[check.__name__] = process_time() - start
    return taken


if __name__ == "__main__":
    main(sys.argv[1:])
