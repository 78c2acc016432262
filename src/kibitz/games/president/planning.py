"""How ``greedy`` plays, as kernels: by a plan that empties the hand in the fewest moves.

    plan        a shortest one (``shedding``): every card is in one of its moves
    length      of how many moves it is
    work        the scratch of ``shedding``, and behind it the lengths of hands met before; the legal moves stand in its
                beginning, listed as the rules list them

The strategy plays by a view, the policy by a position, and both do what these kernels say.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.moves import cards_in, move_of
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.shedding import PLAN, marked, shed
from kibitz.games.president.shedding import WORK as KNOWN
from kibitz.kernel import kernel

HANDS = 1 << 13
"""So many lengths are remembered."""
WORK = KNOWN + 2 * HANDS
LOOKED_AT = 24
"""So many of the lowest moves are looked at to follow."""
LATE = 2
"""With so few moves to go, the highest is made first."""
NEARLY_OUT = 2
"""With so few cards, another player must be stopped at any price."""
SLACK = 2
"""By so many moves a plan may grow for the sake of a turn that is not passed: few tricks are won by waiting."""
NONE = -1


@kernel
def length(hand, fives, work):
    """The fewest moves that empty a hand."""
    if hand == 0:
        return 0
    known = marked(hand, fives)
    slot = KNOWN + 2 * ((hand ^ hand >> 11 ^ hand >> 23 ^ hand >> 37) & HANDS - 1)
    if work[slot] == known:
        return work[slot + 1]
    found = shed(hand, fives, work)
    work[slot] = known
    work[slot + 1] = found
    return found


@kernel
def given(hand, n, fives, work):
    """Which of ``n`` cards to return: the one without which the plan is shortest, the lowest of equals."""
    chosen = work[0]
    least = 1 << 30
    for i in range(n):
        a = work[i]
        left = length(hand & ~(1 << a - TRADE), fives, work)
        if left < least or (left == least and a < chosen):
            least = left
            chosen = a
    return chosen


@kernel
def followed(hand, n, fewest, fives, work):
    """The lowest of the ``n`` moves that is in a shortest plan, else the one that lengthens it least.

    If that is much it is a pass, unless another player is nearly out and must be stopped; ``fewest`` are the cards of
    the one who holds the fewest.
    """
    now = length(hand, fives, work)
    least = 1 << 30
    low = high = planned = PASS
    a = NONE
    for _ in range(min(n - 1, LOOKED_AT)):
        a = next_of(a, n, work)
        left = length(hand & ~cards_in(a), fives, work)
        if left < now:
            if now > LATE:
                return a
            planned = a
        if left <= least:
            high = a
        if left < least:
            low = a
            least = left
    if planned != PASS:
        return planned
    if least <= now + SLACK:
        return low
    return high if fewest <= NEARLY_OUT else PASS


@kernel
def next_of(a, n, work):
    """The lowest of the ``n`` moves that is higher than ``a``: fives are listed kind by kind, each from high to low."""
    found = PASS
    for i in range(n):
        if a < work[i] < found:
            found = work[i]
    return found


@kernel
def led(hand, must, fewest, out, fives, work):
    """The move of a shortest plan that rids the hand of its lowest card; shortly before the end, the safest one.

    It has the card that it must have, if there is one in ``must``.  Against a player with one card left it has more
    than one card, or the highest.  ``out`` are the cards that others may still hold.
    """
    moves = shed(hand, fives, work)
    if moves == LATE:
        return safest(must, out, work)
    chosen = NONE
    latest = NONE
    for i in range(moves):
        cards = work[PLAN + i]
        if must and not cards & must:
            continue
        if latest == NONE or lowest(cards) > lowest(cards_in(latest)):
            latest = move_of(cards)
        if fewest == 1 and size(cards) == 1:
            continue
        if chosen == NONE or lowest(cards) < lowest(cards_in(chosen)):
            chosen = move_of(cards)
    return latest if chosen == NONE else chosen


@kernel
def safest(must, out, work):
    """The one of two planned moves that others are less likely to beat, the lower of equals."""
    low = min(work[PLAN], work[PLAN + 1])
    high = max(work[PLAN], work[PLAN + 1])
    if must and not high & must:
        return move_of(low)
    if must and not low & must:
        return move_of(high)
    return move_of(high) if safer(high, low, out) else move_of(low)


@kernel
def safer(cards, others, out):
    """Whether a move is safer than another.

    That is the share of the cards still out that its highest beats, to the power of one by its size: more cards are
    harder to beat.  Of equally safe ones the larger is safer.
    """
    a = 1 + size(out & (1 << highest(cards)) - 1)
    b = 1 + size(out & (1 << highest(others)) - 1)
    all_out = 1 + size(out)
    ours = 1
    theirs = 1
    for _ in range(size(others)):
        ours *= a
        theirs *= all_out
    for _ in range(size(cards)):
        theirs *= b
        ours *= all_out
    return ours > theirs or (ours == theirs and size(cards) > size(others))
