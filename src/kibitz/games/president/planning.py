"""The play of ``greedy`` as kernels: it follows a plan that empties the hand in the fewest moves.

    plan        moves that use every card of a hand once; a shortest plan has the fewest moves
    work        the scratch: first a list of moves for the callers, such as the legal ones, which the search for a plan
                doesn't touch; then the search; then the lengths of the shortest plans found so far

The strategy ``greedy`` gets a view and the policy ``greedy`` a position; both use these kernels.

``shed`` finds a shortest plan exactly:

    hand        a set of heights (see ``moves``), at most 26 cards
    five        a move of five cards
    paid        a value that gets a move of its own, for all of its cards that no five uses
    left        cards whose values are not paid: each of them must be in a five
    spare       cards of paid values that no five has used yet: fives may use them or not

Without fives, every value takes one move, however many cards of it there are: splitting the cards of one value never
saves a move.  So a plan is a choice of fives and of paid values, each costing one move, such that all cards of the
other values are in a five.

The search is iterative deepening.  At each step, either a five with the lowest card left is played, or the value of
that card is paid.  ``lower_bound`` cuts off positions that need more moves than remain.  A table remembers positions
and numbers of moves that were not enough for them; this holds for any hand that leads to such a position.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.listing import run_starts, values_with_four, values_with_three, values_with_two
from kibitz.games.president.moves import ALL_FIVES, ONE_SUIT, PAIR_SUITS, TRIPLE_SUITS, cards_in, is_allowed, move_of
from kibitz.games.president.rules import PASS, TRADE
from kibitz.kernel import kernel

# The fewest moves that empty a hand


MAX_DEPTH = 16
"""More moves than any plan has: there are 13 values."""
TABLE = 1 << 13
"""How many failed positions are remembered, each as three numbers."""
LIST_SIZE = 20_000
"""The length of the list for callers at the beginning of the scratch: more than any list of moves needs."""
PLAN = LIST_SIZE
LEFT, SPARE, NEXT, LAST = PLAN + MAX_DEPTH, PLAN + 2 * MAX_DEPTH, PLAN + 3 * MAX_DEPTH, PLAN + 4 * MAX_DEPTH
FAILED = PLAN + 5 * MAX_DEPTH
CHOICES = FAILED + 3 * TABLE
SHED_SIZE = CHOICES + (1 << 15)
"""The length of the scratch.  It has the list for callers, the plan, a stack of positions (left and spare cards, the
next choice to try, and the end of the choices), the table of failed positions, and the choices of all positions on the
stack."""


def fewest_moves(hand: int, work: list[int] | None = None, fives: int = ALL_FIVES) -> tuple[int, list[int]]:
    """The fewest moves that empty ``hand``, and the cards of each move of one such plan, as sets of heights.

    ``work`` may be the scratch of an earlier call, which remembers failed positions; at first it is SHED_SIZE zeros.
    ``fives`` are the allowed kinds of five cards, as bits (``moves.FIVES``).

    >>> fewest_moves(0b1111_0011)
    (2, [115, 128])
    """
    work = [0] * SHED_SIZE if work is None else work
    n = int(shed(hand, fives, work))
    return n, sorted(work[PLAN : PLAN + n])


@kernel
def shed(hand, fives, work):
    """The fewest moves that empty a hand; the plan is written into ``work`` from ``PLAN`` on."""
    moves = lower_bound(hand, 0)
    while not can_shed(hand, moves, fives, work):
        moves += 1
    return moves


@kernel
def lower_bound(left, spare):
    """A lower bound on the moves that a position still takes.

    With k fives, as many values can disappear as 5 k cards can cover, counting the values with the fewest cards first;
    each of the others takes a move.  For 3♦ 4♦ 5♦ 6♦ 7♦ K♦ K♠, six values: six moves without a five; with one, the
    five single cards disappear, and the kings take the second move.
    """
    values = size((left | left >> 1 | left >> 2 | left >> 3) & ONE_SUIT)
    fours = size(values_with_four(left))
    threes = size(values_with_three(left)) - fours
    twos = size(values_with_two(left)) - fours - threes
    ones = values - twos - threes - fours
    best = values
    for fives in range(1, (size(left) + size(spare)) // 5 + 1):
        room = 5 * fives - min(ones, 5 * fives)
        covered = min(ones, 5 * fives) + min(twos, room // 2)
        room -= 2 * min(twos, room // 2)
        covered += min(threes, room // 3)
        room -= 3 * min(threes, room // 3)
        covered += min(fours, room // 4)
        best = min(best, fives + values - covered)
    return best


@kernel
def can_shed(hand, moves, fives, work):
    """Whether a hand can be emptied in this many moves; if so, the plan is written into ``work``."""
    depth = 0
    work[LEFT] = hand
    work[SPARE] = 0
    work[NEXT] = CHOICES
    work[LAST] = write_choices(hand, 0, moves, fives, work, CHOICES)
    while depth >= 0:
        left = work[LEFT + depth]
        spare = work[SPARE + depth]
        if left == 0:
            remove_used_cards(depth, work)
            return True
        if work[NEXT + depth] == work[LAST + depth]:
            remember(left, spare, moves - depth, fives, work)
            depth -= 1
            continue
        cards = work[work[NEXT + depth]]
        work[NEXT + depth] += 1
        work[PLAN + depth] = cards
        if size(cards) == 5:
            spare &= ~cards
        else:
            spare |= cards
        left &= ~cards
        depth += 1
        first = work[LAST + depth - 1]
        work[LEFT + depth] = left
        work[SPARE + depth] = spare
        work[NEXT + depth] = first
        work[LAST + depth] = write_choices(left, spare, moves - depth, fives, work, first)
    return False


@kernel
def remove_used_cards(n, work):
    """Remove the cards that fives use from the moves of values that were paid before these fives."""
    for i in range(n):
        if size(work[PLAN + i]) < 5:
            for j in range(i + 1, n):
                if size(work[PLAN + j]) == 5:
                    work[PLAN + i] &= ~work[PLAN + j]


@kernel
def table_key(cards, fives):
    """A set of cards and the allowed kinds of fives as one number: the fives are above the 52 bits of the cards."""
    return fives + 1 << 52 | cards


@kernel
def table_slot(left, spare):
    """The index in ``work`` of a position's slot in the table: the bits of both sets are folded into thirteen."""
    mixed = left ^ left >> 13 ^ left >> 26 ^ left >> 39 ^ spare >> 5 ^ spare >> 18 ^ spare >> 31 ^ spare >> 44
    return FAILED + 3 * (mixed & (TABLE - 1))


