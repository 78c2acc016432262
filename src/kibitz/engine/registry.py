"""The installed games.

    game("go")          a game by name; variants have names of their own, such as ``go-mini``, and options
                        follow a colon, such as ``bo:players=3``
    all_games()         all of them, sorted by name
    load_errors()          a sentence for each package of games that couldn't be loaded

A game registers by being a package in ``kibitz.games`` with a tuple ``GAMES``.  Packages are found by name and imported
only when one of their games is needed; if its games have other names than the package, a file ``names.txt`` lists them.
Other distributions offer games as entry points of the group ``kibitz.games``: the entry point's name is the games' name
up to the hyphen, its value a module with ``GAMES``.  ``add`` takes a package from a path, for this process and its
children: the paths are in the variable ``KIBITZ_GAMES``, which users can set as well (several as in ``PATH``).
"""

from __future__ import annotations

import difflib
import importlib
import os
import pkgutil
import re
import sys
import sysconfig
import tomllib
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from keyword import iskeyword
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.options import described
from kibitz.engine.sentences import listed
from kibitz.errors import NotationError

# Families: games that share a rule book, such as poker's, the standard game first.


class Family(NamedTuple):
    """The games with one rule book; ``name`` is that of their package."""

    name: str
    games: tuple[Game, ...]

    @property
    def titles(self) -> list[str]:
        """The titles of its games, each once."""
        return list(dict.fromkeys(game.title for game in self.games))

    @property
    def title(self) -> str:
        """The common name of its games.

        >>> [family.title for family in families() if family.name in ("go", "poker")]
        ['COMP10001-Go', 'Poker']
        """
        return self.titles[0] if len(self.titles) == 1 else self.name.capitalize()

    @property
    def summary(self) -> str:
        """The summary of the standard game, or the list of games."""
        return self.games[0].summary if len(self.titles) == 1 else f"{listed(self.titles)}."


def family_of(game: Game) -> str:
    """The name of the family that a game belongs to.

    >>> from kibitz.engine.registry import game
    >>> family_of(game("go-mini")), family_of(game("holdem:hands=5"))
    ('go', 'poker')
    """
    return package_of(game.name.partition(":")[0])


def families() -> tuple[Family, ...]:
    """All games by family, without those that can't be loaded."""
    found: dict[str, list[Game]] = {}
    for game in all_games():
        found.setdefault(family_of(game), []).append(game)
    return tuple(Family(name, tuple(games)) for name, games in found.items())


def name_in_family(game: Game, family: Family) -> str:
    """A game's name within its family.

    >>> poker = next(family for family in families() if family.name == "poker")
    >>> [name_in_family(game, poker) for game in poker.games]
    ["Texas hold'em", 'Five-card draw', 'Five-card draw, mini', 'Kuhn poker', 'Leduc poker']
    """
    if len(family.titles) == 1:
        return game.variant.capitalize()
    return full_title(game)


def full_title(game: Game) -> str:
    """A game's name without its options: its title, and its variant if others have the same title.

    >>> from kibitz.engine.registry import game
    >>> full_title(game("huxxy:players=2")), full_title(game("huxxy-bonus")), full_title(game("kuhn"))
    ('COMP10001-Huxxy', 'COMP10001-Huxxy, bonus', 'Kuhn poker')
    """
    alone = sum(other.title == game.title for other in variants(family_of(game))) == 1
    return game.title if alone or game.variant == "standard" else f"{game.title}, {game.variant}"


# Packages of games on a path: what counts as one, where a project has it, how it is imported.


GROUP = "kibitz.games"
"""The group of entry points by which distributions offer games."""


def is_path(text: str) -> bool:
    """Whether a text is the path of a package of games, not a game's name.

    A path has a slash in it or is ``.``, so a folder is never confused with a game of the same name.
    """
    return "/" in text or os.sep in text or text == "."


