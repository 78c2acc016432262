"""Which kinds of moves a hand has, without listing a single move.

    hand        a set of heights (see ``moves``)
    holding     a set of kinds as bits: bit ``i`` for ``moves.KINDS[i]``, so single cards are 1, straight flushes 256

Of two holdings the greater number is the one that comes first when their kinds are compared from the greatest down,
and, where one list of kinds goes on after the other has ended, the longer one: the order of the report's computer
player (rule sheet "president").
"""

from kibitz.games.president.fives import run_starts
from kibitz.games.president.kinds import values_with_four, values_with_three, values_with_two
from kibitz.games.president.moves import ONE_SUIT, RUN
from kibitz.kernel import kernel

FIVES_FROM = 4
"""Bit ``i`` of a set of kinds of five cards is bit ``FIVES_FROM + i`` of a holding."""


@kernel
def kinds_held(hand, fives):
    """The kinds of moves that a hand has, where the kinds of five cards in ``fives`` count."""
    twos = values_with_two(hand)
    threes = values_with_three(hand)
    fours = values_with_four(hand)
    held = (hand != 0) | (twos != 0) << 1 | (threes != 0) << 2 | (fours != 0) << 3
    five = has_straight(hand) | has_flush(hand) << 1
    five |= (threes != 0 and twos & (twos - 1) != 0) << 2
    five |= (fours != 0 and hand != 15 * fours) << 3
    five |= (hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16 != 0) << 4
    return held | (five & fives) << FIVES_FROM


@kernel
def has_straight(hand):
    """Whether there is a straight that is no straight flush, as 0 or 1."""
    starts = run_starts(hand)
    while starts:
        start = starts & -starts
        starts ^= start
        run = hand & 15 * RUN * start
        if not is_one_suit(run, start):
            return 1
    return 0


@kernel
def is_one_suit(run, start):
    """Whether a run that begins with the value whose diamond is ``start`` is five cards of one suit and no more."""
    at_start = run & 15 * start
    return at_start & (at_start - 1) == 0 and run == RUN * at_start


@kernel
def has_flush(hand):
    """Whether there is a flush that is no straight flush, as 0 or 1."""
    for suit in range(4):
        cards = hand >> suit & ONE_SUIT
        more = cards
        for _ in range(4):
            more &= more - 1
        if more and cards != RUN * (cards & -cards):
            return 1
    return 0
