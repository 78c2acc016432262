"""Strategies for Bo, from the view alone.

first       the assignment's sample: the first legal play, sources and piles counted upwards
greedy      the first play on the way to the best place to stop that a look-ahead over this turn meets
best        the same with what a place to stop is worth learnt from games, and with more of the turn gone through
"""

from random import Random

from kibitz.games.bo.experience import experience
from kibitz.games.bo.lookahead import Turn
from kibitz.games.bo.planning import BITS, LENGTH, ROOM, WAY, plan
from kibitz.games.bo.situation import situation
from kibitz.games.bo.view import BoView

WAYS = 200
"""So many ways to go on ``best`` looks at."""


def first(view: BoView, legal: list[int], random: Random) -> int:
    """The first legal play: hand before stockpile before discard piles, build piles before discard piles."""
    return min(legal)


def greedy(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile by the shortest way there is, else leaves the table as it is best for the next turn.

    A turn cannot be stopped at will, so it is planned from its end: the hand card that ends it should take the own
    stockpile card next time, cover what takes a rival's, and keep the table wide, for the cards to come are unknown.
    """
    if len(legal) == 1:
        return legal[0]
    choice = Turn(view).best_play()
    return legal[0] if choice is None else choice


def best(view: BoView, legal: list[int], random: Random) -> int:
    """Plays the turn that its experience promises most of, whether it ends with a stockpile card or prepares one.

    What a place to stop is worth was learnt from games: by the own card and those of the rivals, who have their
    turns before one's own, by the kinds of cards that go somewhere, and by the hand kept.
    """
    if len(legal) == 1:
        return legal[0]
    s, room = situation(view), [0] * ROOM
    plan(s, experience(), room, WAYS, s, 0)
    return room[WAY] & (1 << BITS) - 1 if room[LENGTH] else legal[0]
