"""The worth of the leaves in the search of a turn, in thousandths of a stockpile card.

    kind        value and colour of a card as one number, the index of ``accepts`` in the rules
    fits        how many piles take a card now
    bridge      a card that, laid on a pile, would take another card
    weight      the importance of a rival's stockpile card, in 64ths: the next seat's most, and more with fewer cards
    parameters  a player's numbers, in ``scratch``; the marshal's are ``MARSHAL``
    leaf        three numbers in ``scratch``: its worth, where the turn stops, and the play that ends it there, if any

The marshal's parameters were tuned by play: in some hundred thousand games all players had randomly changed parameters,
and each parameter was moved in the direction in which players won more (decision 67).
"""

from kibitz.cards.sets import size
from kibitz.games.bo.piles import NONE, completes, turn_up, value
from kibitz.kernel import kernel

MOST_FITS = 5
"""More piles than this count as this many."""
OWN_FITS, RIVAL_FITS = 0, 6
"""The worth of the seat's own stockpile card at the end of the turn, by how many piles it fits (a rival may cover one);
and the cost of a rival's: six numbers each."""
RIVAL_WEIGHTS, WEIGHT_PER_CARD = 12, 15
"""The weights of the rivals, the next one first; and how much each counts more per stockpile card it has played."""
STOCK_CARD, WIN = 16, 17
"""The worth of playing a stockpile card, and the last one."""
FUTURE, LATER = 18, 19
"""The worth of one more stockpile card that may follow in this turn, and of one that may follow in the next."""
SETUP = 20
"""In 64ths, the chance that an unknown stockpile card which fits nowhere fits after one other play."""
WATCHED = 21
"""In 64ths, the weight of the rivals if the seat's next stockpile card is unknown."""
BRIDGE, IDLE_BRIDGE = 22, 23
"""The worth of a hand card on which, once it lies on a discard pile, the seat's own stockpile card could be played: if
the hand card fits some pile, and if not."""
HELD, HELD_ACE, FITTING = 24, 25, 26
"""The cost of a card left in hand, the extra cost of an Ace, and the worth of a card that fits some pile."""
NEW_PILE, OWN_PILE = 27, 28
"""The worth of starting one of the seat's own discard piles, and of covering one."""
WIDTH = 29
"""The worth of each kind that some pile takes: a wide table serves three rivals first."""
MOVES, BRIDGES = 30, 31
"""If a rival's card fits nowhere: the cost of each discard top (two at most) that could be moved to make it fit, and of
each kind that some pile takes and that would take it there."""
OWN_MOVES, OWN_BRIDGES = 32, 33
"""The worth of the same for the seat's own stockpile card."""
REFILLED = 34
"""The worth of five new cards per play left."""
ENOUGH = 35
"""A bound on the worth of stopping without a stockpile card."""
PARAMETERS = 36
"""How many parameters there are."""
MARSHAL = (
    *(0, 0, 232, 320, 290, 295),
    *(0, 113, 135, 140, 120, 136),
    *(84, 65, 45, 19),
    *(1000, 10_000, 960, 173, 28, 30),
    *(165, 75, 24, 16, -2, 30, 7, -30),
    *(43, 15, 16, 10, 43),
    1100,
)
GREEDY = (
    *(0, 165, 239, 273, 288, 294),
    *(0, 70, 105, 122, 131, 136),
    *(64, 51, 41, 16),
    *(1000, 10_000, 600, 180, 22, 38),
    *(130, 65, 20, 10, 0, 30, 0, 20),
    *(0, 0, 0, 0, -100_000),
    1300,
)
"""The parameters of ``greedy`` (``lookahead``) on the same scale."""

RIVALS = PARAMETERS
"""In ``scratch``, four numbers for each rival; the first two are the kind and the weight of its stockpile card."""
ENDINGS = PARAMETERS + 12
"""In ``scratch``, what ``note_endings`` notes."""
LEAF_LIMIT, LEAF_COUNT = ENDINGS + 48, ENDINGS + 49
"""In ``scratch``, how many leaves are kept at most, and how many have been noted."""
BEST_LEAVES = ENDINGS + 50
"""In ``scratch``, the leaves that are kept, the best first, three numbers each."""
MAX_LEAVES = 128
LEAVES_END = BEST_LEAVES + 3 * MAX_LEAVES
"""The end of these numbers in ``scratch``."""


