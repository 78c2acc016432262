"""What the leaves of a search are worth (``turn_search``), in thousandths of playing a stockpile card.

    kind        value and colour of a card as one number, 2 * value + colour: the index of ``accepts`` in the rules
    fits        how many piles take a card now
    bridge      a card that, laid on a pile, would take another card
    weight      the importance of a rival's stockpile card, in 64ths: highest for the next seat, and higher for a rival
                with few stockpile cards left
    parameters  the numbers by which a policy values a leaf; ``scratch`` begins with them
    leaf        three numbers in ``scratch``: its worth, the node where the turn stops, and the play that ends it there
                (NONE if no play is needed)

The upper-case names are indices of ``scratch``, and their docstrings describe the numbers there.  The first PARAMETERS
numbers are a policy's parameters, such as MARSHAL.

The parameters of ``marshal`` were tuned by play: in a few hundred thousand games all players had randomly changed
parameters, and each parameter was moved in the direction in which players won more (decision 67).
"""

from kibitz.cards.sets import size
from kibitz.games.bo.piles import NONE, completes, set_top, value
from kibitz.kernel import kernel

MOST_FITS = 5
"""The most piles that count: a card that fits more is worth the same."""
OWN_FITS, RIVAL_FITS = 0, 6
"""The worth of the seat's own stockpile card at the end of the turn, by how many piles it fits (a rival may cover one);
and the cost of a rival's stockpile card, likewise: six numbers each."""
RIVAL_WEIGHTS, WEIGHT_PER_CARD = 12, 15
"""Three weights, the next rival's first; and by how much a weight grows for each stockpile card that the rival has
played."""
STOCK_CARD, WIN = 16, 17
"""The worth of playing a stockpile card, and of playing the last one."""
MORE_THIS_TURN, NEXT_TURN = 18, 19
"""The worth of one more stockpile card played in this turn, and of one played in the next."""
SETUP_CHANCE = 20
"""In 64ths, the chance that an unknown stockpile card that fits nowhere fits after one other play."""
RIVAL_SHARE = 21
"""In 64ths, how much the rivals count if the seat's next stockpile card is unknown."""
BRIDGE, IDLE_BRIDGE = 22, 23
"""The worth of a hand card on which, once it lies on a discard pile, the seat's own stockpile card could be played: if
the hand card fits some pile, and if not."""
CARD_LEFT, ACE_LEFT, FITTING_CARD = 24, 25, 26
"""The cost of a card left in hand, the extra cost of an Ace, and the worth of a card that fits some pile."""
NEW_PILE, OWN_PILE = 27, 28
"""The worth of starting one of the seat's own discard piles, and of covering one."""
WIDTH = 29
"""The worth of each kind that some pile takes; less than 0 for ``marshal``: a wide table serves three rivals first."""
RIVAL_MOVES, RIVAL_BRIDGES = 30, 31
"""If a rival's card fits nowhere: the cost of each discard top (two at most) that could be moved to make it fit, and of
each kind that could be played now and would then take it."""
OWN_MOVES, OWN_BRIDGES = 32, 33
"""If the seat's own stockpile card fits nowhere: the worth of each such discard top, and of each such kind."""
NEW_HAND = 34
"""The worth of drawing five new cards, for each play left."""
NO_STOCK_BOUND = 35
"""An upper bound on the worth of stopping without a stockpile card."""
PARAMETERS = 36
"""How many parameters there are."""
MARSHAL = (
    *(0, 0, 232, 320, 290, 295),  # OWN_FITS
    *(0, 113, 135, 140, 120, 136),  # RIVAL_FITS
    *(84, 65, 45, 19),  # RIVAL_WEIGHTS, WEIGHT_PER_CARD
    *(1000, 10_000, 960, 173, 28, 30),  # STOCK_CARD to RIVAL_SHARE
    *(165, 75, 24, 16, -2, 30, 7, -30),  # BRIDGE to WIDTH
    *(43, 15, 16, 10, 43),  # RIVAL_MOVES to NEW_HAND
    1100,  # NO_STOCK_BOUND
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
"""In ``scratch``, two numbers for each rival, the next one first: the kind and the weight of its stockpile card."""
ENDINGS = RIVALS + 2 * 3
"""In ``scratch``, 48 numbers for ``turn_search.note_endings``."""
LEAF_LIMIT, LEAF_COUNT = ENDINGS + 48, ENDINGS + 49
"""In ``scratch``, how many leaves the list may have, and how many it has."""
BEST_LEAVES = ENDINGS + 50
"""In ``scratch``, the list of the best leaves, the best first, three numbers each."""
MAX_LEAVES = 128
LEAVES_END = BEST_LEAVES + 3 * MAX_LEAVES
"""The first place in ``scratch`` after the list."""


@kernel
def keep_leaf(scratch, worth, node, play):
    """Insert a leaf into the list of the best if it is one of them; equal leaves stay in the order found."""
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
def leaves_suffice(scratch):
    """Whether the list is full, and its worst leaf is worth more than any leaf without a stockpile card can be."""
    n = scratch[LEAF_COUNT]
    return n == scratch[LEAF_LIMIT] and scratch[BEST_LEAVES + 3 * n - 3] >= scratch[NO_STOCK_BOUND]


@kernel
def kind(card):
    """The kind of a card."""
    return 2 * value(card) + (card & 1)


@kernel
def above(s, v):
    """The value one step above ``v`` on a discard pile, where 2 comes after the top value."""
    return 2 if v == s.top_value else v + 1


@kernel
def below(s, v):
    """The value one step below ``v`` on a discard pile, where the top value comes before 2."""
    return s.top_value if v == 2 else v - 1


@kernel
def note_rivals(s, scratch):
    """Note the rivals' stockpile cards and their weights."""
    for k in range(s.players - 1):
        q = (s.player + 1 + k) % s.players
        scratch[RIVALS + 2 * k] = kind(s.stock[8 * q + s.stock_counts[q] - 1])
        scratch[RIVALS + 2 * k + 1] = (
            scratch[RIVAL_WEIGHTS + k] * (64 + scratch[WEIGHT_PER_CARD] * (s.stock_size - s.stock_counts[q])) >> 6
        )


@kernel
def stock_card_worth(s, scratch, own_card, pile, left):
    """The worth of playing the seat's own stockpile card to a pile, with ``left`` plays left, this one included."""
    if s.stock_counts[s.player] == 1:
        return scratch[WIN]
    top_before = s.top[pile]
    set_top(s, pile, NONE if completes(s, own_card, pile) else own_card)
    fit_chance = 64 * width(s) // (2 * s.top_value)  # in 64ths: the share of all kinds that fit somewhere
    worth = scratch[STOCK_CARD]
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        worth -= scratch[CARD_LEFT] if s.hand[place] != NONE else 0
    if left > 1:
        worth += scratch[MORE_THIS_TURN] * expected_stock_cards(scratch, left - 1, fit_chance) >> 6
    else:
        worth += scratch[NEXT_TURN] * fit_chance >> 6
    worth -= scratch[RIVAL_SHARE] * rivals_worth(s, scratch) >> 6
    set_top(s, pile, top_before)
    return worth


@kernel
def set_parameters(s, scratch):
    """Write marshal's parameters into ``scratch``, with ``WIDTH`` chosen by how fast the rivals are.

    A narrow table, on which few kinds fit, holds up the seat itself and its three rivals. That is right against rivals
    who play whatever fits; against others the whole game would stop. So ``WIDTH`` is marshal's own if the rivals have
    played 1.6 stockpile cards a turn or more, greedy's if they have played 0.8 or fewer, and a blend in between. The
    estimate begins as if each rival had played four cards in 2.5 turns.
    """
    for k in range(PARAMETERS):
        scratch[k] = MARSHAL[k]
    rivals = s.players - 1
    played = 4 * rivals
    for k in range(rivals):
        played += s.stock_size - s.stock_counts[(s.player + 1 + k) % s.players]
    # In 64ths: 0 at 0.8 cards per rival and turn, 64 at 1.6. The estimate counts (5 + 2 * round) / 2 turns.
    fast = max(0, min(64, 160 * played // (rivals * (5 + 2 * s.round)) - 64))
    scratch[WIDTH] = (MARSHAL[WIDTH] * fast + GREEDY[WIDTH] * (64 - fast)) >> 6


@kernel
def expected_stock_cards(scratch, left, fit_chance):
    """The expected number, in 64ths, of unknown stockpile cards played in ``left`` plays.

    Each fits at once with a chance of ``fit_chance`` 64ths; else it may fit after one other play (SETUP_CHANCE). The
    loop computes the number for 1, 2, ... plays; ``one_fewer`` and ``two_fewer`` are those for one and two plays fewer.
    """
    one_fewer = 0
    two_fewer = 0
    for k in range(left):
        after_setup = scratch[SETUP_CHANCE] * (64 + two_fewer) >> 6 if k else 0
        expected = (fit_chance * (64 + one_fewer) >> 6) + ((64 - fit_chance) * after_setup >> 6)
        two_fewer = one_fewer
        one_fewer = expected
    return one_fewer


@kernel
def worth_at_turn_end(s, scratch, own_card):
    """The worth of the current table, if the turn has ended with the last play."""
    own_kind = kind(own_card)
    worth = (
        scratch[OWN_FITS + min(MOST_FITS, size(s.accepts[own_kind]))]
        - rivals_worth(s, scratch)
        + scratch[WIDTH] * width(s)
    )
    return worth + near_fit_worth(s, scratch, own_kind) + hand_worth(s, scratch, own_kind, NONE)


@kernel
def worth_after_refill(s, scratch, own_card, left):
    """The worth of having played the last hand card with ``left`` plays left: five new cards are drawn."""
    return worth_at_turn_end(s, scratch, own_card) + scratch[NEW_HAND] * left


@kernel
def width(s):
    """How many kinds fit some pile."""
    result = 0
    for k in range(2, 2 * s.top_value + 2):
        result += s.accepts[k] != 0
    return result


@kernel
def rivals_worth(s, scratch):
    """The cost of the rivals' stockpile cards, by how many piles each fits."""
    worth = 0
    for k in range(s.players - 1):
        fits = min(MOST_FITS, size(s.accepts[scratch[RIVALS + 2 * k]]))
        worth += scratch[RIVALS + 2 * k + 1] * scratch[RIVAL_FITS + fits] >> 6
    return worth


@kernel
def hand_worth(s, scratch, own_kind, without):
    """The worth of the hand for the next turn, leaving out the place ``without`` (NONE: no place)."""
    worth = 0
    for place in range(s.hand_size):
        card = s.hand[5 * s.player + place]
        if card != NONE and place != without:
            worth += card_worth(s, scratch, own_kind, card)
    return worth


@kernel
def card_worth(s, scratch, own_kind, card):
    """The worth of a card left in hand for the next turn."""
    worth = -scratch[CARD_LEFT]
    if value(card) == 1:
        worth -= scratch[ACE_LEFT]
    elif takes(s, card, own_kind):
        worth += scratch[BRIDGE] if s.accepts[kind(card)] else scratch[IDLE_BRIDGE]
    elif s.accepts[kind(card)]:
        worth += scratch[FITTING_CARD]
    return worth


@kernel
def takes(s, card, wanted):
    """Whether a discard pile takes the kind ``wanted`` if ``card``, which isn't an Ace, is on top."""
    v = wanted >> 1
    return v > 1 and (card ^ wanted) & 1 and (v == above(s, value(card)) or v == below(s, value(card)))


@kernel
def near_fit_worth(s, scratch, own_kind):
    """How easily the seat's own stockpile card could be made to fit if it fits nowhere, minus the same for rivals."""
    worth = 0
    rivals_count = scratch[RIVAL_MOVES] != 0 or scratch[RIVAL_BRIDGES] != 0
    if not rivals_count and scratch[OWN_MOVES] == 0 and scratch[OWN_BRIDGES] == 0:
        return 0  # these parameters ignore near fits
    if s.accepts[own_kind] == 0:
        worth += scratch[OWN_MOVES] * count_moves(s, own_kind) + scratch[OWN_BRIDGES] * count_bridges(s, own_kind)
    for k in range(s.players - 1):
        rival = scratch[RIVALS + 2 * k]
        if s.accepts[rival] == 0:
            worth -= (
                scratch[RIVALS + 2 * k + 1]
                * (scratch[RIVAL_MOVES] * count_moves(s, rival) + scratch[RIVAL_BRIDGES] * count_bridges(s, rival))
                >> 6
            )
    return worth


@kernel
def count_moves(s, wanted):
    """How many discard tops could be moved so that a kind fits: 0, 1, or 2 for more.

    The kind may then fit on the card beneath, or on the moved card: on another discard pile, or on a build pile.
    """
    count = 0
    for pile in range(4, 4 + 4 * s.players):
        card = s.top[pile]
        targets = s.accepts[kind(card)] & ~(1 << pile) if card != NONE else 0  # four bits of build piles, then others
        if targets == 0:
            continue
        under = s.under[card]
        step = (wanted >> 1) - value(card)
        if (
            (under != NONE and takes(s, under, wanted))
            or (targets >> 4 and takes(s, card, wanted))
            or (targets & 15 and (card ^ wanted) & 1 == 0 and step * step == 1)
        ):
            count += 1
    return min(2, count)


@kernel
def count_bridges(s, wanted):
    """How many kinds could be played now and would then take the kind ``wanted``.

    A kind is twice the value plus the colour.  Of the piles in ``accepts``, the lowest four bits are build piles, and
    the others discard piles.
    """
    v = wanted >> 1
    colour = wanted & 1
    if v == 1:  # no build pile shows the Ace's colour: a 2 or the highest value could start an empty one
        return (s.accepts[4 + colour] & 15 != 0) + (s.accepts[2 * s.top_value + colour] & 15 != 0)
    # On discard piles colours alternate; on build piles, below, they are the same, and the ends don't meet.
    result = (s.accepts[2 * above(s, v) + 1 - colour] >> 4 != 0) + (s.accepts[2 * below(s, v) + 1 - colour] >> 4 != 0)
    if v < s.top_value:
        result += s.accepts[2 * v + 2 + colour] & 15 != 0
    if v > 2:
        result += s.accepts[2 * v - 2 + colour] & 15 != 0
    return result
