"""The moves of President, each as one number (``rules.md``).

    height      a card's number in President's order: 3D is 0 (lowest), 3C is 1, ... AS is 47, 2D is 48, 2S is 51
    cards       a set of cards as bits of their heights
    value       height // 4: 0 for the threes, 11 for the aces, 12 for the twos
    move        a number from 0 to MOVES - 1: moves are sorted by hand type, and within a type from low to high
    kind        the hand type of a move (SINGLE to STRAIGHT_FLUSH), written as the lowest number of a move of that type

Of two moves of the same size that don't share a card, the higher number is the higher move.  Cards on the pile are
never in a hand, so a follower may play exactly the moves of the same size with higher numbers.

Within a kind of five cards, moves are numbered by these, the most important first.  Numbers that would be a straight
flush, or would use a card twice, stay unused.

    straight            start value, then the suits of its cards, the highest card's first
    flush               the values as a combination in colexicographic order (highest value first), then the suit
    full house          value of the three, value of the pair, suits of the three, suits of the pair
    four and one        value of the four, then the other card
"""

from kibitz.cards.sets import lowest, size
from kibitz.kernel import kernel

NONE = -1
SINGLE = 0
PAIR = 52
TRIPLE = PAIR + 13 * 6
FOUR = TRIPLE + 13 * 4
STRAIGHT = FOUR + 13
FLUSH = STRAIGHT + 9 * 4**5
FULL_HOUSE = FLUSH + 4 * 1287
FOUR_AND_ONE = FULL_HOUSE + 13 * 13 * 24
STRAIGHT_FLUSH = FOUR_AND_ONE + 13 * 52
MOVES = STRAIGHT_FLUSH + 9 * 4
KINDS = (SINGLE, PAIR, TRIPLE, FOUR, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_AND_ONE, STRAIGHT_FLUSH)

FIVES = (STRAIGHT, FLUSH, FULL_HOUSE, FOUR_AND_ONE, STRAIGHT_FLUSH)
"""The kinds of five cards; a set of them has bit ``i`` for ``FIVES[i]``."""
ALL_FIVES = 31

