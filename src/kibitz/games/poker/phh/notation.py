"""Cards, actions and games as PHH writes them, and back."""

from collections.abc import Iterator, Sequence
from typing import Any

from kibitz.cards import parse, poker_code
from kibitz.errors import RecordError
from kibitz.games.poker.betting import FIXED_LIMIT, NO_LIMIT
from kibitz.games.poker.rules import CALL, FOLD, MOST, RAISE

VARIANTS = {NO_LIMIT: "NT", FIXED_LIMIT: "FT"}
LIMITS = {variant: limit for limit, variant in VARIANTS.items()}


def codes(cards: Sequence[int]) -> str:
    """Cards as PHH writes them: ``AsTh``."""
    return "".join(poker_code(card)[0] + poker_code(card)[1].lower() for card in cards)


def parsed(cards: str) -> Iterator[int | None]:
    """Cards as PHH writes them, None for those that are unknown."""
    for i in range(0, len(cards), 2):
        two = cards[i : i + 2]
        yield None if two == "??" else parse(two)


def action_text(action: int) -> str:
    """An action of betting as PHH has it."""
    return "f" if action == FOLD else "cc" if action == CALL else f"cbr {action - RAISE}"


def action_of(words: Sequence[str]) -> int | None:
    """An action of betting as PHH has it, word by word; None if it is none."""
    match words:
        case ["f"]:
            return FOLD
        case ["cc"]:
            return CALL
        case ["cbr", amount]:
            return RAISE + whole(int(amount) if amount.isascii() and amount.isdigit() else amount)
    return None


def whole(value: Any) -> int:
    """A number of chips."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST:
        return value
    if isinstance(value, float) and value.is_integer() and 0 <= value <= MOST:
        return int(value)
    raise RecordError(f"{str(value)[:20]!r} is no whole number of chips.")
