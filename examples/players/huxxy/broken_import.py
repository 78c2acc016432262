"""BROKEN ON PURPOSE (COMP10001-Huxxy): needs a module that nobody has."""

import my_secret_huxxy_helpers


def comp10001huxxy_play(play_history, active_player, hand, table):
    return my_secret_huxxy_helpers.best_play(active_player, hand, table)


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
