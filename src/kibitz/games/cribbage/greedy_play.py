"""How ``greedy`` chooses the card to play, as kernels, so that the study can play thousands of games in seconds.

    tally       scratch of SCORES numbers: by points, how many unseen cards would score them for the other seat
    reply       the most that the other seat can score next, if its hand is drawn from the unseen cards; the mean is
                exact: the probability that the best of ``n`` random cards scores a given number is a quotient of
                binomials

The discards of ``greedy`` are computed in ``policies``; the study computes them from a table of all scores
(``tools.cribbage_greedy.greedy_lay``), and the tests compare the two.

The means are floats, which policy kernels can't use, so ``policies`` imports this module only where it is needed.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.cribbage.evaluation import RANKS
from kibitz.games.cribbage.scoring import MAX_COUNT, cards_up_to, play_points, value_of
from kibitz.games.cribbage.stages import playable
from kibitz.kernel import kernel

SCORES = 32
"""More than the points that one card can score in the play."""


@kernel
def greedy_card(s, seat, tally):
    """The card that ``greedy`` plays: the one with the most ``net_points``; at least one card must fit."""
    cards = playable(s, seat)
    best = -1000.0
    result = lowest(cards)
    if not cards & cards - 1:  # only one card
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
    """The points for playing a card, plus its ``reply_value``.

    If the other seat is out of the count and no other card of the player fits, a point for the last card is added.
    """
    other = 1 - seat
    count = s.count + value_of(card)
    s.played[s.plays] = card
    points = play_points(s.played, s.first, s.plays + 1, count) + 0.0
    if count < MAX_COUNT:
        if s.hand[other] == 0 or s.said_go >> other & 1:
            if (s.hand[seat] ^ 1 << card) & cards_up_to(MAX_COUNT - count) == 0:
                points += 1
        else:
            points += reply_value(s, seat, count, tally)
    s.played[s.plays] = -1
    return points


@kernel
def reply_value(s, seat, count, tally):
    """The chance that the other seat has no reply, minus the mean points of its best reply."""
    other = 1 - seat
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter
    for i in range(s.plays + 1):
        seen |= 1 << s.played[i]
    unseen = s.pack & ~seen & ~cards_up_to(s.floor[other] - 1)
    for points in range(SCORES):
        tally[points] = 0
    for rank in range(RANKS):
        times = size(unseen >> 4 * rank & 15)
        total = count + value_of(4 * rank)
        if times and total <= MAX_COUNT:
            s.played[s.plays + 1] = 4 * rank
            tally[play_points(s.played, s.first, s.plays + 2, total)] += times
            s.played[s.plays + 1] = -1
    hand_size = size(s.hand[other])
    ways = binomial(size(unseen), hand_size)
    at_most = size(unseen)  # how many cards score at most ``points`` or can't be played
    mean = 0.0
    for points in range(SCORES - 1, -1, -1):
        if tally[points]:
            mean += points * (binomial(at_most, hand_size) - binomial(at_most - tally[points], hand_size)) / ways
            at_most -= tally[points]
    return binomial(at_most, hand_size) / ways - mean


@kernel
def binomial(n, k):
    """The number of sets of ``k`` among ``n`` cards."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways
