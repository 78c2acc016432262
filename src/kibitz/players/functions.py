"""Players by Python functions, and lists of players of any kind, for whoever calls Kibitz from Python.

strategy    ``f(view, legal)`` or ``f(view, legal, random)``: the action chosen of the legal ones, from a view alone;
            ``random`` is a generator of its own for every game, so that a seed fixes what it draws
player      a built-in player's name, a strategy, or the path of a player file, which is always run as ``kibitz
            match`` runs it: confined where the system can do that; or the path of a trained network (``.npz``)
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index
from random import Random
from typing import Any, TypeAlias

from kibitz.cards import shown
from kibitz.engine.events import View
from kibitz.engine.game import Game, Strategy
from kibitz.errors import KibitzError, NotationError
from kibitz.players.attempts import Account
from kibitz.players.built_in import StrategyPlayer
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.processes import unconfined
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.table.player import Player, clean_name, distinct

AnyPlayer: TypeAlias = "str | os.PathLike[str] | Callable[..., int]"


@dataclass(frozen=True)
class FunctionSpec:
    """A strategy that is made a player for every game, as ``PlayerSpec`` is for names and files."""

    name: str
    strategy: Strategy = field(repr=False)
    limits: Limits = STANDARD
    is_file: bool = False
    built_in: str = ""

    def make(self, account: Account | None = None) -> Player:
        """A fresh player for one match."""
        return StrategyPlayer(self.name, self.strategy)


AnySpec: TypeAlias = PlayerSpec | FunctionSpec


def specs_of(game: Game, players: Sequence[AnyPlayer]) -> list[AnySpec]:
    """The players that a caller means; NotationError that says which of them is none, and what would be one.

    A warning where there are player files among them and this system cannot confine them.
    """
    if isinstance(players, str | os.PathLike) or callable(players) or not isinstance(players, Sequence):
        raise NotationError(f"players must be a list, such as ['greedy', 'random'], not {shown(players)}.")
    if not players:
        raise NotationError("players must name at least one player, and the list is empty.")
    found = [spec_of(game, player, f"players[{number}]") for number, player in enumerate(players)]
    if any(spec.is_file for spec in found) and (why := unconfined()):
        warnings.warn(why, UserWarning, stacklevel=3)
    return found


def spec_of(game: Game, player: AnyPlayer, argument: str) -> AnySpec:
    """One player; ``argument`` is what the caller knows it by."""
    if isinstance(player, str | os.PathLike):
        try:
            return find_player(game, os.fspath(player), own=True)
        except KibitzError as error:
            raise NotationError(f"{argument}: {error}") from error
    if not callable(player):
        raise NotationError(
            f"{argument} must be the name of a built-in player, a function of view and legal actions, or the path of a"
            f" player file, not {shown(player)}."
        )
    name = getattr(player, "__name__", type(player).__name__)
    return FunctionSpec(clean_name("function" if name == "<lambda>" else name), strategy_of(player, argument))


def strategy_of(function: Callable[..., int], argument: str) -> Strategy:
    """A function as a strategy: it is given its random generator if it has a parameter for that."""
    try:
        parameters = inspect.signature(function)
    except (TypeError, ValueError):
        return Chosen(function, draws=False)
    for draws in (True, False):
        if draws and "random" not in parameters.parameters and fits(parameters, 2):
            continue
        if fits(parameters, 3 if draws else 2):
            return Chosen(function, draws)
    raise NotationError(f"{argument} must be a function of view and legal, or of view, legal and random.")


def fits(parameters: inspect.Signature, number: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        parameters.bind(*[None] * number)
    except TypeError:
        return False
    return True


@dataclass(frozen=True)
class Chosen:
    """A function called as a strategy; any whole number that it returns, such as NumPy's, is one."""

    function: Callable[..., int]
    draws: bool

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """What the function chooses."""
        action: Any = self.function(view, legal, random) if self.draws else self.function(view, legal)
        return action if type(action) is int else index(action)


def names_of(specs: Sequence[AnySpec]) -> tuple[str, ...]:
    """What the players are called, each by a name of its own."""
    return distinct([clean_name(spec.name) for spec in specs])
