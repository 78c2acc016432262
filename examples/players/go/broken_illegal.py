"""BROKEN ON PURPOSE (COMP10001-Go): plays properly for five turns, then keeps a card that it does not hold."""


def comp10001go_play(discard_history, player_no, hand):
    if len(discard_history) < 5:
        return hand[0]
    return discard_history[0][player_no]


def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
