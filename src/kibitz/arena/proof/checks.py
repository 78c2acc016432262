"""What a check is: a question about rows of the store, and everything that is wrong with them.

check       a function that yields ``Wrong``, registered under a theme; all of a theme get the same arguments
wrong       a table, a row and a column, what stands there and what should
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from kibitz.arena.store.sums import NO_SENSE, Damage
from kibitz.cards import shown
from kibitz.errors import KibitzError

Theme = Literal["entry", "deals", "schedule", "blocks", "matches", "out", "log"]
Check = Callable[..., Iterator["Wrong"]]

CHECKS: dict[Theme, dict[str, Check]] = {}
"""Every check by its theme and name."""
CANNOT_BE = (LookupError, *NO_SENSE, Damage, KibitzError)
"""What values raise that nobody has written."""
WIDEST = 100
"""Characters of a value that are told."""


class Wrong(msgspec.Struct, frozen=True):
    """Something in the store that cannot be so."""

    table: str
    row: str
    column: str
    stands: object
    should: object
    check: str = ""

    @property
    def sentence(self) -> str:
        """Table, row, column, what stands there and what should."""
        return (
            f"table {self.table}, {self.row}: {self.column} is {told(self.stands)} and should be {told(self.should)}."
        )


class Words(str):
    """Words that are told as they are, where a value would be quoted."""

    __slots__ = ()


def told(value: object) -> str:
    """A value as people read it, on one line and not too long."""
    text = value if isinstance(value, Words) else shown(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 4]} ..."


def check(theme: Theme) -> Callable[[Check], Check]:
    """Register a check."""

    def register(function: Check) -> Check:
        CHECKS.setdefault(theme, {})[function.__name__] = function
        return function

    return register


def asked(theme: Theme, *about: Any) -> Iterator[Wrong]:
    """All that the checks of a theme find, each with the name of its check; values that make no sense are wrong too."""
    for name, function in CHECKS[theme].items():
        try:
            for wrong in function(*about):
                yield msgspec.structs.replace(wrong, check=name)
        except CANNOT_BE as error:
            should = Words(f"what can be: {function.__doc__}".rstrip("."))
            yield Wrong("of the tournament", name.replace("_", " "), "a value", Words(error), should, name)
