"""Strategies for Go, from the view alone.

first       the assignment's sample: the lowest card, and every card a singleton
"""

from random import Random

from kibitz.games.go.view import GoView


def first(view: GoView, legal: list[int], random: Random) -> int:
    """The lowest card of the hand; every discard a singleton."""
    return min(legal)
