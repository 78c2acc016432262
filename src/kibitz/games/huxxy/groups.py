"""Groups of Huxxy as sets of cards, and which cards fit together (``rules.md``).

    face            a number: 0..51 for a card, 52 (JOKER) for the Joker; the two copies of a card have one face
    two bit sets    a hand, a group or the stock holds every face at most twice: ``once`` has the faces that are there,
                    ``twice`` the faces that are there twice; ``twice`` is a subset of ``once``
    parity          whether a card's value and colour add up to an even or an odd number (EVEN_CARDS, ODD_CARDS).  From
                    one card of a run to the next, value and colour both change, so all its cards have one parity
    points          what a card counts towards the opening turn: a Joker 0
    worth           what a card counts in hand at the end: a Joker 48

The empty group is valid.  Three functions return sets of faces that fit together:

    addable_faces   the faces that make a group valid, or keep it valid, when one more is added
    removable_faces the faces that make a group valid, or keep it valid, when one is removed; a group's only card is
                    one of them
    partner_faces   the faces that can be in a group of three with a given face and some third face

Two functions find three cards of a hand that make a group:

    best_triple     tries all triples; the policy ``quick`` depends on which of several equal triples it finds
    highest_triple  takes only a few operations on the hand; uses a Joker only if no three other cards make a group
"""

from kibitz.cards.sets import FULL_PACK, highest, lowest, size
from kibitz.kernel import kernel

NONE = -1
JOKER = 52
JOKER_BIT = 1 << JOKER
JOKER_WORTH = 48
EVEN_CARDS = sum(1 << card for card in range(52) if not (card >> 2) + card & 1)
ODD_CARDS = FULL_PACK ^ EVEN_CARDS
DIAMONDS = FULL_PACK // 15
"""One card of every value: the lowest of its four bits."""


@kernel
def add(once, twice, i, card):
    """Add a card to item ``i`` of two arrays of bit sets."""
    twice[i] |= once[i] & 1 << card  # its second copy, if one is there already
    once[i] |= 1 << card


@kernel
def remove(once, twice, i, card):
    """Take a card, which must be there, out of item ``i`` of two arrays of bit sets."""
    once[i] &= twice[i] | ~(1 << card)  # it stays in ``once`` if there are two
    twice[i] &= ~(1 << card)


@kernel
def points(card):
    """A card's points towards the opening turn."""
    return 0 if card == JOKER else (card >> 2) + 1


@kernel
def worth(card):
    """A card's cost to the seat that is left with it."""
    return JOKER_WORTH if card == JOKER else (card >> 2) + 1


@kernel
def total_worth(once, twice):
    """The worth of all cards in two bit sets."""
    total = 0
    for cards in (once, twice):
        while cards:
            total += worth(lowest(cards))
            cards &= cards - 1
    return total


