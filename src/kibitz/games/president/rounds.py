"""Rounds of President: dealing, trading, tricks, and what a round is worth (``rules.md``).

The course of a round:

    order       the seats in the order in which they sit this round; the last round's President comes first
    place       by seat, its place in ``order``
    pile        the move to beat, or NONE; ``last`` is the seat that made it
    passed      the seats that may not act again before the next move, as bits (``pass_locks``: before the next trick)
    lowest_card in the first round, the lowest card dealt, which the first move must contain; NONE in later rounds
    finish      the seats in the order in which they went out; ``out_count`` is how many have gone out
    ending      the move that ended the round before, or NONE

The trades before it:

    pair        two seats that trade: 0 is the President and the Bum, 1 the Vice-President and the Vice-Bum
    upper seat  the seat of a pair that gets high cards; the lower seat gives them
    todo        how many cards the upper seat still has to ask for or to return
    given       by pair, the cards that the lower seat gave
    returned    by pair, the cards that the upper seat returned
    named       by pair, the cards that the upper seat asked for and, with REPEATED_REQUEST, all other cards that the
                answers show the lower seat not to hold
    wish        as a parameter, what the upper seat asks for: a card or, from 52 on, any card of a value; as a field,
                the set of cards that were asked for last

The option ``upper_names`` says which cards are given.  BY_RANK: the lower seats give their highest cards at once, all
pairs before anything is returned.  With requests, a pair asks, gives and returns before the next one begins.
BLIND_REQUEST: each request counts, even if the lower seat doesn't hold the card.  REPEATED_REQUEST: the upper seat asks
again until it is given a card, and all see every card.
"""

from kibitz.cards.drawing import draw
from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.moves import NONE, in_heights
from kibitz.kernel import kernel

# Trading


PLAY, ASK, RETURN = 0, 1, 2
"""The phases: playing tricks, asking for cards, returning cards."""
BY_RANK, BLIND_REQUEST, REPEATED_REQUEST = 0, 1, 2
"""Values of the option ``upper_names``."""


@kernel
def pairs(s):
    """How many pairs of seats trade."""
    return 2 if s.players > 3 else 1


@kernel
def cards_to_trade(s, j):
    """How many cards pair ``j`` trades; fewer if blind requests fail."""
    return 1 if j else s.traded


@kernel
def upper_seat(s, j):
    """The seat of pair ``j`` that gets the highest cards: the President or the Vice-President."""
    return s.order[j]


@kernel
def lower_seat(s, j):
    """The seat of pair ``j`` that gives the highest cards: the Bum or the Vice-Bum."""
    return s.order[s.players - 1 - j]


@kernel
def start_trades(s):
    """The lower seats give their highest cards, or the President begins to ask for cards."""
    if not s.upper_names:
        for j in range(pairs(s)):
            for _ in range(cards_to_trade(s, j)):
                give_card(s, j, highest(s.hand[lower_seat(s, j)]))
    start_pair(s)


@kernel
def give_card(s, j, card):
    """Give a card of a pair's lower seat to the upper one."""
    s.hand[lower_seat(s, j)] &= ~(1 << card)
    s.hand[upper_seat(s, j)] |= 1 << card
    s.given[j] |= 1 << card


@kernel
def start_pair(s):
    """Let pair ``s.pair`` trade next; once all pairs have traded, the President leads."""
    if s.pair == pairs(s):
        s.phase = PLAY
        s.pair = 0
        s.todo = 0
        s.player = s.order[0]
        return
    s.player = upper_seat(s, s.pair)
    s.todo = cards_to_trade(s, s.pair)
    s.phase = ASK if s.upper_names else RETURN


@kernel
def tradable_cards(s):
    """The cards that can be asked for or returned now."""
    return s.hand[s.player] if s.phase == RETURN else in_heights(s.pack) & ~s.named[s.pair]


@kernel
def wished_cards(s, wish):
    """The cards of the pack that fulfil a wish."""
    return in_heights(s.pack) & (1 << wish if wish < 52 else 15 << 4 * (wish - 52))


@kernel
def ask(s, j, wish):
    """Ask the lower seat for a card, or for its highest card of a value: it gives one, or is known to hold none."""
    cards = wished_cards(s, wish)
    held = s.hand[lower_seat(s, j)] & cards
    if s.upper_names == REPEATED_REQUEST:
        s.wish = cards
    if held:
        give_card(s, j, highest(held))
        cards &= -(1 << highest(held))  # the lower seat holds no higher card of this value, but perhaps a lower one
    s.named[j] |= cards
    if held or s.upper_names == BLIND_REQUEST:
        s.todo -= 1


@kernel
def trade(s, card):
    """Ask for a card, or return one; with REPEATED_REQUEST, ``card`` may be a wish for any card of a value."""
    j = s.pair
    if s.phase == ASK:
        ask(s, j, card)
    else:
        s.todo -= 1
        s.hand[s.player] &= ~(1 << card)
        s.hand[lower_seat(s, j)] |= 1 << card
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
    """Clear the round: no cards are dealt, nobody is out, and nothing has been played or traded."""
    s.phase = PLAY
    s.pair = 0
    s.todo = 0
    s.out_count = 0
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
    """Deal a round to the seats in ``order``; in the first round, the seat with the lowest card leads."""
    rest = in_heights(s.pack)
    cards = size(rest)
    n = s.players
    for k in range(n):
        p = s.order[k]
        s.place[p] = k
        share = cards // n + (s.leftovers and k >= n - cards % n)  # leftover cards go to those who sit last
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
    """Pass the turn to the next seat that holds cards and may act; if there is none, the trick is over."""
    n = s.players
    k = s.place[s.player]
    for _ in range(n):
        k = k + 1 if k + 1 < n else 0
        p = s.order[k]
        if s.hand[p] and p != s.last and not s.passed >> p & 1:
            s.player = p
            return
    k = s.place[s.last]
    while not s.hand[s.order[k]]:
        k = k + 1 if k + 1 < n else 0
    s.player = s.order[k]
    clear_pile(s)


@kernel
def role_points(n, place):
    """The points of a round of ``n`` players for the seat that finished at ``place``, which is 0 for the President."""
    if place == 0:
        return 2
    if place == n - 1:
        return -2
    if n > 3 and place == 1:
        return 1
    return -1 if n > 3 and place == n - 2 else 0


@kernel
def end_round(s):
    """End a round in which all seats but one are out: count the points, and end the game after the last round."""
    for p in range(s.players):
        if s.hand[p]:
            s.finish[s.out_count] = p
    s.out_count += 1
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
    """Seat everyone in the order in which they finished the last round, and deal."""
    for k in range(s.players):
        s.order[k] = s.finish[k]
    clear_round(s)
    deal_round(s)
