"""The mathematics of Go: groups, their scores, and best partitions of a hand.

    group       a set of cards; valid if it is a singleton, N of a kind or a run
    position    0..9: the place of a card in its hand sorted by card number, so Aces come first
    part        a set of positions as a bit mask
    open run    a run under construction, whose last card so far may be an Ace
    work        scratch of WORK integers: parts and their scores, open runs, and two tables over all sets of positions

Within a run, value and colour change together: all cards but Aces have the same parity of value plus colour.  So the
value for which an Ace stands fixes the Ace's colour, and runs can be built value by value.
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
"""Where ``work`` has parts, their scores, open runs and, by set of positions, the best total and its ways."""
WORK = 4096
"""The length of the scratch. The tests measure that ten cards never have as many as 512 parts."""
UNREACHED = -(1 << 30)


@kernel
def penalty(cards):
    """The values of a set of cards added up, an Ace as 20."""
    total = 0
    while cards:
        card = lowest(cards)
        total += ACE_PENALTY if card < 4 else (card >> 2) + 1
        cards &= cards - 1
    return total


@kernel
def is_run(cards):
    """Whether a set of cards is a run."""
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
        here = others >> (4 * value) & 0xF
        if here == 0:
            red_gaps += 1 - colour
            black_gaps += colour
        elif here & (here - 1) or not here & SUITS_OF_COLOUR[colour]:
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
    """The groups of N of a kind, from part 0 on."""
    result = 0
    first = 0
    while first < n:
        value = hand[first] >> 2
        end = first + 1
        while end < n and hand[end] >> 2 == value:
            end += 1
        if end - first > 1 and value:
            for choice in range(3, 1 << (end - first)):
                if choice & (choice - 1):
                    work[PARTS + result] = choice << first
                    work[SCORES + result] = FACTORIAL[size(choice)] * (value + 1)
                    result += 1
        first = end
    return result


@kernel
def find_runs(hand, n, work, n_parts):
    """The runs, from part ``n_parts`` on: each open run that ends at one value grows into the next.

    An open run is kept as ``part | low << 10``, where ``low`` is its lowest value.  There are two lists of them in
    ``work[RUNS:]``, ``old`` for the last value and ``new`` for this one, which swap places after each value.  Aces of
    one colour join in rising order, so that no set of cards comes twice.

    ``phase`` is the parity of the runs.  Each value takes three steps: its cards start new runs, they extend the old
    ones, and last Aces of the right colour extend the old ones in place of a card of this value.
    """
    aces = 0
    while aces < n and hand[aces] < 4:
        aces += 1
    for phase in range(2):
        old, olds = RUNS, 0
        new = RUNS + 512
        at = aces
        for value in range(1, 13):
            colour = phase ^ value & 1
            news = 0
            cards = at
            while at < n and hand[at] >> 2 == value:
                at += 1
            for k in range(cards, at):
                if hand[k] & 1 != colour:
                    continue
                work[new + news] = 1 << k | value << 10
                news += 1
                for r in range(old, old + olds):
                    part = work[r] & 1023 | 1 << k
                    low = work[r] >> 10
                    work[new + news] = part | low << 10
                    news += 1
                    if value - low > 1:
                        work[PARTS + n_parts] = part
                        work[SCORES + n_parts] = (value - low + 1) * (value + low + 2) // 2
                        n_parts += 1
            if olds and aces:
                used_by = 0
                for k in range(aces):
                    if hand[k] & 1 == colour:
                        used_by |= 1 << k
                for r in range(old, old + olds):
                    for k in range(aces):
                        if used_by >> k & 1 and (work[r] & used_by) >> k == 0:
                            work[new + news] = work[r] | 1 << k
                            news += 1
            old, new = new, old
            olds = news
    return n_parts


@kernel
def find_parts_with_first(hand, n, work):
    """Write those groups of ``find_parts`` that have the lowest card, ``hand[0]``, in the same order; return how many.

    Scores are not written.  If the card is an Ace, all groups are found, and those without it are dropped.  Otherwise
    the hand has no Aces, since they come first; then a run can only start with this card.  It grows value by value, as
    in ``find_runs``, and usually stops at once.
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
    for choice in range(3, 1 << at, 2):  # odd, so with the first card, and one more at least
        work[PARTS + result] = choice
        result += 1
    colour = hand[0] & 1
    length = 1
    work[RUNS] = 1
    old, olds = RUNS, 1
    new = RUNS + 512
    while olds:
        length += 1
        value += 1
        colour ^= 1
        news = 0
        while at < n and hand[at] >> 2 == value:
            if hand[at] & 1 == colour:
                for r in range(old, old + olds):
                    part = work[r] | 1 << at
                    work[new + news] = part
                    news += 1
                    if length > 2:
                        work[PARTS + result] = part
                        result += 1
            at += 1
        old, new = new, old
        olds = news
    return result


