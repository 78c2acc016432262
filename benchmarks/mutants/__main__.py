"""Sample changes of every area and count what the tests notice: ``python -m benchmarks.mutants --sample 20``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic

from benchmarks.harness import whole
from benchmarks.mutants.changes import Change, changes, compiles
from benchmarks.mutants.concerned import AREAS, modules
from benchmarks.mutants.trials import Trials

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
KEPT = ROOT / "build" / "mutants"
BAR = 0.95


@dataclass(frozen=True)
class Mutant:
    """One change of one module of one area."""

    area: str
    module: Path
    change: Change

    @property
    def shown(self) -> str:
        """Which line, and what becomes of it; how ``equivalent.txt`` names it."""
        return f"{self.module}: {self.change.shown((ROOT / self.module).read_text())}"

    @property
    def readable(self) -> bool:
        """Whether Python can still read the module."""
        return compiles(self.change.made((ROOT / self.module).read_text()))


def known_equivalents() -> dict[str, str]:
    """The changes that alter nothing, each with its reason."""
    lines = EQUIVALENT.read_text().splitlines()
    pairs = [line.split("   # ", 1) for line in lines if line.strip() and not line.startswith("#")]
    return {change.strip(): reason for change, reason in pairs}


def every(area: str) -> Iterator[Mutant]:
    """All mutants of an area."""
    for module in modules(ROOT, area):
        yield from (Mutant(area, module, change) for change in changes((ROOT / module).read_text()))


def sampled(areas: Sequence[str], size: int, seed: int, only: str) -> list[Mutant]:
    """So many mutants of each area that are not known to be equivalent, the same for the same seed."""
    known, found = known_equivalents(), list[Mutant]()
    for area in areas:
        there = [one for one in every(area) if only in str(one.module)]
        drawn = Random(f"{seed} {area}").sample(there, len(there))
        matter = (one for one in drawn if one.shown not in known and one.readable)
        found += islice(matter, size)
    return found


def main(arguments: list[str]) -> int:
    """Try the sample on all workers; 0 where enough was noticed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("areas", nargs="*", metavar="area", help=f"one of {', '.join(AREAS)}; none means all")
    parser.add_argument("--sample", type=whole(1), default=20, help="changes of each area (20)")
    parser.add_argument("--seed", type=whole(0), default=1, help="which changes are drawn (1)")
    parser.add_argument("--workers", type=whole(1, 1000), default=2, help="how many are tried at once (2)")
    parser.add_argument("--module", default="", help="only modules whose path holds this text")
    parser.add_argument(
        "--near",
        action="store_true",
        help="leave out tests that only name the package or the game, where there are others",
    )
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.areas if name not in AREAS]:
        parser.error(f"there is no area {unknown[0]!r}; there are {', '.join(AREAS)}")
    found = sampled(asked.areas or list(AREAS), asked.sample, asked.seed, asked.module)
    with ExitStack() as held:
        places = [held.enter_context(a_place()) for _ in range(asked.workers)]
        return report(tried(found, places, far=not asked.near), len(found))


@contextmanager
def a_place() -> Iterator[Path]:
    """The first folder for a copy of the tree that no other run, and no other worker of this one, holds."""
    for number in count():
        place = KEPT / f"place-{number}"
        place.mkdir(parents=True, exist_ok=True)
        with (place / "held").open("w") as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                continue
            yield place
            return


def tried(found: Sequence[Mutant], places: Sequence[Path], *, far: bool) -> Iterator[tuple[Mutant, str]]:
    """Every mutant with the test that noticed it, in order; one is tried at a time in each place."""
    free: SimpleQueue[Trials] = SimpleQueue()
    for place in places:
        free.put(Trials.of(ROOT, place, KEPT, far=far))

    def attempt(one: Mutant) -> str:
        trials = free.get()
        try:
            return trials.noticed(one.module, one.change)
        finally:
            free.put(trials)

    with ThreadPoolExecutor(len(places)) as pool:
        yield from zip(found, pool.map(attempt, found), strict=True)


def report(results: Iterator[tuple[Mutant, str]], of: int) -> int:
    """Print every result as it comes, then the score by area."""
    begun, score = monotonic(), dict[str, list[bool]]()
    for number, (one, by) in enumerate(results, 1):
        score.setdefault(one.area, []).append(bool(by))
        left = (monotonic() - begun) / number * (of - number)
        print(f"{number}/{of}  {'noticed ' if by else 'SURVIVED'}  {one.shown}", end="", flush=True)
        print(f"{'  by ' + by if by else ''}  ({left / 60:.0f} min left)", flush=True)
    print(f"\n{'area':12}  noticed")
    for area, seen in score.items():
        print(f"{area:12}  {sum(seen)} of {len(seen)}")
    total = [noticed for seen in score.values() for noticed in seen]
    share = sum(total) / max(1, len(total))
    print(f"{'all':12}  {sum(total)} of {len(total)}, {share:.1%}; asked {BAR:.0%} of changes that are not equivalent")
    return int(share < BAR)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
