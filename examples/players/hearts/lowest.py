"""Plays and passes by one rule: high cards away, low cards on the table."""

RANKS = '234567890JQKA'


def rank(card):
    return RANKS.index(card[0])


def play(view, legal):
    if view.passing:
        return max(legal, key=rank)
    return min(legal, key=rank)
