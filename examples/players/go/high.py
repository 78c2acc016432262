"""COMP10001-Go: keeps the highest card, whatever it is, and groups what happens to be equal."""

VALUES = 'A234567890JQK'


def comp10001go_play(discard_history, player_no, hand):
    return sorted(hand, key=lambda card: (VALUES.index(card[0]), card[1]))[-1]


def comp10001go_group(discard_history, player_no):
    mine = sorted([turn[player_no] for turn in discard_history])
    groups = []
    for card in mine:
        if groups and card[0] != 'A' and groups[-1][0][0] == card[0]:
            groups[-1].append(card)
        else:
            groups.append([card])
    return groups
