"""A search of one turn of Bo, as kernels: finds the first play on the way to the best place to stop.

    node        a position reached by plays that don't end the turn, stored as the last play and the node before it
    path        the plays from the start to a node
    leaf        where the search stops: a stockpile card (the next one is unknown), a card that ends the turn, the last
                play of the turn, the last card of the hand (five new ones are drawn), or nothing left to play
    key         a Zobrist hash of the top cards and the hand, to recognise positions

Nodes are visited breadth first, each once. The path to a node is played on the state itself and undone again, so a
search leaves it unchanged. ``leaf_values`` says what leaves are worth; the numbers named by the constants are in
``scratch``. ``lookahead`` is the same idea in plain Python: easier to read, and the baseline for measurements.

Hand cards that end a turn are handled in ``note_endings``.

    look        a seat's stockpile card, the mover's first: its kind, and its worth by how many piles take it
    covered     a pile whose top an ending hides: what fitted there no longer does
    opened      a seat whose stockpile card the ending card takes

Bo's players spend most of their time here, so what all cards of a hand have in common is computed once for a node.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.bo.hands import hand_is_empty
from kibitz.games.bo.leaf_values import (
    BEST_LEAVES,
    ENDINGS,
    LEAF_COUNT,
    LEAF_LIMIT,
    LEAVES_END,
    MOST_FITS,
    NEW_PILE,
    OWN_FITS,
    OWN_PILE,
    RIVAL_FITS,
    RIVALS,
    WIDTH,
    WIN,
    above,
    below,
    card_worth,
    hand_worth,
    is_enough,
    keep_leaf,
    kind,
    near_fit_worth,
    note_rivals,
    set_parameters,
    stock_card_played,
    worth_after_refill,
    worth_at_turn_end,
)
from kibitz.games.bo.piles import (
    FROM_PILE,
    NO_PLAY,
    NONE,
    SOURCE,
    STOCK,
    completes,
    matches,
    open_discards,
    source_card,
    turn_up,
    value,
)
from kibitz.kernel import kernel

# The worth of hand cards that end a turn


LOOKS, LOOK = ENDINGS, 5
"""In ``scratch``, for each seat the kind and four worths: with and without a new pile that takes it, and with the
covered pile not taking it or taking it."""
OPENED = ENDINGS + 20
"""In ``scratch``, by seat, whether it is opened."""
WIDE, BEST = ENDINGS + 24, ENDINGS + 25
"""In ``scratch``, the worth of how many kinds some pile takes, and a bound on an ending that opens nothing."""
COVERED = ENDINGS + 26
"""In ``scratch``, by pile, the worth of the table if the pile is covered and nothing opened."""


@kernel
def note_endings(s, scratch, own, node):
    """Note the worth of every hand card that ends the turn, on every pile where it does; return whether there is one.

    ``kept`` is the worth of the whole hand, so an ending is worth ``kept`` without its card. On its pile, the card
    covers the old top and takes the kinds one step above and below it, of the other colour.
    """
    open_piles = open_discards(s)
    mine = kind(own)
    first = 5 * s.player
    result = False
    for place in range(s.hand_size):
        card = s.hand[first + place]
        piles = open_piles & ~s.accepts[kind(card)] if card != NONE and value(card) > 1 else 0
        if piles and not result:
            result = True
            look_at_piles(s, scratch, mine, open_piles)
            kept = near_fit_worth(s, scratch, mine) + hand_worth(s, scratch, mine, NONE) + scratch[WIDE]
        if piles:
            upper = 2 * above(s, value(card)) + 1 - (card & 1)
            lower = 2 * below(s, value(card)) + 1 - (card & 1)
            note_ending(
                s, scratch, piles, kept - card_worth(s, scratch, mine, card), upper, lower, node, SOURCE * place
            )
    return result


@kernel
def look_at_piles(s, scratch, mine, piles):
    """Note the worth of each seat's stockpile card by the piles that take it, and the worth of covering a pile."""
    worth = 0
    for k in range(s.players):
        look_at_seat(s, scratch, k, mine)
        worth += scratch[LOOKS + LOOK * k + 1]
    for pile in range(4 + 4 * s.players):
        scratch[COVERED + pile] = worth
    for k in range(s.players):
        at = LOOKS + LOOK * k
        taking = s.accepts[scratch[at]] & piles
        while taking:
            scratch[COVERED + lowest(taking)] += scratch[at + 3] - scratch[at + 1]
            taking &= taking - 1
    for pile in range(4 + 4 * s.player, 8 + 4 * s.player):
        scratch[COVERED + pile] += scratch[NEW_PILE] if s.empty >> pile & 1 else scratch[OWN_PILE]
    scratch[WIDE] = scratch[WIDTH] * cover_kinds(s, scratch)
    most = -(1 << 30)
    while piles:
        most = max(most, scratch[COVERED + lowest(piles)])
        piles &= piles - 1
    scratch[BEST] = most + max(0, 2 * scratch[WIDTH])


