"""A strategy for Bo as a kernel: the stockpile first, then what makes way for it.

ready       the piles that take the own stockpile card
threat      how many rivals have a stockpile card that some pile takes
"""

from kibitz.cards.sets import lowest
from kibitz.games.bo.piles import NONE, matches, value
from kibitz.games.bo.plays import FROM_PILE, SOURCE, STOCK, source_card
from kibitz.games.bo.rules import ACTIONS, BUILD, legal
from kibitz.kernel import kernel

ROOM = ACTIONS + 8
ROUNDS = 4
"""So many rounds a search looks ahead."""
POLICIES = {"quick": "Plays from the stockpile whenever it can, makes way for it, and covers what a rival needs."}


@kernel
def choose(s, policy, lots, room):
    """A stockpile card if one goes, to a build pile if it can; else the play worth most by what it opens and covers."""
    own = stock_top(s, s.player)
    ready = matches(s, own)
    if ready:
        piles = ready & BUILD if ready & BUILD else ready
        return SOURCE * STOCK | lowest(piles)
    n = legal(s, room)
    if n == 1:
        return room[0]
    for p in range(1, s.players):
        rival = stock_top(s, (s.player + p) % s.players)
        room[n + 2 * p] = rival
        room[n + 2 * p + 1] = matches(s, rival)
    patient = 15 * more_to_do(s)
    chosen = room[0]
    best = -(1 << 30)
    for i in range(n):
        worth = worth_of(s, room, n, room[i], own, patient)
        if worth > best:
            best = worth
            chosen = room[i]
    return chosen


@kernel
def stock_top(s, p):
    """The stockpile card of a seat that all see."""
    return s.stock[8 * p + s.stocked[p] - 1]


@kernel
def worth_of(s, room, n, a, own, patient):
    """What a legal play is worth while the own stockpile card goes nowhere.

    ``room[n:]`` has the stockpile cards of rivals with what takes them; ``patient`` is what ending a turn costs.
    """
    source = a // SOURCE
    pile = a % SOURCE
    bit = 1 << pile
    card = source_card(s, source)
    opens = opened(s, card, pile, own)
    worth = 120 * opens
    for p in range(1, s.players):
        takes = room[n + 2 * p + 1]
        if takes == bit:
            worth += 50
        if takes == 0 and opened(s, card, pile, room[n + 2 * p]):
            worth -= 60
    if source >= FROM_PILE:
        return worth - 30
    if matches(s, card) & bit:
        worth += 25 if value(card) > 1 else -20
        return worth - (40 if s.plays == s.plays_a_turn - 1 else 0)
    worth -= 10 if s.bare & bit else 20
    return worth if opens else worth - patient


@kernel
def opened(s, card, pile, wanted):
    """Whether a card on a pile would take another card there, which is 0 or 1; completing a build pile opens little."""
    v = value(card)
    w = value(wanted)
    if pile < 4:
        if (card ^ wanted) & 1:
            return 0
        return int(w == 1 or w == v + 1 or w + 1 == v)
    if (card ^ wanted) & 1 == 0 or w == 1 or v == 1:
        return 0
    above = 2 if v == s.top_value else v + 1
    under = s.top_value if v == 2 else v - 1
    return int(w == above or w == under)


@kernel
def more_to_do(s):
    """Whether a hand card can be played without ending the turn, as 0 or 1."""
    for place in range(s.hand_size):
        card = s.hand[5 * s.player + place]
        if card != NONE and matches(s, card):
            return 1
    return 0


@kernel
def eased(s):
    """Imagined games end after a few rounds."""
    s.rounds = min(s.rounds, s.round + ROUNDS)


@kernel
def outlook(s, out):
    """How many cards each seat has got rid of from its stockpile: whoever has fewest left is nearest to a win."""
    for p in range(s.players):
        out[p] = s.stock_size - s.stocked[p]
