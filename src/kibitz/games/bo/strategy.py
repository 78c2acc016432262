"""Strategies for Bo, from the view alone.

first       the assignment's sample: the first legal play, sources and piles counted upwards
"""

from random import Random

from kibitz.games.bo.view import BoView


def first(view: BoView, legal: list[int], random: Random) -> int:
    """The first legal play: hand before stockpile before discard piles, build piles before discard piles."""
    return min(legal)
