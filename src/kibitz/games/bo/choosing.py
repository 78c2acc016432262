"""Strategies for Bo as kernels: the stockpile first, then what makes way for it; whole turns are for ``planning``.

ready       the piles that take the own stockpile card
rivals      behind the actions ``room`` has the piles that alone take the stockpile card of one, and then of each rival
            the card with what takes it
weighed     behind these it has a card, whether the own stockpile card would go on it where none takes it now, and what
            that is worth less what it helps rivals: on a build pile, and on a discard pile
"""

from kibitz.cards.sets import lowest
from kibitz.games.bo import planning
from kibitz.games.bo.piles import NONE, matches, value
from kibitz.games.bo.planning import planned
from kibitz.games.bo.plays import FROM_PILE, SOURCE, STOCK, source_card
from kibitz.games.bo.rules import ACTIONS, BUILD, legal
from kibitz.kernel import kernel

CARD = 8
"""So far behind the actions stands the card that is weighed."""
ROOM = max(ACTIONS + CARD + 5, planning.ROOM)
DISCARDING = 4
"""The first discard pile."""
ROUNDS = 4
"""So many rounds a search looks ahead."""
QUICK, WARDEN = range(2)
POLICIES = {
    "quick": "Plays from the stockpile whenever it can, makes way for it, and covers what a rival needs.",
    "warden": "Looks through the whole turn, and leaves nothing open that a rival waits for.",
}


@kernel
def choose(s, policy, lots, room):
    """The first play of the best turn; or a stockpile card if one goes, else what is worth most by what it opens."""
    return planned(s, room) if policy == WARDEN else next_play(s, room)


@kernel
def next_play(s, room):
    """A stockpile card if one goes, to a build pile if it can; else the play worth most by what it opens and covers."""
    own = stock_top(s, s.player)
    ready = matches(s, own)
    if ready:
        piles = ready & BUILD if ready & BUILD else ready
        return SOURCE * STOCK | lowest(piles)
    n = legal(s, room)
    if n == 1:
        return room[0]
    room[n] = 0
    for p in range(1, s.players):
        rival = stock_top(s, (s.player + p) % s.players)
        takes = matches(s, rival)
        room[n + 2 * p] = rival
        room[n + 2 * p + 1] = takes
        if takes & takes - 1 == 0:
            room[n] |= takes
    patient = 15 * more_to_do(s)
    chosen = room[0]
    best = -(1 << 30)
    source = NONE
    for i in range(n):
        if room[i] // SOURCE != source:
            source = room[i] // SOURCE
            weigh(s, room, n + CARD, source_card(s, source), own)
        worth = worth_of(s, room, n, room[i], patient)
        if worth > best:
            best = worth
            chosen = room[i]
    return chosen


@kernel
def stock_top(s, p):
    """The stockpile card of a seat that all see."""
    return s.stock[8 * p + s.stocked[p] - 1]


@kernel
def weigh(s, room, at, card, own):
    """Write what a card opens and helps into ``room[at:]``: the card, and for either kind of pile two numbers."""
    room[at] = card
    for k in range(2):
        helped = 0
        for p in range(1, s.players):
            if room[at - CARD + 2 * p + 1] == 0:
                helped += opened(s, card, DISCARDING * k, room[at - CARD + 2 * p])
        room[at + 1 + 2 * k] = opened(s, card, DISCARDING * k, own)
        room[at + 2 + 2 * k] = 120 * room[at + 1 + 2 * k] - 60 * helped


@kernel
def worth_of(s, room, n, a, patient):
    """What a legal play of the card that was weighed is worth; ``patient`` is what ending a turn costs."""
    pile = a % SOURCE
    bit = 1 << pile
    card = room[n + CARD]
    at = n + CARD + (1 if pile < DISCARDING else 3)
    worth = room[at + 1]
    if room[n] & bit:
        for p in range(1, s.players):
            if room[n + 2 * p + 1] == bit:
                worth += 50
    if a // SOURCE >= FROM_PILE:
        return worth - 30
    if matches(s, card) & bit:
        worth += 25 if value(card) > 1 else -20
        return worth - (40 if s.plays == s.plays_a_turn - 1 else 0)
    worth -= 10 if s.bare & bit else 20
    return worth if room[at] else worth - patient


@kernel
def opened(s, card, pile, wanted):
    """Whether a card on a pile would take another card there, which is 0 or 1; completing a build pile opens little.

    Build piles are alike in that, and so are discard piles.
    """
    v = value(card)
    w = value(wanted)
    if pile < DISCARDING:
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