def package_in_project(project: Path) -> Path:
    """The package of games that a project's pyproject.toml declares as an entry point; NotationError if none."""
    file = project / "pyproject.toml"
    try:
        points = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
        module = str(next(iter(points.values()))).partition(":")[0].replace(".", "/")
    except (KeyError, StopIteration, AttributeError, TypeError):
        raise NotationError(f'{file} offers no games: it needs [project.entry-points."{GROUP}"].') from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotationError(f"{file} cannot be read: {error}.") from None
    return next((at / module for at in (project / "src", project) if (at / module).is_dir()), project / module)


def import_package(name: str, file: Path) -> None:
    """Import a package of games from its file, unless it is imported already."""
    if name in sys.modules:
        return
    locations = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=locations)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for part in [part for part in sys.modules if part == name or part.startswith(f"{name}.")]:
            del sys.modules[part]
        raise


def error_location(error: Exception) -> str:
    """The file and line an error comes from: the last in a game or outside Kibitz and Python, or the last of all."""
    steps = []
    step = error.__traceback__
    while step is not None:
        steps.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}, line {error.lineno})"
    kibitz = Path(__file__).parents[1]
    ours, games = (str(kibitz), sysconfig.get_path("stdlib"), "<"), f"{kibitz / 'games'}{os.sep}"
    theirs = [(file, line) for file, line in steps if file.startswith(games) or not file.startswith(ours)]
    return " ({}, line {})".format(*(theirs or steps)[-1]) if steps else ""


PATHS = "KIBITZ_GAMES"
NAME = re.compile("[a-z][a-z0-9_]*")
"""The name of a package of games."""
_added: dict[str, Path] = {}
_given_paths: dict[str, str] = {}
"""By package, the path that the user gave."""
_load_errors: dict[str, str] = {}


@cache
def bundled_packages() -> dict[str, str]:
    """The packages that come with Kibitz: name and module."""
    home = importlib.import_module(GROUP)
    return {found.name: f"{GROUP}.{found.name}" for found in pkgutil.iter_modules(home.__path__) if found.ispkg}


@cache
def offered_packages() -> dict[str, str]:
    """The packages that other distributions offer: name and module."""
    found: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP)):
        if point.name in bundled_packages() or point.name in extra_names() or point.name in found:
            record_load_error(point.value, f"there is a game called {point.name} already")
        else:
            found[point.name] = point.value
    return found


def record_load_error(module: str, why: str) -> None:
    """Record why the games of a module can't be loaded."""
    _load_errors[module] = f"The games of {module} are left out: {why}."


def load_errors() -> tuple[str, ...]:
    """A sentence for each module, of those needed so far, whose games can't be loaded."""
    return tuple(_load_errors.values())


def package_modules() -> dict[str, str]:
    """All packages of games: name and module."""
    return {**bundled_packages(), **{name: name for name in added_packages()}, **offered_packages()}


def packages() -> tuple[str, ...]:
    """The names of the game packages."""
    return tuple(sorted(package_modules()))


@cache
def extra_names() -> dict[str, str]:
    """Games whose name up to the hyphen isn't their package's: name and package."""
    home = Path(str(importlib.import_module(GROUP).__file__)).parent
    lists = {package: home / package / "names.txt" for package in bundled_packages()}
    return {
        name: package
        for package, path in lists.items()
        if path.is_file()
        for name in path.read_text(encoding="utf-8").split()
    }


def package_of(name: str) -> str:
    """The package for a game's name: the part before the hyphen, or a package that claims the name."""
    base = name.partition("-")[0]
    return extra_names().get(base, base)


def added_packages() -> dict[str, Path]:
    """The packages from paths: name, and folder or file; invalid ones are left out."""
    for path in filter(None, os.environ.get(PATHS, "").split(os.pathsep)):
        if Path(path).stem not in _added and path not in _load_errors:
            try:
                name, file = locate_package(Path(path))
            except NotationError as error:
                _load_errors[path] = str(error)
            else:
                _added[name], _given_paths[name] = file, path
    return _added


