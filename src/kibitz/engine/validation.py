"""Checks arguments to a game: whether states, seats, views, events and actions belong to this game.

A game's own functions trust their arguments.  ``Game`` checks them first; an error says which argument is wrong and
what would be right.  Kernels, batches and search call the functions without checks.  ``Game.advance`` and
``Game.restore`` don't check either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import SPECTATOR, View
from kibitz.errors import NotationError, SeatError

if TYPE_CHECKING:
    from kibitz.engine.game import Game

Function = Callable[..., Any]


def unchecked(function: Function) -> Function:
    """A game's function as its module defines it, without the checks."""
    result: Function = getattr(function, "unchecked", function)
    return result


def checked_functions(game: Game) -> dict[str, Function]:
    """The functions ``view``, ``views``, ``opening`` and ``result`` of a game, each with checks of its arguments."""
    plain, players, seats = game.rules.LAYOUT.plain, game.seats, range(SPECTATOR, game.seats)
    functions: tuple[Function, ...] = game.view, game.views, game.opening, game.result
    view, views, opening, result = map(unchecked, functions)

    def checked_view(state: PlainState, seat: int) -> View:
        if type(state) is not plain or state.players != players or type(seat) is not int or seat not in seats:
            check_state(game, state)
            check_seat(game, seat, spectator=True)
        seat_view: View = view(state, seat)
        return seat_view

    def checked_views(state: PlainState) -> Any:
        check_state(game, state)
        return views(state)

    def checked_opening(state: PlainState) -> Any:
        check_state(game, state)
        return opening(state)

    def checked_result(state: PlainState, forfeited: frozenset[int]) -> Any:
        check_state(game, state)
        try:
            seats_out = set(forfeited)
        except TypeError:
            raise SeatError(f"forfeited must be a set of seats, not {short_repr(forfeited)}.") from None
        for seat in seats_out:
            check_seat(game, seat)
        return result(state, forfeited)

    checking: dict[str, Function] = {
        "view": checked_view,
        "views": checked_views,
        "opening": checked_opening,
        "result": checked_result,
    }
    return {
        name: with_unchecked(checking_function, unchecked(getattr(game, name)))
        for name, checking_function in checking.items()
    }


def with_unchecked(checking_function: Function, function: Function) -> Function:
    """``checking_function``, which checks its arguments first, with ``function`` as its attribute ``unchecked``."""
    checking_function.unchecked = function  # type: ignore[attr-defined]
    checking_function.__doc__ = function.__doc__
    return checking_function


def check_state(game: Game, state: Any) -> None:
    """Raise NotationError unless this is a state of the game, with as many seats."""
    if type(state) is game.rules.LAYOUT.plain:
        if state.players == game.seats:
            return
        raise NotationError(f"state has {state.players} players, but {game.name} has {game.seats}.")
    actual = f"a state of {type(state).__name__}" if isinstance(state, PlainState) else short_repr(state)
    raise NotationError(f"state must be one of {game.name}, such as deal(seed) returns, not {actual}.")


def check_seat(game: Game, seat: object, *, spectator: bool = False) -> None:
    """Raise SeatError unless the seat exists."""
    if isinstance(seat, Integral) and seat in range(SPECTATOR if spectator else 0, game.seats):
        return
    or_spectator = f", or {SPECTATOR} for a spectator," if spectator else ","
    raise SeatError(f"seat must be from 0 to {game.seats - 1} in {game.name}{or_spectator} not {short_repr(seat)}.")


def check_names(game: Game, names: object) -> None:
    """Raise NotationError unless there is one name for each seat."""
    if not isinstance(names, Sequence) or len(names) != game.seats:
        raise NotationError(f"names must be those of {game.seats} seats, not {short_repr(names)}.")


def check_number(name: str, value: object) -> int:
    """The whole number that a value is. Raises NotationError if it isn't one."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise NotationError(f"{name} must be a whole number, not {short_repr(value)}.") from None


def check_belongs(game: Game, value: object, kind: type, name: str) -> None:
    """Raise NotationError unless a view or an event belongs to the game."""
    if isinstance(value, kind) and game_package(type(value).__module__) in (game_package(game.rules.__name__), ""):
        return
    raise NotationError(f"{name} must be one of {game.name}, not {short_repr(value)}.")


def game_package(module: str) -> str:
    """The package of the game that a module belongs to; empty if it belongs to none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["kibitz", "games"] and len(parts) > 2 else ""


def check_action(game: Game, action: object) -> None:
    """Raise NotationError unless this can be an action of the game."""
    if not 0 <= check_number("action", action) < game.actions:
        raise NotationError(f"action must be from 0 to {game.actions - 1} in {game.name}, not {short_repr(action)}.")
