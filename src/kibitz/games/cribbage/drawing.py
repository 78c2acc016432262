"""Cards drawn at random, a whole hand with one random number.

A hand is a combination, so every set of cards comes up in exactly one way: the exact check of beliefs goes through
all deals, and has far fewer of them than if cards were drawn one by one.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import highest, size
from kibitz.kernel import kernel

PACK = 52
HAND = 6
"""No more cards are drawn at once: there are 20 358 520 hands, and a draw must stay below 2**31."""


def _binomials() -> tuple[int, ...]:
    from math import comb

    return tuple(comb(n, k) for k in range(HAND + 1) for n in range(53))


CHOOSE = _binomials()
"""How many sets of ``k`` among ``n`` cards there are, at 53 * k + n."""


@kernel
def draw(s, cards, k):
    """A uniformly random set of ``k`` of the set ``cards``, by the number of the combination."""
    left = size(cards)
    number = below(s, CHOOSE[53 * k + left])
    drawn = 0
    card = PACK
    while k:
        card -= 1
        if cards >> card & 1:
            left -= 1
            if CHOOSE[53 * k + left] <= number:
                number -= CHOOSE[53 * k + left]
                drawn |= 1 << card
                k -= 1
    return drawn


@kernel
def draw_one(s, cards):
    """A uniformly random card of a set."""
    return highest(draw(s, cards, 1))
