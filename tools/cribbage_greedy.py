"""What ``greedy`` discards, as kernels: the two cards of six with the best mean of hand and crib.

    scores      what five ranks score, by the sum of their codes (``cribbage_practice.fill_scores``)

The other seat is assumed to discard any two cards.  The strategy itself (``games.cribbage.policies``) has no table.
"""

from kibitz.cards.sets import FULL_PACK, size
from kibitz.games.cribbage.evaluation import CODE, RANKS
from kibitz.games.cribbage.scoring import FLUSH, JACK, ONE_SUIT
from kibitz.kernel import kernel
from tools.cribbage_practice import code_of, hand_mean


@kernel
def greedy_lay(scores, hand, dealer):
    """The two cards, as a set, that ``greedy`` discards from six."""
    unseen = FULL_PACK & ~hand
    best = -1000.0
    best_cards = 0
    first = hand
    while first:
        first_card = first & -first
        first ^= first_card
        second = first
        while second:
            discards = first_card | second & -second
            second &= second - 1
            crib = random_crib(scores, discards, unseen)
            value = hand_mean(scores, hand & ~discards, unseen) + (crib if dealer else -crib)
            if value > best:
                best = value
                best_cards = discards
    return best_cards


@kernel
def random_crib(scores, discards, unseen):
    """The mean of a crib if the other seat discards any two cards."""
    n = size(unseen)
    ways = n * (n - 1) * (n - 2) / 6
    number = code_of(discards)
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
    return total / ways + suits_in_crib(discards, unseen, n, ways)


@kernel
def suits_in_crib(discards, unseen, n, ways):
    """The mean points from nobs and a flush of five in a crib."""
    mean = 0.0
    for suit in range(4):
        suited = size(unseen & ONE_SUIT << suit)
        jack = 1 << 4 * JACK + suit
        if discards & jack:
            mean += suited / n
        elif unseen & jack:
            mean += 2 * (suited - 1) / (n * (n - 1))
        if discards & ~(ONE_SUIT << suit) == 0:
            mean += (FLUSH + 1) * (suited * (suited - 1) * (suited - 2) // 6) / ways
    return mean
