"""The games that there are.

    game("go")          a game by name; variants have names of their own, such as ``go-mini``, and options
                        follow a colon, such as ``bo:players=3``
    all_games()         all of them, in name order

A game registers by being a package in ``kibitz.games`` with a tuple ``GAMES``.  Packages are found by name and
imported only when one of their games is asked for; ``kibitz.games.FAMILIES`` names the games of a package that are not
called as it is.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.errors import NotationError


@cache
def packages() -> tuple[str, ...]:
    """The names of the game packages."""
    home = importlib.import_module("kibitz.games")
    return tuple(sorted(found.name for found in pkgutil.iter_modules(home.__path__) if found.ispkg))


@cache
def package_of(name: str) -> str:
    """The package that a game's name points to: its part before the hyphen, or the family it belongs to."""
    base = name.partition("-")[0]
    families = importlib.import_module("kibitz.games").FAMILIES
    return next((package for package, names in families.items() if base in names), base)


@cache
def variants(package: str) -> tuple[Game, ...]:
    """The games of one package, the standard game first."""
    found: tuple[Game, ...] = importlib.import_module(f"kibitz.games.{package}").GAMES
    return found


def all_games() -> tuple[Game, ...]:
    """Every game with all its variants."""
    return tuple(game for package in packages() for game in variants(package))


def game(name: str) -> Game:
    """The game called ``name``, with options behind a colon: ``bo:players=3,rounds=10``.

    NotationError with the names there are if there is no such game.
    """
    base, colon, chosen = str(name).strip().lower().removeprefix("comp10001-").partition(":")
    if (package := package_of(base)) in packages():
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