@kernel
def cover_kinds(s, scratch):
    """Subtract from every pile the worth of the kinds that only it takes; return how many kinds some pile takes.

    ``taking & taking - 1`` drops the lowest bit: nothing is left if a single pile takes the kind.
    """
    wide = 0
    for k in range(2, 2 * s.top_value + 2):
        taking = s.accepts[k]
        wide += taking != 0
        if taking and taking & taking - 1 == 0:
            scratch[COVERED + lowest(taking)] -= scratch[WIDTH]
    return wide


@kernel
def look_at_seat(s, scratch, k, mine):
    """Note the worth for the k-th seat (0 is the one to move), for ``look_at_piles``."""
    at = LOOKS + LOOK * k
    scratch[at] = scratch[RIVALS + 4 * k - 4] if k else mine
    fits = size(s.accepts[scratch[at]])
    for covered in range(2):
        for opened in range(2):
            now = min(MOST_FITS, max(0, fits - covered) + opened)
            worth = -(scratch[RIVALS + 4 * k - 3] * scratch[RIVAL_FITS + now] >> 6) if k else scratch[OWN_FITS + now]
            scratch[at + 1 + 2 * covered + opened] = worth


@kernel
def note_ending(s, scratch, piles, kept, upper, lower, node, play):
    """Note the worth of a hand card on piles that it covers, where it takes two kinds."""
    takes_upper = s.accepts[upper]
    takes_lower = s.accepts[lower]
    opened = False
    most = kept + scratch[BEST]
    for k in range(s.players):
        at = LOOKS + LOOK * k
        scratch[OPENED + k] = scratch[at] == upper or scratch[at] == lower
        if scratch[OPENED + k]:
            opened = True
            most += max(0, scratch[at + 2] - scratch[at + 1], scratch[at + 4] - scratch[at + 3])
    if scratch[LEAF_COUNT] == scratch[LEAF_LIMIT] and most <= scratch[BEST_LEAVES + 3 * scratch[LEAF_LIMIT] - 3]:
        return
    while piles:
        pile = lowest(piles)
        bit = 1 << pile
        piles ^= bit
        worth = (
            kept + scratch[COVERED + pile] + scratch[WIDTH] * ((takes_upper & ~bit == 0) + (takes_lower & ~bit == 0))
        )
        if opened:
            for k in range(s.players):
                if scratch[OPENED + k]:
                    at = LOOKS + LOOK * k + 1 + 2 * (s.accepts[scratch[LOOKS + LOOK * k]] >> pile & 1)
                    worth += scratch[at + 1] - scratch[at]
        keep_leaf(scratch, worth, node, play + pile)


# The search


MAX_TRIES = 1000
"""The most plays tried from nodes: in plain Python these take a tenth of a second at most."""
TABLE_SIZE = 2048
"""The size of the hash table of visited nodes: more than twice as many as there are nodes."""
FEW_TRIES, SMALL_TABLE = 60, 128
"""With few plays to try, fewer places are used, since all of them must be emptied each time."""
LONGEST_PATH = 5
"""The most plays of a turn."""
TRY_LIMIT = LEAVES_END
"""In ``scratch``, after the numbers of ``leaf_values``: how many plays are tried, MAX_TRIES at most."""
SKIPPED = LEAVES_END + 1
"""In ``scratch``, what is skipped to save time."""
WORK = LEAVES_END + 2
"""In ``scratch``, the work: a search adds the number of nodes visited (twice where endings were weighed too)."""
TABLE_USED, TABLE = LEAVES_END + 3, LEAVES_END + 4
"""In ``scratch``, how many places of the hash table are used, and the table itself."""
PARENT, LAST_PLAY, DEPTH, KEY = (TABLE + TABLE_SIZE + k * (MAX_TRIES + 1) for k in range(4))
"""In ``scratch``, for every node: the node before it, the play between them, how many plays lead to it, its key."""
PATH = KEY + MAX_TRIES + 1
"""In ``scratch``, the path that has been played."""
WANTED = PATH + LONGEST_PATH
"""In ``scratch``, the path to the node being visited."""
UNDO = WANTED + LONGEST_PATH
"""In ``scratch``, what each play of the path has changed: six numbers each."""
SCRATCH = UNDO + 6 * LONGEST_PATH
SKIP_NOTHING, SKIP_LONGER, SKIP_OTHERS = range(3)
"""What may be skipped: paths longer than the shortest to a stockpile card, or leaves without one."""
LOW = (1 << 48) - 1
ENDS, ON = range(2)
"""How a turn stops at a node: with a card that ends it, or with a stockpile card."""
HAND = 20
"""Hand places are numbered after the piles."""


