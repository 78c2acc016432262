"""COMP10001-Go: draft ten cards, then partition them (``rules.md``).

    pack        option: the set of cards in play
    hand_size   option: the number of cards dealt to each seat, and of turns
    auto        option: 1 groups every seat's cards optimally at the end instead of asking
    stack       the hands as dealt; they are passed to the left, so in turn t seat p holds stack (p - t) % players
    chosen      the card each seat has laid face down this turn, or NONE; it leaves its stack when all have chosen
    laid        the cards each seat has discarded, as sets, and ``discard[10 * seat + turn]`` in order
    ungrouped   the discards that each seat still has to group, as sets
    part        ``part[10 * seat + i]``: the seat's groups so far, as sets of positions in its sorted discards
    parts       how many groups each seat has so far

Actions 0 to 51 choose the card with that number.  Action GROUP + m makes a group of the discards at the positions in
the set ``m``.  A group always contains the lowest ungrouped card, so there is one sequence of actions for every
partition; single cards are groups, so no choice is a dead end.

Seats choose their cards simultaneously: one acts after the other, and all choices are hidden until the last is made.
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import randbelow, rekey
from kibitz.cards.sets import at_places, lowest, size, unpack
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.go.groups import WORK, best_score, find_parts_with_first, is_valid, score
from kibitz.kernel import kernel

NONE = -1
GROUP = 52
ACTIONS = GROUP + 1024
VERSION = 1

OPTIONS = (
    Option("players", default=4, range=(2, 4), mini=2, ask="How many players?", says="{} players."),
    Option(
        "hand_size",
        default=10,
        range=(1, 10),
        mini=3,
        ask="How many cards does everyone draft?",
        says="Everyone drafts {} cards in as many turns.",
        one="Everyone drafts one card.",
    ),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("2D 2C 3D 3C 4D 4C AC"))),
    Option("auto"),
)
LAYOUT = Layout(
    "GoState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    Field("turn"),
    Field("grouping"),
    Field("stack", 4),
    Field("chosen", 4),
    Field("laid", 4),
    Field("discard", 40),
    Field("ungrouped", 4),
    Field("part", 40),
    Field("parts", 4),
    Field("score", 4),
    Field("pool", 52, "i8", scratch=True),
    Field("sorted", 10, "i8", scratch=True),
    Field("work", WORK, "i4", scratch=True),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't an action of Go: choose a card, or name the cards of a group."
    NOT_HELD = "You can only choose a card from the hand you hold this turn."
    NOT_CHOOSING = "All turns are over: group your discards now."
    NOT_GROUPING = "Choose exactly one card: groups are formed after the last turn."
    NOT_LEFT = "A group can contain only your own discards that aren't in a group yet."
    NOT_LOWEST = "The next group must contain your lowest card that isn't in a group yet."
    NOT_A_GROUP = (
        "Those cards aren't a group: it must be one card, two or more of one value without Aces, or a run of "
        "three or more with colours alternating, Aces only inside, each in the colour of the card it stands for."
    )


@kernel
def deal(s, k0, k1, k2, k3):
    """Shuffle, deal each seat its hand and put the rest aside unseen."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    n = unpack(s.pack, s.pool)
    for p in range(s.players):
        for _ in range(s.hand_size):
            s.stack[p] |= 1 << take_from_pool(s, n)
            n -= 1


@kernel
def clear(s):
    """Remove all cards; player 0 is to move."""
    s.player = 0
    s.over = 0
    s.turn = 0
    s.grouping = 0
    for p in range(4):
        s.stack[p] = 0
        s.chosen[p] = NONE
        s.laid[p] = 0
        s.ungrouped[p] = 0
        s.parts[p] = 0
        s.score[p] = 0
    for i in range(40):
        s.discard[i] = NONE
        s.part[i] = 0


@kernel
def take_from_pool(s, n):
    """Take a uniformly random card from the first ``n`` of the pool; the others fill the first ``n - 1`` places."""
    i = randbelow(s, n)
    card = s.pool[i]
    s.pool[i] = s.pool[n - 1]
    return card


@kernel
def stack_of(s, seat):
    """The stack that a seat holds this turn."""
    return (seat - s.turn) % s.players


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS or a == GROUP:
        return Reason.NO_ACTION
    if a < GROUP:
        if s.grouping:
            return Reason.NOT_CHOOSING
        return Reason.LEGAL if s.stack[stack_of(s, s.player)] >> a & 1 else Reason.NOT_HELD
    if not s.grouping:
        return Reason.NOT_GROUPING
    if (a - GROUP) >> s.hand_size:  # a position beyond the last discard
        return Reason.NOT_LEFT
    cards = at_places(s.laid[s.player], a - GROUP)
    if cards & s.ungrouped[s.player] != cards:
        return Reason.NOT_LEFT
    if not cards & s.ungrouped[s.player] & -s.ungrouped[s.player]:
        return Reason.NOT_LOWEST
    return Reason.LEGAL if is_valid(cards) else Reason.NOT_A_GROUP