@kernel
def keep_leaf(scratch, worth, node, play):
    """Note a leaf if it is among the best; of equal leaves, the first comes first."""
    n = scratch[LEAF_COUNT]
    if n == scratch[LEAF_LIMIT]:
        if worth <= scratch[BEST_LEAVES + 3 * n - 3]:
            return
        n -= 1
    scratch[LEAF_COUNT] = n + 1
    at = BEST_LEAVES + 3 * n
    while at > BEST_LEAVES and scratch[at - 3] < worth:
        for k in range(3):
            scratch[at + k] = scratch[at + k - 3]
        at -= 3
    scratch[at] = worth
    scratch[at + 1] = node
    scratch[at + 2] = play


@kernel
def is_enough(scratch):
    """Whether the list of leaves is full, and even the last one is worth more than any without a stockpile card."""
    n = scratch[LEAF_COUNT]
    return n == scratch[LEAF_LIMIT] and scratch[BEST_LEAVES + 3 * n - 3] >= scratch[ENOUGH]


@kernel
def kind(card):
    """The kind of a card."""
    return 2 * value(card) + (card & 1)


@kernel
def above(s, v):
    """The value that stands above another in a discard pile."""
    return 2 if v == s.top_value else v + 1


@kernel
def below(s, v):
    """The value that stands under another in a discard pile."""
    return s.top_value if v == 2 else v - 1


@kernel
def note_rivals(s, scratch):
    """Note the rivals' stockpile cards and their weights."""
    for k in range(s.players - 1):
        q = (s.player + 1 + k) % s.players
        scratch[RIVALS + 4 * k] = kind(s.stock[8 * q + s.stocked[q] - 1])
        scratch[RIVALS + 4 * k + 1] = (
            scratch[RIVAL_WEIGHTS + k] * (64 + scratch[WEIGHT_PER_CARD] * (s.stock_size - s.stocked[q])) >> 6
        )


@kernel
def stock_card_played(s, scratch, own, pile, left):
    """The worth of playing the seat's own stockpile card to a pile, with ``left`` plays left, this one included."""
    if s.stocked[s.player] == 1:
        return scratch[WIN]
    old = s.top[pile]
    turn_up(s, pile, NONE if completes(s, own, pile) else own)
    share = 64 * width(s) // (2 * s.top_value)
    worth = scratch[STOCK_CARD]
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        worth -= scratch[HELD] if s.hand[place] != NONE else 0
    worth += scratch[FUTURE] * may_follow(scratch, left - 1, share) >> 6 if left > 1 else scratch[LATER] * share >> 6
    worth -= scratch[WATCHED] * rivals_worth(s, scratch) >> 6
    turn_up(s, pile, old)
    return worth