@cache
def variants(package: str) -> tuple[Game, ...]:
    """The games of one package, the standard game first; NotationError, with file and line, for one that fails."""
    module = package_modules()[package]
    try:
        if package in _added and package not in offered_packages():
            import_package(package, _added[package])
        return games_of_module(package, importlib.import_module(module))
    except Exception as error:
        record_load_error(module, f"{type(error).__name__}: {str(error).rstrip('.')}{error_location(error)}")
        raise NotationError(_load_errors[module]) from error


def games_of_module(package: str, module: ModuleType) -> tuple[Game, ...]:
    """The games of a module; NotationError for names that cannot be, TypeError if there are no games."""
    found = getattr(module, "GAMES", None)
    if not isinstance(found, tuple) or not found or not all(isinstance(each, Game) for each in found):
        raise TypeError(f"{module.__file__} has no GAMES: a tuple of games, the standard game first")
    called = [each.name for each in found]
    for name in called:
        if package_of(name) != package:
            raise NotationError(f"{module.__file__} calls a game {shown(name)}: call it {package}, or {package}-...")
        if called.count(name) > 1:
            raise NotationError(f"{module.__file__} has two games called {name}")
    return found


def why_not_package_name(name: str, file: Path | None = None) -> str | None:
    """Why a package of games can't have this name, or None; ``file`` is its file, if it exists yet."""
    if not NAME.fullmatch(name) or iskeyword(name):
        return f"{shown(name)} isn't a name for a game: use small letters, digits and underscores, such as 'old_maid'."
    if (
        name in bundled_packages()
        or name in extra_names()
        or (name in offered_packages() and not is_offered_package(name, file))
    ):
        return f"There is a game called {name} already: choose another name."
    known = None if name in _added else find_spec(name)
    origin = known.origin if known else None  # also None for any folder that Python happens to find
    if origin is not None and (file is None or Path(origin).resolve() != file.resolve()):
        return f"{name} is the name of a module of Python or of another package: choose another."
    return None


def is_offered_package(name: str, file: Path | None) -> bool:
    """Whether a file is the package of games that a distribution offers by a name, as ``pip install -e`` leaves it."""
    try:
        spec = find_spec(offered_packages()[name])
    except Exception:  # importing the module's parent package runs its code
        return False
    return bool(file and spec and spec.origin and Path(spec.origin).resolve() == file.resolve())


def locate_package(path: Path) -> tuple[str, Path]:
    """The name and the file of a package of games: of its folder, its one file, or the project that it is in.

    NotationError if there is none.
    """
    path = path.resolve()
    if os.path.isfile(path / "pyproject.toml") and not os.path.isfile(path / "__init__.py"):
        path = package_in_project(path)
    file = path / "__init__.py" if os.path.isdir(path) else path
    if not os.path.isfile(file) or file.suffix != ".py":
        raise NotationError(f"{path} isn't a package of games: name a folder with an __init__.py that has GAMES.")
    if sentence := why_not_package_name(path.stem, file):
        raise NotationError(f"{path}: {sentence}")
    return path.stem, file


def add(path: str | Path) -> tuple[Game, ...]:
    """The games of a package at a path: its folder, its one file, or a project whose pyproject.toml offers it.

    They stay until the process ends, and in its child processes.  NotationError, with file and line, if
    there are none.  This runs the code that is there.
    """
    name, file = locate_package(Path(path))
    if _added.get(name, file) != file:
        raise NotationError(f"There are games called {name} already, from {_added[name].parent}.")
    _added[name], _given_paths[name] = file, os.fspath(path)
    variants.cache_clear()
    found = variants(name)
    place = str(file.parent if file.name == "__init__.py" else file)
    others = [each for each in os.environ.get(PATHS, "").split(os.pathsep) if each not in ("", place)]
    os.environ[PATHS] = os.pathsep.join([*others, place])
    return found


