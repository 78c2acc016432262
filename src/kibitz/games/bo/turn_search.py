"""A search of one turn of Bo, as kernels: finds the first play on the way to the best place to stop.

    node        a position reached by plays that don't end the turn, stored as the last play and the node before it
    path        the plays from the start to a node
    leaf        where the search stops: a stockpile card (the next one is unknown), a card that ends the turn, the last
                play of the turn, the last card of the hand (five new ones are drawn), or nothing left to play
    key         a Zobrist hash of the top cards and the hand, to recognise positions

Nodes are visited breadth first, each once. The path to a node is played on the state itself and undone again, so a
search leaves the state unchanged. ``leaf_values`` computes what leaves are worth; its constants, and those here, are
indices of ``scratch``. ``lookahead`` is the same idea in plain Python: easier to read, and the baseline for
measurements.

Hand cards that end the turn are handled in ``note_endings``:

    ending      a hand card that is put on a pile and ends the turn
    covered     the pile on which it lies: a stockpile card that fitted there no longer does
    opened      a seat whose stockpile card fits on the ending card

Bo's players spend most of their time here, so what all cards of a hand have in common is computed once for each node.
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
    keep_leaf,
    kind,
    leaves_suffice,
    near_fit_worth,
    note_rivals,
    set_parameters,
    stock_card_worth,
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
    set_top,
    source_card,
    value,
)
from kibitz.kernel import kernel

# The worth of hand cards that end a turn


SEATS, PER_SEAT = ENDINGS, 5
"""In ``scratch``, five numbers for each seat, the mover first: the kind of its stockpile card, and what that card is
worth at the end of the turn, if the ending neither opens the seat nor covers a pile that takes the card, only opens the
seat, only covers such a pile, or does both."""
IS_OPENED = ENDINGS + 20
"""In ``scratch``, by seat, whether the ending being noted opens it."""
KINDS_WORTH, PILE_WORTH_BOUND = ENDINGS + 24, ENDINGS + 25
"""In ``scratch``, the worth of all kinds that fit some pile; and an upper bound, for all piles, on PILE_WORTH plus the
worth of the kinds that fit only the ending card."""
PILE_WORTH = ENDINGS + 26
"""In ``scratch``, by pile, the part of an ending's worth that depends on the pile, if it opens no seat."""


@kernel
def note_endings(s, scratch, own_card, node):
    """Note the worth of every hand card that ends the turn, on every pile where it does; return whether there is one.

    ``base`` is the part of the worth that is the same for all piles, with the whole hand; each ending subtracts its
    card. On its pile, the card covers the old top and takes the kinds one step above and below it, of the other colour.
    """
    open_piles = open_discards(s)
    own_kind = kind(own_card)
    first = 5 * s.player
    has_ending = False
    for place in range(s.hand_size):
        card = s.hand[first + place]
        piles = open_piles & ~s.accepts[kind(card)] if card != NONE and value(card) > 1 else 0
        if piles and not has_ending:
            has_ending = True
            note_pile_worths(s, scratch, own_kind, open_piles)
            base = near_fit_worth(s, scratch, own_kind) + hand_worth(s, scratch, own_kind, NONE) + scratch[KINDS_WORTH]
        if piles:
            upper = 2 * above(s, value(card)) + 1 - (card & 1)
            lower = 2 * below(s, value(card)) + 1 - (card & 1)
            without_card = base - card_worth(s, scratch, own_kind, card)
            note_ending(s, scratch, piles, without_card, upper, lower, node, SOURCE * place)
    return has_ending


@kernel
def note_pile_worths(s, scratch, own_kind, piles):
    """Note the worths of each seat's stockpile card, and of covering each pile; ``piles`` are those that can be."""
    worth = 0
    for k in range(s.players):
        note_seat_worths(s, scratch, k, own_kind)
        worth += scratch[SEATS + PER_SEAT * k + 1]
    for pile in range(4 + 4 * s.players):
        scratch[PILE_WORTH + pile] = worth
    for k in range(s.players):
        at = SEATS + PER_SEAT * k
        taking = s.accepts[scratch[at]] & piles
        while taking:
            scratch[PILE_WORTH + lowest(taking)] += scratch[at + 3] - scratch[at + 1]  # covered instead of not
            taking &= taking - 1
    for pile in range(4 + 4 * s.player, 8 + 4 * s.player):
        scratch[PILE_WORTH + pile] += scratch[NEW_PILE] if s.empty >> pile & 1 else scratch[OWN_PILE]
    scratch[KINDS_WORTH] = scratch[WIDTH] * subtract_covered_kinds(s, scratch)
    most = -(1 << 30)
    while piles:
        most = max(most, scratch[PILE_WORTH + lowest(piles)])
        piles &= piles - 1
    scratch[PILE_WORTH_BOUND] = most + max(0, 2 * scratch[WIDTH])  # an ending card takes two kinds


