"""COMP10001-Go: tosses coins. Keeps any card but an Ace, and groups cards of one value."""

import random

VALUES = '234567890JQK'


def comp10001go_play(discard_history, player_no, hand):
    others = [card for card in hand if card[0] != 'A']
    return random.choice(others or hand)


def comp10001go_group(discard_history, player_no):
    mine = [turn[player_no] for turn in discard_history]
    groups = [[card] for card in mine if card[0] == 'A']
    for value in VALUES:
        same = [card for card in mine if card[0] == value]
        if same:
            groups.append(same)
    return groups
