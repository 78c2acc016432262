"""Strategies for cribbage, from the view alone.

greedy      lays away what leaves the most to be expected of hand and crib; plays the card that nets the most at
once, looking one card ahead
best        lays away and plays its last cards for the chance to win, by the board; plays the first cards by experience,
or near the end of the game by the chance to win as well
reply       the best that the other seat can score next, if its cards are any of those not seen: exact, since the
chance that the best of ``n`` random cards scores so much is a quotient of binomials
"""

from collections import Counter
from math import comb
from random import Random

from kibitz.cards import Card
from kibitz.games.cribbage import ahead, outlook
from kibitz.games.cribbage.counting import MOST, play_points, value_of
from kibitz.games.cribbage.laying import Unseen
from kibitz.games.cribbage.pegging import TUPLES, best_card
from kibitz.games.cribbage.rules import LAY, LAYOUT
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
        cards = Unseen(unseen(view))
        return max(legal, key=lambda action: expected(view, cards, action_cards(view, action)))
    return max(legal, key=lambda card: (prospect(view, card), card))


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


def prospect(view: CribbageView, card: Card) -> float:
    """The points for playing a card, less the mean of the best reply; a point more where there can be none."""
    trail, count = [*view.trail, card], view.count + int(value_of(card))
    points = float(play_points(trail, 0, len(trail), count))
    if count == MOST:
        return points
    other = 1 - view.seat
    if view.counts[other] == 0 or other in view.went:
        rest = [mine for mine in view.hand if mine != card]
        return points + (not any(count + value_of(mine) <= MOST for mine in rest))
    loss, none = reply(view, trail, count)
    return points - loss + none


def reply(view: CribbageView, trail: list[Card], count: int) -> tuple[float, float]:
    """The mean of the other seat's best reply, and the chance that it has none."""
    other = 1 - view.seat
    least, held = view.floors[other], view.counts[other]
    ranks = Counter(card >> 2 for card in unseen(view) if value_of(card) >= least)
    scores: Counter[int] = Counter()
    for rank, times in ranks.items():
        card = 4 * rank
        total = count + int(value_of(card))
        if total <= MOST:
            scores[int(play_points([*trail, card], 0, len(trail) + 1, total))] += times
    left = sum(ranks.values())
    ways = comb(left, held)
    mean = 0.0
    for points in sorted(scores, reverse=True):
        with_it = comb(left, held)
        left -= scores[points]
        mean += points * (with_it - comb(left, held)) / ways
    return mean, comb(left, held) / ways


def unseen(view: CribbageView) -> list[Card]:
    """The cards that the seat has not seen."""
    seen = {*view.hand, *view.away, *(card for _, card in view.plays), view.starter}
    return [card for card in view.pack if card not in seen]
