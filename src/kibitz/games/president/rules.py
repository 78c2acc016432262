"""President: get rid of your cards first, round after round (rule sheet "president").

    height      a card's place in the order of President, 0 (3D) to 51 (2S); all sets here are of heights
    order       the seats in the order in which they sit this round; the last round's President comes first
    at          by seat, its place in ``order``
    gone        the cards that each seat has played this round
    pile        the move to beat, or NONE; ``last`` the seat that made it
    passed      the seats that may not act again before the next play, as bits (``pass_locks``: before the next trick)
    lowest_card the lowest card dealt, in the first round: the first play must contain it; NONE in later rounds
    finish      the seats in the order in which they went out; ``outs`` how many have
    pair        who trades now: 0 President and Bum, 1 the Vices; ``todo`` how many cards are still to be named or given
    given       by pair, what the lower seat gave; ``returned`` what came back; ``named`` what was asked for
    ending      the move that ended the round before, or NONE

Actions 0 to MOVES - 1 are moves (see ``moves``), then come PASS and, while cards are traded, TRADE + height: the
card that the upper seat returns or, with ``upper_names``, asks for.

The surprising rule: passing is always allowed to a follower, so that a pass tells nothing for certain.
"""

from enum import IntEnum

from kibitz.cards.chance import rekey
from kibitz.cards.drawing import draw
from kibitz.cards.sets import highest, lowest, size
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.games.president.beliefs import resample as resample
from kibitz.games.president.listing import list_all, list_size
from kibitz.games.president.moves import MOVES, cards_in, in_heights, size_of
from kibitz.kernel import kernel

NONE = -1
PASS = MOVES
TRADE = PASS + 1
ACTIONS = TRADE + 52
VERSION = 1
SEATS = 8
PLAY, NAME, RETURN = 0, 1, 2
"""The phases: a trick, naming the cards asked for, returning cards."""

OPTIONS = ("players", "rounds", "pack", "traded", "pass_locks", "upper_names", "points", "leftovers")
LAYOUT = Layout(
    "PresidentState",
    *CHANCE,
    *TURN,
    *(Field(name) for name in OPTIONS),
    Field("round"),
    Field("phase"),
    Field("pair"),
    Field("todo"),
    Field("order", SEATS),
    Field("at", SEATS),
    Field("hand", SEATS),
    Field("gone", SEATS),
    Field("pile"),
    Field("last"),
    Field("passed"),
    Field("lowest_card"),
    Field("finish", SEATS),
    Field("outs"),
    Field("score", SEATS),
    Field("given", 2),
    Field("returned", 2),
    Field("named", 2),
    Field("ending"),
    Field("pool", 52, "i8", True),
    Field("count", SEATS, "i8", True),
    Field("before", SEATS, "i8", True),
    Field("roles", 4, "i8", True),
)


class Reason(IntEnum):
    """Why an action is refused."""

    LEGAL = 0
    OVER = 1
    NO_ACTION = 2
    SCATTERED = 3
    NOT_HELD = 4
    WRONG_SIZE = 5
    TOO_LOW = 6
    LOWEST_CARD = 7
    LEADER_PASSES = 8
    TRADING = 9
    NOT_TRADING = 10
    NAMED_BEFORE = 11
    ONE_CARD = 12


