"""COMP10001-Go: collects cards of one value, and only values that the others do not collect.

A card counts for what it adds to the score now: the second king makes two kings of one (26 instead of -13), the
fourth makes 312 of 78. If nothing adds to a group, it starts the value of which fewest cards are gone.
"""

from math import factorial

VALUES = 'A234567890JQK'


def score(value, count):
    points = VALUES.index(value) + 1
    if count == 0:
        return 0
    return -points if count == 1 else factorial(count) * points


def comp10001go_play(discard_history, player_no, hand):
    mine = [turn[player_no][0] for turn in discard_history]
    gone = [card[0] for turn in discard_history for seat, card in enumerate(turn) if seat != player_no]

    def liking(card):
        value = card[0]
        if value == 'A':
            return (-1000, 0)
        have = mine.count(value)
        adds = score(value, have + 1) - score(value, have)
        return (adds if have else 0, 4 - gone.count(value), VALUES.index(value))

    return max(hand, key=liking)


def comp10001go_group(discard_history, player_no):
    mine = [turn[player_no] for turn in discard_history]
    groups = [[card] for card in mine if card[0] == 'A']
    for value in VALUES[1:]:
        same = [card for card in mine if card[0] == value]
        if same:
            groups.append(same)
    return groups
