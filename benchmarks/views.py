"""What the view costs that a fork server makes for its players: files, and processor time.

    all         everything that players may read here, installed packages and all
    standard    without the installed packages
    kibitz      with those of them alone that Kibitz runs on

``python -m benchmarks.views [REPEATS]`` makes each view so often, each in a process of its own that ends with it, and
prints the median with the least and the greatest.
"""

from __future__ import annotations

import argparse
import os
import re
import sysconfig
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

from benchmarks.harness import Figure
from benchmarks.words import whole
from kibitz.sandbox import filesystem

NOBODY = 65534
REPEATS = 5


def needed() -> set[str]:
    """The distributions that Kibitz runs on, itself left out: an editable one has no files to be shown."""
    found, waiting = set[str](), ["kibitz"]
    while waiting:
        try:
            lines = distribution(waiting.pop()).requires or ()
        except PackageNotFoundError:  # what only another Python or system needs
            continue
        for line in lines:
            name = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-")
            if "extra ==" not in line and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def paths_of(names: set[str]) -> list[str]:
    """Where the packages of some distributions lie."""
    home, by = sysconfig.get_paths()["purelib"], packages_distributions()
    tops = [top for top, owners in by.items() if names & {owner.lower().replace("_", "-") for owner in owners}]
    return [path for path in (f"{home}/{top}" for top in sorted(tops)) if os.path.isdir(path)]


def files(paths: Sequence[str]) -> int:
    """How many files of Python's own directories among the paths are shown."""
    left_out, found = filesystem.unimportable(), 0
    for path in filesystem.outermost({path for path in paths if path not in filesystem.shared()}):
        for place, folders, names in os.walk(path):
            folders[:] = [name for name in folders if f"{place}/{name}" not in left_out]
            found += sum(not name.endswith(filesystem.FOR_OTHERS) for name in names)
    return found


def made(paths: Sequence[str]) -> float:
    """Seconds of processor time for one view, made and left."""
    pid = os.fork()
    if not pid:
        os._exit(not filesystem.enter(paths, NOBODY))
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit("This kernel lets nobody make a view.")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.views", description=__doc__.partition("\n")[0])
    parser.add_argument("repeats", type=whole(1, 1000), nargs="?", default=REPEATS)
    asked = parser.parse_args()
    shown = {"standard": [*filesystem.standard()], "kibitz": [*filesystem.standard(), *paths_of(needed())]}
    for name, paths in {**shown, "all": [*filesystem.readable()]}.items():
        made(paths)  # once beforehand, so that every directory has been read
        taken = Figure(tuple(made(paths) for _ in range(asked.repeats)))
        print(f"{name:10} {files(paths):6,} files  {taken.text('s')} of CPU time", flush=True)


if __name__ == "__main__":
    main()
