"""The installed games.

    game("go")          a game by name; variants have names of their own, such as ``go-mini``, and options
                        follow a colon, such as ``bo:players=3``
    all_games()         all games, sorted by package
    load_errors()       a sentence for each package of games that couldn't be loaded

A game registers by being a package in ``kibitz.games`` with a tuple ``GAMES``.  Packages are found by name and imported
only when one of their games is needed; if its games aren't named after the package, a file ``names.txt`` lists them.
Other distributions offer games as entry points of the group ``kibitz.games``: the entry point's name is the games' name
up to the hyphen, its value a module with ``GAMES``.  ``add_package`` takes a package from a path, for this process and
its children: the paths are in the variable ``KIBITZ_GAMES``, which users can set as well (several as in ``PATH``).
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

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.sentences import listed
from kibitz.errors import NotationError

# Families: games that share a rule book, such as poker's, the standard game first.


class Family(NamedTuple):
    """The games with one rule book; ``name`` is the name of their package."""

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
        ['Go', 'Poker']
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
    by_family: dict[str, list[Game]] = {}
    for game in all_games():
        by_family.setdefault(family_of(game), []).append(game)
    return tuple(Family(name, tuple(games)) for name, games in by_family.items())


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
    ('Huxxy', 'Huxxy, bonus', 'Kuhn poker')
    """
    title_is_unique = sum(other.title == game.title for other in variants(family_of(game))) == 1
    return game.title if title_is_unique or game.variant == "standard" else f"{game.title}, {game.variant}"


# Packages of games from paths: which texts are paths, where a project has its package, and how one is imported.


GROUP = "kibitz.games"
"""The group of entry points by which distributions offer games."""


def is_path(text: str) -> bool:
    """Whether a text is the path of a package of games, not a game's name.

    A path has a slash in it or is ``.``, so a folder is never confused with a game of the same name.
    """
    return "/" in text or os.sep in text or text == "."


def package_in_project(project: Path) -> Path:
    """The package of games that a project's pyproject.toml declares as an entry point. Raises NotationError if none."""
    file = project / "pyproject.toml"
    try:
        declared_points = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
        module = str(next(iter(declared_points.values()))).partition(":")[0].replace(".", "/")
    except (KeyError, StopIteration, AttributeError, TypeError):
        raise NotationError(f'{file} offers no games: it needs [project.entry-points."{GROUP}"].') from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotationError(f"{file} cannot be read: {error}.") from None
    folders = [folder / module for folder in (project / "src", project)]
    return next((folder for folder in folders if folder.is_dir()), project / module)


def import_package(name: str, file: Path) -> None:
    """Import a package of games from its file, unless it is already imported."""
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
    """The file and line that an error comes from, after a space and in brackets: `` (rules.py, line 7)``.

    This is the last call in a game or outside Kibitz and Python's library; without such a call, the last of all.
    """
    calls = []
    entry = error.__traceback__
    while entry is not None:
        calls.append((entry.tb_frame.f_code.co_filename, entry.tb_lineno))
        entry = entry.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}, line {error.lineno})"
    kibitz = Path(__file__).parents[1]
    library, games = (str(kibitz), sysconfig.get_path("stdlib"), "<"), f"{kibitz / 'games'}{os.sep}"
    calls_outside = [(file, line) for file, line in calls if file.startswith(games) or not file.startswith(library)]
    return " ({}, line {})".format(*(calls_outside or calls)[-1]) if calls else ""


PATHS = "KIBITZ_GAMES"
NAME = re.compile("[a-z][a-z0-9_]*")
"""The name of a package of games."""
_added: dict[str, Path] = {}
_typed_paths: dict[str, str] = {}
"""By package, the path that the user gave."""
_load_errors: dict[str, str] = {}


@cache
def bundled_packages() -> dict[str, str]:
    """The packages that come with Kibitz: name and module."""
    package = importlib.import_module(GROUP)
    return {each.name: f"{GROUP}.{each.name}" for each in pkgutil.iter_modules(package.__path__) if each.ispkg}


@cache
def offered_packages() -> dict[str, str]:
    """The packages that other distributions offer: name and module."""
    modules: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP)):
        if point.name in bundled_packages() or point.name in extra_names() or point.name in modules:
            record_load_error(point.value, f"there is already a game called {point.name}")
        else:
            modules[point.name] = point.value
    return modules


def record_load_error(module: str, why: str) -> None:
    """Record why the games of a module can't be loaded."""
    _load_errors[module] = f"The games of {module} are left out: {why}."


