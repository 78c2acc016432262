"""A strategy for President as a kernel: leads the most cards, follows with the fewest pips.

What it returns in a trade is its lowest card, and what it asks for the highest that it does not hold.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.moves import NONE, TRIPLE, cards_in, size_of
from kibitz.games.president.rules import ACTIONS, PASS, RANK, TRADE, legal
from kibitz.games.president.trading import NAME, PLAY, REQUESTED, lower, tradable, wished
from kibitz.kernel import kernel

POLICIES = {"quick": "Leads the most cards it can, its lowest first, and follows with the lowest move that goes."}
SEARCH = {"policy": "quick"}
THINKERS = {
    "hasty": (16, "Thinks of a few ways the round may go, and trusts the first that looks well."),
    "steady": (100, "Thinks of a hundred ways the round may go before every move."),
    "best": (4000, "Thinks of four thousand ways the round may go, with cards that fit what it has seen."),
}
TOP = 15 << 48
"""The twos: they are kept while the hand is long."""
LONG = 4
"""With so many cards more than the move has, twos are kept."""


@kernel
def choose(s, policy, lots, room):
    """The move of the most cards to lead, the lowest of equals; the lowest one to follow, without breaking sets."""
    if s.phase != PLAY:
        cards = tradable(s)
        wanted = cards & ~s.hand[s.player]
        if s.phase == NAME:
            return TRADE + highest(wanted if wanted else cards)
        return TRADE + lowest(cards)
    n = legal(s, room)
    if n == 1:
        return room[0]
    return lead(s, room, n) if s.pile == NONE else follow(s, room, n)


@kernel
def lead(s, room, n):
    """The move of the most cards, of these the lowest kind and number; twos last."""
    chosen = room[0]
    best = -1
    for i in range(n):
        a = room[i]
        cards = cards_in(a)
        worth = 128 * size_of(a) - highest(cards) + (0 if a < TRIPLE else 8)
        if cards & TOP and size(s.hand[s.player]) > size_of(a):
            worth -= 300
        if worth > best or i == 0:
            best = worth
            chosen = a
    return chosen


@kernel
def follow(s, room, n):
    """The lowest move that breaks the fewest sets, or a pass rather than a two while the hand is long."""
    hand = s.hand[s.player]
    chosen = PASS
    least = 1 << 30
    for i in range(n):
        a = room[i]
        if a == PASS:
            continue
        cards = cards_in(a)
        cost = highest(cards) + 6 * broken(hand, cards)
        if cards & TOP and size(hand) > size_of(a) + LONG and not in_danger(s):
            cost += 1000
        if cost < least:
            least = cost
            chosen = a
    return chosen if least < 1000 or in_danger(s) else PASS


@kernel
def broken(hand, cards):
    """How many cards stay behind of the values that a move takes."""
    values = cards | cards >> 1 & 0x7777777777777 | cards >> 2 & 0x3333333333333 | cards >> 3 & 0x1111111111111
    values &= 0x1111111111111
    return size(hand & 15 * values & ~cards)


@kernel
def in_danger(s):
    """Whether another player is nearly out."""
    for p in range(s.players):
        if p != s.player and s.hand[p] and size(s.hand[p]) <= 2:
            return True
    return False


@kernel
def eased(s):
    """Imagined games end with the round: the next one is dealt anew, and the places of this one are what lasts."""
    s.rounds = s.round + 1


@kernel
def sight(s, seat, a):
    """A card that is returned its pair alone sees, unless that is done in the open."""
    if a < TRADE or seat == s.player:
        return a
    if s.upper_names != REQUESTED:
        return a if s.phase == NAME or seat == lower(s, s.pair) else ACTIONS
    value = a - RANK if a >= RANK else a - TRADE >> 2
    cards = wished(s, RANK - TRADE + value)
    return a if cards & cards - 1 else ACTIONS + value  # to ask for any card of a value is to ask for its only one
