"""Chance: the counter-based generator Philox4x32-10, one per state.

    key     four 32-bit words: the 128-bit seed of a game (two are the cipher's key, two the top of its counter)
    draws   how many words have been used; word ``i`` is a pure function of the key and ``i``
    block   the four words that the current counter value gives

A seed therefore fixes a game on every machine and target, and the cards that players see do not reveal the key.
All arithmetic uses 32-bit values in 64-bit integers, with the same results in Python, machine code and CUDA.  A
product of two 32-bit numbers can exceed a signed 64-bit integer. Each multiplier ``m`` is odd, so
``m * (c - 2**31) + 2**31`` equals ``m * c - ((m >> 1) << 32)``, which fits; ``m >> 1`` is then added back to its upper
half.
Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from kibitz.kernel import kernel

MASK = 0xFFFFFFFF
MIDDLE = 1 << 31
MULTIPLIER_0 = 0xD2511F53
MULTIPLIER_1 = 0xCD9E8D57
WEYL_0 = 0x9E3779B9
WEYL_1 = 0xBB67AE85
ROUNDS = 10


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """The four output words for a counter ``c0..c3`` under the key ``k0, k1``."""
    for _ in range(ROUNDS):
        p0 = MULTIPLIER_0 * (c0 - MIDDLE) + MIDDLE
        p1 = MULTIPLIER_1 * (c2 - MIDDLE) + MIDDLE
        c0 = (p1 >> 32) + (MULTIPLIER_1 >> 1) ^ c1 ^ k0
        c2 = (p0 >> 32) + (MULTIPLIER_0 >> 1) ^ c3 ^ k1
        c1 = p1 & MASK
        c3 = p0 & MASK
        k0 = (k0 + WEYL_0) & MASK
        k1 = (k1 + WEYL_1) & MASK
    return c0, c1, c2, c3


@kernel
def rekey(s, k0, k1, k2, k3):
    """Restart the generator of ``s`` from a 128-bit seed given as four words, the lowest first."""
    s.key[0] = k0
    s.key[1] = k1
    s.key[2] = k2
    s.key[3] = k3
    s.draws = 0


@kernel
def word(s):
    """The next 32-bit word."""
    i = s.draws & 3
    if i == 0:
        counter = s.draws >> 2
        w0, w1, w2, w3 = philox(counter & MASK, counter >> 32, s.key[2], s.key[3], s.key[0], s.key[1])
        s.block[0] = w0
        s.block[1] = w1
        s.block[2] = w2
        s.block[3] = w3
    s.draws += 1
    return s.block[i]


@kernel
def randbelow(s, n):
    """A uniform integer in 0..n-1, without bias (Lemire's multiplication with rejection); 1 <= n < 2**31."""
    product = word(s) * n
    if product & MASK < n:
        floor = (MASK + 1 - n) % n  # 2**32 mod n: how many of the 2**32 words would be one too many for an equal share
        while product & MASK < floor:
            product = word(s) * n
    return product >> 32


@kernel
def shuffle(s, cards, first, last):
    """Put ``cards[first:last]`` into uniformly random order (Fisher-Yates)."""
    for i in range(first, last - 1):
        j = i + randbelow(s, last - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
