"""Plays the lowest cards it can, as many at once as it can, and passes only if it must."""

ORDER = '34567890JQKA2'


def height(card):
    return ORDER.index(card[0])


def play(view, legal):
    if view.phase == 'ask':
        # For a card, and not for any of a value.
        return max((text for text in legal if not text.startswith('any')), key=height)
    moves = [text for text in legal if text != 'pass']
    if not moves:
        return 'pass'
    return min(moves, key=lambda text: (-len(text.split()), [height(card) for card in text.split()]))
