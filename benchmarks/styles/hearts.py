"""Ten styles of playing Hearts, from the written rules: each rates the cards that it may pass or play.

height      2 to 14, an ace is the highest
rating      a tuple; the greatest is preferred, and ties are broken at random
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from kibitz.games.hearts.view import HeartsView

HEARTS, SPADES = 2, 3
QUEEN = 47
"""The queen of spades."""

Rating = tuple[float, ...]


def height(card: int) -> int:
    """2 to 14; an ace is the highest."""
    return (card >> 2) + 1 if card >> 2 else 14


def suit(card: int) -> int:
    """Diamonds 0, clubs 1, hearts 2, spades 3."""
    return card & 3


def counts(card: int) -> bool:
    """Whether a card is worth points."""
    return suit(card) == HEARTS or card == QUEEN


class Trick:
    """The trick as the seat to move sees it."""

    def __init__(self, view: HeartsView) -> None:
        self.view, self.passing = view, view.passing
        self.leads = not view.passing and view.leader == view.seat
        cards = [] if view.passing or self.leads else [card for card in view.trick if card is not None]
        first = view.trick[view.leader] if cards else None
        self.led = None if first is None else suit(first)
        self.top = max((height(card) for card in cards if suit(card) == self.led), default=0)
        self.costs, self.last = any(map(counts, cards)), len(cards) == len(view.trick) - 1

    def wins(self, card: int) -> bool:
        """Whether a card would win the trick so far; a card that leads would."""
        return self.leads or (suit(card) == self.led and height(card) > self.top)

    def discards(self, card: int) -> bool:
        """Whether a card is passed, or played to a suit that the seat doesn't have."""
        return self.passing or (not self.leads and suit(card) != self.led)


def style(rate: Callable[[Trick, int], Rating]) -> Callable[[HeartsView, list[int], Random], int]:
    """The strategy that passes and plays the cards rated highest."""

    def choose(view: HeartsView, legal: list[int], random: Random) -> int:
        trick = Trick(view)
        return max(legal, key=lambda card: (rate(trick, card), random.random()))

    return choose


def lowest(trick: Trick, card: int) -> Rating:
    """Passes and plays its lowest cards."""
    return (-height(card),)


def highest(trick: Trick, card: int) -> Rating:
    """Passes and plays its highest cards."""
    return (height(card),)


def ducks(trick: Trick, card: int) -> Rating:
    """Plays the highest card that doesn't win the trick; passes and discards its highest."""
    return (0, -height(card)) if trick.wins(card) else (1, height(card))


def drops_the_queen(trick: Trick, card: int) -> Rating:
    """Ducks, and gets rid of the queen of spades first."""
    return (card == QUEEN and not trick.wins(card), *ducks(trick, card))


def drops_hearts(trick: Trick, card: int) -> Rating:
    """Ducks, and passes and discards hearts first."""
    return (trick.discards(card) and suit(card) == HEARTS, *ducks(trick, card))


def shortens(trick: Trick, card: int) -> Rating:
    """Passes, discards and leads from its shortest suit; else it ducks."""
    held = sum(suit(other) == suit(card) for other in trick.view.hand)
    return (-held if trick.leads or trick.discards(card) else 0, *ducks(trick, card))


def leads_spades(trick: Trick, card: int) -> Rating:
    """Leads spades below the queen to drive her out; else it ducks."""
    return (trick.leads and suit(card) == SPADES and card >> 2 in range(1, QUEEN >> 2), *drops_the_queen(trick, card))


def leads_hearts(trick: Trick, card: int) -> Rating:
    """Leads hearts as soon as it may; else it ducks."""
    return (trick.leads and suit(card) == HEARTS, *drops_the_queen(trick, card))


def wins_for_free(trick: Trick, card: int) -> Rating:
    """Takes a trick without points with its highest card where it plays last; else it ducks."""
    if trick.last and not trick.costs and trick.wins(card) and card != QUEEN:
        return (2, height(card))
    return ducks(trick, card)


def shoots(trick: Trick, card: int) -> Rating:
    """Tries to win everything: passes low cards, plays high ones, and discards none that counts."""
    if trick.discards(card):
        return (not counts(card), -height(card))
    return (height(card),)


STYLES = {
    rate.__name__: style(rate)
    for rate in (
        *(lowest, highest, ducks, drops_the_queen, drops_hearts),
        *(shortens, leads_spades, leads_hearts, wins_for_free, shoots),
    )
}