LEGAL, OVER, NO_ACTION, SCATTERED, NOT_HELD, WRONG_SIZE, TOO_LOW = (int(reason) for reason in list(Reason)[:7])
LOWEST_CARD, LEADER_PASSES, TRADING, NOT_TRADING, NAMED_BEFORE, ONE_CARD = (int(reason) for reason in list(Reason)[7:])


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a match: the seats sit in their order, and the first round is dealt."""
    rekey(s, k0, k1, k2, k3)
    s.over = 0
    s.round = 0
    s.ending = NONE
    for p in range(SEATS):
        s.score[p] = 0
        s.order[p] = p if p < s.players else NONE
    deal_round(s)


@kernel
def deal_round(s):
    """Deal a round to the seats in ``order``; before a later one, the lower seats give their highest cards."""
    s.phase = PLAY
    s.pair = 0
    s.todo = 0
    s.outs = 0
    for p in range(SEATS):
        s.hand[p] = 0
        s.gone[p] = 0
        s.finish[p] = NONE
        s.at[p] = NONE
    rest = in_heights(s.pack)
    cards = size(rest)
    n = s.players
    for k in range(n):
        p = s.order[k]
        s.at[p] = k
        share = cards // n + (s.leftovers and k >= n - cards % n)
        s.hand[p] = draw(s, rest, share)
        rest &= ~s.hand[p]
    for j in range(2):
        s.given[j] = 0
        s.returned[j] = 0
        s.named[j] = 0
    clear_pile(s)
    s.player = s.order[0]
    s.lowest_card = NONE
    if s.round:
        start_trades(s)
    else:
        s.lowest_card = lowest(in_heights(s.pack) & ~rest)
        for p in range(n):
            if s.hand[p] >> s.lowest_card & 1:
                s.player = p


@kernel
def clear_pile(s):
    """A new trick begins."""
    s.pile = NONE
    s.last = NONE
    s.passed = 0


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
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return OVER
    if a < 0 or a >= ACTIONS:
        return NO_ACTION
    if s.phase != PLAY:
        return refused_trade(s, a - TRADE) if a >= TRADE else TRADING
    if a >= TRADE:
        return NOT_TRADING
    if a == PASS:
        return LEADER_PASSES if s.pile == NONE else LEGAL
    cards = cards_in(a)
    if cards == 0:
        return NO_ACTION
    if cards & ~s.hand[s.player]:
        return NOT_HELD
    if s.pile == NONE:
        return LEGAL if cards & asked(s) == asked(s) else LOWEST_CARD
    if size_of(a) != size_of(s.pile):
        return WRONG_SIZE
    return LEGAL if a > s.pile else TOO_LOW


@kernel
def refused_trade(s, card):
    """Why a card cannot be named or returned, or 0."""
    if s.phase == RETURN:
        return LEGAL if s.hand[s.player] >> card & 1 else NOT_HELD
    if not in_heights(s.pack) >> card & 1:
        return NO_ACTION
    return NAMED_BEFORE if s.named[s.pair] >> card & 1 else LEGAL


@kernel
def asked(s):
    """The cards that the next play must contain: the lowest one dealt, in the first play of all."""
    return s.hand[s.player] & 1 << s.lowest_card if s.lowest_card != NONE else 0


@kernel
def legal(s, out):
    """List the legal actions: moves by hand type, each type from high to low, then the pass."""
    if s.over:
        return 0
    if s.phase != PLAY:
        cards = s.hand[s.player] if s.phase == RETURN else in_heights(s.pack) & ~s.named[s.pair]
        n = 0
        while cards:
            card = highest(cards)
            out[n] = TRADE + card
            n += 1
            cards ^= 1 << card
        return n
    if s.pile != NONE:
        n = list_size(s.hand[s.player], size_of(s.pile), s.pile, out, 0)
        out[n] = PASS
        return n + 1
    n = list_all(s.hand[s.player], out)
    must = asked(s)
    return keep_with(must, out, n) if must else n


@kernel
def keep_with(card, out, n):
    """Keep those of ``n`` moves that contain a card; return how many."""
    kept = 0
    for i in range(n):
        if cards_in(out[i]) & card:
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if a >= TRADE:
        trade(s, a - TRADE)
    elif a == PASS:
        s.passed |= 1 << s.player
        next_turn(s)
    else:
        play(s, a)


@kernel
def trade(s, card):
    """Name or return a card."""
    j = s.pair
    s.todo -= 1
    if s.phase == NAME:
        s.named[j] |= 1 << card
        if s.hand[lower(s, j)] >> card & 1:
            hand_over(s, j, card)
    else:
        s.hand[s.player] &= ~(1 << card)
        s.hand[lower(s, j)] |= 1 << card
        s.returned[j] |= 1 << card
    if s.todo == 0 and s.phase == NAME:
        s.phase = RETURN
        s.todo = size(s.given[j])
    if s.todo == 0:
        s.pair += 1
        start_pair(s)


@kernel
def play(s, a):
    """Put a move on the pile."""
    p = s.player
    cards = cards_in(a)
    s.hand[p] ^= cards
    s.gone[p] |= cards
    s.pile = a
    s.last = p
    if not s.pass_locks:
        s.passed = 0
    if s.hand[p] == 0:
        s.finish[s.outs] = p
        s.outs += 1
        if s.outs == s.players - 1:
            end_round(s)
            return
    next_turn(s)


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
def role_points(s, place):
    """What a round is worth to the seat that came in at ``place``, 0 for the President."""
    n = s.players
    if place == 0:
        return 2
    if place == n - 1:
        return -2
    if n > 3 and place == 1:
        return 1
    return -1 if n > 3 and place == n - 2 else 0


@kernel
def end_round(s):
    """All but one are out: that one is last.  The next round is dealt, unless this was the last one."""
    for p in range(s.players):
        if s.hand[p]:
            s.finish[s.outs] = p
    s.outs += 1
    for k in range(s.players):
        p = s.finish[k]
        s.score[p] = role_points(s, k) + (s.score[p] if s.points else 0)
    s.ending = s.pile
    s.round += 1
    if s.round == s.rounds:
        s.over = 1
        s.player = NONE
        return
    for k in range(s.players):
        s.order[k] = s.finish[k]
    deal_round(s)


@kernel
def returns(s, out):
    """The points of each seat: over all rounds or, without ``points``, in the last one."""
    for p in range(s.players):
        out[p] = s.score[p]


@kernel
def substitute(s):
    """What a forfeited seat does: pass, lead or return its lowest card, ask for the highest card."""
    if s.phase == NAME:
        return TRADE + highest(in_heights(s.pack) & ~s.named[s.pair])
    if s.phase == RETURN:
        return TRADE + lowest(s.hand[s.player])
    return PASS if s.pile != NONE else lowest(s.hand[s.player])
