"""COMP10001-Huxxy: rummy with shared groups (``rules.md``).

    pack, again     options: the faces in play, and those that are in play twice (see ``groups``: two bit sets)
    opening         option: the points that a seat's hand cards must be worth the first time it plays cards
    hand, stock     two bit sets each; the stock has no order: each pick-up takes a uniformly random card of it
    group           two bit sets by number; empty groups keep their number until the turn ends
    plays           how many plays the turn has had
    placed          how many of these plays were cards from the hand; ``points`` is what the cards are worth
    opened          by seat, whether it has ended a turn with plays
    log             every card played from a hand, as ``64 * seat + face``, and every pick-up (PICK_UP_FACE)
    log_length      how many entries the log has
    loser           the seat that has conceded, or NONE
    hand_sizes, moments    scratch of ``beliefs``

The actions, single plays, are numbered in ``actions``.  Plays cannot be taken back, so six plays may leave an invalid
table.  Then, and only then, the player has to concede.
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.sets import lowest
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.huxxy.actions import (
    ACTIONS,
    CONCEDE,
    END,
    MAX_GROUPS,
    MOVE,
    PICK_UP,
    PICK_UP_FACE,
    PLAY,
    log_card,
    make_play,
    pick_up,
    table_card,
)
from kibitz.games.huxxy.beliefs import resample as resample
from kibitz.games.huxxy.groups import JOKER_BIT, NONE, is_valid, total_worth
from kibitz.kernel import kernel

LOSS = 1000
"""The cost of conceding: more than any hand."""
VERSION = 1
LOG = 212
"""The maximum number of entries that the log can have: each of 106 cards can be picked up once and played once."""

OPTIONS = (
    Option("players", default=4, range=(2, 4), mini=2, ask="How many players?", says="{} players."),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("2D 2C 2H 2S 3C XX"))),
    Option("again", default=FULL_PACK, mini=as_set(parse_cards("2D 3C"))),
    Option(
        "hand_size",
        default=12,
        range=(1, 20),
        mini=2,
        mini_range=(2, 3),
        ask="How many cards are dealt to each?",
        says="Everyone is dealt {} cards.",
        one="Everyone is dealt one card.",
    ),
    Option("plays_a_turn", default=6, mini=3),
    Option(
        "opening",
        default=24,
        range=(0, 60),
        mini=4,
        ask="How many points must a player's hand cards be worth the first time they play any?",
        says="The first time a player plays cards, those from the hand must be worth at least {} points.",
        one="The first time a player plays cards, those from the hand must be worth at least 1 point.",
        none="The first time a player plays cards, they may be worth any number of points.",
    ),
)
LAYOUT = Layout(
    "HuxxyState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    Field("hand_once", 4),
    Field("hand_twice", 4),
    Field("stock_once"),
    Field("stock_twice"),
    Field("groups"),
    Field("group_once", MAX_GROUPS),
    Field("group_twice", MAX_GROUPS),
    Field("plays"),
    Field("placed"),
    Field("points"),
    Field("opened", 4),
    Field("loser"),
    Field("log", LOG, "i2"),
    Field("log_length"),
    Field("hand_sizes", 4, "i2", scratch=True),
    Field("moments", 168, "i2", scratch=True),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't a play of Huxxy: write 'KS>2', 'KS>new', 'KS 1>2', 'pick up' or 'end'."
    PICK_UP_LATE = "You can pick up a card only instead of playing, not after a play."
    NOTHING_PLAYED = "In a turn you must play at least one card from your hand, or else pick up a card."
    TABLE_INVALID = "The turn can only end when every group on the table is valid."
    OPENING = "The first time you play cards, those from your hand must be worth enough points; they aren't yet."
    CONCEDED_EARLY = "You may concede only when no play is left and the turn cannot be ended."
    NO_PLAYS_LEFT = "You have made all the plays that a turn has: end it."
    NOT_HELD = "You don't hold that card."
    NO_GROUP = "There is no such group: the next number after the last group starts a new one."
    HAND_FIRST = "The first play of a turn must be a card from your hand."
    NOT_THERE = "That card isn't in that group."
    SAME_GROUP = "A card can't move to the group that it is in."
    TWO_JOKERS = "A group may hold only one Joker."


@kernel
def deal(s, k0, k1, k2, k3):
    """Shuffle and deal every seat its hand; the rest is the stock."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    for p in range(s.players):
        for _ in range(s.hand_size):
            pick_up(s, p)


@kernel
def clear(s):
    """Put all cards into the stock, and empty the table; player 0 is to move."""
    s.player = 0
    s.over = 0
    s.stock_once = s.pack
    s.stock_twice = s.again
    for p in range(4):
        s.hand_once[p] = 0
        s.hand_twice[p] = 0
        s.opened[p] = 0
    s.groups = 0
    for g in range(MAX_GROUPS):
        s.group_once[g] = 0
        s.group_twice[g] = 0
    s.plays = 0
    s.placed = 0
    s.points = 0
    s.loser = NONE
    for i in range(LOG):
        s.log[i] = 0
    s.log_length = 0


