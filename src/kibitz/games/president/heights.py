"""Cards as heights and back, for everything that people read; kernels know heights only (see ``moves``)."""

from functools import lru_cache
from typing import Annotated

from kibitz.cards import Card, as_set
from kibitz.engine.observation import Coded
from kibitz.games.president.moves import cards_in, in_heights, move_of


def to_card(height: int) -> int:
    """The card at a place in the order of President."""
    return (height + 8) % 52


def to_height(card: int) -> int:
    """The place of a card in the order of President."""
    return (card + 44) % 52


@lru_cache(maxsize=1 << 12)
def shown(heights: int) -> tuple[Card, ...]:
    """A set of heights as cards, in the order of President."""
    cards = []
    while heights:
        bit = heights & -heights
        cards.append(to_card(bit.bit_length() - 1))
        heights ^= bit
    return tuple(cards)


def heights(cards: tuple[Card, ...] | None) -> int:
    """Cards as a set of heights, the empty one where they are not known."""
    return as_set(to_height(card) for card in cards or ())


OneCard = Annotated[Card, Coded(to_card, to_height)]
"""A card; in a state, its height."""
Cards = Annotated[tuple[Card, ...], Coded(shown, heights)]
"""Cards in the order of President; in a state, a set of heights."""
Move = Annotated[tuple[Card, ...], Coded(lambda move: shown(cards_in(move)), lambda cards: move_of(heights(cards)))]
"""The cards of a move; in a state, its number, NONE for no cards."""
Pack = Annotated[tuple[Card, ...], Coded(lambda pack: shown(in_heights(pack)), as_set)]
"""Cards in the order of President; in a state, a set of cards."""
