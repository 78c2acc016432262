"""The play of ``greedy`` as kernels: for the strategy, and for the study, whose thousands of games then take seconds.

    tally       scratch of SCORES numbers: by points, how many unseen cards would score them for the other seat
    reply       the most that the other seat can score next, if its cards are any of the unseen ones; the mean is exact,
                since the chance that the best of ``n`` random cards scores so many points is a quotient of binomials

The strategy discards by exact sums of its own (``policies``): ``tools.cribbage_greedy.greedy_lay`` needs the table of
all scores, which only the study makes.  The tests compare the two.

The means are floats, which policy kernels can't use, so ``policies`` imports this module only where it is needed.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.cribbage.evaluation import RANKS
from kibitz.games.cribbage.scoring import MAX_COUNT, cards_up_to, play_points, value_of
from kibitz.games.cribbage.stages import fitting
from kibitz.kernel import kernel

SCORES = 32


@kernel
def greedy_card(s, seat, tally):
    """The card that ``greedy`` plays: the one with the most ``net_points``; at least one card must fit."""
    cards = fitting(s, seat)
    best = -1000.0
    result = lowest(cards)
    if not cards & cards - 1:
        return result
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        value = net_points(s, seat, card, tally)
        if value > best:
            best = value
            result = card
    return result


@kernel
def net_points(s, seat, card, tally):
    """The points for playing a card, less the mean of the best reply, plus the chance that there is no reply.

    If the other seat is out of the count and no other card of the player fits, a point for the last card is added.
    """
    other = 1 - seat
    count = s.count + value_of(card)
    s.trail[s.plays] = card
    points = play_points(s.trail, s.first, s.plays + 1, count) + 0.0
    if count < MAX_COUNT:
        if s.hand[other] == 0 or s.said_go >> other & 1:
            if (s.hand[seat] ^ 1 << card) & cards_up_to(MAX_COUNT - count) == 0:
                points += 1
        else:
            points += after_reply(s, seat, count, tally)
    s.trail[s.plays] = -1
    return points


@kernel
def after_reply(s, seat, count, tally):
    """The chance that the other seat has no reply, less the mean points of its best reply."""
    other = 1 - seat
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter
    for i in range(s.plays + 1):
        seen |= 1 << s.trail[i]
    unseen = s.pack & ~seen & ~cards_up_to(s.floor[other] - 1)
    for points in range(SCORES):
        tally[points] = 0
    for rank in range(RANKS):
        times = size(unseen >> 4 * rank & 15)
        total = count + value_of(4 * rank)
        if times and total <= MAX_COUNT:
            s.trail[s.plays + 1] = 4 * rank
            tally[play_points(s.trail, s.first, s.plays + 2, total)] += times
            s.trail[s.plays + 1] = -1
    hand_size = size(s.hand[other])
    ways = binomial(size(unseen), hand_size)
    worse = size(unseen)  # the cards that score at most ``points`` or don't fit
    mean = 0.0
    for points in range(SCORES - 1, -1, -1):
        if tally[points]:
            mean += points * (binomial(worse, hand_size) - binomial(worse - tally[points], hand_size)) / ways
            worse -= tally[points]
    return binomial(worse, hand_size) / ways - mean


@kernel
def binomial(n, k):
    """How many sets of ``k`` among ``n`` cards there are."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways
