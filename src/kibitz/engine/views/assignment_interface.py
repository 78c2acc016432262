"""How a course's assignment calls a player: as plain functions of lists, tuples, strings and numbers.

    Call        the function to call and its arguments; HISTORY marks where the growing history goes
    Example     a published call, with a check of its result
    Function    a function that the assignment asks for: arguments, allowed results, purpose

A game's ``assignment.py`` has COURSE, PUBLISHED (every function of the assignment) and, if there are any, EXAMPLES
(published calls).  If games call functions of it, it also has FUNCTIONS (all of these),
``called_functions(options)`` (those that a game with these options calls), ``call(view)``, ``history_item(event)`` and
``reply(view, value)``.

The history is a list that grows during a game: each item is sent to the player's process once, which builds the list.
"""

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple


class HistoryMark:
    """The type of ``HISTORY``, which stands for the history so far among the arguments of a call."""

    def __repr__(self) -> str:
        return "HISTORY"


HISTORY: Final = HistoryMark()


class Call(NamedTuple):
    """One call of an assignment function."""

    function: str
    arguments: tuple[Any, ...]


class Example(NamedTuple):
    """A published call; ``judge(result)`` says in words what would be right, or returns None for a right result."""

    function: str
    arguments: tuple[Any, ...]
    judge: Callable[[Any], str | None]


class Function(NamedTuple):
    """A function of an assignment.

    ``parameters`` are pairs of a name and what it holds; those in ``optional`` have these defaults. ``example`` is a
    call, for functions that no published example and no game calls.
    """

    name: str
    summary: str
    parameters: tuple[tuple[str, str], ...]
    returns: str
    example: tuple[Any, ...] | None = None
    optional: tuple[tuple[str, Any], ...] = ()

    @property
    def names(self) -> str:
        """The parameters as they are written in a definition: ``cards, trumps=None``."""
        defaults = dict(self.optional)
        default_texts = {name: "..." if value is ... else repr(value) for name, value in defaults.items()}
        return ", ".join(
            name + (f"={default_texts[name]}" if name in default_texts else "") for name, _ in self.parameters
        )


def assignment_of_package(package: str) -> ModuleType | None:
    """The module of a game's package that describes its assignment; None if there is no assignment."""
    try:
        return importlib.import_module(f"{package}.assignment")
    except ModuleNotFoundError:
        return None


def package_of(module: ModuleType) -> str:
    """The package that a game's module is in."""
    return module.__name__.rpartition(".")[0]


def exactly(expected: Any) -> Callable[[Any], str | None]:
    """A judge that accepts only this value, of this exact type."""

    def judge(value: Any) -> str | None:
        is_exact = type(value) is type(expected) and value == expected
        return None if is_exact else f"it should return {expected!r}"

    return judge


def quoted(value: Any, max_length: int = 60) -> str:
    """The repr of a value, cut to ``max_length`` characters."""
    text = repr(value)
    return text if len(text) <= max_length else text[: max_length - 3] + "..."
