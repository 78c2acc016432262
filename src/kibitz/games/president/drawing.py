"""Cards drawn at random, up to five with one random number.

    pool        scratch of the state: the cards that can be drawn

A handful is a combination, so that every set of cards comes up in exactly one way: fewer paths of chance than cards
drawn one by one have, and each of the same probability.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import lowest
from kibitz.kernel import kernel

HANDFUL = 5


def _binomials() -> tuple[int, ...]:
    from math import comb

    return tuple(comb(n, k) for k in range(HANDFUL + 1) for n in range(53))


CHOOSE = _binomials()
"""How many sets of ``k`` among ``n`` cards there are, at 53 * k + n."""


@kernel
def draw(s, cards, n):
    """A uniformly random set of ``n`` of ``cards``."""
    everything = cards
    left = 0
    while cards:
        s.pool[left] = lowest(cards)
        cards &= cards - 1
        left += 1
    if left == n:
        return everything
    drawn = 0
    while n:
        k = n if n < HANDFUL else HANDFUL
        drawn |= handful(s, left, k)
        left -= k
        n -= k
    return drawn


@kernel
def handful(s, left, k):
    """A uniformly random set of ``k`` of the pool's first ``left`` cards; the others stay in its first places."""
    i = below(s, CHOOSE[53 * k + left])
    drawn = 0
    at = left - 1
    while k:
        while CHOOSE[53 * k + at] > i:
            at -= 1
        i -= CHOOSE[53 * k + at]
        drawn |= 1 << s.pool[at]
        left -= 1
        s.pool[at] = s.pool[left]
        at -= 1
        k -= 1
    return drawn
