"""Scorers of cribbage hands that install from PyPI: cribbage, pycribbage and cribbage-scorer, each if it is installed.

Kibitz needs none of them: ``pip install cribbage pycribbage cribbage-scorer`` adds their figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec

Scorer = Callable[[Sequence[int], int], int]
"""From four cards and the starter, as Kibitz's numbers 0 to 51, to the points of the hand."""

NAMES = {"cribbage": "cribbage", "pycribbage": "pycribbage", "cribbage-scorer": "cribbage_scorer"}
"""The packages and the modules that they install."""


def scorers() -> dict[str, Scorer]:
    """The scorers that are installed, by package."""
    makers = {"cribbage": _cribbage, "pycribbage": _pycribbage, "cribbage-scorer": _cribbage_scorer}
    return {name: makers[name]() for name, module in NAMES.items() if find_spec(module) is not None}


def missing() -> list[str]:
    """The packages that are not installed."""
    return [name for name, module in NAMES.items() if find_spec(module) is None]


def _cribbage() -> Scorer:
    from cribbage.card import Card
    from cribbage.score import score_hand

    their_cards = [Card(13 * (card & 3) + (card >> 2)) for card in range(52)]

    def score(hand: Sequence[int], starter: int) -> int:
        return int(score_hand([their_cards[card] for card in hand], their_cards[starter]))

    return score


def _pycribbage() -> Scorer:
    from pycribbage.deck_tools import Card, Hand
    from pycribbage.scorer import ScoreTheShow

    def score(hand: Sequence[int], starter: int) -> int:
        their_hand = Hand()
        for card in (*hand, starter):
            their_hand.add_card(Card(card & 3, (card >> 2) + 1))
        their_hand.count()
        return int(ScoreTheShow(their_hand).score)

    return score


def _cribbage_scorer() -> Scorer:
    from cribbage_scorer.cribbage_scorer import show_calc_score

    def score(hand: Sequence[int], starter: int) -> int:
        cards = [((card >> 2) + 1, "DCHS"[card & 3]) for card in hand]
        return int(show_calc_score(((starter >> 2) + 1, "DCHS"[starter & 3]), cards)[0])

    return score
