"""Plays the dearest card that fits, keeps eights to the last, and draws only when nothing fits."""

POINTS = {'A': 1, '8': 50, '0': 10, 'J': 10, 'Q': 10, 'K': 10}


def play(view, legal):
    if view.calling:
        suits = [card[1] for card in view.hand]
        return max(legal, key=lambda word: suits.count(word[0].upper()))
    cards = [action for action in legal if action not in ('draw', 'pass')]
    plain = [card for card in cards if card[0] != '8']
    if plain:
        return max(plain, key=lambda card: POINTS.get(card[0]) or int(card[0]))
    if cards:
        return cards[0]
    return legal[0]
