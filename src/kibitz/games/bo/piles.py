"""The piles of Bo and the plays on them: what matches what, what can go where, and how a pile changes.

    pile        0..3 the build piles, 4 + 4 * owner + k the discard piles; ``top`` has the top card of each, and
                ``under`` the card beneath a card
    accepts     for each value and colour (2 * value + colour), the piles that such a card matches, as bits
    empty       the empty piles, as bits

Sets of piles are bits: 15 is the build piles, and ``0xF0 << 4 * p`` the discard piles of seat p.

A card matches a build pile of its own colour if it is one step above or below the top card, or an Ace; an empty build
pile is matched by a 2 or the top value.  It matches a discard pile of the other colour if it is one step above or below
the top card, where 2 and the top value are adjacent.

Only ``set_top`` changes the top card of a pile; it keeps ``accepts`` and ``empty`` up to date.

    source      0..4 the hand places of the player to move, 5 that player's stockpile, 6 + j discard pile j
    play        ``SOURCE * source + pile``; NO_PLAY comes after all plays
"""

from kibitz.kernel import kernel

NONE = -1


@kernel
def value(card):
    """The value 1..13 of a card id."""
    return (card >> 2 & 15) + 1


@kernel
def matches(s, card):
    """The piles that a card matches, as bits: it may go there from any source, and the turn continues."""
    return s.accepts[2 * value(card) + (card & 1)]


@kernel
def own_empty_discards(s):
    """The empty discard piles of the player to move, as bits."""
    return s.empty & (0xF0 << 4 * s.player)


@kernel
def nonempty_discards(s):
    """The non-empty discard piles, as bits."""
    return ~s.empty & ((1 << (4 + 4 * s.players)) - 16)


@kernel
def open_discards(s):
    """The discard piles, as bits, that take any hand card but an Ace: the mover's own, and others' that have cards."""
    all_discards = (1 << (4 + 4 * s.players)) - 16
    return all_discards & (~s.empty | 0xF0 << 4 * s.player)


@kernel
def ending_piles(s, card):
    """The piles, as bits, on which a hand card may be put so that the turn ends."""
    return 0 if value(card) == 1 else open_discards(s) & ~matches(s, card)


@kernel
def set_top(s, pile, card):
    """Make ``card``, or NONE, the top of a pile."""
    flip_accepted(s, pile)
    if (s.top[pile] == NONE) != (card == NONE):
        s.empty ^= 1 << pile
    s.top[pile] = card
    flip_accepted(s, pile)


@kernel
def flip_accepted(s, pile):
    """Flip the bit of a pile for every value and colour that matches its top card: off before a change, on after it."""
    card = s.top[pile]
    bit = 1 << pile
    if card == NONE:
        if pile < 4:
            for colour in range(2):  # a 2 or the top value
                s.accepts[4 + colour] ^= bit
                s.accepts[2 * s.top_value + colour] ^= bit
        return
    v = value(card)
    colour = card & 1
    if pile < 4:
        s.accepts[2 + colour] ^= bit  # the Ace of its colour
        s.accepts[2 * v + 2 + colour] ^= bit  # one step above; no card has the value above the highest
        if v > 2:
            s.accepts[2 * v - 2 + colour] ^= bit  # one step below: for a 2 that is the Ace, already flipped
    else:  # one step below and above in the other colour; the highest value is next to 2
        s.accepts[2 * (s.top_value if v == 2 else v - 1) + 1 - colour] ^= bit
        s.accepts[2 * (2 if v == s.top_value else v + 1) + 1 - colour] ^= bit


@kernel
def put_on_pile(s, card, pile):
    """Put a card on a pile; if it completes a build pile, shuffle that pile into the draw pile."""
    completed = completes(s, card, pile)
    s.under[card] = s.top[pile]
    set_top(s, pile, card)
    if completed:
        shuffle_back(s, pile)


@kernel
def shuffle_back(s, pile):
    """Shuffle a completed build pile into the draw pile."""
    s.epoch += 1
    card = s.top[pile]
    set_top(s, pile, NONE)
    while card != NONE:
        s.entry_epoch[card] = s.epoch
        s.draw[s.draw_count] = card
        s.draw_count += 1
        under = s.under[card]
        s.under[card] = NONE
        card = under


@kernel
def completes(s, card, pile):
    """Whether a card would complete a pile by going there: an Ace, 2 or top value on a build pile that isn't empty."""
    v = value(card)
    return pile < 4 and s.top[pile] != NONE and (v < 3 or v == s.top_value)


# Plays


STOCK, FROM_PILE = 5, 6
"""The source that is the own stockpile, and the first one that is a discard pile."""
SOURCE = 32
"""The step from one source to the next in the numbers of plays: ``SOURCE * source + pile``."""
NO_PLAY = 22 * SOURCE
DE_BRUIJN = 0x077CB531
PILE_OF_BIT = tuple(k for _, k in sorted((DE_BRUIJN << k & 0xFFFFFFFF, k) for k in range(32)))
"""The k of a bit ``1 << k``, by the top five bits of its product with a de Bruijn sequence.

With ``kibitz.cards.sets.lowest`` instead, random games of Bo would take half as long again.
"""


@kernel
def source_card(s, source):
    """The card that a source offers the player to move, or NONE."""
    if source < STOCK:
        return s.hand[5 * s.player + source]
    if source == STOCK:
        if s.stock_counts[s.player] == 0:
            return NONE
        return s.stock[8 * s.player + s.stock_counts[s.player] - 1]
    return s.top[source - FROM_PILE + 4]


@kernel
def targets(s, source):
    """The piles that the card at a source may go to, as bits; none if there is no card."""
    card = source_card(s, source)
    if card == NONE:
        return 0
    piles = matches(s, card)
    if source < STOCK and value(card) > 1:
        piles |= open_discards(s)
    return piles


@kernel
def can_play(s):
    """Whether the player to move can play anything at all."""
    for source in range(FROM_PILE + 4 * s.players):
        if targets(s, source):
            return True
    return False


@kernel
def ends_turn(s, a):
    """Whether a legal play ends the turn: it puts a hand card on a discard pile that the card doesn't match."""
    return a < STOCK * SOURCE and not matches(s, source_card(s, a // SOURCE)) >> a % SOURCE & 1


@kernel
def take_card(s, source):
    """Take away the card that a source offers the player to move, and return it."""
    card = source_card(s, source)
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
        s.drawn_epoch[5 * s.player + source] = 0
        s.ace_colours[5 * s.player + source] = 0
    elif source == STOCK:
        s.stock_counts[s.player] -= 1
        s.stock[8 * s.player + s.stock_counts[s.player]] = NONE
    else:
        set_top(s, source - FROM_PILE + 4, s.under[card])
    return card


@kernel
def list_targets(out, n, source, piles):
    """Add the plays from a source to each of ``piles`` to the ``n`` actions in ``out``; return their new number."""
    while piles:
        bit = piles & -piles
        out[n] = SOURCE * source | PILE_OF_BIT[bit * DE_BRUIJN >> 27 & 31]
        n += 1
        piles ^= bit
    return n
