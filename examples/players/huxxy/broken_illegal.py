"""BROKEN ON PURPOSE (COMP10001-Huxxy): after two turns it ends a turn in which it has played nothing."""


def comp10001huxxy_play(play_history, active_player, hand, table):
    turns = len([play for play in play_history if play[0] == active_player])
    return (active_player, 0 if turns < 2 else 3, None)


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
