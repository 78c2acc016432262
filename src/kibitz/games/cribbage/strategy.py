"""Strategies for cribbage, from the view alone.

greedy      lays away what leaves the most to be expected of hand and crib; plays the card that nets the most at
once, looking one card ahead
best        lays away and plays its last cards for the chance to win, by the board; plays the first cards by experience,
or near the end of the game by the chance to win as well
"""

from random import Random

from kibitz.cards import Card
from kibitz.games.cribbage import ahead, outlook
from kibitz.games.cribbage.laying import Unseen
from kibitz.games.cribbage.pegging import TUPLES, best_card
from kibitz.games.cribbage.rules import LAY, LAYOUT
from kibitz.games.cribbage.simple import SCORES, greedy_card
from kibitz.games.cribbage.stored import stored
from kibitz.games.cribbage.view import CribbageView, restore
from kibitz.games.cribbage.words import action_cards

NEAR = 30
"""Whoever needs so many points or fewer may win in this deal."""


def greedy(view: CribbageView, legal: list[int], random: Random) -> int:
    """The best cards to lay away by exact expectation; in the play, one card ahead, high cards first."""
    if len(legal) == 1:
        return legal[0]
    if view.laying:
        cards = Unseen([card for card in view.pack if card not in view.hand])
        return max(legal, key=lambda action: expected(view, cards, action_cards(view, action)))
    s = LAYOUT.plain()
    restore(s, view)
    return int(greedy_card(s, view.seat, [0] * SCORES))


def best(view: CribbageView, legal: list[int], random: Random) -> int:
    """The action with the best chance to win."""
    if len(legal) == 1:
        return legal[0]
    pegs = view.pegs[view.seat], view.pegs[1 - view.seat]
    if view.laying:
        ranked = outlook.choices(view.hand, pegs, dealer=view.dealer == view.seat, target=view.target)
        return LAY + sum(1 << view.hand.index(card) for card in ranked[0].laid)
    s = LAYOUT.plain()
    restore(s, view)
    near = view.target - max(pegs) <= NEAR
    if near or view.counts[1 - view.seat] <= ahead.FEW:
        return ahead.best(s, random)
    return int(best_card(s, view.seat, stored("weights"), [0] * TUPLES))


def expected(view: CribbageView, cards: Unseen, laid: tuple[Card, ...]) -> float:
    """The mean of hand and crib together if ``laid`` goes into the crib, which counts for the dealer."""
    kept = [card for card in view.hand if card not in laid]
    crib = cards.crib(laid)
    return cards.hand(kept) + (crib if view.dealer == view.seat else -crib)
