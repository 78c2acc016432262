"""Draws cards of a set at random.

    handful     a set of up to MAX_HANDFUL cards, drawn with one random number: its number among all sets of that size
    pool        a scratch array in the state, with room for 52 cards: the cards that can still be drawn

If the cards were drawn one by one, they could come in any order, and a check of all deals would have to visit every
order.

Sets are numbered by the combinatorial number system: from the highest card down, a card is in the set if the sets
without it, ``CHOOSE`` many, all have lower numbers. ``handful`` draws from a set, which is faster for one handful;
``from_pool`` draws from a pool in any order, and keeps the remaining cards there for the next handful.
"""

from math import comb

from kibitz.cards.chance import randbelow
from kibitz.cards.sets import nth, size, unpack
from kibitz.kernel import kernel

MAX_HANDFUL = 6
"""A pack has 20 358 520 handfuls of six; their number must stay below 2**31."""
HANDFUL = 5
"""How many cards ``draw`` takes at a time."""
PACK = 52

CHOOSE = tuple(comb(n, k) for k in range(MAX_HANDFUL + 1) for n in range(PACK + 1))
"""The number of sets of ``k`` of ``n`` cards, at the index (PACK + 1) * k + n."""


@kernel
def random_card(s, cards):
    """A uniformly random card of a set."""
    return nth(cards, randbelow(s, size(cards)))


@kernel
def handful(s, cards, k):
    """A uniformly random set of ``k`` of ``cards``; ``k`` is at most MAX_HANDFUL."""
    left = size(cards)
    number = randbelow(s, CHOOSE[(PACK + 1) * k + left])
    drawn = 0
    card = PACK
    while k:
        card -= 1
        if cards >> card & 1:
            left -= 1
            if CHOOSE[(PACK + 1) * k + left] <= number:
                number -= CHOOSE[(PACK + 1) * k + left]
                drawn |= 1 << card
                k -= 1
    return drawn


@kernel
def draw(s, cards, n):
    """A uniformly random set of ``n`` of ``cards``, handful by handful; drawing all of them uses no random number."""
    if size(cards) == n:
        return cards
    left = unpack(cards, s.pool)
    drawn = 0
    while n:
        k = n if n < HANDFUL else HANDFUL
        drawn |= from_pool(s, left, k)
        left -= k
        n -= k
    return drawn


@kernel
def from_pool(s, left, k):
    """Draw ``k`` of the pool's first ``left`` cards, and move the others to the front."""
    number = randbelow(s, CHOOSE[(PACK + 1) * k + left])
    drawn = 0
    i = left - 1
    while k:
        while CHOOSE[(PACK + 1) * k + i] > number:
            i -= 1
        number -= CHOOSE[(PACK + 1) * k + i]
        drawn |= 1 << s.pool[i]
        left -= 1
        s.pool[i] = s.pool[left]  # the last card fills the gap
        i -= 1
        k -= 1
    return drawn