@kernel
def subtract_covered_kinds(s, scratch):
    """Subtract from PILE_WORTH, for each pile, the worth of the kinds that only this pile takes.

    Return how many kinds fit some pile. ``taking & taking - 1`` drops the lowest bit: nothing is left if a single
    pile takes the kind.
    """
    n_kinds = 0
    for k in range(2, 2 * s.top_value + 2):
        taking = s.accepts[k]
        n_kinds += taking != 0
        if taking and taking & taking - 1 == 0:
            scratch[PILE_WORTH + lowest(taking)] -= scratch[WIDTH]
    return n_kinds


@kernel
def note_seat_worths(s, scratch, k, own_kind):
    """Note the five numbers in SEATS for the seat ``k`` places after the mover."""
    at = SEATS + PER_SEAT * k
    scratch[at] = scratch[RIVALS + 2 * (k - 1)] if k else own_kind  # RIVALS leaves out the mover, who is 0 here
    fits = size(s.accepts[scratch[at]])
    for covered in range(2):
        for opened in range(2):
            fits_then = min(MOST_FITS, max(0, fits - covered) + opened)
            if k:
                worth = -(scratch[RIVALS + 2 * (k - 1) + 1] * scratch[RIVAL_FITS + fits_then] >> 6)
            else:
                worth = scratch[OWN_FITS + fits_then]
            scratch[at + 1 + 2 * covered + opened] = worth


@kernel
def note_ending(s, scratch, piles, base, upper, lower, node, play):
    """Note the worth of ending the turn with a hand card on each of ``piles``, where it takes two kinds.

    ``base`` is the part of the worth that is the same for all piles, and ``play`` is the card's play to pile 0.
    ``most`` is an upper bound on the worth: if the list of leaves is full of better ones, no pile is tried.
    """
    upper_takers = s.accepts[upper]
    lower_takers = s.accepts[lower]
    opens_any = False
    most = base + scratch[PILE_WORTH_BOUND]
    for k in range(s.players):
        at = SEATS + PER_SEAT * k
        scratch[IS_OPENED + k] = scratch[at] == upper or scratch[at] == lower
        if scratch[IS_OPENED + k]:
            opens_any = True
            most += max(0, scratch[at + 2] - scratch[at + 1], scratch[at + 4] - scratch[at + 3])
    if scratch[LEAF_COUNT] == scratch[LEAF_LIMIT] and most <= scratch[BEST_LEAVES + 3 * scratch[LEAF_LIMIT] - 3]:
        return
    while piles:
        pile = lowest(piles)
        bit = 1 << pile
        piles ^= bit
        new_kinds = (upper_takers & ~bit == 0) + (lower_takers & ~bit == 0)  # that no other pile takes
        worth = base + scratch[PILE_WORTH + pile] + scratch[WIDTH] * new_kinds
        if opens_any:
            for k in range(s.players):
                if scratch[IS_OPENED + k]:
                    covered = s.accepts[scratch[SEATS + PER_SEAT * k]] >> pile & 1
                    at = SEATS + PER_SEAT * k + 1 + 2 * covered
                    worth += scratch[at + 1] - scratch[at]
        keep_leaf(scratch, worth, node, play + pile)


# The search


