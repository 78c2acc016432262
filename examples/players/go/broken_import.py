"""BROKEN ON PURPOSE (COMP10001-Go): cannot even be imported."""

FAVOURITE = {'S': 1, 'H': 2, 'D': 3}['C']


def comp10001go_play(discard_history, player_no, hand):
    return hand[0]


def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
