"""Sample changes of every area and count those that tests notice: ``python -m tools.mutants --sample 20``."""

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
from tools.mutants.changes import Change, changes, compiles
from tools.mutants.concerned import AREAS, modules
from tools.mutants.trials import Trials

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
        """The line and its change, as ``equivalent.txt`` has them."""
        return f"{self.module}: {self.change.shown((ROOT / self.module).read_text())}"

    @property
    def readable(self) -> bool:
        """Whether Python can compile the changed module."""
        return compiles(self.change.made((ROOT / self.module).read_text()))


def known_equivalents() -> dict[str, str]:
    """The changes without effect, each with its reason."""
    lines = EQUIVALENT.read_text().splitlines()
    pairs = [line.split("   # ", 1) for line in lines if line.strip() and not line.startswith("#")]
    return {change.strip(): reason for change, reason in pairs}


def all_mutants(area: str) -> Iterator[Mutant]:
    """All mutants of an area."""
    for module in modules(ROOT, area):
        yield from (Mutant(area, module, change) for change in changes((ROOT / module).read_text()))


def sampled(areas: Sequence[str], size: int, seed: int, only: str) -> list[Mutant]:
    """``size`` mutants of each area that are not known to be equivalent; the same for the same seed."""
    equivalents, sample = known_equivalents(), list[Mutant]()
    for area in areas:
        mutants = [mutant for mutant in all_mutants(area) if only in str(mutant.module)]
        shuffled = Random(f"{seed} {area}").sample(mutants, len(mutants))
        eligible = (mutant for mutant in shuffled if mutant.shown not in equivalents and mutant.readable)
        sample += islice(eligible, size)
    return sample


def main(arguments: list[str]) -> int:
    """Try the sample on all workers; return 0 if enough mutants were noticed."""
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
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.areas if name not in AREAS]:
        parser.error(f"there is no area {unknown[0]!r}; known areas: {', '.join(AREAS)}")
    mutants = sampled(options.areas or list(AREAS), options.sample, options.seed, options.module)
    with ExitStack() as stack:
        folders = [stack.enter_context(locked_folder()) for _ in range(options.workers)]
        return report(tried(mutants, folders, far=not options.near), len(mutants))


@contextmanager
def locked_folder() -> Iterator[Path]:
    """Lock and yield the first folder for a copy of the tree that no other run or worker uses."""
    for number in count():
        folder = KEPT / f"place-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "held").open("w") as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                continue
            yield folder
            return


def tried(mutants: Sequence[Mutant], folders: Sequence[Path], *, far: bool) -> Iterator[tuple[Mutant, str]]:
    """Try the mutants, one at a time in each folder; yield each with the test that noticed it, in order."""
    free: SimpleQueue[Trials] = SimpleQueue()
    for folder in folders:
        free.put(Trials.of(ROOT, folder, KEPT, far=far))

    def attempt(mutant: Mutant) -> str:
        trials = free.get()
        try:
            return trials.noticed(mutant.module, mutant.change)
        finally:
            free.put(trials)

    with ThreadPoolExecutor(len(folders)) as pool:
        yield from zip(mutants, pool.map(attempt, mutants), strict=True)


def report(results: Iterator[tuple[Mutant, str]], n_mutants: int) -> int:
    """Print every result as it comes, then the score by area."""
    start, score = monotonic(), dict[str, list[bool]]()
    for number, (mutant, test) in enumerate(results, 1):
        score.setdefault(mutant.area, []).append(bool(test))
        seconds_left = (monotonic() - start) / number * (n_mutants - number)
        print(f"{number}/{n_mutants}  {'noticed ' if test else 'SURVIVED'}  {mutant.shown}", end="", flush=True)
        print(f"{'  by ' + test if test else ''}  ({seconds_left / 60:.0f} min left)", flush=True)
    print(f"\n{'area':12}  noticed")
    for area, noticed_in_area in score.items():
        print(f"{area:12}  {sum(noticed_in_area)} of {len(noticed_in_area)}")
    total = [noticed for noticed_in_area in score.values() for noticed in noticed_in_area]
    share = sum(total) / max(1, len(total))
    print(f"{'all':12}  {sum(total)} of {len(total)}, {share:.1%}; asked {BAR:.0%} of changes that are not equivalent")
    return int(share < BAR)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
