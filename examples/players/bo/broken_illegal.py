"""BROKEN ON PURPOSE (COMP10001-Bo): after two turns it says that it cannot play, although it can.

A hand card that is no Ace can always go on some discard pile, so NO_PLAY is invalid.
"""


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    turns = 0
    last = None
    for player, play in play_history:
        if player == player_no and last != player_no:
            turns += 1
        last = player
    cards = [card for card in hand if card[0] != 'A']
    if turns < 2 and cards:
        return (0, cards[0], (1, (player_no, turns)))
    return (3, None, (None, None))
