"""How much a game costs: ``python -m benchmarks size [--against COMMIT]``.

    code        lines of .py files, by game; those that say and prove an assignment's functions counted apart
    outside     files beside a game's own package, its tests, pages and examples that name the game

Every line counts, blank ones and docstrings too.  With ``--against`` both columns are counted: at that commit, and now.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import PurePosixPath

from benchmarks.harness import progress

GAMES = PurePosixPath("src/kibitz/games")
APART = ("published", "examples", "form")
"""Modules, or the first part of their names, that a game has for an assignment alone."""
SMALL, SIX = 250, 12_000
"""What was asked for: lines of Crazy Eights, and of the six games that were there before it."""
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


def lines_by_game(commit: str) -> dict[str, tuple[int, int]]:
    """By game, the lines of its code: what plays, and what is for an assignment."""
    counted: dict[str, tuple[int, int]] = {}
    paths = [PurePosixPath(path) for path in files(commit)]
    code = [
        path for path in paths if path.suffix == ".py" and path.parts[:4][:3] == GAMES.parts and len(path.parts) > 4
    ]
    for path in code:
        progress(f"{commit or 'here'}: {path}")
        game, number = path.parts[3], len(content(commit, str(path)).splitlines())
        playing, apart = counted.get(game, (0, 0))
        is_apart = any(part.removesuffix(".py").startswith(APART) for part in path.parts[4:])
        counted[game] = (playing, apart + number) if is_apart else (playing + number, apart)
    progress("")
    return counted


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
    """The lines of the table."""
    now = lines_by_game("")
    before = lines_by_game(against) if against else {}
    yield f"{'lines of .py':<22}{'now':>8}{'of it for assignments':>24}" + (f"{against[:12]:>14}" if against else "")
    for game in sorted(now):
        yield row(game, [now[game]], [before.get(game, (0, 0))] if against else [])
    six = [now[game] for game in BEFORE if game in now]
    yield row("the six before", six, [before.get(game, (0, 0)) for game in BEFORE] if against else [])
    yield f"asked: the six at most {SIX:,}: {verdict(sum(map(sum, six)) <= SIX)}"
    eights = sum(now.get("eights", (0, 0)))
    yield f"asked: Crazy Eights at most {SMALL}: {eights}, {verdict(0 < eights <= SMALL)}"
    touched = outside("", "eights")
    yield f"asked: places outside its package that a new game touches, 0: {len(touched)}, {verdict(not touched)}"
    yield from (f"    {path}" for path in touched)


def row(name: str, now: list[tuple[int, int]], before: list[tuple[int, int]]) -> str:
    """One line: all lines of some games, those for assignments, and all at the other commit."""
    text = f"{name:<22}{sum(map(sum, now)):>8,}{sum(apart for _, apart in now):>24,}"
    return text + (f"{sum(map(sum, before)):>14,}" if before else "")


def verdict(met: bool) -> str:
    """Whether a figure is as it was asked for."""
    return "met" if met else "MISSED"
