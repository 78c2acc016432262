"""Strategies for Bo, from the view alone.

first       the assignment's sample: the first legal play, sources and piles counted upwards
stockpile   the stockpile card wherever it goes, and else the first legal play
loner       as greedy, without a look at what the others need
greedy      the first play on the way to the best place to stop that a look-ahead over this turn meets
"""

from random import Random

from kibitz.games.bo.lookahead import Turn
from kibitz.games.bo.plays import SOURCE, STOCK
from kibitz.games.bo.view import BoView


def first(view: BoView, legal: list[int], random: Random) -> int:
    """The first legal play: hand before stockpile before discard piles, build piles before discard piles."""
    return min(legal)


def stockpile(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile wherever that goes, and else the first legal play: it makes way for nothing."""
    return min([action for action in legal if action // SOURCE == STOCK] or legal)


def loner(view: BoView, legal: list[int], random: Random) -> int:
    """Looks ahead over its turn as greedy does, and never at what the others need."""
    return planned(view, legal, watching=False)


def greedy(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile by the shortest way there is, else leaves the table as it is best for the next turn.

    A turn cannot be stopped at will, so it is planned from its end: the hand card that ends it should take the own
    stockpile card next time, cover what takes a rival's, and keep the table wide, for the cards to come are unknown.
    """
    return planned(view, legal, watching=True)


def planned(view: BoView, legal: list[int], *, watching: bool) -> int:
    """The first play of a turn that is looked ahead over, ``watching`` what the others need or not."""
    choice = Turn(view, watching=watching).best_play() if len(legal) > 1 else None
    return legal[0] if choice is None else choice
