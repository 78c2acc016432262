"""BROKEN ON PURPOSE (COMP10001-Go): never comes back from its fourth turn."""


def comp10001go_play(discard_history, player_no, hand):
    while len(discard_history) >= 3:
        pass
    return hand[0]


def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
