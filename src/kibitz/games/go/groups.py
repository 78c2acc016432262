"""The mathematics of Go: groups, their scores, and best partitions of a hand.

    group       a set of cards; valid if it is a singleton, N of a kind or a run
    position    0..9: the place of a card in its hand sorted by card number, so Aces come first
    part        a set of positions as a bit mask
    open run    a run under construction, which may end with an Ace
    work        scratch of WORK integers: parts and their scores, open runs, and two tables over all sets of positions

From one card of a run to the next, value and colour both change, so value plus colour has the same parity for all its
cards but Aces.  The value for which an Ace stands therefore fixes the Ace's colour, and runs can be built value by
value.
"""

from kibitz.cards.sets import lowest, size
from kibitz.kernel import kernel

ACES = 0xF
"""The four Aces as a set of cards."""
SUITS_OF_COLOUR = (0b0101, 0b1010)
"""Red and black suits of one value (diamonds and hearts; clubs and spades)."""
ACE_PENALTY = 20
FACTORIAL = (1, 1, 2, 6, 24)

PARTS, SCORES, RUNS, BEST, WAYS = 0, 512, 1024, 2048, 3072
"""Where ``work`` has the parts, their scores, the open runs and, by set of positions, the best total and its ways."""
WORK = 4096
"""The length of ``work``. Ten cards never have as many as 512 parts: the tests measure it."""
UNREACHED = -(1 << 30)
"""Less than any total: no partial partition leaves these positions."""


@kernel
def penalty(cards):
    """The sum of the values of a set of cards; an Ace counts 20."""
    total = 0
    while cards:
        card = lowest(cards)
        total += ACE_PENALTY if card < 4 else (card >> 2) + 1
        cards &= cards - 1
    return total


@kernel
def is_run(cards):
    """Whether a set of cards is a run.

    ``others`` are the cards that aren't Aces. The lowest of them and the number of cards fix all values of the run; the
    missing values of each colour must be as many as the Aces of that colour.
    """
    others = cards & ~ACES
    length = size(cards)
    if length < 3 or others & (others - 1) == 0:
        return False
    low = lowest(others) >> 2
    high = low + length - 1
    if high > 12 or others >> (4 * high + 4) or not others >> (4 * high):
        return False
    red_gaps = 0
    black_gaps = 0
    colour = lowest(others) & 1
    for value in range(low, high + 1):
        at_value = others >> (4 * value) & 0xF
        if at_value == 0:
            red_gaps += 1 - colour
            black_gaps += colour
        elif at_value & (at_value - 1) or not at_value & SUITS_OF_COLOUR[colour]:
            return False
        colour = 1 - colour
    return red_gaps == size(cards & SUITS_OF_COLOUR[0]) and black_gaps == size(cards & SUITS_OF_COLOUR[1])


@kernel
def is_kind(cards):
    """Whether a set of two or more cards is N of a kind: one value, no Aces."""
    if cards & (cards - 1) == 0 or cards & ACES:
        return False
    low = lowest(cards) >> 2
    return cards >> (4 * low + 4) == 0


@kernel
def is_valid(cards):
    """Whether a non-empty set of cards is a valid group."""
    return cards & (cards - 1) == 0 or is_kind(cards) or is_run(cards)


@kernel
def score(cards):
    """The score of a set of cards as one group, negative if it is invalid; the empty set scores 0."""
    if cards & (cards - 1):
        if is_kind(cards):
            return FACTORIAL[size(cards)] * ((lowest(cards) >> 2) + 1)
        if is_run(cards):
            length = size(cards)
            return length * (2 * (lowest(cards & ~ACES) >> 2) + length + 1) // 2
    return -penalty(cards)


@kernel
def find_parts(hand, n, work):
    """Write every valid group of two or more of the cards ``hand[0:n]`` and its score into ``work``; return how many.

    ``hand`` is sorted and has no card twice, and ``n`` is 10 at most.
    """
    return find_runs(hand, n, work, find_kinds(hand, n, work))


