"""COMP10001-Bo: empty your stockpile first, over shared build piles (``rules.md``).

    id              a card of the two packs: its face is ``id & 63``, its pack ``id >> 6`` (decision 3)
    pile            0..3 the build piles, 4 + 4 * owner + k the discard piles
    top             the id on top of each pile, or NONE; ``under[id]`` is the id beneath a card in its pile
    accepts, empty  which cards match a pile, and which piles are empty: see ``piles``
    stock           the stockpiles, eight places per seat
    stock_counts    how many cards each stockpile still has; the last of them is face up
    epoch           how many build piles have been completed
    round, plays    how many turns everybody has had, and how many plays this turn has had
    passes          how many seats in a row have passed
    winner          the seat that has emptied its stockpile, or NONE

``hands`` explains the hands, the draw pile (``draw``, ``draw_count``) and what everybody knows of hidden cards
(``drawn_epoch``, ``entry_epoch``, ``ace_colours``).

Actions are plays (see ``piles``); NO_PLAY is the highest.

A player cannot end the turn at will.  It ends with a hand card that starts one of the player's own discard piles or
does not match the pile it is put on, after five plays, or with NO_PLAY, which is legal only if nothing else is.
"""

from kibitz.cards.chance import rekey
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.bo.hands import draw_card, hand_is_empty, note_shown_aces, refill
from kibitz.games.bo.hands import resample as resample
from kibitz.games.bo.piles import (
    FROM_PILE,
    NO_PLAY,
    NONE,
    SOURCE,
    STOCK,
    can_play,
    ending_piles,
    ends_turn,
    flip_accepted,
    list_targets,
    matches,
    nonempty_discards,
    open_discards,
    put_on_pile,
    source_card,
    take_card,
    targets,
    value,
)
from kibitz.kernel import kernel

PILES = 20
IDS = 64 + 52
"""The size of arrays indexed by card id: the ids of the second pack are 64 to 115."""
ACTIONS = NO_PLAY + 1
VERSION = 1
BUILD = 0xF
"""The build piles, as bits."""

