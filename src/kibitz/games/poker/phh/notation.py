"""Cards, actions and games as PHH writes them, and back."""

from collections.abc import Iterator, Sequence

from kibitz.cards import parse, poker_code
from kibitz.errors import RecordError
from kibitz.games.poker.betting import FIXED_LIMIT, NO_LIMIT
from kibitz.games.poker.phh.amounts import chips_of, money
from kibitz.games.poker.rules import CALL, FOLD, RAISE

VARIANTS = {NO_LIMIT: "NT", FIXED_LIMIT: "FT"}
LIMITS = {variant: limit for limit, variant in VARIANTS.items()}


def codes(cards: Sequence[int]) -> str:
    """Cards as PHH writes them: ``AsTh``."""
    return "".join(poker_code(card)[0] + poker_code(card)[1].lower() for card in cards)


def parsed(cards: str) -> Iterator[int | None]:
    """Cards as PHH writes them, None for those that are unknown."""
    if len(cards) % 2:
        raise RecordError(f"{cards[:20]!r} are no cards: each is two characters, such as 'As', or '??'.")
    for i in range(0, len(cards), 2):
        two = cards[i : i + 2]
        yield None if two == "??" else parse(two)


def action_text(action: int, scale: int) -> str:
    """An action of betting as PHH has it."""
    return "f" if action == FOLD else "cc" if action == CALL else f"cbr {money(action - RAISE, scale)}"


def action_of(words: Sequence[str], scale: int) -> int | None:
    """An action of betting as PHH has it, word by word; None if it is none."""
    match words:
        case ["f"]:
            return FOLD
        case ["cc"]:
            return CALL
        case ["cbr", amount]:
            return RAISE + chips_of(amount, scale)
    return None
