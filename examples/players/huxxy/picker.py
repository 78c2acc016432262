"""COMP10001-Huxxy and its bonus game: picks up a card every turn, and ends a turn that somebody has begun for it.

The weakest sensible start: nobody can disqualify it, and it hardly ever wins.
"""


def comp10001huxxy_play(play_history, active_player, hand, table):
    in_my_turn = play_history and play_history[-1][0] == active_player and play_history[-1][1] in (1, 2)
    return (active_player, 3 if in_my_turn else 0, None)


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
