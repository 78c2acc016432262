"""A strategy for Crazy Eights, from the view alone."""

from random import Random

from kibitz.cards import suit, value
from kibitz.games.eights.rules import CALL, DRAW, POINTS
from kibitz.games.eights.view import EightsView


def greedy(view: EightsView, legal: list[int], random: Random) -> int:
    """The card that leaves most others to go on with, of equal ones the dearest; an eight only if nothing else goes."""

    def worth(action: int) -> tuple[int, int]:
        if action >= CALL:
            return sum(suit(card) == action - CALL for card in view.hand), 0
        if action >= DRAW:
            return -2, 0
        alike = sum(suit(card) == suit(action) or value(card) == value(action) for card in view.hand)
        return (-1, 0) if value(action) == 8 else (alike, POINTS[value(action) - 1])

    return max(legal, key=worth)
