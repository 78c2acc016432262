"""What each way to lay two of six cards away is worth: the show, the crib and the play together.

    scores      what five ranks score, by the sum of their codes (``sums.fill``)
    crib        by class of the two cards laid away, the mean of a crib they go into: CLASSES of the dealer's own, then
                as many for what the other seat lays into the dealer's crib
    pegs        by group of the four cards kept, what they peg above what the other seat pegs: those of the dealer,
                then of the other seat; OF_FOUR is subtracted from the group

The crib is that of two players who choose by these very numbers: see ``study``.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.cribbage.counting import FLUSH, JACK, ONE_SUIT
from kibitz.games.cribbage.sums import CLASSES, CODE, GROUPS, OF_FOUR, RANKS, class_of, code_of, group_of
from kibitz.kernel import kernel

KEPT = GROUPS - OF_FOUR
"""So many groups of four cards."""


@kernel
def hand_mean(scores, kept, unseen):
    """What the set ``kept`` scores on average, each card of the set ``unseen`` being the starter equally often."""
    number = code_of(kept)
    total = 0
    for rank in range(RANKS):
        times = size(unseen >> 4 * rank & 15)
        if times:
            total += times * scores[number + CODE[rank]]
    jacks = kept >> 4 * JACK & 15
    suit = 0
    while jacks:
        if jacks & 1:
            total += size(unseen & ONE_SUIT << suit)
        jacks >>= 1
        suit += 1
    starters = size(unseen)
    suit = lowest(kept) & 3
    if kept & ~(ONE_SUIT << suit) == 0 and size(kept) == FLUSH:
        total += FLUSH * starters + size(unseen & ONE_SUIT << suit)
    return total / starters


@kernel
def lay_value(scores, crib, pegs, hand, laid, unseen, dealer):
    """The mean of what a seat scores above the other for keeping the set ``hand`` without ``laid``; 1 for a dealer."""
    kept = hand & ~laid
    one = lowest(laid)
    other = lowest(laid & laid - 1)
    mean = hand_mean(scores, kept, unseen)
    group = group_of(kept) - OF_FOUR
    if dealer:
        return mean + crib[class_of(one, other)] + pegs[group]
    return mean - crib[CLASSES + class_of(one, other)] + pegs[KEPT + group]


@kernel
def best_lay(scores, crib, pegs, hand, unseen, dealer):
    """The two cards, as a set, that a hand of six is best without."""
    best = -1000.0
    found = 0
    first = hand
    while first:
        one = first & -first
        first ^= one
        second = first
        while second:
            other = second & -second
            second ^= other
            value = lay_value(scores, crib, pegs, hand, one | other, unseen, dealer)
            if value > best:
                best = value
                found = one | other
    return found
