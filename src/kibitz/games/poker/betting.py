"""Betting at a poker table (``rules.md``).

    chips       by seat, the chips in front of it
    bet, paid   by seat, the chips it has put into the pot in this round, and in this hand
    dealt       the seats, as bits, that were dealt in
    live        the seats, as bits, that were dealt in and have not folded
    high        the bet to match in this round
    min_raise   the size of a full raise: the least that a raise must add to ``high``
    raises      how many bets and raises the round has had, including the big blind and the straddle
    waiting     the seats, as bits, that must still act before the round ends
    may_raise   the seats, as bits, that may raise: a seat that acts loses this right until somebody raises in full
    dead        with the option ``dead_antes``: the antes in the pot, which are in nobody's ``paid``
    aggressor   the seat that last bet or raised in this round, NONE if nobody did; if all are all-in and the round is
                skipped, still that of the round before
    initiative  the aggressor of the round before

An all-in below a full raise makes everybody act again, but nobody regains the right to raise.  With the option
``reopen``, a seat regains it if such all-ins add up to a full raise for it (TDA 2024, Robert's Rules).
"""

from kibitz.cards.sets import size
from kibitz.kernel import kernel

NONE = -1
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = 0, 1, 2
BET, DRAW, RETURN, STREET, SHOW, AWARD, CLOSE, DEAL, OVER = range(9)
"""The stages: in the first two a seat must act; the others are carried out automatically, one per step."""


@kernel
def left_of(s, seat, among):
    """The first of the seats ``among`` (as bits) to the left of ``seat``, which itself comes last; NONE if none."""
    p = seat
    for _ in range(s.players):
        p = p + 1 if p + 1 < s.players else 0
        if among >> p & 1:
            return p
    return NONE


@kernel
def pay(s, p, amount):
    """Move chips from a seat to the pot, all it has if it has fewer; return how many."""
    amount = min(amount, s.chips[p])
    s.chips[p] -= amount
    s.paid[p] += amount
    return amount


@kernel
def min_bet(s):
    """The minimum bet of this round; in fixed limit the size of every bet, which doubles in the later rounds."""
    least = s.bet_size if s.bet_size else s.big
    later = s.limit == FIXED_LIMIT and s.streets > 1 and 2 * s.street >= s.streets
    return 2 * least if later else least


@kernel
def post_forced_bets(s):
    """Post antes, blinds and straddle; the seat to the left of the last blind or straddle acts first."""
    s.high = 0
    s.raises = 0
    s.aggressor = NONE
    s.min_raise = min_bet(s)
    last = s.button
    for p in range(s.players):
        if s.dealt >> p & 1:
            post_ante(s, p)
    if s.dead:
        s.level = NONE  # the first pot to be awarded includes the dead antes
    if s.big:
        heads_up = size(s.dealt) <= 2
        first = s.button if heads_up else left_of(s, s.button, s.dealt)
        last = left_of(s, first, s.dealt)
        s.bet[first] = pay(s, first, s.small)
        s.bet[last] = pay(s, last, s.big)
        s.high = s.big
        s.raises = 1
        if s.straddle and not heads_up:
            last = left_of(s, last, s.dealt)
            s.bet[last] = pay(s, last, 2 * s.big)
            s.high = 2 * s.big
            s.raises = 2
            if s.limit != FIXED_LIMIT:
                s.min_raise = 2 * s.big
    open_round(s, last)


@kernel
def ante_of(s, p):
    """The whole ante of a seat: the option ``ante``, plus the seat's own option of ``ante0`` ... ``ante9``."""
    own = s.ante0
    if p >= 5:
        own = s.ante5 if p == 5 else s.ante6 if p == 6 else s.ante7 if p == 7 else s.ante8 if p == 8 else s.ante9
    elif p >= 1:
        own = s.ante1 if p == 1 else s.ante2 if p == 2 else s.ante3 if p == 3 else s.ante4
    return s.ante + own


