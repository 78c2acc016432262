"""Which tests should fail when a module is changed, found by the text of the test files.

near        first the files that are named after the module or import it; then the pinned tests of its game and files
            named after the game, those of the modules in its package that import it, and those in the folder of its
            package if that is within another package
far         the contract tests of its game, and all files that name its package (for a game: the game)

Tests are named by their files; ``FILE[go`` means the tests of a file whose parameters begin with ``go``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

AREAS = {
    "rules": "src/kibitz/games/*/**/*.py",
    "words": "src/kibitz/games/*/words.py",
    "table": "src/kibitz/table/*.py",
    "players": "src/kibitz/players/*.py",
    "sandbox": "src/kibitz/sandbox/*.py",
    "arena": "src/kibitz/arena/**/*.py",
    "coursework": "src/kibitz/coursework/*.py",
}
"""The modules of each area, except ``LEFT_OUT``; those of ``words`` do not belong to ``rules``."""
LEFT_OUT = (
    "*/__init__.py",
    "*/attacks/*",
    "*/players/attacks.py",
    "*/contract.py",
)
"""Registration, hostile files, and the makers of the states that the leak tests compare."""
CONTRACT = "tests/contract/test_contract.py"
PINNED = ("tests/strategies/test_pinned_play.py", "tests/engine/test_game_sentences.py")
"""Tests of what every game's players do, and of its sentences."""
FAMILIES = {"poker": ("holdem", "draw", "kuhn", "leduc")}
"""The games of a package whose name is not that of its one game."""


def modules(root: Path, area: str) -> list[Path]:
    """The modules of an area, relative to the tree."""
    paths = {path.relative_to(root) for path in root.glob(AREAS[area])}
    if area == "rules":
        paths -= {path.relative_to(root) for path in root.glob(AREAS["words"])}
    return sorted(path for path in paths if not any(path.match(pattern) for pattern in LEFT_OUT))


@cache
def tests(root: Path) -> dict[str, str]:
    """Every test file by its path, with its text."""
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.glob("tests/**/test_*.py"))}


def near(root: Path, module: Path) -> list[list[str]]:
    """The test files nearest to a module: its own, its game's, those of modules that import it, its package's."""
    groups, users = [direct(root, module)], importers(root, module)
    if "games" in module.parts:
        groups.append([f"{path}[{game}" for path in PINNED for game in games_of(module)])
        groups.append(named(root, module.parts[3]))
    groups.append([path for user in users for path in direct(root, user)])
    groups.append(beside(root, module))
    seen = set[str]()
    for group in groups:
        group[:] = [path for path in dict.fromkeys(group) if path not in seen and path != CONTRACT]
        seen.update(group)
    return [group for group in groups if group]


def games_of(module: Path) -> tuple[str, ...]:
    """The games of the package that a module is in."""
    package = module.parts[3]
    return FAMILIES.get(package, (package,))


def direct(root: Path, module: Path) -> list[str]:
    """The test files that import a module or are named after it."""
    imports = importing(module)
    alike = named(root, module.parts[3] if "games" in module.parts else module.stem)
    found = [path for path, text in tests(root).items() if module.stem in text and imports.search(text)]
    return [path for path in alike if module.stem in Path(path).stem.split("_")] + found


def beside(root: Path, module: Path) -> list[str]:
    """The test files in the folder of a package within a package, such as ``tests/arena/store``."""
    folder = Path("tests", *module.parts[2:-1])
    return [path for path in tests(root) if len(folder.parts) > 2 and Path(path).parent == folder]


def named(root: Path, word: str) -> list[str]:
    """The test files with a word in their names."""
    return [path for path in tests(root) if word in Path(path).stem.split("_")]


@cache
def importing(module: Path) -> re.Pattern[str]:
    """A pattern for sources that import a module."""
    parts = module.with_suffix("").parts[1:]
    package, stem = ".".join(parts[:-1]), parts[-1]
    inside = rf"from {re.escape(package)} import (\([^)]*|[^\n]*)\b{stem}\b"
    return re.compile(rf"\b{re.escape(package)}\.{stem}\b|{inside}")


def importers(root: Path, module: Path) -> list[Path]:
    """The modules of the same package that import a module."""
    imports = importing(module)
    beside = {path: text for path, text in sources((root / module).parent).items() if path != root / module}
    return [path.relative_to(root) for path, text in beside.items() if module.stem in text and imports.search(text)]


@cache
def sources(folder: Path) -> dict[Path, str]:
    """Every module of a folder, with its text."""
    return {path: path.read_text() for path in sorted(folder.glob("*.py"))}


def far(root: Path, module: Path) -> list[list[str]]:
    """All other tests that could fail when a module is changed."""
    parts = module.with_suffix("").parts[1:]
    near_files = {path for group in near(root, module) for path in group}
    if parts[1] == "games":
        games = games_of(module)
        word = re.compile(rf"\b({'|'.join((parts[2], *games))})\b")
        matching = [path for path, text in tests(root).items() if word.search(text)]
        contract = [[f"{CONTRACT}[{game}" for game in games]]
    else:
        word = re.compile(rf"kibitz\.{parts[1]}\b|tests/{parts[1]}/")
        matching = [path for path, text in tests(root).items() if word.search(text) or word.search(path)]
        contract = []
    others = [path for path in matching if path not in near_files and path != CONTRACT]
    return contract + ([others] if others else [])