@kernel
def best_score(hand, n, work):
    """The best total of any partition of ``hand[0:n]`` into valid groups; ``work[WAYS]`` is how many reach it.

    ``left`` goes through all sets of positions that may still have to be grouped, from all of them down to none. The
    next group is always one with the lowest card left, so every partition is counted once. Cards that are in no group
    of two or more (those not in ``tied``) are groups of their own in every partition and are left out.
    """
    n_parts = find_parts(hand, n, work)
    tied = 0
    for g in range(n_parts):
        tied |= work[PARTS + g]
    alone = 0
    for i in range(n):
        if not tied >> i & 1:
            alone += singleton_score(hand[i])
    left = tied
    while left:
        left = left - 1 & tied
        work[BEST + left] = UNREACHED
        work[WAYS + left] = 0
    work[BEST + tied] = alone
    work[WAYS + tied] = 1
    left = tied
    while left:
        ways = work[WAYS + left]
        if ways:
            so_far = work[BEST + left]
            low = left & -left
            note_total(work, left ^ low, so_far + singleton_score(hand[lowest(low)]), ways)
            for g in range(n_parts):
                part = work[PARTS + g]
                if part & low and part & left == part:
                    note_total(work, left ^ part, so_far + work[SCORES + g], ways)
        left = left - 1 & tied
    return work[BEST]


@kernel
def singleton_score(card):
    """The score of a card as a group of its own."""
    return -ACE_PENALTY if card < 4 else -(card >> 2) - 1


@kernel
def note_total(work, left, total, ways):
    """Note that ``ways`` partial partitions score ``total`` and leave the positions ``left``."""
    if total > work[BEST + left]:
        work[BEST + left] = total
        work[WAYS + left] = ways
    elif total == work[BEST + left]:
        work[WAYS + left] += ways


def best_partitions(hand: list[int]) -> tuple[int, list[list[int]]]:
    """The best score of up to ten different cards, and every partition that reaches it, as a list of parts.

    Positions in a part are those of the sorted cards.
    """
    hand = sorted(hand)
    work = [0] * (RUNS + 1024)
    n_parts = find_parts(hand, len(hand), work)
    with_lowest: list[list[tuple[int, int]]] = [
        [(1 << k, -ACE_PENALTY if card < 4 else -(card >> 2) - 1)] for k, card in enumerate(hand)
    ]
    for part, part_score in zip(work[PARTS : PARTS + n_parts], work[SCORES : SCORES + n_parts], strict=True):
        with_lowest[(part & -part).bit_length() - 1].append((part, part_score))
    solved: dict[int, tuple[int, list[int]]] = {0: (0, [])}
    if hand:
        solve_parts((1 << len(hand)) - 1, with_lowest, solved)
    return solved[(1 << len(hand)) - 1][0], partitions_of((1 << len(hand)) - 1, solved)


def solve_parts(left: int, with_lowest: list[list[tuple[int, int]]], solved: dict[int, tuple[int, list[int]]]) -> int:
    """The best score of the positions ``left``, noted in ``solved`` with every first part that reaches it.

    ``with_lowest`` has, by position, the parts whose lowest position it is, with their scores.
    """
    top, firsts = UNREACHED, []
    for part, part_score in with_lowest[(left & -left).bit_length() - 1]:
        if part & left != part:
            continue
        rest = left ^ part
        total = part_score + (solved[rest][0] if rest in solved else solve_parts(rest, with_lowest, solved))
        if total > top:
            top, firsts = total, [part]
        elif total == top:
            firsts.append(part)
    solved[left] = (top, firsts)
    return top


def partitions_of(left: int, solved: dict[int, tuple[int, list[int]]]) -> list[list[int]]:
    """All best partitions of the positions ``left``."""
    if not left:
        return [[]]
    return [[part, *rest] for part in solved[left][1] for rest in partitions_of(left ^ part, solved)]
