"""BROKEN ON PURPOSE (COMP10001-Bo): returns a play as a string instead of a tuple."""


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    cards = [card for card in hand if card[0] != 'A']
    return f'play {cards[0]} to my first discard pile' if cards else 'no play'
