"""The worth of each discard of two from six cards in cribbage: the show, the crib and the play together.

    scores      what five ranks score, by the sum of their codes (``evaluation.fill``)
    crib        by class of the two discards, the mean of the crib they go to: CLASSES for the dealer's own, then as
                many for the other seat's discards to the dealer's crib
    pegs        by group of the four cards kept, how much more they peg than the other seat: the dealer's, then the
                other seat's; OF_FOUR is subtracted from the group

The crib is that of two players who choose by these very numbers: see ``tools.cribbage_study``.
"""

from kibitz.cards.sets import FULL_PACK, lowest, size
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    CODE,
    FIRST_OF_FOUR,
    HANDS_OF_FOUR,
    RANKS,
    class_of,
    code_of,
    group_of,
)
from kibitz.games.cribbage.scoring import FLUSH, JACK, ONE_SUIT
from kibitz.kernel import kernel


@kernel
def hand_mean(scores, kept, unseen):
    """The mean score of the set ``kept``, with each card of the set ``unseen`` equally often as the starter."""
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
def discard_value(scores, crib, pegs, hand, laid, unseen, dealer):
    """A seat's mean net score if it keeps the set ``hand`` without ``laid``; 1 for a dealer."""
    kept = hand & ~laid
    one = lowest(laid)
    other = lowest(laid & laid - 1)
    mean = hand_mean(scores, kept, unseen)
    group = group_of(kept) - FIRST_OF_FOUR
    if dealer:
        return mean + crib[class_of(one, other)] + pegs[group]
    return mean - crib[CLASSES + class_of(one, other)] + pegs[HANDS_OF_FOUR + group]


@kernel
def best_discard(scores, crib, pegs, hand, unseen, dealer):
    """The two cards, as a set, that a hand of six should discard."""
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
            value = discard_value(scores, crib, pegs, hand, one | other, unseen, dealer)
            if value > best:
                best = value
                found = one | other
    return found


@kernel
def greedy_lay(scores, hand, dealer):
    """The two cards, as a set, that ``greedy`` discards from six."""
    unseen = FULL_PACK & ~hand
    best = -1000.0
    found = 0
    first = hand
    while first:
        one = first & -first
        first ^= one
        second = first
        while second:
            laid = one | second & -second
            second &= second - 1
            crib = random_crib(scores, laid, unseen)
            value = hand_mean(scores, hand & ~laid, unseen) + (crib if dealer else -crib)
            if value > best:
                best = value
                found = laid
    return found


@kernel
def random_crib(scores, laid, unseen):
    """The mean of a crib if the other seat discards any two cards."""
    n = size(unseen)
    ways = n * (n - 1) * (n - 2) / 6
    number = code_of(laid)
    total = 0
    for a in range(RANKS):
        has_a = size(unseen >> 4 * a & 15)
        for b in range(a, RANKS):
            has_b = size(unseen >> 4 * b & 15)
            for c in range(b, RANKS):
                has_c = size(unseen >> 4 * c & 15)
                if a == c:
                    times = has_a * (has_a - 1) * (has_a - 2) // 6
                elif a == b:
                    times = has_a * (has_a - 1) // 2 * has_c
                elif b == c:
                    times = has_a * (has_b * (has_b - 1) // 2)
                else:
                    times = has_a * has_b * has_c
                if times:
                    total += times * scores[number + CODE[a] + CODE[b] + CODE[c]]
    return total / ways + suits_in_crib(laid, unseen, n, ways)


@kernel
def suits_in_crib(laid, unseen, n, ways):
    """The mean points from nobs and a flush of five in a crib."""
    mean = 0.0
    for suit in range(4):
        suited = size(unseen & ONE_SUIT << suit)
        jack = 1 << 4 * JACK + suit
        if laid & jack:
            mean += suited / n
        elif unseen & jack:
            mean += 2 * (suited - 1) / (n * (n - 1))
        if laid & ~(ONE_SUIT << suit) == 0:
            mean += (FLUSH + 1) * (suited * (suited - 1) * (suited - 2) // 6) / ways
    return mean