MAX_TRIES = 1000
"""The maximum number of plays that a search tries: in plain Python these take a tenth of a second at most."""
TABLE_SIZE = 2048
"""The number of places in the hash table of visited nodes: more than twice the number of nodes."""
FEW_TRIES, SMALL_TABLE = 60, 128
"""A search of at most FEW_TRIES tries uses only SMALL_TABLE places of the hash table, because it first clears them."""
LONGEST_PATH = 5
"""The maximum number of plays of a turn."""
TRY_LIMIT = LEAVES_END
"""In ``scratch``, after the numbers of ``leaf_values``: how many plays the search may try, MAX_TRIES at most."""
SKIP_MODE = LEAVES_END + 1
"""In ``scratch``, one of the SKIP constants."""
WORK = LEAVES_END + 2
"""In ``scratch``, the work of all searches: each adds the number of nodes it visited, or twice that if it also weighed
endings."""
TABLE_USED, TABLE = LEAVES_END + 3, LEAVES_END + 4
"""In ``scratch``, the size of the hash table in this search, and the table itself."""
PARENT, LAST_PLAY, DEPTH, KEY = (TABLE + TABLE_SIZE + k * (MAX_TRIES + 1) for k in range(4))
"""In ``scratch``, for every node: the node before it, the play between them, how many plays lead to it, its key."""
PATH = KEY + MAX_TRIES + 1
"""In ``scratch``, the path that has been played on the state."""
NEXT_PATH = PATH + LONGEST_PATH
"""In ``scratch``, the path to the node to visit next."""
UNDO = NEXT_PATH + LONGEST_PATH
"""In ``scratch``, for each play of PATH, six places (five are used): what ``undo_play`` needs."""
SCRATCH = UNDO + 6 * LONGEST_PATH
SKIP_NOTHING, SKIP_LONGER, SKIP_OTHERS = range(3)
"""What a search skips to save time: nothing; paths longer than the shortest one to a stockpile card; or those and all
leaves without a stockpile card."""
KEY_MASK = (1 << 48) - 1
ENDS_TURN, STOCK_PLAY = range(2)
"""How a turn can stop at a node: with a hand card that ends it, or with a stockpile card."""
HAND = 20
"""In keys, the number of the first hand place: hand places follow the piles."""


@kernel
def best_play(s, scratch):
    """The first play on the path to the best leaf; the only legal action where nothing can be played."""
    set_parameters(s, scratch)
    scratch[LEAF_LIMIT] = 1
    scratch[TRY_LIMIT] = MAX_TRIES
    scratch[SKIP_MODE] = SKIP_NOTHING
    look_ahead(s, scratch)
    return first_play(scratch, 0)


@kernel
def look_ahead(s, scratch):
    """Search the turn and list the best leaves, by the parameters in ``scratch``; return how many, at least one."""
    scratch[TABLE_USED] = TABLE_SIZE if scratch[TRY_LIMIT] > FEW_TRIES else SMALL_TABLE
    for i in range(scratch[TABLE_USED]):
        scratch[TABLE + i] = 0
    own_card = s.stock[8 * s.player + s.stock_counts[s.player] - 1]
    note_rivals(s, scratch)
    scratch[LEAF_COUNT] = 0
    scratch[PARENT] = NONE
    scratch[DEPTH] = 0
    scratch[KEY] = key_of(s)
    mark_visited(scratch, scratch[KEY])
    nodes = 1
    tried = 0
    plays_made = 0
    i = 0
    longest_path = LONGEST_PATH
    while i < nodes and (scratch[LEAF_COUNT] == 0 or scratch[BEST_LEAVES] < scratch[WIN]):
        length = scratch[DEPTH + i]
        if length > longest_path:
            break
        go_to(s, scratch, i, plays_made)
        plays_made = length
        left = s.plays_a_turn - s.plays - length
        stops = note_stops(s, scratch, own_card, i, left)
        if stops == STOCK_PLAY and scratch[SKIP_MODE]:
            longest_path = length
        elif tried < scratch[TRY_LIMIT] and (left > 1 or (left and not leaves_suffice(scratch))):
            nodes_before = nodes
            for source in range(FROM_PILE + 4 * s.players):
                card = source_card(s, source)
                piles = matches(s, card) if card != NONE and source != STOCK else 0
                while piles and tried < scratch[TRY_LIMIT]:
                    pile = lowest(piles)
                    piles &= piles - 1
                    tried += 1
                    key = key_after(s, scratch[KEY + i], source, card, pile)
                    if mark_visited(scratch, key):
                        scratch[PARENT + nodes] = i
                        scratch[LAST_PLAY + nodes] = SOURCE * source + pile
                        scratch[DEPTH + nodes] = length + 1
                        scratch[KEY + nodes] = key
                        nodes += 1
            if nodes_before == nodes and stops == NONE and i:
                keep_leaf(scratch, worth_at_turn_end(s, scratch, own_card), i, NONE)
        i += 1
    for step in range(plays_made):
        undo_play(s, scratch, plays_made - 1 - step)
    scratch[WORK] += i if scratch[SKIP_MODE] == SKIP_OTHERS else 2 * i
    if scratch[LEAF_COUNT] == 0:
        keep_leaf(scratch, 0, 0, scratch[LAST_PLAY + 1] if nodes > 1 else NO_PLAY)
    return scratch[LEAF_COUNT]