@kernel
def has_extra_antes(s):
    """Whether any seat has an extra ante (``ante0`` ... ``ante9``)."""
    first = s.ante0 + s.ante1 + s.ante2 + s.ante3 + s.ante4
    return first + s.ante5 + s.ante6 + s.ante7 + s.ante8 + s.ante9 > 0


@kernel
def post_ante(s, p):
    """Take a seat's ante; a dead one goes into the pot, but doesn't count towards the pots that the seat can win."""
    amount = pay(s, p, ante_of(s, p))
    if s.dead_antes:
        s.paid[p] -= amount
        s.dead += amount


@kernel
def open_round(s, before):
    """Open a betting round: everybody with chips must act, first the seat to the left of ``before``."""
    s.waiting = 0
    for p in range(s.players):
        if s.live >> p & 1 and s.chips[p]:
            s.waiting |= 1 << p
    s.may_raise = s.waiting
    s.stage = BET
    next_turn(s, before)
    if s.player != NONE:
        s.aggressor = NONE


@kernel
def max_callable(s, seat):
    """The largest bet of ``seat`` in this round that another live seat has the chips to call."""
    most = 0
    for p in range(s.players):
        if p != seat and s.live >> p & 1:
            most = max(most, s.bet[p] + s.chips[p])
    return most


@kernel
def to_call(s, p):
    """The chips that a seat needs to call, even if it has fewer; never more than another seat could match."""
    return max(0, min(s.high, max_callable(s, p)) - s.bet[p])


@kernel
def next_turn(s, p):
    """Pass the turn to the left of ``p``, past seats with nothing to decide; end the round if nobody is left to act."""
    s.player = NONE
    if s.live & (s.live - 1) == 0:  # all but one have folded
        s.waiting = 0
    while s.waiting:
        p = left_of(s, p, s.waiting)
        if to_call(s, p) or max_callable(s, p) > s.high:
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
    """Whether a fixed-limit round has had all its bets and raises."""
    return s.limit == FIXED_LIMIT and s.raises >= s.cap


@kernel
def min_raise_to(s):
    """The smallest bet that the seat to act may raise to, or its all-in bet if that is less; 0 if it may not raise."""
    p = s.player
    all_in_bet = s.bet[p] + s.chips[p]
    if not s.may_raise >> p & 1 or all_in_bet <= s.high or capped(s) or max_callable(s, p) <= s.high:
        return 0
    return min(s.high + s.min_raise, all_in_bet)


@kernel
def max_raise_to(s):
    """The largest bet that the seat to act may raise to; 0 if it may not raise.

    A pot-limit raise is at most the pot as it is after the call.
    """
    least = min_raise_to(s)
    if least == 0 or s.limit == FIXED_LIMIT:
        return least
    p = s.player
    all_in_bet = s.bet[p] + s.chips[p]
    if s.limit == NO_LIMIT:
        return all_in_bet
    pot_after_call = pot(s) + s.high - s.bet[p]
    return min(all_in_bet, max(least, s.high + pot_after_call))


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
    s.bet[p] += pay(s, p, to_call(s, p))
    s.waiting &= ~(1 << p)
    s.may_raise &= ~(1 << p)
    next_turn(s, p)


@kernel
def raise_to(s, amount):
    """The seat to act bets or raises, so that its bet in this round is ``amount``."""
    p = s.player
    increase = amount - s.high
    s.bet[p] += pay(s, p, amount - s.bet[p])
    s.waiting = 0
    for q in range(s.players):
        if q != p and s.live >> q & 1 and s.chips[q]:
            s.waiting |= 1 << q
    if increase >= s.min_raise:
        s.may_raise = s.waiting
        if s.limit != FIXED_LIMIT:
            s.min_raise = increase
    elif s.reopen:
        for q in range(s.players):
            if s.waiting >> q & 1 and amount - s.bet[q] >= s.min_raise:
                s.may_raise |= 1 << q
    s.may_raise &= ~(1 << p)
    s.high = amount
    s.raises += 1
    s.aggressor = p
    next_turn(s, p)