@kernel
def table_is_valid(s):
    """Whether every group is valid."""
    for g in range(s.groups):
        if not is_valid(s.group_once[g], s.group_twice[g]):
            return False
    return True


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS:
        return Reason.NO_ACTION
    if a == PICK_UP:
        return Reason.PICK_UP_LATE if s.plays else Reason.LEGAL
    if a == END:
        return end_refusal(s)
    if a == CONCEDE:
        return Reason.LEGAL if s.plays == s.plays_a_turn and end_refusal(s) else Reason.CONCEDED_EARLY
    if s.plays == s.plays_a_turn:
        return Reason.NO_PLAYS_LEFT
    group = (a - PLAY) % MAX_GROUPS
    if a < MOVE:
        source = NONE
        card = (a - PLAY) // MAX_GROUPS
        if not s.hand_once[s.player] >> card & 1:
            return Reason.NOT_HELD
    else:
        if s.placed == 0:
            return Reason.HAND_FIRST
        source = table_card(s, (a - MOVE) // MAX_GROUPS)
        if source == NONE:
            return Reason.NOT_THERE
        card = source & 63
        if source >> 6 == group:
            return Reason.SAME_GROUP
    if group > s.groups:
        return Reason.NO_GROUP
    if s.group_once[group] & 1 << card & JOKER_BIT:
        return Reason.TWO_JOKERS
    return Reason.LEGAL


@kernel
def end_refusal(s):
    """Why the turn cannot be ended as it is, or 0."""
    if s.placed == 0:
        return Reason.NOTHING_PLAYED
    if not table_is_valid(s):
        return Reason.TABLE_INVALID
    return Reason.OPENING if not s.opened[s.player] and s.points < s.opening else Reason.LEGAL


@kernel
def legal(s, out):
    """Write the legal actions into ``out``; return how many."""
    if s.over:
        return 0
    n = 0
    if s.plays == 0:
        out[0] = PICK_UP
        n = 1
    elif not end_refusal(s):
        out[0] = END
        n = 1
    if s.plays == s.plays_a_turn:
        if n == 0:
            out[0] = CONCEDE
        return 1
    cards = s.hand_once[s.player]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        n = list_targets(s, out, n, card, NONE, PLAY + MAX_GROUPS * card)
    if s.placed:
        number = 0
        for g in range(s.groups):
            cards = s.group_once[g]
            while cards:
                n = list_targets(s, out, n, lowest(cards), g, MOVE + MAX_GROUPS * number)
                cards &= cards - 1
                number += 1
    return n


@kernel
def list_targets(s, out, n, card, source, action):
    """List the plays of a card from ``source`` to every group that takes it; return the new number of actions.

    ``action`` is the card's play to group 0.
    """
    joker = 1 << card & JOKER_BIT
    for group in range(s.groups + 1):
        if group == source or (joker and group < s.groups and s.group_once[group] & joker):
            continue
        out[n] = action + group
        n += 1
    return n


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if a == PICK_UP:
        pick_up(s, s.player)
        log_card(s, PICK_UP_FACE)
        if s.stock_once == 0:
            finish(s)
        else:
            next_turn(s)
    elif a == END:
        s.opened[s.player] = 1
        remove_empty_groups(s)
        if s.hand_once[s.player] == 0:
            finish(s)
        else:
            next_turn(s)
    elif a == CONCEDE:
        s.loser = s.player
        finish(s)
    elif a < MOVE:
        card = (a - PLAY) // MAX_GROUPS
        make_play(s, card, NONE, (a - PLAY) % MAX_GROUPS)
        log_card(s, card)
    else:
        source = table_card(s, (a - MOVE) // MAX_GROUPS)
        make_play(s, source & 63, source >> 6, (a - MOVE) % MAX_GROUPS)


@kernel
def remove_empty_groups(s):
    """Remove the empty groups, and renumber the others in order."""
    kept = 0
    for g in range(s.groups):
        if s.group_once[g]:
            s.group_once[kept] = s.group_once[g]
            s.group_twice[kept] = s.group_twice[g]
            kept += 1
    for g in range(kept, s.groups):
        s.group_once[g] = 0
        s.group_twice[g] = 0
    s.groups = kept


@kernel
def next_turn(s):
    """Begin the next seat's turn."""
    s.plays = 0
    s.placed = 0
    s.points = 0
    s.player = (s.player + 1) % s.players


@kernel
def finish(s):
    """End the game: no seat is to act."""
    s.over = 1
    s.player = NONE


@kernel
def returns(s, out):
    """Write minus the worth of each hand into ``out``; after a concession, -LOSS for the loser and 0 for the others."""
    for p in range(s.players):
        if s.loser == NONE:
            out[p] = -total_worth(s.hand_once[p], s.hand_twice[p])
        else:
            out[p] = -LOSS if p == s.loser else 0


@kernel
def substitute(s):
    """The action for a forfeited seat: pick up, or end the turn it has begun as soon as possible."""
    if s.plays == 0:
        return PICK_UP
    if not end_refusal(s):
        return END
    for a in range(PLAY, ACTIONS):
        if refusal(s, a) == 0:
            return a
    return CONCEDE