@kernel
def find_kinds(hand, n, work):
    """Write all groups of N of a kind into ``work``, from part 0 on; return how many."""
    result = 0
    first = 0
    while first < n:
        value = hand[first] >> 2
        end = first + 1
        while end < n and hand[end] >> 2 == value:
            end += 1
        if end - first > 1 and value:
            for choice in range(3, 1 << (end - first)):
                if choice & (choice - 1):  # two or more
                    work[PARTS + result] = choice << first
                    work[SCORES + result] = FACTORIAL[size(choice)] * (value + 1)
                    result += 1
        first = end
    return result


@kernel
def find_runs(hand, n, work, n_parts):
    """Write all runs into ``work``, from part ``n_parts`` on; return the new number of parts.

    Runs are built value by value, first those of one parity (``phase``), then those of the other.  An open run is the
    number ``part | low << 10``, where ``low`` is its lowest value.  ``work[RUNS:]`` has two lists of them: at ``old``
    those that end at the last value, at ``new`` those that end at this one.  The lists swap after each value.

    Each value takes three steps: its cards start new open runs; they extend the old ones; and Aces of the right colour
    extend the old ones in place of a card of this value.  Aces of one colour join in rising order, so that no set of
    cards comes twice.
    """
    aces = 0
    while aces < n and hand[aces] < 4:
        aces += 1
    for phase in range(2):
        old, n_old = RUNS, 0
        new = RUNS + 512
        at = aces
        for value in range(1, 13):
            colour = phase ^ value & 1  # the colour of this value in runs of this parity: 0 red, 1 black
            n_new = 0
            cards = at
            while at < n and hand[at] >> 2 == value:
                at += 1
            for k in range(cards, at):
                if hand[k] & 1 != colour:
                    continue
                work[new + n_new] = 1 << k | value << 10
                n_new += 1
                for r in range(old, old + n_old):
                    part = work[r] & 1023 | 1 << k
                    low = work[r] >> 10
                    work[new + n_new] = part | low << 10
                    n_new += 1
                    if value - low > 1:
                        work[PARTS + n_parts] = part
                        work[SCORES + n_parts] = (value - low + 1) * (value + low + 2) // 2
                        n_parts += 1
            if n_old and aces:
                aces_of_colour = 0
                for k in range(aces):
                    if hand[k] & 1 == colour:
                        aces_of_colour |= 1 << k
                for r in range(old, old + n_old):
                    for k in range(aces):
                        if aces_of_colour >> k & 1 and (work[r] & aces_of_colour) >> k == 0:  # none from k on
                            work[new + n_new] = work[r] | 1 << k
                            n_new += 1
            old, new = new, old
            n_old = n_new
    return n_parts


@kernel
def find_parts_with_first(hand, n, work):
    """Write those groups of ``find_parts`` that contain the lowest card, ``hand[0]``; return how many.

    They keep their order, and their scores are not written.  If the card is an Ace, all groups are found, and those
    without it are dropped.  Otherwise the hand has no Aces, since they come first, and every run with the card starts
    with it.  Such runs are built value by value, as in ``find_runs``; usually there are none.
    """
    result = 0
    if hand[0] < 4:
        for i in range(find_parts(hand, n, work)):
            if work[PARTS + i] & 1:
                work[PARTS + result] = work[PARTS + i]
                result += 1
        return result
    value = hand[0] >> 2
    at = 1
    while at < n and hand[at] >> 2 == value:
        at += 1
    for choice in range(3, 1 << at, 2):  # odd numbers contain the first card; from 3 on, another one, too
        work[PARTS + result] = choice
        result += 1
    colour = hand[0] & 1
    length = 1
    work[RUNS] = 1
    old, n_old = RUNS, 1
    new = RUNS + 512
    while n_old:
        length += 1
        value += 1
        colour ^= 1
        n_new = 0
        while at < n and hand[at] >> 2 == value:
            if hand[at] & 1 == colour:
                for r in range(old, old + n_old):
                    part = work[r] | 1 << at
                    work[new + n_new] = part
                    n_new += 1
                    if length > 2:
                        work[PARTS + result] = part
                        result += 1
            at += 1
        old, new = new, old
        n_old = n_new
    return result


