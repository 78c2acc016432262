"""Hands of Bo: drawing from the pile, and what all see of a hand whose player can play nothing.

hand        five places a seat; a place keeps its card until it is played and is then refilled
draw        the draw pile in no order: each draw takes a uniformly random card of it (decision 2)
since       by place, the epoch in which its card was drawn
aces        by place, the colours (bit 0 red, bit 1 black) of which all know the card to be an Ace, because its
holder could play nothing; 0 where nothing is known
"""

from kibitz.cards.chance import below
from kibitz.games.bo.piles import NONE
from kibitz.kernel import kernel


@kernel
def take(s):
    """A uniformly random card of the draw pile, which must not be empty."""
    i = below(s, s.drawable)
    s.drawable -= 1
    card = s.draw[i]
    s.draw[i] = s.draw[s.drawable]
    s.draw[s.drawable] = NONE
    return card


@kernel
def refill(s):
    """Draw the hand of the player to move up to its size, as far as the draw pile lasts."""
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] == NONE and s.drawable:
            s.hand[place] = take(s)
            s.since[place] = s.epoch
            s.aces[place] = 0


@kernel
def hand_is_empty(s):
    """Whether the player to move holds no card."""
    for i in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[i] != NONE:
            return False
    return True


@kernel
def show_aces(s):
    """Who can play nothing shows that all cards in hand are Aces of colours that no build pile has."""
    colours = 3
    for pile in range(4):
        if s.top[pile] != NONE:
            colours &= ~(1 << (s.top[pile] & 1))
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] != NONE:
            s.aces[place] = colours & s.aces[place] if s.aces[place] else colours