PACK = (1 << 52) - 1
ONE_SUIT = sum(1 << 4 * v for v in range(13))
"""The thirteen diamonds; ``ONE_SUIT << suit`` are the cards of another suit."""
SAME_SUIT = 0b01_01_01_01_01
"""A straight's suits, as base-four digits, are this number times a suit if it is a straight flush."""
RUN = 0x11111
"""Five diamonds with successive values."""
PAIR_SUITS = (3, 5, 6, 9, 10, 12)
"""Every choice of two suits as bits (3 is diamond and club), ordered by the higher suit, then the lower."""
TRIPLE_SUITS = (7, 11, 13, 14)
"""Every choice of three suits as bits, in the same order."""
PAIR_NUMBER = tuple(PAIR_SUITS.index(m) if m in PAIR_SUITS else NONE for m in range(16))
TRIPLE_NUMBER = tuple(TRIPLE_SUITS.index(m) if m in TRIPLE_SUITS else NONE for m in range(16))
"""By suits as bits, the index in TRIPLE_SUITS (above: in PAIR_SUITS), or NONE."""
CHOOSE_2 = tuple(n * (n - 1) // 2 for n in range(13))
CHOOSE_3 = tuple(n * (n - 1) * (n - 2) // 6 for n in range(13))
CHOOSE_4 = tuple(n * (n - 1) * (n - 2) * (n - 3) // 24 for n in range(13))
CHOOSE_5 = tuple(n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120 for n in range(14))


@kernel
def in_heights(cards):
    """A set of cards 0..51 as a set of heights: the aces and twos go to the top."""
    return cards >> 8 | (cards & 255) << 44


@kernel
def size_of(a):
    """How many cards a move has."""
    if a < PAIR:
        return 1
    if a < TRIPLE:
        return 2
    if a < FOUR:
        return 3
    return 4 if a < STRAIGHT else 5


@kernel
def kind_of(a):
    """The hand type of a move, as the lowest number of a move of that type."""
    result = SINGLE
    for kind in KINDS:
        if a >= kind:
            result = kind
    return result


@kernel
def is_allowed(a, fives):
    """Whether a move is of an allowed kind; ``fives`` has the allowed kinds of five cards."""
    if a < STRAIGHT:
        return True
    i = 0
    while i < 4 and a >= FIVES[i + 1]:
        i += 1
    return fives >> i & 1 != 0


@kernel
def cards_in(a):
    """The cards of a move, or 0 if no move has this number."""
    if a < PAIR:
        return 1 << a if a >= 0 else 0
    if a < TRIPLE:
        return PAIR_SUITS[(a - PAIR) % 6] << 4 * ((a - PAIR) // 6)
    if a < FOUR:
        return TRIPLE_SUITS[(a - TRIPLE) & 3] << 4 * ((a - TRIPLE) >> 2)
    if a < STRAIGHT:
        return 15 << 4 * (a - FOUR)
    if a < FLUSH:
        return straight_cards(a - STRAIGHT)
    if a < FULL_HOUSE:
        return flush_cards(a - FLUSH)
    if a < FOUR_AND_ONE:
        return full_house_cards(a - FULL_HOUSE)
    if a < STRAIGHT_FLUSH:
        value = (a - FOUR_AND_ONE) // 52
        other = (a - FOUR_AND_ONE) % 52
        return 0 if other >> 2 == value else 15 << 4 * value | 1 << other
    if a < MOVES:
        return RUN << (a - STRAIGHT_FLUSH)
    return 0


@kernel
def straight_cards(i):
    """The cards of straight number ``i``; 0 if they are all of one suit."""
    suits = i & 1023  # five base-four digits; above them is the start value
    if suits % SAME_SUIT == 0:
        return 0
    cards = 0
    for value in range(i >> 10, (i >> 10) + 5):
        cards |= 1 << 4 * value + (suits & 3)
        suits >>= 2
    return cards


@kernel
def flush_cards(i):
    """The cards of flush number ``i``; 0 if their values are successive.

    Five values a > b > c > d > e have the number C(a,5) + C(b,4) + C(c,3) + C(d,2) + e (the combinatorial number
    system): the greatest C(a,5) that fits gives a, and the rest gives the others in the same way.
    """
    suit = i & 3
    i >>= 2
    a = 12
    while CHOOSE_5[a] > i:
        a -= 1
    i -= CHOOSE_5[a]
    b = a - 1
    while CHOOSE_4[b] > i:
        b -= 1
    i -= CHOOSE_4[b]
    c = b - 1
    while CHOOSE_3[c] > i:
        c -= 1
    i -= CHOOSE_3[c]
    d = c - 1
    while CHOOSE_2[d] > i:
        d -= 1
    e = i - CHOOSE_2[d]
    if a - e == 4:
        return 0
    return (1 << 4 * a | 1 << 4 * b | 1 << 4 * c | 1 << 4 * d | 1 << 4 * e) << suit


@kernel
def full_house_cards(i):
    """The cards of full house number ``i``; 0 if three and pair have one value."""
    three = i // 312  # for each value of the triple: 13 values of the pair, 4 triples and 6 pairs of suits
    two = i // 24 % 13
    if three == two:
        return 0
    return TRIPLE_SUITS[i // 6 & 3] << 4 * three | PAIR_SUITS[i % 6] << 4 * two


@kernel
def move_of(cards):
    """The move that a set of cards makes, or NONE if they aren't a valid combination."""
    n = size(cards)
    if n == 0 or n > 5:
        return NONE
    low = lowest(cards)
    value = low >> 2
    suits = cards >> 4 * value
    if n < 5:
        if suits > 15:
            return NONE
        if n == 1:
            return low
        if n == 2:
            return PAIR + 6 * value + PAIR_NUMBER[suits]
        return TRIPLE + 4 * value + TRIPLE_NUMBER[suits] if n == 3 else FOUR + value
    return five_cards(cards, low)


@kernel
def five_cards(cards, low):
    """The move that five cards make, or NONE; ``low`` is the lowest of them."""
    value = low >> 2
    first = cards >> 4 * value & 15  # the suits of the lowest value
    rest = cards & ~(15 << 4 * value)
    other = lowest(rest) >> 2
    second = rest >> 4 * other
    if second < 16:  # the other cards all have one value, and these are their suits
        n = size(first)
        if n == 4:
            return FOUR_AND_ONE + 52 * value + lowest(rest)
        if n == 1:
            return FOUR_AND_ONE + 52 * other + low
        if n == 3:
            return FULL_HOUSE + ((13 * value + other) * 4 + TRIPLE_NUMBER[first]) * 6 + PAIR_NUMBER[second]
        return FULL_HOUSE + ((13 * other + value) * 4 + TRIPLE_NUMBER[second]) * 6 + PAIR_NUMBER[first]
    suited = cards & ONE_SUIT << (low & 3) == cards
    if is_run(cards >> 4 * value):
        if suited:
            return STRAIGHT_FLUSH + low
        suits = 0
        for i in range(5):
            suits |= lowest(cards >> 4 * (value + i)) << 2 * i
        return STRAIGHT + 1024 * value + suits
    return flush_of(cards, low & 3) if suited else NONE


@kernel
def is_run(cards):
    """Whether five cards, the lowest of which has value 0, have five successive values."""
    for i in range(5):
        if not cards >> 4 * i & 15:
            return False
    return True


@kernel
def flush_of(cards, suit):
    """The number of a flush."""
    e = lowest(cards) >> 2
    cards &= cards - 1
    d = lowest(cards) >> 2
    cards &= cards - 1
    c = lowest(cards) >> 2
    cards &= cards - 1
    b = lowest(cards) >> 2
    cards &= cards - 1
    a = lowest(cards) >> 2
    return FLUSH + 4 * (CHOOSE_5[a] + CHOOSE_4[b] + CHOOSE_3[c] + CHOOSE_2[d] + e) + suit
