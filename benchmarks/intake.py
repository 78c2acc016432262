"""How long a class takes to be entered: ``python -m benchmarks.intake [--players 60] [--workers 2]``.

    class       an export as Moodle hands it out, made of the example players of Go in turn, each file another one
    entered     ``kibitz arena submit go FOLDER``: every file tried with its 100 games, accepted or refused

Prints the seconds on the wall, those of CPU time, and how busy the machine was before: other work takes its share.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from benchmarks import harness
from benchmarks.words import whole
from kibitz.cli import main as kibitz

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "players" / "go"


def lay(folder: Path, players: int) -> None:
    """Put a class into a folder."""
    files = sorted(EXAMPLES.glob("*.py"))
    for number in range(players):
        file = files[number % len(files)]
        home = folder / f"{file.stem} {number}_{1000 + number}_assignsubmission_file"
        home.mkdir(parents=True)
        (home / "player.py").write_text(f"{file.read_text(encoding='utf-8')}\n# {number}\n", encoding="utf-8")


def spent() -> float:
    """Seconds of CPU time of this process and those that it has waited for."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def main() -> None:
    """Enter a class and say how long that took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.intake", description="Enter a class.")
    parser.add_argument("--players", type=whole(2, 10_000), default=60)
    parser.add_argument("--workers", type=whole(1, 1000), default=None)
    asked = parser.parse_args()
    print(harness.header(harness.machine()))
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder) / "class", asked.players)
        words = ["arena", "submit", "go", f"{folder}/class", "--store", f"{folder}/season.sqlite"]
        words += ["--workers", str(asked.workers)] if asked.workers else []
        start, before = time.monotonic(), spent()
        kibitz(words)
        wall, cpu = time.monotonic() - start, spent() - before
    print(f"{asked.players} players: {wall:.0f} s on the wall, {cpu:.0f} s of CPU time; load before {busy:.1f}")


if __name__ == "__main__":
    main()
