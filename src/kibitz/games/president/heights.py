"""Cards as heights and back, for everything that people read; kernels know heights only (see ``moves``)."""

from kibitz.cards import Card, as_set

Cards = tuple[Card, ...]


def to_card(height: int) -> int:
    """The card at a place in the order of President."""
    return (height + 8) % 52


def to_height(card: int) -> int:
    """The place of a card in the order of President."""
    return (card + 44) % 52


def shown(heights: int) -> Cards:
    """A set of heights as cards, in the order of President."""
    cards = []
    while heights:
        bit = heights & -heights
        cards.append(to_card(bit.bit_length() - 1))
        heights ^= bit
    return tuple(cards)


def heights(cards: Cards | None) -> int:
    """Cards as a set of heights, the empty one where they are not known."""
    return as_set(to_height(card) for card in cards or ())
