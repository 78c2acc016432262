"""The games that there are.

    game("go")          a game by name; variants have names of their own, such as ``go-mini``, and options
                        follow a colon, such as ``bo:players=3``
    all_games()         all of them, in name order
    troubles()          a sentence for each game from elsewhere that could not be had

A game registers by being a package in ``kibitz.games`` with a tuple ``GAMES``.  Packages are found by name and imported
only when one of their games is asked for; one whose games are called otherwise says so in a file ``names.txt``.  Other
distributions offer games as entry points of the group ``kibitz.games``: the name is that of the games up to the hyphen,
the value a module with ``GAMES``.  ``add`` takes a package from a path, for as long as the process lives.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
from functools import cache
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.errors import NotationError

GROUP = "kibitz.games"
_added: dict[str, str] = {}
_troubles: dict[str, str] = {}


@cache
def inside() -> dict[str, str]:
    """The packages that come with Kibitz: name and module."""
    home = importlib.import_module(GROUP)
    return {found.name: f"{GROUP}.{found.name}" for found in pkgutil.iter_modules(home.__path__) if found.ispkg}


@cache
def outside() -> dict[str, str]:
    """The packages that other distributions offer: name and module."""
    found: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP)):
        if point.name in inside() or point.name in names() or point.name in found:
            trouble(point.value, f"there is a game called {point.name} already")
        else:
            found[point.name] = point.value
    return found


def trouble(module: str, why: str) -> None:
    """Note why the games of a module cannot be had."""
    _troubles[module] = f"The games of {module} are left out: {why}."


def troubles() -> tuple[str, ...]:
    """A sentence for each module whose games cannot be had, of those that have been asked for so far."""
    return tuple(_troubles.values())


def homes() -> dict[str, str]:
    """All packages of games: name and module."""
    return {**inside(), **outside(), **_added}


def packages() -> tuple[str, ...]:
    """The names of the game packages."""
    return tuple(sorted(homes()))


@cache
def names() -> dict[str, str]:
    """The games that are not called as their package is, up to the hyphen: name and package."""
    home = Path(str(importlib.import_module(GROUP).__file__)).parent
    lists = {package: home / package / "names.txt" for package in inside()}
    return {
        name: package
        for package, path in lists.items()
        if path.is_file()
        for name in path.read_text(encoding="utf-8").split()
    }


def package_of(name: str) -> str:
    """The package that a game's name points to: its part before the hyphen, or what another package claims."""
    base = name.partition("-")[0]
    return names().get(base, base)


@cache
def variants(package: str) -> tuple[Game, ...]:
    """The games of one package, the standard game first; NotationError, for one from elsewhere that fails."""
    module = homes()[package]
    try:
        found: tuple[Game, ...] = importlib.import_module(module).GAMES
        called = [each.name for each in found]
        for name in called:
            if package_of(name) != package:
                raise NotationError(f"the game {shown(name)} must be called {package}, or {package}- and more")
            if called.count(name) > 1:
                raise NotationError(f"two of its games are called {name}")
    except Exception as error:
        if module in inside().values():
            raise
        trouble(module, f"{type(error).__name__}: {str(error).rstrip('.')}{where(error)}")
        raise NotationError(_troubles[module]) from error
    return found


def where(error: Exception) -> str:
    """The file and line that an error comes from."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return f" ({step.tb_frame.f_code.co_filename}, line {step.tb_lineno})" if step is not None else ""


def add(path: str | Path) -> tuple[Game, ...]:
    """The games of a package in a folder, or of a module in a file: they are there until the process ends.

    NotationError, with file and line, if there are none.  This runs the code that is there.
    """
    path = Path(path).resolve()
    name, file = path.stem, path / "__init__.py" if path.is_dir() else path
    if not file.is_file() or not name.isidentifier():
        raise NotationError(
            f"{path} is no package of games: a folder with an __init__.py, called by a name of letters."
        )
    if name in inside() or name in names():
        raise NotationError(f"There is a game called {name} already; {path} needs another name.")
    homes_of = [str(path)] if path.is_dir() else None
    spec = spec_from_file_location(name, file, submodule_search_locations=homes_of)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    _added[name] = name
    variants.cache_clear()
    try:
        spec.loader.exec_module(module)
        return variants(name)
    except NotationError:
        del _added[name], sys.modules[name]
        raise
    except Exception as error:
        del _added[name], sys.modules[name]
        trouble(str(path), f"{type(error).__name__}: {str(error).rstrip('.')}{where(error)}")
        raise NotationError(_troubles[str(path)]) from error


def all_games() -> tuple[Game, ...]:
    """Every game with all its variants; what cannot be had is left out, and ``troubles`` says why."""
    found: list[Game] = []
    for package in packages():
        try:
            found += variants(package)
        except NotationError:
            if package in inside():
                raise
    return tuple(found)


def game(name: str) -> Game:
    """The game called ``name``, with options behind a colon: ``bo:players=3,rounds=10``.

    NotationError with the names there are if there is no such game.
    """
    base, colon, chosen = str(name).strip().lower().removeprefix("comp10001-").partition(":")
    package = package_of(base)
    if package in inside() or package in homes():
        for found in variants(package):
            if found.name == base:
                return found.with_options(**parse_options(chosen)) if colon else found
    known = [found.name for found in all_games()]
    close = difflib.get_close_matches(base, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}."
    raise NotationError(f"There is no game called {shown(name)}; {hint}")


def game_of(value: object) -> Game:
    """The game that a caller means, by name or as it is; NotationError if it is none."""
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        return game(value)
    raise NotationError(f"game must be a Game or the name of one, such as 'bo', not {shown(value)}.")


def parse_options(text: str) -> dict[str, int]:
    """Options as written behind a game's name.

    >>> parse_options("players=3,rounds=10")
    {'players': 3, 'rounds': 10}
    """
    chosen = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value.isascii() or not value.isdigit() or len(value) > 18:
            raise NotationError(f"{shown(part)} is no option: write a name and a number, such as 'players=3'.")
        chosen[name] = int(value)
    return chosen
