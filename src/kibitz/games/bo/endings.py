"""What hand cards that end a turn of Bo are worth, on every pile where they do, in the measure of ``prospects``.

    look        a seat's stockpile card, the own one first: its kind, and what it is worth that so many piles take it
    covered     a pile whose top an ending hides: what fitted there fits no more
    opened      a seat whose stockpile card the ending card takes

Most of the thinking of Bo goes into this, so what all cards of a hand have in common is noted once for a spot.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.bo.piles import NONE, full_discards, own_bare, value
from kibitz.games.bo.plays import SOURCE
from kibitz.games.bo.prospects import (
    ACROSS,
    ENDINGS,
    KEPT,
    MANY,
    NEW_PILE,
    NOTED,
    NOTES,
    OWN_FITS,
    OWN_PILE,
    RIVAL_FITS,
    WIDTH,
    above,
    below,
    bridged,
    card_worth,
    hand_worth,
    kind,
    offer,
)
from kibitz.kernel import kernel

LOOKS, LOOK = ENDINGS, 5
"""In ``scratch``: of each seat the kind, and four worths: without and with a new pile that takes it, where the covered
one does not, and where it does;"""
OPENED = ENDINGS + 20
"""by seat whether it is opened;"""
WIDE, BEST = ENDINGS + 24, ENDINGS + 25
"""what it is worth how many kinds some pile takes, and what an ending that opens nothing is worth at most;"""
COVERED = ENDINGS + 26
"""by pile, what the table is worth where it is covered and nothing opened."""


@kernel
def note_endings(s, scratch, own, spot):
    """Note what every hand card that ends the turn is worth on every pile where it does; whether there is one."""
    anywhere = own_bare(s) | full_discards(s)
    mine = kind(own)
    first = 5 * s.player
    found = False
    for place in range(s.hand_size):
        card = s.hand[first + place]
        piles = anywhere & ~s.accepts[kind(card)] if card != NONE and value(card) > 1 else 0
        if piles and not found:
            found = True
            look_at_piles(s, scratch, mine, anywhere)
            kept = bridged(s, scratch, mine) + hand_worth(s, scratch, mine, NONE) + scratch[WIDE]
        if piles:
            upper = 2 * above(s, value(card)) + 1 - (card & 1)
            lower = 2 * below(s, value(card)) + 1 - (card & 1)
            note_ending(
                s, scratch, piles, kept - card_worth(s, scratch, mine, card), upper, lower, spot, SOURCE * place
            )
    return found


@kernel
def look_at_piles(s, scratch, mine, piles):
    """Note what each seat's stockpile card is worth by the piles that take it, and what it is worth to cover a pile."""
    worth = 0
    for k in range(s.players):
        look_at_seat(s, scratch, k, mine)
        worth += scratch[LOOKS + LOOK * k + 1]
    for pile in range(4 + 4 * s.players):
        scratch[COVERED + pile] = worth
    for k in range(s.players):
        at = LOOKS + LOOK * k
        taking = s.accepts[scratch[at]] & piles
        while taking:
            scratch[COVERED + lowest(taking)] += scratch[at + 3] - scratch[at + 1]
            taking &= taking - 1
    for pile in range(4 + 4 * s.player, 8 + 4 * s.player):
        scratch[COVERED + pile] += scratch[NEW_PILE] if s.bare >> pile & 1 else scratch[OWN_PILE]
    scratch[WIDE] = scratch[WIDTH] * cover_kinds(s, scratch)
    most = -(1 << 30)
    while piles:
        most = max(most, scratch[COVERED + lowest(piles)])
        piles &= piles - 1
    scratch[BEST] = most + max(0, 2 * scratch[WIDTH])


@kernel
def cover_kinds(s, scratch):
    """Take off every pile what the kinds are worth that it alone takes; how many kinds some pile takes."""
    wide = 0
    for k in range(2, 2 * s.top_value + 2):
        taking = s.accepts[k]
        wide += taking != 0
        if taking and taking & taking - 1 == 0:
            scratch[COVERED + lowest(taking)] -= scratch[WIDTH]
    return wide


@kernel
def look_at_seat(s, scratch, k, mine):
    """Note what the seat that comes k-th is worth, 0 the one to move, for ``look_at_piles``."""
    at = LOOKS + LOOK * k
    scratch[at] = scratch[ACROSS + 4 * k - 4] if k else mine
    fits = size(s.accepts[scratch[at]])
    for covered in range(2):
        for opened in range(2):
            now = min(MANY, max(0, fits - covered) + opened)
            worth = -(scratch[ACROSS + 4 * k - 3] * scratch[RIVAL_FITS + now] >> 6) if k else scratch[OWN_FITS + now]
            scratch[at + 1 + 2 * covered + opened] = worth


@kernel
def note_ending(s, scratch, piles, kept, upper, lower, spot, play):
    """Note what a hand card is worth on piles that it covers, where it takes two kinds."""
    takes_upper = s.accepts[upper]
    takes_lower = s.accepts[lower]
    opened = False
    most = kept + scratch[BEST]
    for k in range(s.players):
        at = LOOKS + LOOK * k
        scratch[OPENED + k] = scratch[at] == upper or scratch[at] == lower
        if scratch[OPENED + k]:
            opened = True
            most += max(0, scratch[at + 2] - scratch[at + 1], scratch[at + 4] - scratch[at + 3])
    if scratch[NOTED] == scratch[KEPT] and most <= scratch[NOTES + 3 * scratch[KEPT] - 3]:
        return
    while piles:
        pile = lowest(piles)
        bit = 1 << pile
        piles ^= bit
        worth = (
            kept + scratch[COVERED + pile] + scratch[WIDTH] * ((takes_upper & ~bit == 0) + (takes_lower & ~bit == 0))
        )
        if opened:
            for k in range(s.players):
                if scratch[OPENED + k]:
                    at = LOOKS + LOOK * k + 1 + 2 * (s.accepts[scratch[LOOKS + LOOK * k]] >> pile & 1)
                    worth += scratch[at + 1] - scratch[at]
        offer(scratch, worth, spot, play + pile)
