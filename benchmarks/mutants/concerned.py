"""Which tests a change of a module should fail, found by what the tests' files say.

near        files that import the module, or are named after it or its game: they are run first; then those of the
            modules beside it that import it
far         files that name its package (for a game: the game) anywhere, and the contract of its games
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
"""The modules of each area; those of ``words`` are none of ``rules``, and no area holds what only defines types."""
LEFT_OUT = ("*/__init__.py", "*/versions/*", "*/attacks/*", "*/players/attacks.py", "*/examples.py", "*/worlds.py")
"""Registration, migrations that have run, hostile files, published results, and the leak tests' own world maker."""
CONTRACT = "tests/contract/test_contract.py"


def modules(root: Path, area: str) -> list[Path]:
    """The modules of an area, relative to the tree."""
    found = {path.relative_to(root) for path in root.glob(AREAS[area])}
    if area == "rules":
        found -= {path.relative_to(root) for path in root.glob(AREAS["words"])}
    return sorted(path for path in found if not any(path.match(pattern) for pattern in LEFT_OUT))


@cache
def tests(root: Path) -> dict[str, str]:
    """Every test file by its path, with its text."""
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.glob("tests/**/test_*.py"))}


def near(root: Path, module: Path) -> list[list[str]]:
    """The arguments for pytest of the tests nearest to a module: its own, then those of modules that import it."""
    own = direct(root, module)
    users = [path for user in importers(root, module) for path in direct(root, user)]
    groups = [own, [path for path in dict.fromkeys(users) if path not in own]]
    return [group for group in groups if group]


def direct(root: Path, module: Path) -> list[str]:
    """The test files that import a module or are named after it, or after its game."""
    imports = importing(module)
    parts = module.with_suffix("").parts
    name = parts[3] if parts[2] == "games" else parts[-1]
    found = [
        path
        for path, text in tests(root).items()
        if (module.stem in text and imports.search(text)) or name in Path(path).stem.split("_")
    ]
    return [path for path in found if path != CONTRACT]


@cache
def importing(module: Path) -> re.Pattern[str]:
    """Matches a source that imports a module."""
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
    """The arguments for pytest of all other tests that a module's change could fail."""
    parts = module.with_suffix("").parts[1:]
    done = {path for group in near(root, module) for path in group}
    if parts[1] == "games":
        game = parts[2]
        families = {"poker": "holdem|draw|kuhn|leduc|poker"}.get(game, game)
        word = re.compile(rf"\b({families})\b")
        found = [path for path, text in tests(root).items() if word.search(text)]
        contract = [[CONTRACT, "-k", " or ".join(families.split("|"))]]
    else:
        word = re.compile(rf"kibitz\.{parts[1]}\b|tests/{parts[1]}/")
        found = [path for path, text in tests(root).items() if word.search(text) or word.search(path)]
        contract = []
    rest = [path for path in found if path not in done and path != CONTRACT]
    return contract + ([rest] if rest else [])
