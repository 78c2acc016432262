"""Which card to play: what it scores, and what the other seat can make of it at once.

    reply       the best that the other seat can score next, if its cards are any of those not seen

Looks one card ahead, and exactly: the chance that the best of ``n`` random cards scores so much is a quotient of
binomials.
"""

from __future__ import annotations

from collections import Counter
from math import comb

from kibitz.cards import Card
from kibitz.games.cribbage.counting import MOST, play_points, value_of
from kibitz.games.cribbage.told import CribbageView


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
