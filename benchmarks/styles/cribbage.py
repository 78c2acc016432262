"""Nine styles of playing cribbage, from the written rules: how each discards to the crib, and how it plays its cards.

keep        rates the cards that stay in the hand, and those that go to the crib
play        rates a card by the points that it pegs and by the count that it leaves
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

from kibitz.games.cribbage.view import CribbageView

GO, DISCARD = 52, 53


def value(card: int) -> int:
    """Ace 1 to king 13."""
    return (card >> 2) + 1


def count(card: int) -> int:
    """The value of a card in the play: face cards are tens."""
    return min(10, value(card))


def fifteens(cards: list[int]) -> int:
    """Two points for every set of cards that makes fifteen."""
    sets = (cards_of_set for n in range(2, len(cards) + 1) for cards_of_set in combinations(cards, n))
    return 2 * sum(sum(map(count, cards_of_set)) == 15 for cards_of_set in sets)


def pairs(cards: list[int]) -> int:
    """Two points for every pair."""
    return 2 * sum(value(a) == value(b) for a, b in combinations(cards, 2))


def runs(cards: list[int]) -> int:
    """A point for each card of every longest run."""
    for n in range(len(cards), 2, -1):
        n_runs = sum(
            sorted(map(value, run)) == list(range(low, low + n))
            for run in combinations(cards, n)
            for low in [min(map(value, run))]
        )
        if n_runs:
            return n * n_runs
    return 0


def flush(cards: list[int]) -> int:
    """Four points if there are four cards, all of one suit."""
    return 4 * (len(cards) == 4 and len({card & 3 for card in cards}) == 1)


def hand(cards: list[int]) -> int:
    """The points of four cards without a starter."""
    return fifteens(cards) + pairs(cards) + runs(cards) + flush(cards)


def pegged(view: CribbageView, card: int) -> int:
    """The points that a card pegs."""
    laid = [value(played) for _, played in view.plays[view.first :]]
    total, now = view.count + count(card), value(card)
    points = 2 * (total in (15, 31))
    same = 0
    while same < len(laid) and laid[-1 - same] == now:
        same += 1
    points += same * (same + 1)
    row = [*laid, now]
    for n in range(len(row), 2, -1):
        if sorted(row[-n:]) == list(range(min(row[-n:]), min(row[-n:]) + n)):
            return points + n
    return points


Keep = Callable[[CribbageView, list[int], list[int]], float]
Play = Callable[[CribbageView, int], tuple[float, ...]]


def style(keep: Keep, play: Play) -> Callable[[CribbageView, list[int], Random], int]:
    """The strategy that keeps and plays the cards with the highest rating."""

    def choose(view: CribbageView, legal: list[int], random: Random) -> int:
        def rated(action: int) -> tuple[float, ...]:
            if action == GO:
                return (0,)
            if action < GO:
                return (*play(view, action), random.random())
            away = [card for i, card in enumerate(sorted(view.hand)) if action - DISCARD >> i & 1]
            kept = [card for card in sorted(view.hand) if card not in away]
            return (keep(view, kept, away), random.random())

        return max(legal, key=rated)

    return choose


def own(view: CribbageView) -> int:
    """1 for the seat's own crib, -1 for the other's."""
    return 1 if view.dealer == view.seat else -1


def points(view: CribbageView, card: int) -> tuple[float, ...]:
    """Pegs as much as it can, and prefers its highest card."""
    return (pegged(view, card), count(card))


def careful(view: CribbageView, card: int) -> tuple[float, ...]:
    """Pegs as much as it can, but leaves no count of 5 or 21 and keeps its low cards."""
    return (pegged(view, card) - 0.5 * (view.count + count(card) in (5, 21)), count(card))


def low_first(view: CribbageView, card: int) -> tuple[float, ...]:
    """Plays its lowest card, whatever it pegs."""
    return (-count(card),)


def high_first(view: CribbageView, card: int) -> tuple[float, ...]:
    """Plays its highest card, whatever it pegs."""
    return (count(card),)


STYLES = {
    "keeps_points": style(lambda view, kept, away: hand(kept), points),
    "with_the_crib": style(lambda view, kept, away: hand(kept) + own(view) * (fifteens(away) + pairs(away)), careful),
    "keeps_fifteens": style(lambda view, kept, away: fifteens(kept), points),
    "keeps_runs": style(lambda view, kept, away: runs(kept) + pairs(kept) / 2, points),
    "keeps_pairs": style(lambda view, kept, away: pairs(kept), careful),
    "keeps_suits": style(lambda view, kept, away: flush(kept) + hand(kept) / 4, points),
    "keeps_fives": style(lambda view, kept, away: 5 * sum(value(card) == 5 for card in kept) + hand(kept), careful),
    "keeps_low_cards": style(lambda view, kept, away: -sum(map(count, kept)), careful),
    "plays_low": style(lambda view, kept, away: hand(kept), low_first),
    "plays_high": style(lambda view, kept, away: hand(kept), high_first),
}
