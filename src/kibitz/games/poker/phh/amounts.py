"""Amounts of money in PHH: whole numbers or decimals of any currency, and chips here.

    scale       how many chips are one unit of the file's money: 1, 10, 100 ..., so that every amount is whole chips

The scale of a hand is an option of its game, so that a record knows it and writes every amount back as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from kibitz.cards import shown
from kibitz.errors import RecordError
from kibitz.games.poker.rules import MOST

FINEST = 6
"""The most decimals that an amount may have."""
AMOUNT = re.compile(r"\d{1,18}(\.\d{1,18})?")
MONEY = (
    *("antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet"),
    *("starting_stacks", "finishing_stacks", "winnings"),
)
"""The fields that hold amounts, or lists of them."""


def amount(value: Any, what: str = "an amount") -> Decimal:
    """An amount as TOML or an action writes it; RecordError if it is none, which calls it ``what``."""
    if (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and AMOUNT.fullmatch(value)):
        value = Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and 0 <= value <= MOST:
        return value.normalize()
    raise RecordError(f"{what} must be a number from 0 to {MOST}, not {given(value)}.")


def given(value: Any) -> str:
    """What a refusal calls a value of TOML."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    return str(value)[:40] if isinstance(value, Decimal) else shown(value)


def scale_of(amounts: Iterable[Decimal]) -> int:
    """The least scale that makes all amounts whole chips.

    >>> scale_of([Decimal("12.5"), Decimal("0.25")])
    100
    """
    decimals = max((-int(found.as_tuple().exponent) for found in amounts), default=0)
    if decimals > FINEST:
        raise RecordError(f"an amount has {decimals} decimals, and at most {FINEST} can be read.")
    return int(10 ** max(decimals, 0))


def chips_of(value: Any, scale: int) -> int:
    """An amount in chips."""
    chips = int(amount(value) * scale)
    if chips > MOST:
        raise RecordError(f"{value} are more than {MOST} chips, of which {scale} make one unit.")
    return chips


def money(chips: int, scale: int) -> int | Decimal:
    """Chips as an amount of the file's money, as short as it can be written.

    >>> money(1250, 100), money(1200, 100)
    (Decimal('12.5'), 12)
    """
    whole, rest = divmod(chips, scale)
    return (Decimal(chips) / scale).normalize() if rest else whole