@kernel
def planned(s, scratch):
    """The first play on the path to the best leaf; the only legal action where nothing can be played."""
    set_parameters(s, scratch)
    scratch[LEAF_LIMIT] = 1
    scratch[TRY_LIMIT] = MAX_TRIES
    scratch[SKIPPED] = SKIP_NOTHING
    look_ahead(s, scratch)
    return first_play(scratch, 0)


@kernel
def look_ahead(s, scratch):
    """Note the best leaves of the turn, by the parameters in ``scratch``; return how many, at least one."""
    scratch[TABLE_USED] = TABLE_SIZE if scratch[TRY_LIMIT] > FEW_TRIES else SMALL_TABLE
    for i in range(scratch[TABLE_USED]):
        scratch[TABLE + i] = 0
    own = s.stock[8 * s.player + s.stocked[s.player] - 1]
    note_rivals(s, scratch)
    scratch[LEAF_COUNT] = 0
    scratch[PARENT] = NONE
    scratch[DEPTH] = 0
    scratch[KEY] = key_of(s)
    is_new(scratch, scratch[KEY])
    nodes = 1
    tried = 0
    plays_made = 0
    i = 0
    longest = LONGEST_PATH
    while i < nodes and (scratch[LEAF_COUNT] == 0 or scratch[BEST_LEAVES] < scratch[WIN]):
        length = scratch[DEPTH + i]
        if length > longest:
            break
        go_to(s, scratch, i, plays_made)
        plays_made = length
        left = s.plays_a_turn - s.plays - length
        stops = note_stops(s, scratch, own, i, left)
        if stops == ON and scratch[SKIPPED]:
            longest = length
        elif tried < scratch[TRY_LIMIT] and (left > 1 or (left and not is_enough(scratch))):
            nodes_before = nodes
            for source in range(FROM_PILE + 4 * s.players):
                card = source_card(s, source)
                piles = matches(s, card) if card != NONE and source != STOCK else 0
                while piles and tried < scratch[TRY_LIMIT]:
                    pile = lowest(piles)
                    piles &= piles - 1
                    tried += 1
                    key = key_after(s, scratch[KEY + i], source, card, pile)
                    if is_new(scratch, key):
                        scratch[PARENT + nodes] = i
                        scratch[LAST_PLAY + nodes] = SOURCE * source + pile
                        scratch[DEPTH + nodes] = length + 1
                        scratch[KEY + nodes] = key
                        nodes += 1
            if nodes_before == nodes and stops == NONE and i:
                keep_leaf(scratch, worth_at_turn_end(s, scratch, own), i, NONE)
        i += 1
    for step in range(plays_made):
        undo_play(s, scratch, plays_made - 1 - step)
    scratch[WORK] += i if scratch[SKIPPED] == SKIP_OTHERS else 2 * i
    if scratch[LEAF_COUNT] == 0:
        keep_leaf(scratch, 0, 0, scratch[LAST_PLAY + 1] if nodes > 1 else NO_PLAY)
    return scratch[LEAF_COUNT]


