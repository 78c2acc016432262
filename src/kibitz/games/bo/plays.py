"""The plays of Bo: what can go from where to which pile.

source      0..4 the hand places of the player to move, 5 the own stockpile, 6 + j discard pile j
play        ``32 * source + pile``; NO_PLAY comes after all plays
"""

from kibitz.games.bo.piles import NONE, full_discards, matches, own_bare, turn_up, value
from kibitz.kernel import kernel

STOCK = 5
FROM_PILE = 6
SOURCE = 32
NO_PLAY = 22 * SOURCE
DE_BRUIJN = 0x077CB531
PILE_OF_BIT = tuple(k for _, k in sorted((DE_BRUIJN << k & 0xFFFFFFFF, k) for k in range(32)))
"""Which bit a power of two is, by the top five bits of its product with a de Bruijn sequence.

With ``lowest``, which takes any set, random games of Bo would take half as long again.
"""


@kernel
def source_card(s, source):
    """The card that a source offers the player to move, or NONE."""
    if source < STOCK:
        return s.hand[5 * s.player + source]
    if source == STOCK:
        if s.stocked[s.player] == 0:
            return NONE
        return s.stock[8 * s.player + s.stocked[s.player] - 1]
    return s.top[source - FROM_PILE + 4]


@kernel
def targets(s, source):
    """Every pile that the card at a source may go to, as bits."""
    card = source_card(s, source)
    if card == NONE:
        return 0
    piles = matches(s, card)
    if source < STOCK and value(card) > 1:
        piles |= own_bare(s) | full_discards(s)
    return piles


@kernel
def can_play(s):
    """Whether the player to move can play anything at all."""
    for source in range(FROM_PILE + 4 * s.players):
        if targets(s, source):
            return True
    return False


@kernel
def ends_turn(s, a):
    """Whether a legal play ends the turn by where it goes: a hand card that starts or restarts a discard pile."""
    return a < STOCK * SOURCE and not matches(s, source_card(s, a // SOURCE)) >> a % SOURCE & 1


@kernel
def withdraw(s, source):
    """The player to move takes the card that a source offers; the card."""
    card = source_card(s, source)
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
        s.since[5 * s.player + source] = 0
        s.aces[5 * s.player + source] = 0
    elif source == STOCK:
        s.stocked[s.player] -= 1
        s.stock[8 * s.player + s.stocked[s.player]] = NONE
    else:
        turn_up(s, source - FROM_PILE + 4, s.under[card])
    return card


@kernel
def list_targets(out, n, source, piles):
    """Add the plays from a source to each of ``piles`` to the ``n`` actions listed; return their new number."""
    while piles:
        bit = piles & -piles
        out[n] = SOURCE * source | PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
        n += 1
        piles ^= bit
    return n
