"""The moves of up to four cards that a hand has: single cards, and two, three and four of a value (see ``listing``).

falling     the ways to choose suits, the last first, packed into one integer: for every set of suits that a value has
values      a set with one bit for each value, its diamond's
"""

from kibitz.cards.sets import highest
from kibitz.games.president.moves import (
    FOUR,
    ONE_SUIT,
    PAIR,
    PAIR_SUITS,
    TRIPLE,
    TRIPLE_SUITS,
)
from kibitz.kernel import kernel


def _falling(bits: int, kinds: tuple[int, ...], suits: int) -> int:
    """Which of ``kinds`` lie within ``suits``, the last first, each as its number plus one in so many bits."""
    found = [i for i, kind in enumerate(kinds) if kind & suits == kind]
    return sum((i + 1) << bits * k for k, i in enumerate(reversed(found)))


SUITS_FALLING = tuple(_falling(3, (1, 2, 4, 8), suits) for suits in range(16))
PAIRS_FALLING = tuple(_falling(4, PAIR_SUITS, suits) for suits in range(16))
TRIPLES_FALLING = tuple(_falling(4, TRIPLE_SUITS, suits) for suits in range(16))


@kernel
def list_singles(hand, floor, out, n):
    """Single cards."""
    hand &= -(1 << (floor + 1))
    while hand:
        card = highest(hand)
        out[n] = card
        n += 1
        hand ^= 1 << card
    return n


@kernel
def values_with_two(hand):
    """The values of which there are two cards or more, each as its diamond's bit."""
    return (hand & hand >> 1 | (hand | hand >> 1) & (hand >> 2 | hand >> 3) | hand >> 2 & hand >> 3) & ONE_SUIT


@kernel
def values_with_three(hand):
    """The values of which there are three cards or more, each as its diamond's bit."""
    return (hand & hand >> 1 & (hand >> 2 | hand >> 3) | hand >> 2 & hand >> 3 & (hand | hand >> 1)) & ONE_SUIT


@kernel
def values_with_four(hand):
    """The values of which there are four cards, each as its diamond's bit."""
    return hand & hand >> 1 & hand >> 2 & hand >> 3 & ONE_SUIT


@kernel
def list_falling(base, falling, floor, out, n):
    """The moves ``base`` plus each of the numbers in ``falling``, as long as they are above the floor."""
    while falling and base + (falling & 15) > floor:
        out[n] = base + (falling & 15)
        falling >>= 4
        n += 1
    return n


@kernel
def list_pairs(hand, floor, out, n):
    """Pairs."""
    values = values_with_two(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        n = list_falling(PAIR + 6 * (low >> 2) - 1, PAIRS_FALLING[hand >> low & 15], floor, out, n)
    return n


@kernel
def list_triples(hand, floor, out, n):
    """Three of a kind."""
    values = values_with_three(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        n = list_falling(TRIPLE + low - 1, TRIPLES_FALLING[hand >> low & 15], floor, out, n)
    return n


@kernel
def list_fours(hand, floor, out, n):
    """Four of a kind."""
    values = values_with_four(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        if FOUR + (low >> 2) <= floor:
            return n
        out[n] = FOUR + (low >> 2)
        n += 1
    return n
