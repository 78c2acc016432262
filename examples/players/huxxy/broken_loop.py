"""BROKEN ON PURPOSE (COMP10001-Huxxy): picks up two cards and then thinks for ever."""


def comp10001huxxy_play(play_history, active_player, hand, table):
    picked = 0
    while len([play for play in play_history if play[0] == active_player]) >= 2:
        picked += 1
    return (active_player, 0, None)


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
