"""COMP10001-Bo: empty your stockpile first, over shared build piles (rule sheet "bo").

    id          a card of the two packs: its face is ``id & 63``, its pack ``id >> 6`` (decision 3)
    pile        0..3 the build piles, 4 + 4 * owner + k the discard piles
    top         the id on top of each pile, or NONE; ``under[id]`` is the id beneath a card in its pile
    accepts     what each pile takes, and ``bare`` which are empty: see ``piles``
    hand        five places a seat; a place keeps its card until it is played and is then refilled
    draw        the draw pile in no order: each draw takes a uniformly random card of it (decision 2)
    epoch       how many build piles have been completed; ``entered[id]`` the epoch in which a card last went
                back to the draw pile, ``since[place]`` the epoch in which a hand card was drawn
    aces        the colours (bit 0 red, bit 1 black) of which all know a hand card to be an Ace, because its holder
                could play nothing; 0 where nothing is known

An action is ``32 * source + pile``: sources 0..4 are hand places, 5 the own stockpile, 6 + j discard pile j.
NO_PLAY comes last.

The surprising rule: a turn cannot be stopped at will.  It ends with a card that starts an own discard pile or
does not match the pile it is put on, after five plays, or with NO_PLAY, which is legal only if nothing else is.
"""

from enum import IntEnum

from kibitz.cards.chance import below, rekey
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.games.bo.beliefs import resample as resample
from kibitz.games.bo.piles import (
    NONE,
    complete,
    completes,
    ending,
    flip_accepted,
    full_discards,
    matches,
    own_bare,
    turn_up,
    value,
)
from kibitz.kernel import kernel

PILES = 20
STOCK = 5
FROM_PILE = 6
IDS = 64 + 52
SOURCE = 32
NO_PLAY = 22 * SOURCE
ACTIONS = NO_PLAY + 1
VERSION = 1
BUILD = 0xF
DE_BRUIJN = 0x077CB531
PILE_OF_BIT = tuple(k for _, k in sorted((DE_BRUIJN << k & 0xFFFFFFFF, k) for k in range(32)))
"""Which bit a power of two is, by the top five bits of its product with a de Bruijn sequence."""
DISCARDS = 0xFFFF0

OPTIONS = ("players", "packs", "suits", "top_value", "stock_size", "hand_size", "plays_a_turn", "rounds")
LAYOUT = Layout(
    "BoState",
    *CHANCE,
    *TURN,
    *(Field(name) for name in OPTIONS),
    Field("round"),
    Field("plays"),
    Field("passes"),
    Field("winner"),
    Field("epoch"),
    Field("bare"),
    Field("accepts", 30),
    Field("top", PILES, "i2"),
    Field("under", IDS, "i2"),
    Field("hand", 20, "i2"),
    Field("since", 20, "i4"),
    Field("aces", 20, "i1"),
    Field("stock", 32, "i2"),
    Field("stocked", 4),
    Field("draw", 104, "i2"),
    Field("drawable"),
    Field("entered", IDS, "i4"),
    Field("pool", 104, "i2", True),
    Field("gift", 20, "i2", True),
    Field("ace", 8, "i2", True),
)


class Reason(IntEnum):
    """Why an action is refused."""

    LEGAL = 0
    OVER = 1
    NO_ACTION = 2
    EMPTY_SOURCE = 3
    PLAY_EXISTS = 4
    BUILD_START = 5
    BUILD_COLOUR = 6
    BUILD_STEP = 7
    DISCARD_ACE = 8
    DISCARD_NOT_YOURS = 9
    DISCARD_START = 10
    DISCARD_MISMATCH = 11
    SAME_PILE = 12


(
    LEGAL,
    OVER,
    NO_ACTION,
    EMPTY_SOURCE,
    PLAY_EXISTS,
    BUILD_START,
    BUILD_COLOUR,
    BUILD_STEP,
    DISCARD_ACE,
    DISCARD_NOT_YOURS,
    DISCARD_START,
    DISCARD_MISMATCH,
    SAME_PILE,
) = (int(reason) for reason in Reason)