@kernel
def note_stops(s, scratch, own, i, left):
    """Note the worth of stopping at a node; return ON if a stockpile card fits there, ENDS if a card ends the turn."""
    enough = is_enough(scratch) or scratch[SKIPPED] == SKIP_OTHERS
    if i and left == 0 and not enough:
        keep_leaf(scratch, worth_at_turn_end(s, scratch, own), i, NONE)
    if left == 0:
        return NONE
    if i and hand_is_empty(s) and not enough:
        keep_leaf(scratch, worth_after_refill(s, scratch, own, left), i, NONE)
    stops = ENDS if enough or note_endings(s, scratch, own, i) else NONE
    piles = matches(s, own)
    while piles:
        pile = lowest(piles)
        piles &= piles - 1
        keep_leaf(scratch, stock_card_played(s, scratch, own, pile, left), i, SOURCE * STOCK + pile)
        stops = ON
    return stops


@kernel
def first_play(scratch, j):
    """The first play on the path to a leaf."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    play = scratch[BEST_LEAVES + 3 * j + 2]
    while scratch[DEPTH + i]:
        play = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    return play


@kernel
def plays_to(scratch, j, out, at):
    """Write all plays of a leaf into ``out[at:]``; return how many."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    n = scratch[DEPTH + i]
    out[at + n] = scratch[BEST_LEAVES + 3 * j + 2]
    last = n + (out[at + n] != NONE)
    while n:
        n -= 1
        out[at + n] = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    return last


@kernel
def go_to(s, scratch, i, gone):
    """Play the path to a node, after undoing the part of the last path that differs."""
    length = scratch[DEPTH + i]
    for step in range(length):
        scratch[WANTED + length - 1 - step] = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    same = 0
    while same < gone and same < length and scratch[PATH + same] == scratch[WANTED + same]:
        same += 1
    for step in range(gone - same):
        undo_play(s, scratch, gone - 1 - step)
    for step in range(same, length):
        scratch[PATH + step] = scratch[WANTED + step]
        make_play(s, scratch, scratch[PATH + step], step)


@kernel
def make_play(s, scratch, a, step):
    """Put a card where a play puts it, noting the changes for ``undo_play``."""
    source = a // SOURCE
    pile = a % SOURCE
    card = source_card(s, source)
    at = UNDO + 6 * step
    scratch[at] = source
    scratch[at + 1] = pile
    scratch[at + 2] = card
    scratch[at + 3] = s.top[pile]
    scratch[at + 4] = s.under[card]
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
    else:
        turn_up(s, source - FROM_PILE + 4, s.under[card])
    if completes(s, card, pile):
        turn_up(s, pile, NONE)
    else:
        s.under[card] = s.top[pile]
        turn_up(s, pile, card)


@kernel
def undo_play(s, scratch, step):
    """Undo a play."""
    at = UNDO + 6 * step
    source = scratch[at]
    card = scratch[at + 2]
    turn_up(s, scratch[at + 1], scratch[at + 3])
    s.under[card] = scratch[at + 4]
    if source < STOCK:
        s.hand[5 * s.player + source] = card
    else:
        turn_up(s, source - FROM_PILE + 4, card)


@kernel
def zobrist(place, card):
    """A pseudo-random number for a card, or NONE, at a place (Zobrist hashing); places are piles, then the hand's.

    The hash of a position is the sum of these, so a play changes it by a few additions (``key_after``).
    """
    x = 128 * place + card + 2
    return (x * x * 0x2545F491 ^ x * 0x9E3779B1) & LOW


@kernel
def key_of(s):
    """The hash of the position."""
    key = 0
    for pile in range(4 + 4 * s.players):
        key += zobrist(pile, s.top[pile])
    for place in range(s.hand_size):
        key += zobrist(HAND + place, s.hand[5 * s.player + place])
    return key


@kernel
def key_after(s, key, source, card, pile):
    """The hash of the position after a play of a card."""
    if source < STOCK:
        key += zobrist(HAND + source, NONE) - zobrist(HAND + source, card)
    else:
        origin = source - FROM_PILE + 4
        key += zobrist(origin, s.under[card]) - zobrist(origin, card)
    return key - zobrist(pile, s.top[pile]) + zobrist(pile, NONE if completes(s, card, pile) else card)


@kernel
def is_new(scratch, key):
    """Whether no node with this hash has been visited; marks it as visited."""
    last = scratch[TABLE_USED] - 1
    i = (key ^ key >> 24) & last
    while scratch[TABLE + i]:
        if scratch[TABLE + i] == key:
            return False
        i = (i + 1) & last
    scratch[TABLE + i] = key
    return True