@kernel
def remember(left, spare, moves, fives, work):
    """Remember that this many moves don't empty a position."""
    slot = table_slot(left, spare)
    work[slot] = left
    work[slot + 1] = table_key(spare, fives)
    work[slot + 2] = moves


@kernel
def write_choices(left, spare, moves, fives, work, n):
    """Write the choices in a position into ``work[n:]``, none if it is hopeless; return where they end.

    Every plan has to get rid of the lowest card left, so it is enough to try the fives with that card and, last, to pay
    for its value.
    """
    if left == 0 or lower_bound(left, spare) > moves:
        return n
    slot = table_slot(left, spare)
    if work[slot] == left and work[slot + 1] == table_key(spare, fives) and work[slot + 2] >= moves:
        return n
    low = lowest(left)
    if moves > 1 or size(left) <= 5:
        first = n
        n = full_houses_and_fours_with(left | spare, low, work, n)
        n = straights_with(left | spare, low, work, n)
        n = flushes_with((left | spare) >> (low & 3) & ONE_SUIT, low, work, n)
        if fives != ALL_FIVES:
            n = keep_allowed(fives, work, first, n)
    work[n] = left & 15 << (low & ~3)
    return n + 1


@kernel
def keep_allowed(fives, work, first, n):
    """Keep those of the choices ``work[first:n]`` whose kind is allowed; return where they end."""
    end = first
    for i in range(first, n):
        if is_allowed(move_of(work[i]), fives):
            work[end] = work[i]
            end += 1
    return end