@kernel
def deal(s, k0, k1, k2, k3):
    """Lay out the stockpiles and let player 0 draw."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    for card in range(IDS):
        if card >> 6 < s.packs and card & 63 < 4 * s.top_value and card & 3 < s.suits:
            s.draw[s.drawable] = card
            s.drawable += 1
    for p in range(s.players):
        s.stocked[p] = s.stock_size
        for i in range(s.stock_size):
            s.stock[8 * p + i] = take(s)
    refill(s)


@kernel
def clear(s):
    """Empty the table: no card anywhere, player 0 to move."""
    s.player = 0
    s.over = 0
    s.round = 0
    s.plays = 0
    s.passes = 0
    s.winner = NONE
    s.epoch = 0
    s.bare = BUILD | (1 << (4 + 4 * s.players)) - 16
    for i in range(30):
        s.accepts[i] = 0
    for pile in range(4):
        s.top[pile] = NONE
        flip_accepted(s, pile)
    for i in range(PILES):
        s.top[i] = NONE
        s.hand[i] = NONE
        s.since[i] = 0
        s.aces[i] = 0
    s.drawable = 0
    for i in range(104):
        s.draw[i] = NONE
    for card in range(IDS):
        s.under[card] = NONE
        s.entered[card] = 0
    for i in range(32):
        s.stock[i] = NONE


@kernel
def take(s):
    """A uniformly random card of the draw pile, which must not be empty."""
    i = below(s, s.drawable)
    s.drawable -= 1
    card = s.draw[i]
    s.draw[i] = s.draw[s.drawable]
    s.draw[s.drawable] = NONE
    return card


@kernel
def refill(s):
    """Draw the hand of the player to move up to its size, as far as the draw pile lasts."""
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] == NONE and s.drawable:
            s.hand[place] = take(s)
            s.since[place] = s.epoch
            s.aces[place] = 0


@kernel
def source_card(s, source):
    """The card that a source offers the player to move, or NONE."""
    if source < STOCK:
        return s.hand[5 * s.player + source]
    if source == STOCK:
        if s.stocked[s.player] == 0:
            return NONE
        return s.stock[8 * s.player + s.stocked[s.player] - 1]
    return s.top[source - FROM_PILE + 4]


@kernel
def targets(s, source):
    """Every pile that the card at a source may go to, as bits."""
    card = source_card(s, source)
    if card == NONE:
        return 0
    piles = matches(s, card)
    if source < STOCK and value(card) > 1:
        piles |= own_bare(s) | full_discards(s)
    return piles


@kernel
def can_play(s):
    """Whether the player to move can play anything at all."""
    for source in range(FROM_PILE + 4 * s.players):
        if targets(s, source):
            return True
    return False


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return OVER
    if a < 0 or a >= ACTIONS:
        return NO_ACTION
    if a == NO_PLAY:
        return PLAY_EXISTS if can_play(s) else LEGAL
    source = a // SOURCE
    pile = a % SOURCE
    if source >= FROM_PILE + 4 * s.players or pile >= 4 + 4 * s.players:
        return NO_ACTION
    card = source_card(s, source)
    if card == NONE:
        return EMPTY_SOURCE
    if targets(s, source) >> pile & 1:
        return LEGAL
    if source >= FROM_PILE and source - FROM_PILE + 4 == pile:
        return SAME_PILE
    if pile < 4:
        return refused_build(s, card, pile)
    if value(card) == 1:
        return DISCARD_ACE
    if s.top[pile] != NONE:
        return DISCARD_MISMATCH
    return DISCARD_START if (pile - 4) // 4 == s.player else DISCARD_NOT_YOURS


@kernel
def refused_build(s, card, pile):
    """Why a card does not fit a build pile."""
    if s.top[pile] == NONE:
        return BUILD_START
    return BUILD_COLOUR if (s.top[pile] ^ card) & 1 else BUILD_STEP


@kernel
def legal(s, out):
    """List the legal actions."""
    n = 0
    if s.over:
        return 0
    anywhere = own_bare(s) | full_discards(s)
    for source in range(s.hand_size):
        card = s.hand[5 * s.player + source]
        if card != NONE:
            n = list_targets(out, n, source, matches(s, card) | (anywhere if value(card) > 1 else 0))
    n = list_targets(out, n, STOCK, matches(s, s.stock[8 * s.player + s.stocked[s.player] - 1]))
    full = full_discards(s) >> 4
    for source in range(FROM_PILE, FROM_PILE + 4 * s.players):
        if full & 1:
            n = list_targets(out, n, source, matches(s, s.top[source - FROM_PILE + 4]))
        full >>= 1
    if n == 0:
        out[0] = NO_PLAY
        n = 1
    return n


@kernel
def list_targets(out, n, source, piles):
    """Add the plays from a source to each of ``piles`` to the ``n`` actions listed; return their new number."""
    while piles:
        bit = piles & -piles
        out[n] = SOURCE * source | PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
        n += 1
        piles ^= bit
    return n


@kernel
def ends_turn(s, a):
    """Whether a legal play ends the turn by where it goes: a hand card that starts or restarts a discard pile."""
    return a < STOCK * SOURCE and not matches(s, source_card(s, a // SOURCE)) >> a % SOURCE & 1


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if a == NO_PLAY:
        show_aces(s)
        s.passes += 1
        next_turn(s)
        return
    source = a // SOURCE
    pile = a % SOURCE
    card = source_card(s, source)
    last = ends_turn(s, a)
    s.passes = 0
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
        s.since[5 * s.player + source] = 0
        s.aces[5 * s.player + source] = 0
    elif source == STOCK:
        s.stocked[s.player] -= 1
        s.stock[8 * s.player + s.stocked[s.player]] = NONE
    else:
        turn_up(s, source - FROM_PILE + 4, s.under[card])
    completed = completes(s, card, pile)
    s.under[card] = s.top[pile]
    turn_up(s, pile, card)
    if completed:
        complete(s, pile)
    if s.stocked[s.player] == 0:
        s.winner = s.player
        end(s)
        return
    s.plays += 1
    if last or s.plays == s.plays_a_turn:
        next_turn(s)
    elif hand_is_empty(s):
        refill(s)


@kernel
def show_aces(s):
    """Who can play nothing shows that all cards in hand are Aces of colours that no build pile has."""
    colours = 3
    for pile in range(4):
        if s.top[pile] != NONE:
            colours &= ~(1 << (s.top[pile] & 1))
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] != NONE:
            s.aces[place] = colours & s.aces[place] if s.aces[place] else colours


@kernel
def hand_is_empty(s):
    """Whether the player to move holds no card."""
    for i in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[i] != NONE:
            return False
    return True


@kernel
def next_turn(s):
    """The turn passes to the left, unless the game has ended without a winner."""
    s.plays = 0
    s.player += 1
    if s.player == s.players:
        s.player = 0
        s.round += 1
    if s.round == s.rounds or (s.passes >= s.players and s.drawable == 0):
        end(s)
    else:
        refill(s)


@kernel
def end(s):
    """The game is over: nobody is to act."""
    s.over = 1
    s.player = NONE


@kernel
def returns(s, out):
    """1 for the player who emptied their stockpile, 0 for the others: they are equal losers."""
    for p in range(s.players):
        out[p] = 1 if p == s.winner else 0


@kernel
def substitute(s):
    """What a forfeited seat does: end its turn at once if a hand card can, else its first legal action."""
    for source in range(s.hand_size):
        card = s.hand[5 * s.player + source]
        if card != NONE:
            piles = ending(s, card)
            for pile in range(4, 4 + 4 * s.players):
                if piles >> pile & 1:
                    return SOURCE * source + pile
    for source in range(FROM_PILE + 4 * s.players):
        piles = targets(s, source)
        for pile in range(4 + 4 * s.players):
            if piles >> pile & 1:
                return SOURCE * source + pile
    return NO_PLAY
