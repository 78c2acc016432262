"""COMP10001-Go: the simplest player there is.

Always keeps the lowest card and never makes a group, like the sample in the assignment.
"""

VALUES = 'A234567890JQK'


def comp10001go_play(discard_history, player_no, hand):
    return min(hand, key=lambda card: VALUES.index(card[0]))


def comp10001go_group(discard_history, player_no):
    groups = []
    for turn in discard_history:
        groups.append([turn[player_no]])
    return groups
