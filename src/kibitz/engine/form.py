"""The assignment's form of a player: plain functions called with plain lists, tuples, strings and numbers.

    Call        the function to call and its arguments; HISTORY stands where the growing history goes
    Example     a published call with a judge of its result
    form        a game's module: FUNCTIONS, ``call(view)``, ``history_item(event)`` and ``reply(view, value)``

The history is sent once, item by item, and the player's process puts the list together.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple


class HistoryMark:
    """Stands in an argument list for the history so far."""

    def __repr__(self) -> str:
        return "HISTORY"


HISTORY: Final = HistoryMark()


class Call(NamedTuple):
    """One call of an assignment function."""

    function: str
    arguments: tuple[Any, ...]


class Example(NamedTuple):
    """A published call; ``judge`` says what would be right, or None if a result is."""

    function: str
    arguments: tuple[Any, ...]
    judge: Callable[[Any], str | None]


def exactly(expected: Any) -> Callable[[Any], str | None]:
    """A judge that wants this very value, of the very type."""

    def judge(value: Any) -> str | None:
        right = type(value) is type(expected) and value == expected
        return None if right else f"it should return {expected!r}"

    return judge


def quoted(value: Any, room: int = 60) -> str:
    """A plain value for a sentence, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= room else text[: room - 3] + "..."