@kernel
def set_parameters(s, scratch):
    """Write the marshal's parameters, with ``WIDTH`` by how fast the rivals are.

    A narrow table holds up three rivals and oneself, which is right against rivals who use what fits, and stops all
    play against those who don't. So the marshal's ``WIDTH`` holds for rivals with 1.6 stockpile cards a turn or more,
    greedy's for those with 0.8 or fewer, and a blend between; each rival begins with four cards in its first 2.5
    turns.
    """
    for k in range(PARAMETERS):
        scratch[k] = MARSHAL[k]
    rivals = s.players - 1
    played = 4 * rivals
    for k in range(rivals):
        played += s.stock_size - s.stocked[(s.player + 1 + k) % s.players]
    fast = max(0, min(64, 160 * played // (rivals * (5 + 2 * s.round)) - 64))  # in 64ths
    scratch[WIDTH] = (MARSHAL[WIDTH] * fast + GREEDY[WIDTH] * (64 - fast)) >> 6


@kernel
def may_follow(scratch, left, share):
    """In 64ths, how many unknown stockpile cards to expect in some plays, if each fits with a chance of ``share``."""
    result = 0
    before = 0
    for k in range(left):
        later = scratch[SETUP] * (64 + before) >> 6 if k else 0
        now = (share * (64 + result) >> 6) + ((64 - share) * later >> 6)
        before = result
        result = now
    return result


@kernel
def worth_at_turn_end(s, scratch, own):
    """The worth of the current table, if the turn has ended with the last play."""
    mine = kind(own)
    worth = (
        scratch[OWN_FITS + min(MOST_FITS, size(s.accepts[mine]))] - rivals_worth(s, scratch) + scratch[WIDTH] * width(s)
    )
    return worth + near_fit_worth(s, scratch, mine) + hand_worth(s, scratch, mine, NONE)


@kernel
def worth_after_refill(s, scratch, own, left):
    """The worth of having played the last hand card, by how many plays are left: five new ones are drawn."""
    return worth_at_turn_end(s, scratch, own) + scratch[REFILLED] * left


@kernel
def width(s):
    """How many kinds some pile takes."""
    result = 0
    for k in range(2, 2 * s.top_value + 2):
        result += s.accepts[k] != 0
    return result


@kernel
def rivals_worth(s, scratch):
    """The worth to the rivals of how their stockpile cards fit."""
    worth = 0
    for k in range(s.players - 1):
        fits = min(MOST_FITS, size(s.accepts[scratch[RIVALS + 4 * k]]))
        worth += scratch[RIVALS + 4 * k + 1] * scratch[RIVAL_FITS + fits] >> 6
    return worth


@kernel
def hand_worth(s, scratch, mine, without):
    """The worth of the hand, except one place, for the next turn."""
    worth = 0
    for place in range(s.hand_size):
        card = s.hand[5 * s.player + place]
        if card != NONE and place != without:
            worth += card_worth(s, scratch, mine, card)
    return worth


@kernel
def card_worth(s, scratch, mine, card):
    """The worth of a card left in hand for the next turn."""
    worth = -scratch[HELD]
    if value(card) == 1:
        worth -= scratch[HELD_ACE]
    elif takes(s, card, mine):
        worth += scratch[BRIDGE] if s.accepts[kind(card)] else scratch[IDLE_BRIDGE]
    elif s.accepts[kind(card)]:
        worth += scratch[FITTING]
    return worth


@kernel
def takes(s, card, wanted):
    """Whether a discard pile with a card other than an Ace on top takes a kind."""
    v = wanted >> 1
    return v > 1 and (card ^ wanted) & 1 and (v == above(s, value(card)) or v == below(s, value(card)))


@kernel
def near_fit_worth(s, scratch, mine):
    """The worth of how close stockpile cards that don't fit are to fitting: the seat's own and the rivals'."""
    worth = 0
    if scratch[MOVES] == 0 and scratch[BRIDGES] == 0 and scratch[OWN_MOVES] == 0 and scratch[OWN_BRIDGES] == 0:
        return 0
    if s.accepts[mine] == 0:
        worth += scratch[OWN_MOVES] * moves(s, mine) + scratch[OWN_BRIDGES] * bridges(s, mine)
    for k in range(s.players - 1):
        rival = scratch[RIVALS + 4 * k]
        if s.accepts[rival] == 0:
            worth -= (
                scratch[RIVALS + 4 * k + 1] * (scratch[MOVES] * moves(s, rival) + scratch[BRIDGES] * bridges(s, rival))
                >> 6
            )
    return worth


@kernel
def moves(s, wanted):
    """How many discard tops could be moved so that a kind fits: 0, 1, or 2 for more."""
    count = 0
    for pile in range(4, 4 + 4 * s.players):
        card = s.top[pile]
        goes = s.accepts[kind(card)] & ~(1 << pile) if card != NONE else 0
        if goes == 0:
            continue
        under = s.under[card]
        step = (wanted >> 1) - value(card)
        if (
            (under != NONE and takes(s, under, wanted))
            or (goes >> 4 and takes(s, card, wanted))
            or (goes & 15 and (card ^ wanted) & 1 == 0 and step * step == 1)
        ):
            count += 1
    return min(2, count)


@kernel
def bridges(s, wanted):
    """How many kinds that some pile takes would, once there, take a kind."""
    v = wanted >> 1
    colour = wanted & 1
    if v == 1:
        return (s.accepts[4 + colour] & 15 != 0) + (s.accepts[2 * s.top_value + colour] & 15 != 0)
    result = (s.accepts[2 * above(s, v) + 1 - colour] >> 4 != 0) + (s.accepts[2 * below(s, v) + 1 - colour] >> 4 != 0)
    if v < s.top_value:
        result += s.accepts[2 * v + 2 + colour] & 15 != 0
    if v > 2:
        result += s.accepts[2 * v - 2 + colour] & 15 != 0
    return result