OPTIONS = (
    Option("players", default=4, range=(2, 4), mini=2, ask="How many players?", says="{} players."),
    Option("packs", default=2, mini=1),
    Option(
        "suits",
        default=4,
        mini=2,
        mini_range=(1, 2),
        ask="How many suits do the cards have?",
        says="There are cards of {} suits.",
        one="All cards are of one suit.",
    ),
    Option("top_value", default=13, mini=4),
    Option(
        "rounds",
        default=20,
        range=(1, 50),
        mini=3,
        mini_range=(1, 3),
        ask="How many turns does everyone get?",
        says="Everyone has at most {} turns.",
        one="Everyone has one turn.",
    ),
    Option(
        "stock_size",
        default=8,
        range=(1, 8),
        mini=2,
        mini_range=(1, 2),
        ask="How many cards are in a stockpile?",
        says="Everyone begins with a stockpile of {} cards.",
        one="Everyone begins with a stockpile of one card.",
    ),
    Option("hand_size", default=5, mini=2),
    Option("plays_a_turn", default=5, mini=2),
)
LAYOUT = Layout(
    "BoState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    Field("round"),
    Field("plays"),
    Field("passes"),
    Field("winner"),
    Field("epoch"),
    Field("empty"),
    Field("accepts", 30),
    Field("top", PILES, "i2"),
    Field("under", IDS, "i2"),
    Field("hand", 20, "i2"),
    Field("drawn_epoch", 20, "i4"),
    Field("ace_colours", 20, "i1"),
    Field("stock", 32, "i2"),
    Field("stock_counts", 4),
    Field("draw", 104, "i2"),
    Field("draw_count"),
    Field("entry_epoch", IDS, "i4"),
    Field("pool", 104, "i2", scratch=True),
    Field("slot_ace", 20, "i2", scratch=True),
    Field("hidden_aces", 8, "i2", scratch=True),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't a play of Bo: name a card, its source and a pile, such as '4S h1>b2', or 'pass'."
    EMPTY_SOURCE = "That pile is empty."
    PLAY_EXISTS = "You may only pass when nothing at all can be played."
    BUILD_START = "An empty build pile takes only a 2 or a king."
    BUILD_COLOUR = "A build pile takes only cards of its own colour."
    BUILD_STEP = "A build pile takes a card one higher or one lower than its top, or an Ace."
    DISCARD_ACE = "An Ace never goes on a discard pile."
    DISCARD_NOT_YOURS = "Only its owner may start an empty discard pile."
    DISCARD_START = "An empty discard pile takes only a card from the hand."
    DISCARD_MISMATCH = (
        "From anywhere but the hand, a discard pile takes only the other colour, one higher or one lower "
        "(2 and king are neighbours)."
    )
    SAME_PILE = "A card can't go back to the pile it comes from."


@kernel
def deal(s, k0, k1, k2, k3):
    """Deal the stockpiles, and draw player 0's hand."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    fill_draw_pile(s)
    for p in range(s.players):
        s.stock_counts[p] = s.stock_size
        for i in range(s.stock_size):
            s.stock[8 * p + i] = draw_card(s)
    refill(s)


@kernel
def fill_draw_pile(s):
    """Put all cards into the draw pile."""
    s.draw_count = 0
    for card in range(IDS):
        if card >> 6 < s.packs and card & 63 < 4 * s.top_value and card & 3 < s.suits:
            s.draw[s.draw_count] = card
            s.draw_count += 1


@kernel
def clear(s):
    """Remove all cards; player 0 is to move."""
    s.player = 0
    s.over = 0
    s.round = 0
    s.plays = 0
    s.passes = 0
    s.winner = NONE
    s.epoch = 0
    s.empty = (1 << (4 + 4 * s.players)) - 1
    for i in range(30):
        s.accepts[i] = 0
    for pile in range(4):
        s.top[pile] = NONE
        flip_accepted(s, pile)
    for i in range(PILES):
        s.top[i] = NONE
        s.hand[i] = NONE
        s.drawn_epoch[i] = 0
        s.ace_colours[i] = 0
    s.draw_count = 0
    for i in range(104):
        s.draw[i] = NONE
    for card in range(IDS):
        s.under[card] = NONE
        s.entry_epoch[card] = 0
    for i in range(32):
        s.stock[i] = NONE


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS:
        return Reason.NO_ACTION
    if a == NO_PLAY:
        return Reason.PLAY_EXISTS if can_play(s) else Reason.LEGAL
    source = a // SOURCE
    pile = a % SOURCE
    if source >= FROM_PILE + 4 * s.players or pile >= 4 + 4 * s.players:
        return Reason.NO_ACTION
    card = source_card(s, source)
    if card == NONE:
        return Reason.EMPTY_SOURCE
    if targets(s, source) >> pile & 1:
        return Reason.LEGAL
    if source >= FROM_PILE and source - FROM_PILE + 4 == pile:
        return Reason.SAME_PILE
    if pile < 4:
        return build_refusal(s, card, pile)
    if value(card) == 1:
        return Reason.DISCARD_ACE
    if s.top[pile] != NONE:
        return Reason.DISCARD_MISMATCH
    return Reason.DISCARD_START if (pile - 4) // 4 == s.player else Reason.DISCARD_NOT_YOURS


@kernel
def build_refusal(s, card, pile):
    """Why a card that doesn't match a build pile can't go there."""
    if s.top[pile] == NONE:
        return Reason.BUILD_START
    return Reason.BUILD_COLOUR if (s.top[pile] ^ card) & 1 else Reason.BUILD_STEP


@kernel
def legal(s, out):
    """Write the legal actions into ``out``; return how many."""
    n = 0
    if s.over:
        return 0
    open_piles = open_discards(s)
    for source in range(s.hand_size):
        card = s.hand[5 * s.player + source]
        if card != NONE:
            n = list_targets(out, n, source, matches(s, card) | (open_piles if value(card) > 1 else 0))
    n = list_targets(out, n, STOCK, matches(s, s.stock[8 * s.player + s.stock_counts[s.player] - 1]))
    nonempty = nonempty_discards(s) >> 4  # the lowest bit is now discard pile 0
    for source in range(FROM_PILE, FROM_PILE + 4 * s.players):
        if nonempty & 1:
            n = list_targets(out, n, source, matches(s, s.top[source - FROM_PILE + 4]))
        nonempty >>= 1
    if n == 0:
        out[0] = NO_PLAY
        n = 1
    return n


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if a == NO_PLAY:
        note_shown_aces(s)
        s.passes += 1
        next_turn(s)
        return
    play_ends_turn = ends_turn(s, a)
    s.passes = 0
    put_on_pile(s, take_card(s, a // SOURCE), a % SOURCE)
    if s.stock_counts[s.player] == 0:
        s.winner = s.player
        end(s)
        return
    s.plays += 1
    if play_ends_turn or s.plays == s.plays_a_turn:
        next_turn(s)
    elif hand_is_empty(s):
        refill(s)


@kernel
def next_turn(s):
    """Pass the turn to the next seat, or end the game without a winner."""
    s.plays = 0
    s.player += 1
    if s.player == s.players:
        s.player = 0
        s.round += 1
    if s.round == s.rounds or (s.passes >= s.players and s.draw_count == 0):
        end(s)
    else:
        refill(s)


@kernel
def end(s):
    """End the game: no seat is to act."""
    s.over = 1
    s.player = NONE


@kernel
def returns(s, out):
    """Write 1 into ``out`` for the seat that has emptied its stockpile, and 0 for all others."""
    for p in range(s.players):
        out[p] = 1 if p == s.winner else 0


@kernel
def substitute(s):
    """The action for a forfeited seat: a hand card that ends the turn if there is one, else the first legal action."""
    for source in range(s.hand_size):
        card = s.hand[5 * s.player + source]
        if card != NONE:
            piles = ending_piles(s, card)
            for pile in range(4, 4 + 4 * s.players):
                if piles >> pile & 1:
                    return SOURCE * source + pile
    for source in range(FROM_PILE + 4 * s.players):
        piles = targets(s, source)
        for pile in range(4 + 4 * s.players):
            if piles >> pile & 1:
                return SOURCE * source + pile
    return NO_PLAY
