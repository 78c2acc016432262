"""BROKEN ON PURPOSE (COMP10001-Bo): needs a module that nobody has."""

import my_secret_bo_helpers


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    return my_secret_bo_helpers.best_play(player_no, hand, stockpiles, discard_piles, build_piles)
