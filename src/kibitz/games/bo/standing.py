"""What a place to stop within a turn of Bo is worth, by experience: tables of numbers that ``learning`` finds.

    own         at the end of a turn: how many cards the own stockpile has, and how many piles take its top card
    turning     after a stockpile card: how many cards the own stockpile has, and how many plays are left
    rivals      for each rival, the next one first: how many cards it has, and how many piles take its top card
    width       how many kinds of cards some pile takes; after a stockpile card by the plays left as well
    hand        the cards held, Aces among them, those that fit a pile, and those that would make way for the own
                stockpile card: ``bridges`` that fit a pile themselves, ``stones`` that do not
    empty       the own empty discard piles
    rounds      how many rounds have been played: it tells no two plays apart, but explains what came of them

A worth is the sum of one number from each table: the logarithm of the odds to win, times SCALE.  Each table is there
twice, at ENDED for the end of a turn and at TURNED for after a stockpile card, when the next one is not known yet.
"""

from kibitz.cards.sets import size
from kibitz.games.bo.piles import NONE, matches, value
from kibitz.games.bo.plays import DE_BRUIJN, PILE_OF_BIT
from kibitz.kernel import kernel

SCALE = 1000
MANY = 4
"""As many piles or more count as so many."""
OWN = 0
RIVALS = OWN + 8 * (MANY + 1)
WIDTH = RIVALS + 3 * 8 * (MANY + 1)
HAND = WIDTH + 5 * 27
ACES = HAND + 6
FITS = ACES + 6
BRIDGES = FITS + 6
STONES = BRIDGES + 6
EMPTY = STONES + 6
ROUNDS = EMPTY + 5
ENDED = 0
TURNED = ROUNDS + 51
NUMBERS = 2 * TURNED
"""Where each table begins, and how many numbers there are in all."""
PARTS = 12
"""So many numbers make a worth: own, three rivals, width, five of the hand, empty and rounds."""


@kernel
def kind(card):
    """Value and colour of a card as one number, the index of ``accepts``."""
    return 2 * value(card) + (card & 1)


@kernel
def stock_top(s, p):
    """The stockpile card of a seat that all see."""
    return s.stock[8 * p + s.stocked[p] - 1]


@kernel
def above(s, card):
    """The kind one higher that a discard pile takes on a card, which is no Ace."""
    v = value(card)
    return 2 * (2 if v == s.top_value else v + 1) + 1 - (card & 1)


@kernel
def under(s, card):
    """The kind one lower that a discard pile takes on a card, which is no Ace."""
    v = value(card)
    return 2 * (s.top_value if v == 2 else v - 1) + 1 - (card & 1)


@kernel
def few(piles):
    """How many piles there are in a set, up to MANY."""
    return min(MANY, size(piles))


@kernel
def widths(s, only, at):
    """How many kinds some pile takes; ``only[at + pile]`` becomes the number of those that no other pile takes."""
    found = 0
    for pile in range(20):
        only[at + pile] = 0
    for k in range(2, 2 * s.top_value + 2):
        piles = s.accepts[k]
        if piles:
            found += 1
            if piles & (piles - 1) == 0:
                only[at + PILE_OF_BIT[piles * DE_BRUIJN >> 27 & 31]] += 1
    return found


@kernel
def own_part(s, p, piles):
    """The number of the own stockpile at the end of a turn, where ``piles`` take its card."""
    return OWN + (MANY + 1) * (s.stocked[p] - 1) + few(piles)


@kernel
def rival_part(s, p, q, piles):
    """The number of the ``q``-th rival after ``p``, where ``piles`` take its stockpile card."""
    rival = (p + q) % s.players
    return RIVALS + (MANY + 1) * (8 * (q - 1) + s.stocked[rival] - 1) + few(piles)


@kernel
def empty_piles(s, p):
    """How many of a seat's discard piles are empty."""
    return size(s.bare >> 4 + 4 * p & 15)