@kernel
def values_of(cards):
    """The values in a set without Jokers, each as the lowest of its four bits."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & DIAMONDS


@kernel
def is_valid(once, twice):
    """Whether a group is empty, a run or N of a kind; a Joker in it may stand for any card that isn't in it twice.

    A run is checked by addition: each value fills its four bits of ``block``, and adding the lowest bit carries through
    successive values into one bit of the first missing one, ``gap``.  For 3-4-5 (``1111 1111 1111``, eight bits up) the
    carry ends at the 6, above the block: the values are in sequence.  For 3-4-6 it ends at the 5, below the 6.
    """
    if once == 0:
        return True
    real = once & FULL_PACK
    jokers = once >> JOKER
    cards = size(once) + size(twice)
    if cards < 3 or twice >> JOKER:
        return False
    values = values_of(real)
    if values & (values - 1) == 0:  # one value: N of a kind
        suits = size(real)
        if cards < 5:  # three or four: all of different suits
            return twice == 0
        return cards < 9 and suits + jokers > 3  # five to eight: all four suits, each at most twice
    if (
        twice or (real & EVEN_CARDS and real & ODD_CARDS) or size(values) != size(real)
    ):  # a value twice, or colours don't alternate
        return False
    block = 15 * values
    low = values & -values
    gap = (block + low) & ~block
    if jokers == 0 or block == FULL_PACK:  # no Joker, or no value left for it
        return jokers == 0 and gap > block
    if gap > block:  # in sequence: the Joker goes to an end
        return True
    block |= 15 * gap  # it fills the first missing value, and no other may be missing
    gap = (block + low) & ~block
    return gap > block


# Which cards fit


@kernel
def addable_faces(once, twice):
    """The faces that make or keep a group valid when added; none for fewer than two cards."""
    cards = size(once) + size(twice)
    if cards < 2 or twice >> JOKER:
        return 0
    if once >> JOKER:
        return addable_faces_with_joker(once, twice)
    values = values_of(once)
    joker = JOKER_BIT if is_valid(once | JOKER_BIT, twice) else 0
    if values & (values - 1) == 0:  # one value: ``15 * values`` are its four faces, ``^ once`` the missing ones
        suits = size(once)
        if cards < 4:
            return joker | (0 if twice else 15 * values ^ once)
        if suits == 4:  # any second copy
            return joker | 15 * values & ~twice
        return joker | (15 * values ^ once if suits == 3 else 0)  # five or more cards need all four suits
    # A run: ``gap`` as in ``is_valid``; ``filled`` is the block with its first missing value filled.
    parity = common_parity(once)
    if twice or parity == 0 or size(values) != cards:
        return joker
    low = values & -values
    block = 15 * values
    gap = (block + low) & ~block
    filled = block | 15 * gap
    if gap > block:  # in sequence: the values above and below, with the parity of the run
        return joker | (gap * 15 | (low >> 4) * 15) & parity
    return joker | (15 * gap & parity if (filled + low) & ~filled > filled else 0)  # the only missing value


@kernel
def addable_faces_with_joker(once, twice):
    """``addable_faces`` for a group with a Joker: every face that could fit is tried."""
    values = values_of(once & FULL_PACK)
    parity = common_parity(once & FULL_PACK)
    tries = parity if twice == 0 else 0
    if values & (values - 1) == 0:
        tries |= 15 * values & ~twice
    result = 0
    while tries:
        bit = tries & -tries
        tries ^= bit
        if is_valid(once | bit, twice | once & bit):
            result |= bit
    return result


@kernel
def common_parity(cards):
    """EVEN_CARDS or ODD_CARDS if all these cards are of that parity, else 0."""
    if cards & ODD_CARDS == 0:
        return EVEN_CARDS
    return 0 if cards & EVEN_CARDS else ODD_CARDS


@kernel
def removable_faces(once, twice):
    """The faces that make or keep a group valid when removed."""
    result = 0
    tries = once
    while tries:
        bit = tries & -tries
        tries ^= bit
        if is_valid(once ^ bit & ~twice, twice & ~bit):  # of two copies, the second one goes
            result |= bit
    return result


@kernel
def partner_faces(card):
    """The faces that can be in one group of three with a face.

    Those are the faces of its value, the Joker, and the faces of its parity up to two values away.  ``first`` is the
    first bit of the face's value; the window of five values begins eight bits before it and has twenty bits.
    """
    if card == JOKER:
        return FULL_PACK
    bit = 1 << card
    parity = EVEN_CARDS if EVEN_CARDS & bit else ODD_CARDS
    first = card & 60
    window = (1 << first + 12) - 1 & ~((1 << max(first - 8, 0)) - 1)
    same_value = 15 << first
    in_a_run = window & FULL_PACK & parity & ~same_value
    return (in_a_run | same_value) & ~bit | JOKER_BIT


# Three cards of a hand


@kernel
def total_points(cards):
    """The points of some cards."""
    result = 0
    while cards:
        result += points(lowest(cards))
        cards &= cards - 1
    return result


@kernel
def best_triple(hand, required):
    """The three cards, including all ``required`` ones, that make the group with the most points; 0 if none do."""
    best = 0
    most = NONE
    a_left = hand
    while a_left:
        a = a_left & -a_left
        a_left ^= a
        b_left = a_left
        while b_left:
            b = b_left & -b_left
            b_left ^= b
            c_left = b_left & addable_faces(a | b, 0)
            while c_left:
                c = c_left & -c_left
                c_left ^= c
                if (a | b | c) & required == required and total_points(a | b | c) > most:
                    most = total_points(a | b | c)
                    best = a | b | c
    return best


@kernel
def highest_triple(hand):
    """The three cards that make the group with the most points, with a Joker only if no other group exists; 0 if none.

    ``a`` to ``d`` are the values held in each suit, shifted onto the same bits; ``kinds`` are the values that three of
    them share.  ``runs`` are the values that are held together with the next two.
    """
    a = hand & DIAMONDS
    b = hand >> 1 & DIAMONDS
    c = hand >> 2 & DIAMONDS
    d = hand >> 3 & DIAMONDS
    best = 0
    kinds = a & b & (c | d) | c & d & (a | b)  # both of one half of the suits, and one of the other
    if kinds:
        best = lowest_cards(hand & 15 << highest(kinds), 3)
    for parity in (EVEN_CARDS, ODD_CARDS):
        values = values_of(hand & parity)
        runs = values & values >> 4 & values >> 8
        if runs:
            low = 1 << highest(runs)
            run = card_of_value(hand & parity, low) | card_of_value(hand & parity, low << 4)
            run |= card_of_value(hand & parity, low << 8)
            if total_points(run) > total_points(best):
                best = run
    if best == 0 and hand & JOKER_BIT:
        return triple_with_joker(hand)
    return best


@kernel
def triple_with_joker(hand):
    """The Joker and the two cards that make the group with the most points with it; 0 if none do.

    The two have one value (``pairs``), or are one or two values apart in a run.
    """
    best = 0
    a = hand & DIAMONDS
    b = hand >> 1 & DIAMONDS
    c = hand >> 2 & DIAMONDS
    d = hand >> 3 & DIAMONDS
    pairs = a & b | c & d | (a | b) & (c | d)  # both of one half of the suits, or one of each
    if pairs:
        best = lowest_cards(hand & 15 << highest(pairs), 2)
    for parity in (EVEN_CARDS, ODD_CARDS):
        values = values_of(hand & parity)
        for step in range(1, 3):
            lows = values & values >> 4 * step
            if lows:
                low = 1 << highest(lows)
                pair = card_of_value(hand & parity, low) | card_of_value(hand & parity, low << 4 * step)
                if total_points(pair) > total_points(best):
                    best = pair
    return best | JOKER_BIT if best else 0


@kernel
def card_of_value(cards, value):
    """The lowest of some cards that has a value, as a set; ``value`` is the first of the value's four bits."""
    of_value = cards & 15 * value
    return of_value & -of_value


@kernel
def lowest_cards(cards, n):
    """The lowest ``n`` cards of a set, or all if there are fewer."""
    result = 0
    for _ in range(n):
        bit = cards & -cards
        result |= bit
        cards ^= bit
    return result


@kernel
def costliest_card(cards):
    """The card that costs most if it is left in hand (the lowest of several); NONE for an empty set."""
    result = NONE
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if result == NONE or worth(card) > worth(result):
            result = card
    return result
