"""BROKEN ON PURPOSE (COMP10001-Bo): starts two discard piles and then thinks for ever."""


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    started = len([pile for pile in discard_piles[player_no] if pile])
    while len([play for player, play in play_history if player == player_no]) >= 2:
        started += 1
    cards = [card for card in hand if card[0] != 'A']
    return (0, cards[0], (1, (player_no, started)))
