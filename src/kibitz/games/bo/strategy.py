"""Strategies for Bo, from the view alone.

first       the assignment's sample: the first legal play, sources and piles counted upwards
greedy      the first play on the way to the best place to stop that a look-ahead over this turn meets
"""

from random import Random

from kibitz.games.bo.lookahead import Turn
from kibitz.games.bo.view import BoView


def first(view: BoView, legal: list[int], random: Random) -> int:
    """The first legal play: hand before stockpile before discard piles, build piles before discard piles."""
    return min(legal)


def greedy(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile by the shortest way there is, else leaves the table as it is best for the next turn.

    A turn cannot be stopped at will, so it is planned from its end: the hand card that ends it should take the own
    stockpile card next time, cover what takes a rival's, and keep the table wide, for the cards to come are unknown.
    """
    choice = Turn(view).best_play() if len(legal) > 1 else None
    return legal[0] if choice is None else choice