@kernel
def name_hand(s, p, skipped, bit, high, low, parts, at):
    """Write the five numbers of what ``p`` holds besides the place ``skipped`` to ``parts[at:]``.

    The pile of ``bit``, unless that is 0, is taken for one that takes the kinds ``high`` and ``low``.
    """
    own = kind(stock_top(s, p))
    held = 0
    aces = 0
    fits = 0
    bridges = 0
    stones = 0
    for place in range(5 * p, 5 * p + 5):
        card = s.hand[place]
        if card == NONE or place == skipped:
            continue
        held += 1
        if value(card) == 1:
            aces += 1
            continue
        k = kind(card)
        going = s.accepts[k] & ~bit != 0 or (bit != 0 and (k == high or k == low))
        fits += going
        if own == above(s, card) or own == under(s, card):
            bridges += going
            stones += not going
    parts[at] = HAND + held
    parts[at + 1] = ACES + aces
    parts[at + 2] = FITS + fits
    parts[at + 3] = BRIDGES + bridges
    parts[at + 4] = STONES + stones


@kernel
def sum_hand(table, base, parts, at):
    """What the hand named in ``parts[at:]`` is worth.

    Bridges and stones count at the end of a turn only: later the stockpile card is another.
    """
    worth = 0
    for i in range(5 if base == ENDED else 3):
        worth += table[base + parts[at + i]]
    return worth


@kernel
def hand_worth(s, p, table, base, parts, at):
    """What the cards are worth that ``p`` holds; ``parts[at:at + 5]`` is scratch."""
    name_hand(s, p, NONE, 0, 0, 0, parts, at)
    return sum_hand(table, base, parts, at)


@kernel
def table_worth(s, p, table, base, own, width):
    """What all but the hand is worth, of which the numbers ``own`` and ``width`` are known."""
    worth = table[base + own] + table[base + width] + table[base + EMPTY + empty_piles(s, p)]
    for q in range(1, s.players):
        worth += table[base + rival_part(s, p, q, matches(s, stock_top(s, (p + q) % s.players)))]
    return worth


@kernel
def ended_worth(s, p, table, room, at):
    """What it is worth to ``p`` to end its turn with the table as it is; ``room[at:at + 20]`` is scratch."""
    width = WIDTH + widths(s, room, at)
    worth = table_worth(s, p, table, ENDED, own_part(s, p, matches(s, stock_top(s, p))), width)
    return worth + hand_worth(s, p, table, ENDED, room, at)


@kernel
def turned_worth(s, p, counts, left, table, room, at):
    """What it is worth to ``p`` to have ``counts`` stockpile cards, the top one unknown, and ``left`` plays."""
    width = WIDTH + 27 * left + widths(s, room, at)
    worth = table_worth(s, p, table, TURNED, OWN + (MANY + 1) * (counts - 1) + left, width)
    return worth + hand_worth(s, p, table, TURNED, room, at)


@kernel
def name_parts(s, p, turned, left, parts, at):
    """Write the PARTS numbers of a position, with where their tables begin, to ``parts[at:]``.

    Either ``p`` has just ended its turn, or it has just ``turned`` up a stockpile card and has ``left`` plays.  What
    has no number there is NUMBERS: a number beyond all tables.
    """
    base = TURNED if turned else ENDED
    for q in range(3):
        parts[at + 1 + q] = NUMBERS
    name_hand(s, p, NONE, 0, 0, 0, parts, at + 5)
    for i in range(5):
        parts[at + 5 + i] += base
    width = 0
    for k in range(2, 2 * s.top_value + 2):
        width += s.accepts[k] != 0
    if turned:
        parts[at] = base + OWN + (MANY + 1) * (s.stocked[p] - 1) + left
        parts[at + 4] = base + WIDTH + 27 * left + width
        parts[at + 8] = NUMBERS  # bridges and stones lead to a card that is gone
        parts[at + 9] = NUMBERS
    else:
        parts[at] = base + own_part(s, p, matches(s, stock_top(s, p)))
        parts[at + 4] = base + WIDTH + width
    for q in range(1, s.players):
        parts[at + q] = base + rival_part(s, p, q, matches(s, stock_top(s, (p + q) % s.players)))
    parts[at + 10] = base + EMPTY + empty_piles(s, p)
    parts[at + 11] = base + ROUNDS + s.round
