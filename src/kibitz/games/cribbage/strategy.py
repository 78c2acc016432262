"""Strategies for cribbage, from the view alone.

greedy      lays away what leaves the most to be expected of hand and crib; plays the card that nets the most at once
"""

from random import Random

from kibitz.cards import Card
from kibitz.games.cribbage.laying import Unseen
from kibitz.games.cribbage.pegging import prospect, unseen
from kibitz.games.cribbage.told import CribbageView
from kibitz.games.cribbage.words import action_cards


def greedy(view: CribbageView, legal: list[int], random: Random) -> int:
    """The best cards to lay away by exact expectation; in the play, one card ahead, high cards first."""
    if len(legal) == 1:
        return legal[0]
    if view.laying:
        cards = Unseen(unseen(view))
        return max(legal, key=lambda action: expected(view, cards, action_cards(view, action)))
    return max(legal, key=lambda card: (prospect(view, card), card))


def expected(view: CribbageView, cards: Unseen, laid: tuple[Card, ...]) -> float:
    """The mean of hand and crib together if ``laid`` goes into the crib, which counts for the dealer."""
    kept = [card for card in view.hand if card not in laid]
    crib = cards.crib(laid)
    return cards.hand(kept) + (crib if view.dealer == view.seat else -crib)
