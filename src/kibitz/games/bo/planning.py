"""The rest of a turn of Bo, gone through: which plays lead to the best place to stop.

    way         plays that do not end the turn, each ``SOURCE * source + pile`` in BITS bits, the first one lowest
    place to stop       after a stockpile card, for the next one is unknown; after a card that ends the turn; and
                after the last play of the turn
    known       the positions met so far: ways that lead to equal ones are gone once

Ways are met by their length, so the shortest way to a position is the one kept.  What places are worth is in
``standing``.  Nothing that depends on a draw is looked into: a completed build pile counts as empty.
"""

from kibitz.cards.chance import below
from kibitz.games.bo.piles import NONE, completes, full_discards, matches, own_bare, turn_up, value
from kibitz.games.bo.plays import DE_BRUIJN, FROM_PILE, PILE_OF_BIT, SOURCE, STOCK, source_card
from kibitz.games.bo.standing import (
    EMPTY,
    ENDED,
    WIDTH,
    above,
    empty_piles,
    ended_worth,
    kind,
    name_hand,
    own_part,
    rival_part,
    stock_top,
    sum_hand,
    turned_worth,
    under,
    widths,
)
from kibitz.kernel import kernel

BITS = 10
MOST = 512
"""So many ways are gone at most."""
PLACES = 2048
"""Room for the positions that are known: a power of two."""
WAYS = PLACES
LENGTHS = WAYS + MOST
TRAIL = LENGTHS + MOST
"""What each play on the way has changed, STEP numbers each: card, and what lay under it before and after."""
STEP = 3
AHEAD = 5 * STEP
"""In the trail, the place of the one play that is tried beyond a way."""
ONLY = TRAIL + AHEAD + STEP
HELD = ONLY + 20
BEST, WAY, LENGTH = range(HELD + 5, HELD + 8)
"""The worth of the best place to stop, and the way there; its length is 0 if there is none."""
ROOM = LENGTH + 1
CERTAIN = 1 << 40
"""What it is worth to win at once."""
HASH = (1 << 40) - 1
PRIME = 1_000_003


@kernel
def plan(s, table, room, limit, lots, daring):
    """Find the best place to stop in the rest of the turn, by ways up to ``limit``; ``room`` is ROOM integers.

    Every worth is raised by lot, by less than ``daring``, unless that is 0.  The state is as before in the end.
    """
    for i in range(PLACES):
        room[i] = 0
    room[BEST] = -CERTAIN
    room[WAY] = 0
    room[LENGTH] = 0
    room[WAYS] = 0
    room[LENGTHS] = 0
    is_new(s, room)
    n = 1
    i = 0
    while i < n:
        way = room[WAYS + i]
        length = room[LENGTHS + i]
        i += 1
        for j in range(length):
            carry(s, way >> BITS * j & (1 << BITS) - 1, room, TRAIL + STEP * j)
        offer_stock(s, table, room, way, length, lots, daring)
        offer_ends(s, table, room, way, length, lots, daring)
        n = go_further(s, table, room, way, length, n, limit, lots, daring)
        for j in range(length - 1, -1, -1):
            take_back(s, way >> BITS * j & (1 << BITS) - 1, room, TRAIL + STEP * j)
    return room[LENGTH]


@kernel
def carry(s, a, room, at):
    """Put a card where it matches, and note in ``room[at:]`` what is needed to take that back."""
    source = a // SOURCE
    pile = a % SOURCE
    card = source_card(s, source)
    room[at] = card
    room[at + 1] = s.top[pile]
    room[at + 2] = s.under[card]
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
    elif source > STOCK:
        turn_up(s, source - FROM_PILE + 4, s.under[card])
    if completes(s, card, pile):
        turn_up(s, pile, NONE)
    else:
        s.under[card] = s.top[pile]
        turn_up(s, pile, card)


@kernel
def take_back(s, a, room, at):
    """Undo ``carry``."""
    source = a // SOURCE
    card = room[at]
    turn_up(s, a % SOURCE, room[at + 1])
    s.under[card] = room[at + 2]
    if source < STOCK:
        s.hand[5 * s.player + source] = card
    elif source > STOCK:
        turn_up(s, source - FROM_PILE + 4, card)