@kernel
def full_houses_and_fours_with(cards, low, work, n):
    """Write the full houses and fours with one more card, among ``cards``, that contain the card ``low``."""
    value = low & ~3
    own = cards >> value & 15
    twos = values_with_two(cards) & ~(1 << value)
    while twos:
        two = lowest(twos)
        twos &= twos - 1
        for i in range(4):
            if own & TRIPLE_SUITS[i] != TRIPLE_SUITS[i] or not TRIPLE_SUITS[i] << value >> low & 1:
                continue
            for j in range(6):
                if cards >> two & PAIR_SUITS[j] == PAIR_SUITS[j]:
                    work[n] = TRIPLE_SUITS[i] << value | PAIR_SUITS[j] << two
                    n += 1
    threes = values_with_three(cards) & ~(1 << value)
    while threes:
        three = lowest(threes)
        threes &= threes - 1
        for j in range(6):
            if own & PAIR_SUITS[j] != PAIR_SUITS[j] or not PAIR_SUITS[j] << value >> low & 1:
                continue
            for i in range(4):
                if cards >> three & TRIPLE_SUITS[i] == TRIPLE_SUITS[i]:
                    work[n] = TRIPLE_SUITS[i] << three | PAIR_SUITS[j] << value
                    n += 1
    fours = values_with_four(cards)
    while fours:
        four = lowest(fours)
        fours &= fours - 1
        if four != value:
            work[n] = 15 << four | 1 << low
            n += 1
            continue
        others = cards & ~(15 << four)
        while others:
            work[n] = 15 << four | others & -others
            others &= others - 1
            n += 1
    return n


@kernel
def straights_with(cards, low, work, n):
    """Write the straights, among ``cards``, that contain the card ``low``: every choice of one card of each value.

    ``x & -x`` is the lowest bit of a set, and ``x ^= x & -x`` removes it.
    """
    cards = cards & ~(15 << (low & ~3)) | 1 << low  # of its value, only the card itself
    starts = run_starts(cards)
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        if not start <= low <= start + 19:
            continue
        run = cards >> start
        a_left = run & 15
        while a_left:
            a = a_left & -a_left
            a_left ^= a
            b_left = run & 15 << 4
            while b_left:
                b = b_left & -b_left
                b_left ^= b
                c_left = run & 15 << 8
                while c_left:
                    c = c_left & -c_left
                    c_left ^= c
                    d_left = run & 15 << 12
                    while d_left:
                        d = d_left & -d_left
                        d_left ^= d
                        e_left = run & 15 << 16
                        while e_left:
                            e = e_left & -e_left
                            e_left ^= e
                            work[n] = (a | b | c | d | e) << start
                            n += 1
    return n


@kernel
def flushes_with(suit, low, work, n):
    """Write the flushes that contain the card ``low``; ``suit`` are the cards of its suit, shifted to diamonds."""
    value = low >> 2
    others = suit & ~(1 << 4 * value)
    base = 1 << 4 * value
    a_left = others
    while a_left:
        a = a_left & -a_left
        a_left ^= a
        b_left = a_left
        while b_left:
            b = b_left & -b_left
            b_left ^= b
            c_left = b_left
            while c_left:
                c = c_left & -c_left
                c_left ^= c
                d_left = c_left
                while d_left:
                    d = d_left & -d_left
                    d_left ^= d
                    work[n] = (base | a | b | c | d) << (low & 3)
                    n += 1
    return n


# The play of ``greedy``


CACHE_SIZE = 1 << 13
"""How many lengths of shortest plans are cached, each as a key and a length."""
WORK = SHED_SIZE + 2 * CACHE_SIZE
CANDIDATES = 24
"""How many of the lowest moves that can follow are considered."""
ENDGAME_MOVES = 2
"""With at most this many moves to go, the highest is played first."""
NEARLY_OUT = 2
"""A player with at most this many cards must be stopped at any price."""
MAX_DETOUR = 2
"""How many moves longer a plan may become; if it becomes longer still, passing is better."""
NONE = -1


@kernel
def plan_length(hand, fives, work):
    """The fewest moves that empty a hand, from the cache if it is there."""
    if hand == 0:
        return 0
    key = table_key(hand, fives)
    slot = SHED_SIZE + 2 * ((hand ^ hand >> 11 ^ hand >> 23 ^ hand >> 37) & CACHE_SIZE - 1)
    if work[slot] == key:
        return work[slot + 1]
    result = shed(hand, fives, work)
    work[slot] = key
    work[slot + 1] = result
    return result


