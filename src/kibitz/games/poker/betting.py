"""Betting at a poker table (``rules.md``).

    chips       the chips in front of a seat; ``bet`` what it has put in this round, ``paid`` in this hand
    live        the seats, as bits, that hold cards and have not folded; ``dealt`` those that were dealt in
    high        the bet to match this round; ``step`` the size of a full raise
    waiting     the seats, as bits, that must still act before the round ends
    free        the seats, as bits, that may raise: a seat that acts loses this right until somebody raises in full
    dead        antes that belong to the pot alone and to nobody's bets, where the option ``dead_antes`` says so
    aggressor   the seat that bet or raised last, NONE if nobody has; ``initiative`` the last of the round before
    unit        the minimum bet: the big blind; in fixed limit the size of every bet, doubled in the later rounds

An all-in below a full raise makes everybody act again, but nobody regains the right to raise.  With the option
``reopen``, those who now face a full raise do; several such all-ins count together (TDA 2024, Robert's Rules).
"""

from kibitz.cards.sets import size
from kibitz.kernel import kernel

NONE = -1
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = 0, 1, 2
BET, DRAW, RETURN, STREET, SHOW, AWARD, CLOSE, DEAL, OVER = range(9)
"""The stages: in the first two a seat is to act; the others are carried out automatically, one per step."""


@kernel
def left_of(s, seat, among):
    """The first seat to the left of ``seat`` among some seats; ``seat`` itself comes last."""
    p = seat
    for _ in range(s.players):
        p = p + 1 if p + 1 < s.players else 0
        if among >> p & 1:
            return p
    return NONE


@kernel
def pay(s, p, amount):
    """A seat puts chips into the pot, all it has if it has fewer; returns how many."""
    amount = min(amount, s.chips[p])
    s.chips[p] -= amount
    s.paid[p] += amount
    return amount


@kernel
def unit(s):
    """The least bet of this round; with fixed limits also the only one."""
    least = s.bet_size if s.bet_size else s.big
    later = s.limit == FIXED_LIMIT and s.streets > 1 and 2 * s.street >= s.streets
    return 2 * least if later else least


@kernel
def post(s):
    """Antes, blinds and straddle; the betting opens to the left of the last of them."""
    s.high = 0
    s.raises = 0
    s.aggressor = NONE
    s.step = unit(s)
    last = s.button
    for p in range(s.players):
        if s.dealt >> p & 1:
            post_ante(s, p)
    if s.dead:
        s.level = NONE
    if s.big:
        many = size(s.dealt) > 2
        first = left_of(s, s.button, s.dealt) if many else s.button
        last = left_of(s, first, s.dealt)
        s.bet[first] = pay(s, first, s.small)
        s.bet[last] = pay(s, last, s.big)
        s.high = s.big
        s.raises = 1
        if s.straddle and many:
            last = left_of(s, last, s.dealt)
            s.bet[last] = pay(s, last, 2 * s.big)
            s.high = 2 * s.big
            s.raises = 2
            if s.limit != FIXED_LIMIT:
                s.step = 2 * s.big
    open_round(s, last)


@kernel
def own_ante(s, p):
    """The ante of a seat: ``ante``, plus its own option."""
    own = s.ante0
    if p >= 5:
        own = s.ante5 if p == 5 else s.ante6 if p == 6 else s.ante7 if p == 7 else s.ante8 if p == 8 else s.ante9
    elif p >= 1:
        own = s.ante1 if p == 1 else s.ante2 if p == 2 else s.ante3 if p == 3 else s.ante4
    return s.ante + own


@kernel
def has_own_antes(s):
    """Whether any seat has an extra ante (``ante0`` ... ``ante9``)."""
    first = s.ante0 + s.ante1 + s.ante2 + s.ante3 + s.ante4
    return first + s.ante5 + s.ante6 + s.ante7 + s.ante8 + s.ante9 > 0


