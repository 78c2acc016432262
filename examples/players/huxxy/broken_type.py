"""BROKEN ON PURPOSE (COMP10001-Huxxy): returns a play as a string instead of a tuple."""


def comp10001huxxy_play(play_history, active_player, hand, table):
    return f'player {active_player} picks up a card'


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
