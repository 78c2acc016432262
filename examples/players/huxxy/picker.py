"""COMP10001-Huxxy and its bonus game: picks up a card every turn, which is always valid.

The weakest sensible start: nobody can disqualify it, and it hardly ever wins.
"""


def comp10001huxxy_play(play_history, active_player, hand, table):
    return (active_player, 0, None)


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