@kernel
def is_new(s, room):
    """Whether the position has not been met, by the tops of all piles and the own hand; it is known from now on."""
    mixed = 7
    for pile in range(4 + 4 * s.players):
        mixed = mixed * PRIME + s.top[pile] + 2 & HASH
    for place in range(5 * s.player, 5 * s.player + 5):
        mixed = mixed * PRIME + s.hand[place] + 2 & HASH
    mixed = (mixed ^ mixed >> 17) * PRIME & HASH
    i = mixed >> 11 & PLACES - 1
    while room[i]:
        if room[i] == mixed + 1:
            return False
        i = i + 1 & PLACES - 1
    room[i] = mixed + 1
    return True


@kernel
def offer(room, worth, way, length, lots, daring):
    """Keep a place to stop if it is better than the best so far."""
    if daring:
        worth += below(lots, daring)
    if worth > room[BEST]:
        room[BEST] = worth
        room[WAY] = way
        room[LENGTH] = length


@kernel
def offer_stock(s, table, room, way, length, lots, daring):
    """Offer the stockpile card on every pile that takes it."""
    p = s.player
    left = s.plays_a_turn - s.plays - length - 1
    counts = s.stocked[p] - 1
    piles = matches(s, stock_top(s, p))
    while piles:
        bit = piles & -piles
        piles ^= bit
        a = SOURCE * STOCK | PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
        worth = CERTAIN
        if counts:
            carry(s, a, room, TRAIL + AHEAD)
            worth = turned_worth(s, p, counts, left, table, room, ONLY)
            take_back(s, a, room, TRAIL + AHEAD)
        offer(room, worth, way | a << BITS * length, length + 1, lots, daring)


@kernel
def offer_ends(s, table, room, way, length, lots, daring):
    """Offer every hand card that ends the turn, one of each face, on every pile where it does."""
    first = 5 * s.player
    for place in range(first, first + 5):
        card = s.hand[place]
        if card == NONE or value(card) == 1:
            continue
        again = False
        for earlier in range(first, place):
            held = s.hand[earlier]
            again = again or (held != NONE and held & 63 == card & 63)
        if not again:
            piles = (own_bare(s) | full_discards(s)) & ~matches(s, card)
            width = widths(s, room, ONLY)
            while piles:
                bit = piles & -piles
                piles ^= bit
                pile = PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
                worth = covered_worth(s, table, room, place, pile, width)
                a = SOURCE * (place - first) | pile
                offer(room, worth, way | a << BITS * length, length + 1, lots, daring)


@kernel
def covered_worth(s, table, room, place, pile, width):
    """What it is worth to end the turn with a hand card on a discard pile, where ``width`` kinds go somewhere now.

    It is reckoned from what the pile takes no longer and takes anew: ``ended_worth`` must find the same.
    """
    p = s.player
    card = s.hand[place]
    bit = 1 << pile
    high = above(s, card)
    low = under(s, card)
    own = kind(stock_top(s, p))
    name_hand(s, p, place, bit, high, low, room, HELD)
    worth = sum_hand(table, ENDED, room, HELD)
    worth += table[own_part(s, p, s.accepts[own] & ~bit | (bit if own == high or own == low else 0))]
    for q in range(1, s.players):
        k = kind(stock_top(s, (p + q) % s.players))
        worth += table[rival_part(s, p, q, s.accepts[k] & ~bit | (bit if k == high or k == low else 0))]
    width += int(s.accepts[high] & ~bit == 0) + int(s.accepts[low] & ~bit == 0) - room[ONLY + pile]
    return worth + table[WIDTH + width] + table[EMPTY + empty_piles(s, p) - int(s.bare & bit != 0)]


@kernel
def go_further(s, table, room, way, length, n, limit, lots, daring):
    """Add every way that is one play longer, from the hand or a discard pile; the number of ways there are then.

    The last play of the turn makes a place to stop.
    """
    last = s.plays_a_turn - s.plays - length == 1
    for source in range(FROM_PILE + 4 * s.players):
        card = NONE if source == STOCK else source_card(s, source)
        piles = 0 if card == NONE else matches(s, card)
        while piles and n < limit:
            bit = piles & -piles
            piles ^= bit
            a = SOURCE * source | PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
            carry(s, a, room, TRAIL + AHEAD)
            if last:
                worth = ended_worth(s, s.player, table, room, ONLY)
                offer(room, worth, way | a << BITS * length, length + 1, lots, daring)
            elif is_new(s, room):
                room[WAYS + n] = way | a << BITS * length
                room[LENGTHS + n] = length + 1
                n += 1
            take_back(s, a, room, TRAIL + AHEAD)
    return n