@kernel
def best_score(hand, n, work):
    """The best total of any partition of ``hand[0:n]`` into valid groups; ``work[WAYS]`` is how many reach it.

    ``groupable`` are the cards that are in some group of two or more; all others are groups of their own in every
    partition, worth ``singletons`` in all. ``left`` goes through all sets of groupable positions that may still have to
    be grouped, from all of them down to none. The next group always contains the lowest card left, so every partition
    is counted once.
    """
    n_parts = find_parts(hand, n, work)
    groupable = 0
    for g in range(n_parts):
        groupable |= work[PARTS + g]
    singletons = 0
    for i in range(n):
        if not groupable >> i & 1:
            singletons += singleton_score(hand[i])
    left = groupable
    while left:
        left = left - 1 & groupable  # the next smaller subset
        work[BEST + left] = UNREACHED
        work[WAYS + left] = 0
    work[BEST + groupable] = singletons
    work[WAYS + groupable] = 1
    left = groupable
    while left:
        ways = work[WAYS + left]
        if ways:
            total = work[BEST + left]
            low = left & -left
            note_total(work, left ^ low, total + singleton_score(hand[lowest(low)]), ways)
            for g in range(n_parts):
                part = work[PARTS + g]
                if part & low and part & left == part:
                    note_total(work, left ^ part, total + work[SCORES + g], ways)
        left = left - 1 & groupable
    return work[BEST]


@kernel
def singleton_score(card):
    """The score of a card as a group of its own."""
    return -ACE_PENALTY if card < 4 else -(card >> 2) - 1


@kernel
def note_total(work, left, total, ways):
    """Note that ``ways`` partial partitions score ``total`` and leave the positions ``left`` ungrouped."""
    if total > work[BEST + left]:
        work[BEST + left] = total
        work[WAYS + left] = ways
    elif total == work[BEST + left]:
        work[WAYS + left] += ways


def best_partitions(hand: list[int]) -> tuple[int, list[list[int]]]:
    """The best score of up to ten different cards, and every partition that reaches it.

    A partition is a list of parts, whose positions are those of the sorted cards.
    """
    hand = sorted(hand)
    work = [0] * (RUNS + 1024)  # BEST and WAYS aren't needed
    n_parts = find_parts(hand, len(hand), work)
    with_lowest: list[list[tuple[int, int]]] = [[(1 << k, singleton_score(card))] for k, card in enumerate(hand)]
    for part, part_score in zip(work[PARTS : PARTS + n_parts], work[SCORES : SCORES + n_parts], strict=True):
        with_lowest[(part & -part).bit_length() - 1].append((part, part_score))
    solved: dict[int, tuple[int, list[int]]] = {0: (0, [])}
    everything = (1 << len(hand)) - 1
    if hand:
        solve_parts(everything, with_lowest, solved)
    return solved[everything][0], partitions_of(everything, solved)


def solve_parts(left: int, with_lowest: list[list[tuple[int, int]]], solved: dict[int, tuple[int, list[int]]]) -> int:
    """The best score of the positions ``left``; ``solved[left]`` notes it, with the parts that can come first.

    ``with_lowest`` lists, by position, the parts that have this lowest position, with their scores.
    """
    best, firsts = UNREACHED, []
    for part, part_score in with_lowest[(left & -left).bit_length() - 1]:
        if part & left != part:
            continue
        rest = left ^ part
        total = part_score + (solved[rest][0] if rest in solved else solve_parts(rest, with_lowest, solved))
        if total > best:
            best, firsts = total, [part]
        elif total == best:
            firsts.append(part)
    solved[left] = (best, firsts)
    return best


def partitions_of(left: int, solved: dict[int, tuple[int, list[int]]]) -> list[list[int]]:
    """All best partitions of the positions ``left``."""
    if not left:
        return [[]]
    return [[part, *rest] for part in solved[left][1] for rest in partitions_of(left ^ part, solved)]
