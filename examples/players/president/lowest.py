"""Plays the lowest cards it can, and passes only if it must.

Run it with: kibitz check-player president lowest.py
"""

ORDER = '34567890JQKA2'


def height(card):
    return ORDER.index(card[0])


def play(view, legal):
    moves = [text for text in legal if text != 'pass']
    if not moves:
        return 'pass'
    # Longer moves first, so that many cards go at once; of these the lowest.
    return min(moves, key=lambda text: (-len(text.split()), [height(card) for card in text.split()]))
