"""Scores of many hands: a table of the scores of five ranks, and the points for suits.

    table       the points for fifteens, pairs and runs of five ranks, at the number whose base-13 digits are the ranks,
                in any order
    tally       tally[points]: how many pairs of hand and starter score that many points

Nob, and a flush of four cards, depend on which of the five cards is the starter, so a set of five cards makes five
pairs of hand and starter. But most sets have no Jack and no four cards of a suit, and score the same in all five.
"""

from kibitz.games.cribbage.scoring import JACK, rank_points
from kibitz.kernel import kernel

RANKS = 13
TABLE_SIZE = RANKS**5
TALLY_SIZE = 32
FOUR_OF_A_SUIT = 0x4444
SUITS_FULL = 0x8888
"""Suits are counted in four nibbles: adding 4 to a nibble sets its highest bit if it counts four cards or more."""


@kernel
def fill(table):
    """Write the table; of five equal ranks only four cards count, since a fifth card doesn't exist."""
    for number in range(TABLE_SIZE):
        rest = number
        cards = 0
        for _ in range(5):
            four = 15 << 4 * (rest % RANKS)
            free = four & ~cards
            cards |= free & -free  # the lowest card of the rank that isn't taken yet
            rest //= RANKS
        table[number] = rank_points(cards)


@kernel
def points(table, a, b, c, d, starter, crib):
    """The score of the hand ``a`` to ``d`` with the starter; ``crib`` is 1 for a crib, else 0."""
    number = ((((a >> 2) * RANKS + (b >> 2)) * RANKS + (c >> 2)) * RANKS + (d >> 2)) * RANKS + (starter >> 2)
    total = table[number] + 0  # + 0 makes it a wide integer: the table's numbers have few bits
    nob = 4 * JACK + (starter & 3)
    if a == nob or b == nob or c == nob or d == nob:
        total += 1
    if (a ^ b) & 3 | (a ^ c) & 3 | (a ^ d) & 3:
        return total
    if (a ^ starter) & 3:
        return total if crib else total + 4
    return total + 5


@kernel
def score_rows(table, hands, starters, crib, out):
    """Write the score of every row of ``hands``, four cards each, with its starter."""
    for i in range(len(starters)):
        out[i] = points(table, hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], starters[i], crib)


@kernel
def tally_all(table, tally):
    """Count every hand with every starter, 12 994 800 in all, by score."""
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                number = (((a >> 2) * RANKS + (b >> 2)) * RANKS + (c >> 2)) * RANKS
                suits = (1 << 4 * (a & 3)) + (1 << 4 * (b & 3)) + (1 << 4 * (c & 3))
                jacks = jack_nibble(a) + jack_nibble(b) + jack_nibble(c)
                for d in range(c + 1, 51):
                    tally_from(
                        table, tally, (number + (d >> 2)) * RANKS, suits + (1 << 4 * (d & 3)), jacks + jack_nibble(d), d
                    )


@kernel
def jack_nibble(card):
    """For a Jack, a 1 in its suit's nibble of four; for any other card 0."""
    return 1 << 4 * (card & 3) if card >> 2 == JACK else 0


@kernel
def tally_from(table, tally, number, suits, jacks, d):
    """Count the sets of four given cards and a fifth card above ``d``, the highest of the four.

    ``number``, ``suits`` and ``jacks`` describe the four cards: see ``tally_all``.
    """
    for e in range(d + 1, 52):
        points = table[number + (e >> 2)]
        all_suits = suits + (1 << 4 * (e & 3))
        all_jacks = jacks + jack_nibble(e)
        if not all_jacks and not (all_suits + FOUR_OF_A_SUIT) & SUITS_FULL:
            tally[points] += 5
        else:
            tally_starters(tally, points, all_suits, all_jacks)


@kernel
def tally_starters(tally, points, suits, jacks):
    """Count the five hands of one set of five cards: each card in turn is the starter.

    ``suits`` and ``jacks`` count the cards and the Jacks of each suit in nibbles.  A Jack scores nob with every
    starter of its suit except itself.
    """
    nobs = 0
    flush = 0
    for suit in range(4):
        n = suits >> 4 * suit & 15
        if jacks >> 4 * suit & 1:
            nobs += n - 1
        if n >= 4:
            flush = n
    if flush == 5:
        tally[points + 6] += nobs
        tally[points + 5] += 5 - nobs
        return
    others = 5 - nobs
    if flush == 4:
        tally[points + 4] += 1  # the odd card is the starter; a nob would be of its suit, and the hand has none
        others -= 1
    tally[points + 1] += nobs
    tally[points] += others
