"""President: get rid of your cards first, round after round (rule sheet "president").

    height      a card's place in the order of President, 0 (3D) to 51 (2S); all sets here are of heights
    hand        by seat, the cards that it holds; ``gone`` those that it has played this round
    order, at, pile, last, passed, lowest_card, finish, outs, ending    the course of a round: see ``rounds``
    pair, todo, given, returned, named                                  trading before it: see ``trading``

Actions 0 to MOVES - 1 are moves (see ``moves``), then come PASS and, while cards are traded, TRADE + height: the
card that the upper seat returns or, with ``upper_names``, asks for.  RANK + value asks for any card of a value, where
that is allowed.

Passing is always allowed to a follower, so that a pass tells nothing for certain.
"""

from enum import IntEnum

from kibitz.cards.chance import rekey
from kibitz.cards.sets import highest, lowest
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.games.president.beliefs import resample as resample
from kibitz.games.president.listing import list_counted, list_size
from kibitz.games.president.moves import MOVES, NONE, cards_in, counts, size_of
from kibitz.games.president.rounds import SEATS, deal_round, end_round, next_turn
from kibitz.games.president.trading import NAME, PLAY, REQUESTED, RETURN, tradable, trade, wished
from kibitz.kernel import kernel

PASS = MOVES
TRADE = PASS + 1
RANK = TRADE + 52
ACTIONS = RANK + 13
VERSION = 1
REPEATED = "rounds"

OPTIONS = ("players", "rounds", "pack", "traded", "pass_locks", "upper_names", "points", "leftovers", "fives")
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
    Field("wish"),
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
    NOT_COUNTED = 13
    NO_VALUES = 14


LEGAL, OVER, NO_ACTION, SCATTERED, NOT_HELD, WRONG_SIZE, TOO_LOW = (int(reason) for reason in list(Reason)[:7])
LOWEST_CARD, LEADER_PASSES, TRADING, NOT_TRADING, NAMED_BEFORE, ONE_CARD, NOT_COUNTED, NO_VALUES = (
    int(reason) for reason in list(Reason)[7:]
)


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
    if not counts(a, s.fives):
        return NOT_COUNTED
    if s.pile == NONE:
        return LEGAL if cards & asked(s) == asked(s) else LOWEST_CARD
    if size_of(a) != size_of(s.pile):
        return WRONG_SIZE
    return LEGAL if a > s.pile else TOO_LOW


@kernel
def refused_trade(s, wish):
    """Why a card, or from 52 on any card of a value, cannot be named or returned, or 0."""
    if s.phase == RETURN:
        if wish >= 52:
            return ONE_CARD
        return LEGAL if s.hand[s.player] >> wish & 1 else NOT_HELD
    if wish >= 52 and s.upper_names != REQUESTED:
        return NO_VALUES
    cards = wished(s, wish)
    if cards == 0:
        return NO_ACTION
    return LEGAL if cards & ~s.named[s.pair] else NAMED_BEFORE


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
        cards = tradable(s)
        n = 0
        while cards:
            card = highest(cards)
            out[n] = TRADE + card
            n += 1
            cards ^= 1 << card
        return list_values(s, out, n) if s.phase == NAME and s.upper_names == REQUESTED else n
    if s.pile != NONE:
        n = list_size(s.hand[s.player], size_of(s.pile), s.pile, s.fives, out, 0)
        out[n] = PASS
        return n + 1
    n = list_counted(s.hand[s.player], s.fives, out)
    must = asked(s)
    return keep_with(must, out, n) if must else n


@kernel
def list_values(s, out, n):
    """The values of which a card may be asked for, from high to low, after ``n`` actions."""
    cards = tradable(s)
    for value in range(12, -1, -1):
        if cards >> 4 * value & 15:
            out[n] = RANK + value
            n += 1
    return n


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
def returns(s, out):
    """The points of each seat: over all rounds or, without ``points``, in the last one."""
    for p in range(s.players):
        out[p] = s.score[p]


@kernel
def substitute(s):
    """What a forfeited seat does: pass, lead or return its lowest card, ask for the highest card."""
    if s.phase == NAME:
        return TRADE + highest(tradable(s))
    if s.phase == RETURN:
        return TRADE + lowest(tradable(s))
    return PASS if s.pile != NONE else lowest(s.hand[s.player])
