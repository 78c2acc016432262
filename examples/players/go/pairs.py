"""COMP10001-Go: collects cards of one value.

Keeps the card it already has most of, the higher one if that is a draw. Aces only if there is nothing else.
"""

from collections import defaultdict

VALUES = 'A234567890JQK'


def comp10001go_play(discard_history, player_no, hand):
    mine = [turn[player_no][0] for turn in discard_history]

    def liking(card):
        if card[0] == 'A':
            return (-1, 0)
        return (mine.count(card[0]), VALUES.index(card[0]))

    return max(hand, key=liking)


def comp10001go_group(discard_history, player_no):
    by_value = defaultdict(list)
    for turn in discard_history:
        card = turn[player_no]
        by_value[card[0]].append(card)
    groups = []
    for value, cards in by_value.items():
        if value == 'A':
            groups.extend([ace] for ace in cards)
        else:
            groups.append(cards)
    return groups