def load_errors() -> tuple[str, ...]:
    """A sentence for each module whose games couldn't be loaded, of those that this process has tried to load."""
    return tuple(_load_errors.values())


def package_modules() -> dict[str, str]:
    """All packages of games: name and module."""
    return {**bundled_packages(), **{name: name for name in added_packages()}, **offered_packages()}


def packages() -> tuple[str, ...]:
    """The names of the game packages."""
    return tuple(sorted(package_modules()))


@cache
def extra_names() -> dict[str, str]:
    """Names of games, up to the hyphen, that differ from their package's name, each with its package."""
    games_folder = Path(str(importlib.import_module(GROUP).__file__)).parent
    name_files = {package: games_folder / package / "names.txt" for package in bundled_packages()}
    return {
        name: package
        for package, path in name_files.items()
        if path.is_file()
        for name in path.read_text(encoding="utf-8").split()
    }


def package_of(name: str) -> str:
    """The package for a game's name: the part before the hyphen, or the package whose ``names.txt`` lists that part."""
    base = name.partition("-")[0]
    return extra_names().get(base, base)


def added_packages() -> dict[str, Path]:
    """The packages from paths: name and file; invalid paths are left out."""
    for path in filter(None, os.environ.get(PATHS, "").split(os.pathsep)):
        if Path(path).stem not in _added and path not in _load_errors:
            try:
                name, file = locate_package(Path(path))
            except NotationError as error:
                _load_errors[path] = str(error)
            else:
                _added[name], _typed_paths[name] = file, path
    return _added


@cache
def variants(package: str) -> tuple[Game, ...]:
    """The games of a package, the standard game first.

    Raises NotationError, with file and line, if they can't be loaded.
    """
    module = package_modules()[package]
    try:
        if package in _added and package not in offered_packages():
            import_package(package, _added[package])
        return games_of_module(package, importlib.import_module(module))
    except Exception as error:
        record_load_error(module, f"{type(error).__name__}: {str(error).rstrip('.')}{error_location(error)}")
        raise NotationError(_load_errors[module]) from error


def games_of_module(package: str, module: ModuleType) -> tuple[Game, ...]:
    """The games of a module. Raises NotationError for an invalid name of a game, TypeError if there are no games."""
    games = getattr(module, "GAMES", None)
    if not isinstance(games, tuple) or not games or not all(isinstance(each, Game) for each in games):
        raise TypeError(f"{module.__file__} has no GAMES: a tuple of games, the standard game first")
    names = [each.name for each in games]
    for name in names:
        if package_of(name) != package:
            raise NotationError(
                f"{module.__file__} calls a game {short_repr(name)}: call it {package}, or {package}-..."
            )
        if names.count(name) > 1:
            raise NotationError(f"{module.__file__} has two games called {name}")
    return games


def why_not_package_name(name: str, file: Path | None = None) -> str | None:
    """Why a package of games can't have this name, or None; ``file`` is its file, if that already exists."""
    if not NAME.fullmatch(name) or iskeyword(name):
        return f"{short_repr(name)} can't name a game: use small letters, digits and underscores, such as 'old_maid'."
    if (
        name in bundled_packages()
        or name in extra_names()
        or (name in offered_packages() and not is_offered_package(name, file))
    ):
        return f"There is already a game called {name}: choose another name."
    spec = None if name in _added else find_spec(name)
    origin = spec.origin if spec else None  # also None for any folder that Python happens to find
    if origin is not None and (file is None or Path(origin).resolve() != file.resolve()):
        return f"{name} is the name of a module of Python or of another package: choose another."
    return None


def is_offered_package(name: str, file: Path | None) -> bool:
    """Whether ``file`` is the package that a distribution offers under ``name``, as after ``pip install -e``."""
    try:
        spec = find_spec(offered_packages()[name])
    except Exception:  # importing the module's parent package runs its code
        return False
    return bool(file and spec and spec.origin and Path(spec.origin).resolve() == file.resolve())