def game_at_path(text: str) -> Game:
    """The game at a path (see ``add``): the standard game, or the variant if ``-VARIANT`` follows.

    NotationError if there is none.
    """
    path, _, variant = text.rpartition("-")
    if os.path.exists(text) or not os.path.exists(path) or is_path(variant):
        return add(text)[0]
    found = {each.name.partition("-")[2]: each for each in add(path)}
    if variant not in found:
        there = f"it has: {', '.join(filter(None, found))}" if len(found) > 1 else "it has none"
        raise NotationError(f"{path} has no variant called {shown(variant)}; {there}.")
    return found[variant]


def command_name(name: str) -> str:
    """The name of a game as a command takes it, with the path if its package came from a path."""
    package = name.partition(":")[0].partition("-")[0]
    if package not in _given_paths or package in offered_packages():
        return name
    shown_as = _given_paths[package] + name.removeprefix(package)
    return shown_as if is_path(shown_as) else f"./{shown_as}"


def game_error_sentence(error: BaseException) -> str | None:
    """The sentence about an error raised by code of a game from outside Kibitz; None for other errors."""
    theirs = {
        module.partition(".")[0]: name for name, module in package_modules().items() if name not in bundled_packages()
    }
    step, found = error.__traceback__, None
    while step is not None:
        package = str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in (GROUP.partition(".")[0], *theirs):
            found = theirs.get(package)
        step = step.tb_next
    if found is None or not isinstance(error, Exception):
        return None
    failure = f"{command_name(found)} failed: {type(error).__name__}: {str(error).rstrip('.')}{error_location(error)}"
    return f"{failure}; 'kibitz check-game {command_name(found)}' finds out more."


def all_games() -> tuple[Game, ...]:
    """All games with all variants, without those that can't be loaded; ``load_errors`` says why."""
    found: list[Game] = []
    for package in packages():
        with suppress(NotationError):
            found += variants(package)
    return tuple(found)


def game(name: str) -> Game:
    """The game called ``name``, with options behind a colon: ``bo:players=3,rounds=10``.

    NotationError with the names there are if there is no such game.
    """
    base, colon, chosen = str(name).strip().lower().removeprefix("comp10001-").partition(":")
    package = package_of(base)
    if package in bundled_packages() or package in package_modules():
        for found in variants(package):
            if found.name == base:
                return found.with_options(**parse_options(chosen)) if colon else found
    known = [found.name for found in all_games()]
    close = difflib.get_close_matches(base, known, 1)
    listed = ", ".join(name for name in known if not name.endswith("-mini"))
    hint = f"did you mean {close[0]!r}?" if close else f"there are: {listed}; one of your own by its path in {PATHS}."
    raise NotationError(f"Unknown game {shown(name)}; {hint}")


def game_of(value: object) -> Game:
    """The game for a ``Game`` or a name; NotationError if it isn't one."""
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        return game(value)
    raise NotationError(f"game must be a Game or the name of one, such as 'bo', not {shown(value)}.")


def option_sentences(game: Game) -> list[str]:
    """The options that a game was given, in words; empty for defaults.

    >>> option_sentences(game("bo:rounds=10"))
    ['Everyone has at most 10 turns.']
    """
    chosen = game.name.partition(":")[2]
    return described(game.words.OPTIONS, parse_options(chosen)) if chosen else []


def parse_options(text: str) -> dict[str, int]:
    """Options, from the text after a game's name.

    >>> parse_options("players=3,rounds=10")
    {'players': 3, 'rounds': 10}
    """
    chosen = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value.isascii() or not value.isdigit() or len(value) > 18:
            raise NotationError(f"{shown(part)} isn't an option: write a name and a number, such as 'players=3'.")
        if name in chosen:
            raise NotationError(f"{shown(text)} says {name} twice.")
        chosen[name] = int(value)
    return chosen
