"""Reasons to refuse an action: a name for the rules, a number for kernels and a sentence for people.

    class Reason(Reasons):
        LEGAL = ""
        OVER = "The game is over."
        NO_ACTION = "That is nothing you can do here: name a card, or 'draw'."
        NOT_HELD = "You can only play a card that you hold."

    Reason.NOT_HELD == 3
    Reason.NOT_HELD.sentence

Every game's reasons begin with LEGAL, which is 0 and has no sentence, OVER and NO_ACTION (the text or number isn't an
action at all).
"""

from collections import namedtuple
from enum import IntEnum
from typing import Any


class Reasons(IntEnum):
    """Base of every game's ``Reason``: members are numbered in order, and each has its sentence."""

    sentence: str

    def __new__(cls, sentence: str) -> "Reasons":
        """The next reason: its number is how many come before it."""
        reason = int.__new__(cls, len(cls.__members__))
        reason._value_ = len(cls.__members__)
        reason.sentence = sentence
        return reason

    @classmethod
    def numbers(cls) -> Any:
        """The reasons as plain numbers in a named tuple: Numba can't use members of an enumeration as truth values."""
        make: Any = namedtuple
        return make(cls.__name__, list(cls.__members__))(*range(len(cls.__members__)))

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Raise TypeError unless LEGAL, OVER and NO_ACTION come first, and all but LEGAL have a sentence."""
        super().__init_subclass__(**arguments)
        where, names = f"{cls.__module__}.{cls.__qualname__}", list(cls.__members__)
        if names[:3] != ["LEGAL", "OVER", "NO_ACTION"]:
            raise TypeError(f"{where} must begin with LEGAL, OVER and NO_ACTION, not {', '.join(names[:3])}.")
        mismatched = [reason.name for reason in cls if bool(reason) != bool(reason.sentence.strip())]
        if mismatched:
            what = "needs no sentence" if mismatched[0] == "LEGAL" else "has no sentence"
            raise TypeError(f"{where}.{mismatched[0]} {what}.")