@kernel
def note_stops(s, scratch, own_card, i, left):
    """Note the leaves at a node, which has ``left`` plays left; return how the turn can stop there.

    STOCK_PLAY if the stockpile card fits; else ENDS_TURN if a hand card ends the turn or if that isn't checked; else
    NONE.
    """
    only_stock = leaves_suffice(scratch) or scratch[SKIP_MODE] == SKIP_OTHERS
    if i and left == 0 and not only_stock:
        keep_leaf(scratch, worth_at_turn_end(s, scratch, own_card), i, NONE)
    if left == 0:
        return NONE
    if i and hand_is_empty(s) and not only_stock:
        keep_leaf(scratch, worth_after_refill(s, scratch, own_card, left), i, NONE)
    stops = ENDS_TURN if only_stock or note_endings(s, scratch, own_card, i) else NONE
    piles = matches(s, own_card)
    while piles:
        pile = lowest(piles)
        piles &= piles - 1
        keep_leaf(scratch, stock_card_worth(s, scratch, own_card, pile, left), i, SOURCE * STOCK + pile)
        stops = STOCK_PLAY
    return stops


@kernel
def first_play(scratch, j):
    """The first play of the turn that ends at leaf ``j``."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    play = scratch[BEST_LEAVES + 3 * j + 2]
    while scratch[DEPTH + i]:
        play = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    return play


@kernel
def plays_to(scratch, j, out, at):
    """Write all plays of the turn that ends at leaf ``j`` into ``out[at:]``; return how many."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    n = scratch[DEPTH + i]
    out[at + n] = scratch[BEST_LEAVES + 3 * j + 2]
    n_plays = n + (out[at + n] != NONE)
    while n:
        n -= 1
        out[at + n] = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    return n_plays


@kernel
def go_to(s, scratch, i, plays_made):
    """Play the path to a node on the state, after undoing the part of the last path that differs."""
    length = scratch[DEPTH + i]
    for step in range(length):
        scratch[NEXT_PATH + length - 1 - step] = scratch[LAST_PLAY + i]
        i = scratch[PARENT + i]
    common = 0
    while common < plays_made and common < length and scratch[PATH + common] == scratch[NEXT_PATH + common]:
        common += 1
    for step in range(plays_made - common):
        undo_play(s, scratch, plays_made - 1 - step)
    for step in range(common, length):
        scratch[PATH + step] = scratch[NEXT_PATH + step]
        make_play(s, scratch, scratch[PATH + step], step)


@kernel
def make_play(s, scratch, a, step):
    """Carry out play number ``step`` of the path on the state, and note its changes for ``undo_play``."""
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
        set_top(s, source - FROM_PILE + 4, s.under[card])
    if completes(s, card, pile):
        set_top(s, pile, NONE)
    else:
        s.under[card] = s.top[pile]
        set_top(s, pile, card)


@kernel
def undo_play(s, scratch, step):
    """Undo play number ``step`` of the path; all later plays must be undone already."""
    at = UNDO + 6 * step
    source = scratch[at]
    card = scratch[at + 2]
    set_top(s, scratch[at + 1], scratch[at + 3])
    s.under[card] = scratch[at + 4]
    if source < STOCK:
        s.hand[5 * s.player + source] = card
    else:
        set_top(s, source - FROM_PILE + 4, card)


@kernel
def zobrist(place, card):
    """A pseudo-random number for a card (or NONE) at a place (Zobrist hashing); places are the piles, then the hand's.

    The hash of a position is the sum of these, so a play changes it by a few additions (``key_after``).
    """
    x = 128 * place + card + 2
    return (x * x * 0x2545F491 ^ x * 0x9E3779B1) & KEY_MASK


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
def mark_visited(scratch, key):
    """Mark the position with this hash as visited; return whether it is new."""
    mask = scratch[TABLE_USED] - 1
    i = (key ^ key >> 24) & mask
    while scratch[TABLE + i]:
        if scratch[TABLE + i] == key:
            return False
        i = (i + 1) & mask
    scratch[TABLE + i] = key
    return True