def locate_package(path: Path) -> tuple[str, Path]:
    """The name and the file of a package of games; ``path`` is its folder, its only file, or a project that offers it.

    Raises NotationError if there is none.
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


def add_package(path: str | Path) -> tuple[Game, ...]:
    """The games of a package; ``path`` is its folder, its only file, or a project whose pyproject.toml offers it.

    They stay available until the process ends, also in its child processes. Raises NotationError, with file and line,
    if there are no games.  This runs the package's code.
    """
    name, file = locate_package(Path(path))
    if _added.get(name, file) != file:
        raise NotationError(f"There are already games called {name}, from {_added[name].parent}.")
    _added[name], _typed_paths[name] = file, os.fspath(path)
    variants.cache_clear()
    games = variants(name)
    added_path = str(file.parent if file.name == "__init__.py" else file)
    other_paths = [each for each in os.environ.get(PATHS, "").split(os.pathsep) if each not in ("", added_path)]
    os.environ[PATHS] = os.pathsep.join([*other_paths, added_path])
    return games


def game_at_path(text: str) -> Game:
    """The game at a path (see ``add_package``): the standard game, or the variant if ``-VARIANT`` follows.

    Raises NotationError if there is none.
    """
    path, _, variant = text.rpartition("-")
    if os.path.exists(text) or not os.path.exists(path) or is_path(variant):
        return add_package(text)[0]
    by_variant = {each.name.partition("-")[2]: each for each in add_package(path)}
    if variant not in by_variant:
        hint = f"it has: {', '.join(filter(None, by_variant))}" if len(by_variant) > 1 else "it has none"
        raise NotationError(f"{path} has no variant called {short_repr(variant)}; {hint}.")
    return by_variant[variant]


def command_name(name: str) -> str:
    """The name of a game as a command takes it, with the path if its package came from a path."""
    package = name.partition(":")[0].partition("-")[0]
    if package not in _typed_paths or package in offered_packages():
        return name
    game_path = _typed_paths[package] + name.removeprefix(package)
    return game_path if is_path(game_path) else f"./{game_path}"


def game_error_sentence(error: BaseException) -> str | None:
    """A sentence for an error in the code of a game that doesn't come with Kibitz; None for other errors."""
    outside_games = {
        module.partition(".")[0]: name for name, module in package_modules().items() if name not in bundled_packages()
    }
    entry, failed = error.__traceback__, None
    while entry is not None:
        package = str(entry.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in (GROUP.partition(".")[0], *outside_games):
            failed = outside_games.get(package)
        entry = entry.tb_next
    if failed is None or not isinstance(error, Exception):
        return None
    sentence = f"{command_name(failed)} failed: {type(error).__name__}: {str(error).rstrip('.')}{error_location(error)}"
    return f"{sentence}; 'kibitz check-game {command_name(failed)}' finds out more."


def all_games() -> tuple[Game, ...]:
    """All games with all variants, without those that can't be loaded; ``load_errors`` says why."""
    games: list[Game] = []
    for package in packages():
        with suppress(NotationError):
            games += variants(package)
    return tuple(games)


def game(name: str) -> Game:
    """The game called ``name``, with options after a colon: ``bo:players=3,rounds=10``.

    If there is no such game, NotationError lists the names of all games.
    """
    base, colon, options = str(name).strip().lower().removeprefix("comp10001-").partition(":")
    package = package_of(base)
    if package in bundled_packages() or package in package_modules():
        for each in variants(package):
            if each.name == base:
                return each.with_options(**parse_options(options)) if colon else each
    names = [each.name for each in all_games()]
    close_matches = difflib.get_close_matches(base, names, 1)
    choices = ", ".join(each for each in names if not each.endswith("-mini"))
    list_of_games = f"known games: {choices}; to add your own, put its path into {PATHS}."
    hint = f"did you mean {close_matches[0]!r}?" if close_matches else list_of_games
    raise NotationError(f"Unknown game {short_repr(name)}; {hint}")


def game_of(value: object) -> Game:
    """The game for a ``Game`` or a game's name. Raises NotationError for anything else."""
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        return game(value)
    raise NotationError(f"game must be a Game or the name of one, such as 'bo', not {short_repr(value)}.")


def option_sentences(game: Game) -> list[str]:
    """Sentences for the options in a game's name; empty if all have their defaults.

    >>> option_sentences(game("bo:rounds=10"))
    ['Everyone has at most 10 turns.']
    """
    options = game.name.partition(":")[2]
    values = parse_options(options) if options else {}
    return [option.sentence(values[option.name]) for option in game.words.OPTIONS if option.name in values]


def parse_options(text: str) -> dict[str, int]:
    """Options, from the text after a game's name.

    >>> parse_options("players=3,rounds=10")
    {'players': 3, 'rounds': 10}
    """
    options = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value.isascii() or not value.isdigit() or len(value) > 18:
            raise NotationError(f"{short_repr(part)} isn't an option: write a name and a number, such as 'players=3'.")
        if name in options:
            raise NotationError(f"{short_repr(text)} says {name} twice.")
        options[name] = int(value)
    return options
