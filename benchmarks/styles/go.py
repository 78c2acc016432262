"""Nine styles of drafting in Go, from the written rules; all group their cards by taking the best group at a time.

rating      the value of a card to a seat: the card rated highest is laid, and ties are broken at random
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

from kibitz.coursework.comp10001 import comp10001go_score_group
from kibitz.games.go.view import GoView

GROUP = 52
ACE, KING = 1, 13

Rate = Callable[[GoView, list[int], int], float]


def value(card: int) -> int:
    """Ace 1 to king 13."""
    return (card >> 2) + 1


def text(card: int) -> str:
    """A card as COMP10001 writes it."""
    return "A234567890JQK"[card >> 2] + "DCHS"[card & 3]


def score(cards: list[int]) -> int:
    """The score of a group, valid or not."""
    return int(comp10001go_score_group([text(card) for card in cards]))


def grouped(view: GoView, legal: list[int]) -> int:
    """The group with the highest score, of those that begin with the lowest card that is left."""
    cards = sorted(view.discards[view.seat])
    return max(legal, key=lambda action: score([card for i, card in enumerate(cards) if action - GROUP >> i & 1]))


def style(rate: Rate) -> Callable[[GoView, list[int], Random], int]:
    """The strategy that lays the card that is rated highest."""

    def choose(view: GoView, legal: list[int], random: Random) -> int:
        if legal[0] >= GROUP:
            return grouped(view, legal)
        kept = list(view.discards[view.seat])
        return max(legal, key=lambda card: (rate(view, kept, card), random.random()))

    return choose


def alike(cards: list[int], card: int) -> int:
    """How many cards have the same value as a card."""
    return sum(value(other) == value(card) for other in cards)


def neighbours(cards: list[int], card: int) -> int:
    """How many cards of the other colour are next to a card in value."""
    return sum(abs(value(other) - value(card)) == 1 and (other ^ card) & 1 for other in cards)


def gain(cards: list[int], card: int) -> int:
    """The most that a card adds to the score of a group of ``cards``."""
    groups = [group for n in range(1, min(4, len(cards)) + 1) for group in combinations(cards, n)]
    return max((score([*group, card]) - max(0, score(list(group))) for group in groups), default=-value(card))


def pairs_up(view: GoView, kept: list[int], card: int) -> float:
    """Collects cards of a kind, the highest first."""
    return 20 * alike(kept, card) * (value(card) != ACE) + value(card) / 13


def runs_up(view: GoView, kept: list[int], card: int) -> float:
    """Collects runs: neighbours of the other colour."""
    return neighbours(kept, card) + (value(card) == ACE) * 0.5


def low_cards(view: GoView, kept: list[int], card: int) -> float:
    """Takes the lowest card, which costs least alone; no aces."""
    return -20 if value(card) == ACE else -value(card)


def high_cards(view: GoView, kept: list[int], card: int) -> float:
    """Takes the highest card that pairs or neighbours one of its cards, or else the highest."""
    return (alike(kept, card) + neighbours(kept, card) > 0) * 20 + value(card) * (value(card) != ACE)


def aces_first(view: GoView, kept: list[int], card: int) -> float:
    """Takes aces for its runs, then neighbours."""
    return 3 * (value(card) == ACE) + neighbours(kept, card) + 0.5 * alike(kept, card)


def gains(view: GoView, kept: list[int], card: int) -> float:
    """Takes the card that adds most to one of its groups."""
    return gain(kept, card)


def one_kind(view: GoView, kept: list[int], card: int) -> float:
    """Sticks to the values that it has, and waits for a third and a fourth."""
    return alike(kept, card) ** 2 * value(card) - value(card) / 20


def denies(view: GoView, kept: list[int], card: int) -> float:
    """Takes the card that adds most to its own groups, or to those of the left neighbour, who gets the hand next."""
    left = list(view.discards[(view.seat + 1) % view.players])
    return max(gain(kept, card), gain(left, card) - 1)


def late_bloomer(view: GoView, kept: list[int], card: int) -> float:
    """Takes low cards for four turns, and then the card that adds most."""
    return -value(card) - 19 * (value(card) == ACE) if view.turn < 4 else gain(kept, card)


STYLES = {
    rate.__name__: style(rate)
    for rate in (*(pairs_up, runs_up, low_cards, high_cards, aces_first, gains, one_kind, denies, late_bloomer),)
}
