"""Plays good cards only, and bets them; it bluffs now and then, and remembers who folds.

It looks at what its hand is worth with the board: pairs and better, and high cards before anything lies open.
"""

import random
from collections import Counter

ORDER = '234567890JQKA'
folds = Counter()


def start(game, seat, players):
    folds.clear()


def observe(event):
    if event.kind == 'Folded':
        folds[event.seat] += 1


def rank(card):
    return ORDER.index(card[0])


def strength(view):
    """From 0 for nothing to 1 for a very good hand, roughly."""
    cards = view.hand + view.board
    counts = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    own = Counter(card[0] for card in view.hand)
    paired = any(n > 1 or any(card[0] == value for card in view.board) for value, n in own.items())
    suited = max(Counter(card[1] for card in cards).values())
    if counts[0] > 2 or counts[:2] == [2, 2] and paired or suited > 4:
        return 0.95
    high = sum(map(rank, view.hand)) / (12 * len(view.hand))
    if paired:
        return 0.6 + 0.3 * high
    # Of a small pack, as in Kuhn and Leduc poker, the highest card is a good one.
    ranks = sorted({rank(card) for card in view.pack})
    if len(ranks) <= 3:
        return (0.2, 0.45, 0.8)[ranks.index(rank(view.hand[0])) + 3 - len(ranks)]
    return 0.75 * high


def play(view, legal):
    if view.drawing:
        counts = Counter(card[0] for card in view.hand)
        thrown = sorted((card for card in view.hand if counts[card[0]] == 1), key=rank)[:3]
        return 'discard ' + ' '.join(thrown) if thrown else 'pat'
    good = strength(view)
    timid = sum(folds.values()) > view.hands_played * len(view.dealt) / 2
    bluff = random.random() < (0.1 if timid else 0.03)
    if view.min_raise_to and (good > 0.7 or bluff):
        wanted = view.high + int(view.pot * (0.5 + good / 2))
        amount = max(view.min_raise_to, min(view.max_raise_to, wanted))
        if view.limit == 'fixed limit':
            amount = view.min_raise_to
        return ('raise ' if view.high else 'bet ') + str(amount)
    if 'check' in legal:
        return 'check'
    odds = view.to_call / (view.pot + view.to_call)
    return 'call' if good > 0.25 + odds else 'fold'
