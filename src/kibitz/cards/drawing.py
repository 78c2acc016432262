"""Draws cards of a set at random.

    pool        a scratch array in the state, with room for 52 cards: the cards that can still be drawn
    handful     a set of up to MAX_HANDFUL cards, drawn with one random number: its number among all sets of that size

If the cards were drawn one by one, they could come in any order, and a check of all deals would have to visit every
order.

The numbering is the combinatorial number system. It works for a set (``handful``), which is faster for a single
handful, and for a pool in any order (``from_pool``), which keeps the remaining cards for the next handful.
"""

from math import comb

from kibitz.cards.chance import below
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
    return nth(cards, below(s, size(cards)))


@kernel
def handful(s, cards, k):
    """A uniformly random set of ``k`` of ``cards``; ``k`` is at most MAX_HANDFUL."""
    left = size(cards)
    number = below(s, CHOOSE[(PACK + 1) * k + left])
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
    i = below(s, CHOOSE[(PACK + 1) * k + left])
    drawn = 0
    at = left - 1
    while k:
        while CHOOSE[(PACK + 1) * k + at] > i:
            at -= 1
        i -= CHOOSE[(PACK + 1) * k + at]
        drawn |= 1 << s.pool[at]
        left -= 1
        s.pool[at] = s.pool[left]
        at -= 1
        k -= 1
    return drawn
