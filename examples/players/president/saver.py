"""Keeps its high cards and its pairs together until they are needed.

It leads what leaves the fewest moves to make, and does not waste an Ace or a Two on a pile of others' small
cards while it still holds many cards.
"""

from collections import Counter

ORDER = '34567890JQKA2'
HIGH = ORDER.index('A')


def height(card):
    return ORDER.index(card[0])


def turns_left(hand):
    """About how many moves it takes to get rid of these cards: one for each value, high ones come for free."""
    return sum(1 for value in set(card[0] for card in hand) if ORDER.index(value) < HIGH)


def cost(view, text):
    cards = text.split()
    rest = [card for card in view.hand if card not in cards]
    split = Counter(card[0] for card in rest)
    broken = sum(1 for card in set(card[0] for card in cards) if split[card])
    top = max(height(card) for card in cards)
    return turns_left(rest) + broken, top, -len(cards)


def must_beat(view):
    """Whether somebody else is about to go out."""
    return min(count for seat, count in enumerate(view.counts) if count and seat != view.seat) <= 2


def play(view, legal):
    if view.phase == 'return':
        values = [card[0] for card in view.hand]
        return min(legal, key=lambda card: (values.count(card[0]), height(card)))
    if view.phase == 'ask':
        return max((text for text in legal if not text.startswith('any')), key=height)
    moves = [text for text in legal if text != 'pass']
    if not moves:
        return 'pass'
    best = min(moves, key=lambda text: cost(view, text))
    wasteful = max(height(card) for card in best.split()) >= HIGH and len(view.hand) > 6
    if 'pass' in legal and wasteful and not must_beat(view):
        return 'pass'
    return best