@kernel
def post_ante(s, p):
    """A seat pays its ante; a dead ante goes into the pot, but does not count towards the pots the seat can win."""
    amount = pay(s, p, own_ante(s, p))
    if s.dead_antes:
        s.paid[p] -= amount
        s.dead += amount


@kernel
def open_round(s, before):
    """Everybody with chips is to act, first the seat to the left of ``before``."""
    s.waiting = 0
    for p in range(s.players):
        if s.live >> p & 1 and s.chips[p]:
            s.waiting |= 1 << p
    s.free = s.waiting
    s.stage = BET
    next_turn(s, before)
    if s.player != NONE:
        s.aggressor = NONE


@kernel
def reach(s, seat):
    """The largest bet that any other live seat can match in this round."""
    most = 0
    for p in range(s.players):
        if p != seat and s.live >> p & 1:
            most = max(most, s.bet[p] + s.chips[p])
    return most


@kernel
def price(s, p):
    """What a seat must pay to stay in, if it has as much; never more than another seat could match."""
    return max(0, min(s.high, reach(s, p)) - s.bet[p])


@kernel
def next_turn(s, p):
    """Pass the turn to the left; seats with nothing to decide are skipped, and the last one in has won."""
    s.player = NONE
    if s.live & (s.live - 1) == 0:
        s.waiting = 0
    while s.waiting:
        p = left_of(s, p, s.waiting)
        if price(s, p) or reach(s, p) > s.high:
            s.player = p
            return
        s.waiting &= ~(1 << p)
    s.stage = RETURN


@kernel
def pot(s):
    """All chips in the pot, including this round's bets."""
    total = s.dead
    for p in range(s.players):
        total += s.paid[p]
    return total


@kernel
def capped(s):
    """Whether the round has had all bets and raises that fixed limits allow it."""
    return s.limit == FIXED_LIMIT and s.raises >= s.cap


@kernel
def least_raise(s):
    """What the seat to act must raise to at least, its all-in if that is less; 0 if it may not raise."""
    p = s.player
    all_in_bet = s.bet[p] + s.chips[p]
    if not s.free >> p & 1 or all_in_bet <= s.high or capped(s) or reach(s, p) <= s.high:
        return 0
    return min(s.high + s.step, all_in_bet)


@kernel
def most_raise(s):
    """The most it may raise to; 0 if it may not raise. The limit of a pot-limit raise is the pot after a call."""
    least = least_raise(s)
    if least == 0 or s.limit == FIXED_LIMIT:
        return least
    p = s.player
    all_in_bet = s.bet[p] + s.chips[p]
    if s.limit == NO_LIMIT:
        return all_in_bet
    return min(all_in_bet, max(least, s.high + pot(s) + s.high - s.bet[p]))


@kernel
def fold(s):
    """The seat to act gives up its cards."""
    p = s.player
    s.live &= ~(1 << p)
    s.waiting &= ~(1 << p)
    next_turn(s, p)


@kernel
def call(s):
    """The seat to act checks or calls."""
    p = s.player
    s.bet[p] += pay(s, p, price(s, p))
    s.waiting &= ~(1 << p)
    s.free &= ~(1 << p)
    next_turn(s, p)


@kernel
def raise_to(s, amount):
    """The seat to act bets or raises, so that it has ``amount`` in this round's pot."""
    p = s.player
    more = amount - s.high
    s.bet[p] += pay(s, p, amount - s.bet[p])
    s.waiting = 0
    for q in range(s.players):
        if q != p and s.live >> q & 1 and s.chips[q]:
            s.waiting |= 1 << q
    if more >= s.step:
        s.free = s.waiting
        if s.limit != FIXED_LIMIT:
            s.step = more
    elif s.reopen:
        for q in range(s.players):
            if s.waiting >> q & 1 and amount - s.bet[q] >= s.step:
                s.free |= 1 << q
    s.free &= ~(1 << p)
    s.high = amount
    s.raises += 1
    s.aggressor = p
    next_turn(s, p)
