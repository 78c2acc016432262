"""Strategies for President, from the view alone.

lowest      the lowest legal move
"""

from random import Random

from kibitz.games.president.rules import PASS
from kibitz.games.president.view import PresidentView


def lowest(view: PresidentView, legal: list[int], random: Random) -> int:
    """The lowest legal move of the fewest cards; a pass only where nothing else is possible."""
    return min((action for action in legal if action != PASS), default=PASS)
