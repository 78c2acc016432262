"""How much a game costs: ``python -m benchmarks size [--against COMMIT]``.

    code        lines of .py files, by game and by what they are for; strategies do not count in what was asked
    outside     files beside a game's own package, its tests, pages and examples that name the game

Every line counts, blank ones and docstrings too.  With ``--against`` the same is counted at that commit, and how much
of what is there now stands in modules that were not there then.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from benchmarks.harness import progress

GAMES = PurePosixPath("src/kibitz/games")
STRATEGIES, RULES = "strategies", "rules, with their kernels"
KINDS = {
    "what a seat sees and is told": "view",
    "words": "words describing",
    "scenes": "scene",
    "what a view is checked against": "contract",
    "hands by themselves, by the million": ("show shows lookup hands gpu_kernels"),
    "whole turns, drawn and best (Huxxy)": "best turns fitting work random_games",
    "records of other programs": "phh",
    "assignments": "assignment",
    STRATEGIES: (
        "policies lookahead leaf_values planning turn_search drafts laying headsup "
        "classes pushfold ahead evaluation outlook simple"
    ),
}
"""The modules that are for something else than the rules, which all others are for."""
KIND_OF = {module: kind for kind, modules in KINDS.items() for module in modules.split()}
SMALL, SIX = 250, 12_000
"""What was asked for: lines of Crazy Eights, and of the six games that were there before it."""
LATER = {"policies.py", "scene.py"}
"""What was no part of the game that was asked for: a strategy as a kernel, a table of its own."""
BEFORE = ("bo", "cribbage", "go", "huxxy", "poker", "president")
REGISTERS = ("src", "pyproject.toml", "Makefile")
"""Where a new game might have to be entered."""


def git(*words: str) -> str:
    """What a command of git prints; ValueError, with its sentence, if it fails."""
    ran = subprocess.run(["git", *words], capture_output=True, text=True)
    if ran.returncode:
        raise ValueError(ran.stderr.strip())
    return ran.stdout


def files(commit: str) -> list[str]:
    """The paths of all files of a commit; of the working tree where it is empty."""
    there = git("ls-tree", "-r", "--name-only", commit) if commit else git("ls-files", "-co", "--exclude-standard")
    return there.splitlines()


def content(commit: str, path: str) -> str:
    """A file of a commit, or of the working tree."""
    if commit:
        return git("show", f"{commit}:{path}")
    with open(path, encoding="utf-8") as file:
        return file.read()


class Module(NamedTuple):
    """A module of a game: its path, and how many lines it has."""

    path: PurePosixPath
    lines: int

    @property
    def game(self) -> str:
        """The game that it belongs to."""
        return self.path.parts[3]

    @property
    def kind(self) -> str:
        """What it is for."""
        return KIND_OF.get(self.path.parts[4].removesuffix(".py"), RULES)


def modules(commit: str) -> list[Module]:
    """The modules of all games at a commit, or in the working tree."""
    found = []
    for path in map(PurePosixPath, files(commit)):
        if path.suffix == ".py" and path.is_relative_to(GAMES) and len(path.parts) > 4:
            progress(f"{commit or 'here'}: {path}")
            found.append(Module(path, len(content(commit, str(path)).splitlines())))
    progress("")
    return found


def outside(commit: str, game: str) -> list[str]:
    """The files of the code and its settings, beside the game's package, in which the game is named as a game."""
    named = re.compile(rf"kibitz[./]games[./]{game}\b|[\"']{game}(-mini)?[\"']")
    found = []
    for path in files(commit):
        if not path.startswith(REGISTERS) or path.startswith(f"{GAMES}/{game}/") or not path.endswith((".py", ".toml")):
            continue
        if named.search(content(commit, path)):
            found.append(path)
    return found


def report(against: str = "") -> Iterable[str]:
    """The lines by game and, of the six, by what their modules are for; and whether what was asked is met."""
    now, then = modules(""), modules(against) if against else []
    yield row("lines of .py", "now", *(("in new modules", against[:12]) if against else ()))
    for game in sorted({module.game for module in now}):
        yield counted(game, [of(each, game=game) for each in (now, then)], against)
    six = [[module for module in each if module.game in BEFORE] for each in (now, then)]
    yield counted("the six before", six, against)
    for kind in (RULES, *KINDS):
        yield counted(f"    {kind}", [of(each, kind=kind) for each in six], against)
    without = sum(module.lines for module in six[0] if module.kind != STRATEGIES)
    yield f"asked: the six at most {SIX:,} without strategies: {without:,}, {verdict(without <= SIX)}"
    whole = of(now, game="eights")
    eights, later = total(whole), total(module for module in whole if module.path.name in LATER)
    yield f"asked: Crazy Eights at most {SMALL}: {eights - later}, {verdict(0 < eights <= SMALL + later)}"
    yield f"    and {later} in {', '.join(sorted(LATER))}, which games need not have: {eights} in all"
    touched = outside("", "eights")
    yield f"asked: places outside its package that a new game touches, 0: {len(touched)}, {verdict(not touched)}"
    yield from (f"    {path}" for path in touched)


def of(among: Iterable[Module], **wanted: str) -> list[Module]:
    """The modules of a game, or of a kind."""
    return [module for module in among if all(getattr(module, name) == value for name, value in wanted.items())]


def total(among: Iterable[Module]) -> int:
    """How many lines they have together."""
    return sum(module.lines for module in among)


def counted(name: str, now_and_then: list[list[Module]], against: str) -> str:
    """One line of a table: what there is now; with ``against`` what of it is in new modules, and what there was."""
    now, then = now_and_then
    known = {module.path for module in then}
    more = (total(module for module in now if module.path not in known), total(then)) if against else ()
    return row(name, *(f"{number:,}" for number in (total(now), *more)))


def row(name: str, *cells: str) -> str:
    """A name and its columns."""
    return f"{name:<42}" + "".join(f"{cell:>16}" for cell in cells)


def verdict(met: bool) -> str:
    """Whether a figure is as it was asked for."""
    return "met" if met else "MISSED"