@kernel
def choose_return(hand, n, fives, work):
    """Choose one of the ``n`` returns in ``work``: the lowest card that leaves a shortest plan."""
    chosen = work[0]
    least = 1 << 30
    for i in range(n):
        a = work[i]
        length = plan_length(hand & ~(1 << a - TRADE), fives, work)
        if length < least or (length == least and a < chosen):
            least = length
            chosen = a
    return chosen


@kernel
def choose_follow(hand, n, fewest, fives, work):
    """Choose one of the ``n`` actions in ``work`` to follow with.

    That is the lowest move that is in a shortest plan, else the one that lengthens the plan least. If that adds more
    than MAX_DETOUR moves, the choice is to pass, unless another player is nearly out and must be stopped: ``fewest`` is
    the smallest number of cards that another player has.
    """
    now = plan_length(hand, fives, work)
    least = 1 << 30
    low = high = planned = PASS  # the lowest and the highest of the best moves, and the last one in a shortest plan
    a = NONE
    for _ in range(min(n - 1, CANDIDATES)):
        a = next_higher(a, n, work)
        length = plan_length(hand & ~cards_in(a), fives, work)
        if length < now:
            if now > ENDGAME_MOVES:
                return a
            planned = a
        if length <= least:
            high = a
        if length < least:
            low = a
            least = length
    if planned != PASS:
        return planned
    if least <= now + MAX_DETOUR:
        return low
    return high if fewest <= NEARLY_OUT else PASS


@kernel
def next_higher(a, n, work):
    """The lowest of the ``n`` moves in ``work``, which aren't sorted, that is higher than ``a``; PASS if none is."""
    result = PASS
    for i in range(n):
        if a < work[i] < result:
            result = work[i]
    return result


@kernel
def choose_lead(hand, required, fewest, outstanding, fives, work):
    """Choose the move of a shortest plan with the lowest card of the hand; with two moves to go, the safer one.

    The move contains the cards in ``required``, if any.  Against a player with one card left (``fewest`` is 1), it has
    more than one card, or is the highest.  ``outstanding`` are the cards that others may still hold.
    """
    moves = shed(hand, fives, work)
    if moves == ENDGAME_MOVES:
        return safer_move(required, outstanding, work)
    chosen = NONE
    highest_move = NONE
    for i in range(moves):
        cards = work[PLAN + i]
        if required and not cards & required:
            continue
        if highest_move == NONE or lowest(cards) > lowest(cards_in(highest_move)):
            highest_move = move_of(cards)
        if fewest == 1 and size(cards) == 1:
            continue
        if chosen == NONE or lowest(cards) < lowest(cards_in(chosen)):
            chosen = move_of(cards)
    return highest_move if chosen == NONE else chosen


@kernel
def safer_move(required, outstanding, work):
    """Of the two planned moves, the one that others are less likely to beat; if equal, the lower one."""
    low = min(work[PLAN], work[PLAN + 1])
    high = max(work[PLAN], work[PLAN + 1])
    if required and not high & required:
        return move_of(low)
    if required and not low & required:
        return move_of(high)
    return move_of(high) if is_safer(high, low, outstanding) else move_of(low)


@kernel
def is_safer(move, other, outstanding):
    """Whether a move is safer than another; both are sets of cards.

    A move's safety is the share of the outstanding cards that its highest card beats, to the power of 1 / size, since
    more cards are harder to beat.  Of equally safe moves, the larger one counts as safer.  Whole numbers compare as
    ``beaten ** size(other) * everything ** size(move)`` with ``beaten_by_other ** size(move) * everything **
    size(other)``: both shares are raised to the power ``size(move) * size(other)`` and multiplied by both denominators.
    """
    beaten = 1 + size(outstanding & (1 << highest(move)) - 1)
    beaten_by_other = 1 + size(outstanding & (1 << highest(other)) - 1)
    everything = 1 + size(outstanding)
    safety = 1
    other_safety = 1
    for _ in range(size(other)):
        safety *= beaten
        other_safety *= everything
    for _ in range(size(move)):
        other_safety *= beaten_by_other
        safety *= everything
    return safety > other_safety or (safety == other_safety and size(move) > size(other))
