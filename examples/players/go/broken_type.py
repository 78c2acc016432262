"""BROKEN ON PURPOSE (COMP10001-Go): returns the place of the card in the hand instead of the card."""


def comp10001go_play(discard_history, player_no, hand):
    return hand.index(min(hand))


def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
