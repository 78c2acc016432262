"""Trading before a later round (rule sheet "president", choice 6).

    pair        0 President and Bum, 1 the Vices; ``todo`` how many cards of the pair are still to be named or returned
    upper       the seat of a pair that receives the highest cards, ``lower`` the one that gives them
    given       by pair, what the lower seat gave; ``returned`` what came back; ``named`` what was asked for, and with
                REQUESTED what is known since not to be with the lower seat
    wish        what the upper seat asks for: a card or, from 52 on, any card of a value; ``s.wish`` its cards

``upper_names`` says how the cards to give are found. BY_RANK: the lower seats give their highest at once, all pairs
before anything is returned. Otherwise a pair names, gives and returns before the next one begins. NAMED: what is not
held is asked for in vain. REQUESTED: it is asked again until a card is given, and all see every card.
"""

from kibitz.cards.sets import highest, size
from kibitz.games.president.moves import in_heights
from kibitz.kernel import kernel

PLAY, NAME, RETURN = 0, 1, 2
"""The phases: a trick, naming the cards asked for, returning cards."""
BY_RANK, NAMED, REQUESTED = 0, 1, 2
"""How cards to give are found."""


@kernel
def pairs(s):
    """How many pairs of seats trade."""
    return 2 if s.players > 3 else 1


@kernel
def share_of(s, j):
    """How many cards pair ``j`` trades, unless fewer of those asked for are there."""
    return 1 if j else s.traded


@kernel
def upper(s, j):
    """The seat of pair ``j`` that receives the highest cards: the President or the Vice-President."""
    return s.order[j]


@kernel
def lower(s, j):
    """The seat of pair ``j`` that gives them: the Bum or the Vice-Bum."""
    return s.order[s.players - 1 - j]


@kernel
def start_trades(s):
    """The lower seats give their highest cards, or the President begins to name cards."""
    if not s.upper_names:
        for j in range(pairs(s)):
            for _ in range(share_of(s, j)):
                hand_over(s, j, highest(s.hand[lower(s, j)]))
    start_pair(s)


@kernel
def hand_over(s, j, card):
    """The lower seat of a pair gives a card."""
    s.hand[lower(s, j)] &= ~(1 << card)
    s.hand[upper(s, j)] |= 1 << card
    s.given[j] |= 1 << card


@kernel
def start_pair(s):
    """The turn of ``pair`` to trade; once all have, the President leads."""
    if s.pair == pairs(s):
        s.phase = PLAY
        s.pair = 0
        s.todo = 0
        s.player = s.order[0]
        return
    s.player = upper(s, s.pair)
    s.todo = share_of(s, s.pair)
    s.phase = NAME if s.upper_names else RETURN


@kernel
def tradable(s):
    """The cards that can be named or returned now."""
    return s.hand[s.player] if s.phase == RETURN else in_heights(s.pack) & ~s.named[s.pair]


@kernel
def wished(s, wish):
    """The cards of the pack that a wish names."""
    return in_heights(s.pack) & (1 << wish if wish < 52 else 15 << 4 * (wish - 52))


@kernel
def ask(s, j, wish):
    """Ask the lower seat for a card, or for its highest of a value: it gives it, or is known to have none."""
    cards = wished(s, wish)
    held = s.hand[lower(s, j)] & cards
    if s.upper_names == REQUESTED:
        s.wish = cards
    if held:
        hand_over(s, j, highest(held))
        cards &= -(1 << highest(held))
    s.named[j] |= cards
    if held or s.upper_names == NAMED:
        s.todo -= 1


@kernel
def trade(s, card):
    """Name or return a card; with REQUESTED ``card`` may be a wish for any card of a value."""
    j = s.pair
    if s.phase == NAME:
        ask(s, j, card)
    else:
        s.todo -= 1
        s.hand[s.player] &= ~(1 << card)
        s.hand[lower(s, j)] |= 1 << card
        s.returned[j] |= 1 << card
    if s.todo == 0 and s.phase == NAME:
        s.phase = RETURN
        s.todo = size(s.given[j])
    if s.todo == 0:
        s.pair += 1
        start_pair(s)