@kernel
def legal(s, out):
    """Write the legal actions into ``out``; return how many."""
    n = 0
    if s.over:
        return 0
    if not s.grouping:
        cards = s.stack[stack_of(s, s.player)]
        while cards:
            out[n] = lowest(cards)
            cards &= cards - 1
            n += 1
        return n
    # Groups are found as sets of positions among the ungrouped cards, then converted to positions among all discards.
    n_groups = find_parts_with_first(s.sorted, unpack(s.ungrouped[s.player], s.sorted), s.work)
    places = (1 << s.hand_size) - 1
    for i in range(s.parts[s.player]):
        places ^= s.part[10 * s.player + i]
    out[0] = GROUP + (places & -places)
    for i in range(n_groups):
        out[i + 1] = GROUP + spread_bits(s.work[i], places)
    return n_groups + 1


@kernel
def spread_bits(part, places):
    """Move bit ``i`` of a part to the ``i``-th bit that is set in ``places``: 0b101 with 0b11010 becomes 0b10010."""
    result = 0
    while part:
        place = places & -places
        if part & 1:
            result |= place
        places ^= place
        part >>= 1
    return result


@kernel
def simultaneous(s):
    """Whether the seats from the one to move to the last choose at the same time: cards, but not groups."""
    return 1 - s.grouping


@kernel
def apply(s, a):
    """Carry out a legal action."""
    p = s.player
    if s.grouping:
        cards = at_places(s.laid[p], a - GROUP)
        s.ungrouped[p] ^= cards
        s.part[10 * p + s.parts[p]] = a - GROUP
        s.parts[p] += 1
        s.score[p] += score(cards)
        if s.ungrouped[p] == 0:
            s.player = p + 1
            if s.player == s.players:
                end_game(s)
        return
    s.chosen[p] = a
    s.player = p + 1
    if s.player == s.players:
        reveal(s)


@kernel
def reveal(s):
    """Turn the chosen cards up and pass the hands on; after the last turn, grouping begins or is done automatically."""
    for p in range(s.players):
        card = 1 << s.chosen[p]
        s.stack[stack_of(s, p)] ^= card
        s.laid[p] |= card
        s.discard[10 * p + s.turn] = s.chosen[p]
        s.chosen[p] = NONE
    s.turn += 1
    s.player = 0
    if s.turn < s.hand_size:
        return
    if s.auto:
        for p in range(s.players):
            s.score[p] = best_score(s.sorted, unpack(s.laid[p], s.sorted), s.work)
        end_game(s)
        return
    s.grouping = 1
    for p in range(s.players):
        s.ungrouped[p] = s.laid[p]


@kernel
def end_game(s):
    """End the game: no seat is to act."""
    s.over = 1
    s.player = NONE


@kernel
def returns(s, out):
    """Write the score of each seat's groups into ``out``."""
    for p in range(s.players):
        out[p] = s.score[p]


@kernel
def substitute(s):
    """The action for a forfeited seat: choose its lowest card, or make its lowest ungrouped discard a group."""
    if not s.grouping:
        return lowest(s.stack[stack_of(s, s.player)])
    low = s.ungrouped[s.player] & -s.ungrouped[s.player]
    return GROUP + (1 << size(s.laid[s.player] & (low - 1)))


@kernel
def has_seen(s, seat, stack):
    """Whether a seat holds or has held a stack, and so knows its cards."""
    return (seat - stack) % s.players <= s.turn


@kernel
def unseen_cards(s, seat):
    """The cards whose place a seat doesn't know: cards in stacks that it hasn't held, and cards put aside."""
    cards = s.pack
    for p in range(s.players):
        cards &= ~s.laid[p]
        if seat >= 0 and has_seen(s, seat, p):
            cards &= ~s.stack[p]
    return cards


@kernel
def resample(s, seat):
    """Redeal the unseen cards, and replace each hidden choice by a random card of its hand; never rejects."""
    n = unpack(unseen_cards(s, seat), s.pool)
    for p in range(s.players):
        if seat >= 0 and has_seen(s, seat, p):
            continue
        s.stack[p] = 0
        for _ in range(s.hand_size - s.turn):
            s.stack[p] |= 1 << take_from_pool(s, n)
            n -= 1
    for p in range(s.players):
        if p != seat and s.chosen[p] != NONE:
            m = unpack(s.stack[stack_of(s, p)], s.pool)
            s.chosen[p] = take_from_pool(s, m)
    return True
