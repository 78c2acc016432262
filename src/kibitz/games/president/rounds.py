"""Rounds of President: dealing, trading, tricks, and what a round is worth (rule sheet "president").

order       the seats in the order in which they sit this round; the last round's President comes first
at          by seat, its place in ``order``
pile        the move to beat, or NONE; ``last`` the seat that made it
passed      the seats that may not act again before the next play, as bits (``pass_locks``: before the next trick)
lowest_card the lowest card dealt, in the first round: the first play must contain it; NONE in later rounds
finish      the seats in the order in which they went out; ``outs`` how many have
ending      the move that ended the round before, or NONE

    pair        0 President and Bum, 1 the Vices; ``todo`` how many cards of the pair are still to be named or returned
    upper       the seat of a pair that receives the highest cards, ``lower`` the one that gives them
    given       by pair, what the lower seat gave; ``returned`` what came back; ``named`` what was asked for, and with
                REQUESTED what is known since not to be with the lower seat
    wish        what the upper seat asks for: a card or, from 52 on, any card of a value; ``s.wish`` its cards

``upper_names`` says how the cards to give are found. BY_RANK: the lower seats give their highest at once, all pairs
before anything is returned. Otherwise a pair names, gives and returns before the next one begins. NAMED: what is not
held is asked for in vain. REQUESTED: it is asked again until a card is given, and all see every card.
"""

from kibitz.cards.drawing import draw
from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.moves import NONE, in_heights
from kibitz.kernel import kernel

# Trading


PLAY, ASK, RETURN = 0, 1, 2
"""The phases: a trick, naming the cards asked for, returning cards."""
BY_RANK, BLIND_REQUEST, REPEATED_REQUEST = 0, 1, 2
"""How cards to give are found."""


@kernel
def pairs(s):
    """How many pairs of seats trade."""
    return 2 if s.players > 3 else 1


@kernel
def cards_to_trade(s, j):
    """How many cards pair ``j`` trades, unless there are fewer of those asked for."""
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
            for _ in range(cards_to_trade(s, j)):
                give_card(s, j, highest(s.hand[lower(s, j)]))
    start_pair(s)


@kernel
def give_card(s, j, card):
    """Give a card of a pair's lower seat to the upper one."""
    s.hand[lower(s, j)] &= ~(1 << card)
    s.hand[upper(s, j)] |= 1 << card
    s.given[j] |= 1 << card


@kernel
def start_pair(s):
    """Let ``pair`` trade next; once all have, the President leads."""
    if s.pair == pairs(s):
        s.phase = PLAY
        s.pair = 0
        s.todo = 0
        s.player = s.order[0]
        return
    s.player = upper(s, s.pair)
    s.todo = cards_to_trade(s, s.pair)
    s.phase = ASK if s.upper_names else RETURN


@kernel
def tradable(s):
    """The cards that can be named or returned now."""
    return s.hand[s.player] if s.phase == RETURN else in_heights(s.pack) & ~s.named[s.pair]


@kernel
def wished_cards(s, wish):
    """The cards of the pack that a wish names."""
    return in_heights(s.pack) & (1 << wish if wish < 52 else 15 << 4 * (wish - 52))


@kernel
def ask(s, j, wish):
    """Ask the lower seat for a card, or for its highest of a value: it gives it, or is known to have none."""
    cards = wished_cards(s, wish)
    held = s.hand[lower(s, j)] & cards
    if s.upper_names == REPEATED_REQUEST:
        s.wish = cards
    if held:
        give_card(s, j, highest(held))
        cards &= -(1 << highest(held))
    s.named[j] |= cards
    if held or s.upper_names == BLIND_REQUEST:
        s.todo -= 1


@kernel
def trade(s, card):
    """Name or return a card; with REQUESTED ``card`` may be a wish for any card of a value."""
    j = s.pair
    if s.phase == ASK:
        ask(s, j, card)
    else:
        s.todo -= 1
        s.hand[s.player] &= ~(1 << card)
        s.hand[lower(s, j)] |= 1 << card
        s.returned[j] |= 1 << card
    if s.todo == 0 and s.phase == ASK:
        s.phase = RETURN
        s.todo = size(s.given[j])
    if s.todo == 0:
        s.pair += 1
        start_pair(s)


# The course of a round


SEATS = 8


@kernel
def clear_round(s):
    """Take the cards back: nobody is out, and nothing has been played or traded."""
    s.phase = PLAY
    s.pair = 0
    s.todo = 0
    s.outs = 0
    s.wish = 0
    s.lowest_card = NONE
    for p in range(SEATS):
        s.hand[p] = 0
        s.gone[p] = 0
        s.finish[p] = NONE
    for j in range(2):
        s.given[j] = 0
        s.returned[j] = 0
        s.named[j] = 0
    clear_pile(s)


@kernel
def deal_round(s):
    """Deal a round to the seats in ``order``; in the first one, the lowest card says who leads."""
    rest = in_heights(s.pack)
    cards = size(rest)
    n = s.players
    for k in range(n):
        p = s.order[k]
        s.at[p] = k
        share = cards // n + (s.leftovers and k >= n - cards % n)
        s.hand[p] = draw(s, rest, share)
        rest &= ~s.hand[p]
    s.player = s.order[0]
    if s.round == 0:
        s.lowest_card = lowest(in_heights(s.pack) & ~rest)
        for p in range(n):
            if s.hand[p] >> s.lowest_card & 1:
                s.player = p


@kernel
def clear_pile(s):
    """Begin a new trick."""
    s.pile = NONE
    s.last = NONE
    s.passed = 0


@kernel
def next_turn(s):
    """The next seat that still holds cards and may act; where there is none, the trick is over."""
    n = s.players
    k = s.at[s.player]
    for _ in range(n):
        k = k + 1 if k + 1 < n else 0
        p = s.order[k]
        if s.hand[p] and p != s.last and not s.passed >> p & 1:
            s.player = p
            return
    k = s.at[s.last]
    while not s.hand[s.order[k]]:
        k = k + 1 if k + 1 < n else 0
    s.player = s.order[k]
    clear_pile(s)


@kernel
def role_points(n, place):
    """The points of a round of ``n`` players for the seat that came in at ``place``, 0 for the President."""
    if place == 0:
        return 2
    if place == n - 1:
        return -2
    if n > 3 and place == 1:
        return 1
    return -1 if n > 3 and place == n - 2 else 0


@kernel
def end_round(s):
    """All but one are out: that one is last, and everyone gets points; after the last round the match is over."""
    for p in range(s.players):
        if s.hand[p]:
            s.finish[s.outs] = p
    s.outs += 1
    for k in range(s.players):
        p = s.finish[k]
        s.score[p] = role_points(s.players, k) + (s.score[p] if s.points else 0)
    s.ending = s.pile
    s.round += 1
    if s.round == s.rounds:
        s.over = 1
        s.player = NONE


@kernel
def next_round(s):
    """Sit down in the order in which the last round was finished, and deal."""
    for k in range(s.players):
        s.order[k] = s.finish[k]
    clear_round(s)
    deal_round(s)
