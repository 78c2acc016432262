"""Strategies for poker, from the view alone."""

from random import Random

from kibitz.games.poker.rules import CALL, DISCARD, RAISE
from kibitz.games.poker.view import PokerView


def caller(view: PokerView, legal: list[int], random: Random) -> int:
    """Check or call, whatever comes; never draw a card."""
    return CALL if CALL in legal else DISCARD
