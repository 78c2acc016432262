"""Counts every hand that it could keep with every card that could be turned up, and thinks of the crib.

In the play it takes points where there are any, and leaves as few as it can for the other: never 5 or 21, from
which any ten-card scores.
"""

from itertools import combinations

ORDER = 'A234567890JQK'


def value(card):
    return min(10, ORDER.index(card[0]) + 1)


def fifteens_and_pairs(cards):
    points = 0
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            points += 2 * (sum(map(value, some)) == 15)
    return points + sum(2 for one, other in combinations(cards, 2) if one[0] == other[0])


def runs(cards):
    ranks = [ORDER.index(card[0]) for card in cards]
    best, start = 0, 0
    while start < 13:
        end = start
        ways = 1
        while end < 13 and end in ranks:
            ways *= ranks.count(end)
            end += 1
        if end - start >= 3:
            best += (end - start) * ways
        start = end + 1
    return best


def score(hand, starter):
    cards = hand + [starter]
    flush = len(hand) if len(hand) >= 4 and len(set(card[1] for card in hand)) == 1 else 0
    nobs = any(card[0] == 'J' and card[1] == starter[1] for card in hand)
    return fifteens_and_pairs(cards) + runs(cards) + flush + nobs


def keep(view, text):
    """The points to be expected of what is kept, with the crib's for the dealer and against the other."""
    laid = text.split()
    hand = [card for card in view.hand if card not in laid]
    unseen = [card for card in view.pack if card not in view.hand][::3]
    mean = sum(score(hand, starter) for starter in unseen) / len(unseen)
    crib = fifteens_and_pairs(laid) + 0.3 * sum(card[0] == '5' for card in laid)
    return mean + (crib if view.dealer == view.seat else -crib)


def pegged(view, card):
    """What a card scores in the play."""
    trail = view.trail + [card]
    points = 2 * (view.count + value(card) in (15, 31))
    same = 0
    for other in reversed(trail):
        if other[0] != card[0]:
            break
        same += 1
    points += same * (same - 1)
    for length in range(len(trail), 2, -1):
        ranks = sorted(ORDER.index(other[0]) for other in trail[-length:])
        if ranks == list(range(ranks[0], ranks[0] + length)):
            return points + length
    return points


def play(view, legal):
    if view.discarding:
        return max(legal, key=lambda text: keep(view, text))
    if legal == ['go']:
        return 'go'
    danger = {5, 21}
    return max(legal, key=lambda card: (pegged(view, card), view.count + value(card) not in danger, value(card)))
