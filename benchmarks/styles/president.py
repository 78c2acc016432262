"""Ten styles of playing President, from the written rules: each rates its moves by their cards.

cards       of a move, as values from 3 to 15 (ace 14, two 15)
lead        whether the pile is empty, so that anything may be played
rating      a tuple; PASS is rated by the style too
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from kibitz.games.president.moves import cards_in
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.view import PresidentView, to_cards

Rating = tuple[float, ...]


def values(cards: tuple[int, ...] | list[int]) -> list[int]:
    """The values of some cards, from 3 to 15."""
    return [value if value > 2 else value + 13 for value in ((card >> 2) + 1 for card in cards)]


class Move:
    """A move, with what the styles look at."""

    def __init__(self, view: PresidentView, action: int) -> None:
        cards = to_cards(cards_in(action))
        self.view, self.lead, self.size = view, not view.pile, len(cards)
        self.values = values(cards)
        self.top = max(self.values)
        hand = Counter(values(view.hand))
        self.breaks = sum(hand[value] > count for value, count in Counter(self.values).items())
        self.left = len(view.hand) - self.size


def style(
    rate: Callable[[Move], Rating], holds: Callable[[Move], bool] = lambda move: False
) -> Callable[[PresidentView, list[int], Random], int]:
    """The strategy that plays the move rated highest, but passes if it ``holds`` that back; it returns low cards."""

    def choose(view: PresidentView, legal: list[int], random: Random) -> int:
        if legal[-1] >= TRADE:
            return min(action for action in legal if action >= TRADE)
        moves = {action: Move(view, action) for action in legal if action != PASS}
        if not moves:
            return PASS
        best = max(moves, key=lambda action: (rate(moves[action]), random.random()))
        return PASS if PASS in legal and holds(moves[best]) and moves[best].left else best

    return choose


def rivals_least(move: Move) -> int:
    """The least number of cards that a rival has."""
    return min((n for seat, n in enumerate(move.view.counts) if n and seat != move.view.seat), default=0)


STYLES = {
    "lowest": style(lambda move: (-move.top,)),
    "highest": style(lambda move: (move.top,)),
    "largest": style(lambda move: (move.size, -move.top)),
    "singles_first": style(lambda move: (-move.size, -move.top)),
    "keeps_groups": style(lambda move: (-move.breaks, move.size, -move.top)),
    "saves_twos": style(lambda move: (-move.breaks, -move.top), lambda move: move.top == 15 and not move.lead),
    "patient": style(lambda move: (-move.breaks, -move.top), lambda move: move.top >= 12 and move.left > 6),
    "never_breaks": style(lambda move: (-move.breaks, -move.top), lambda move: move.breaks > 0),
    "stops_leaders": style(lambda move: (move.top if rivals_least(move) <= 2 else -move.top, move.size)),
    "high_then_low": style(lambda move: (move.top if not move.lead else -move.top, move.size)),
}
