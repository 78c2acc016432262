"""BROKEN ON PURPOSE (COMP10001-Go): collects runs; forgets a card when it ends up with four of one value.

Its author has thought of pairs and of three of a kind. Four of a kind hardly ever come together in a hand that
collects runs, so that a hundred games may not show it.
"""

VALUES = 'A234567890JQK'


def number(card):
    return VALUES.index(card[0]) + 1


def is_red(card):
    return card[1] in 'HD'


def longest_run(cards):
    best = []
    for start in cards:
        run = [start]
        for card in sorted(cards, key=number):
            if number(card) == number(run[-1]) + 1 and is_red(card) != is_red(run[-1]):
                run.append(card)
        if len(run) > len(best) and start[0] != 'A':
            best = run
    return best


def comp10001go_play(discard_history, player_no, hand):
    mine = [turn[player_no] for turn in discard_history]

    def liking(card):
        near = [other for other in mine if abs(number(card) - number(other)) == 1 and is_red(card) != is_red(other)]
        return (card[0] != 'A', len(longest_run(mine + [card])), len(near), number(card))

    return max(hand, key=liking)


def comp10001go_group(discard_history, player_no):
    left = [turn[player_no] for turn in discard_history]
    groups = []
    while len(longest_run(left)) >= 3:
        run = longest_run(left)
        groups.append(run)
        left = [card for card in left if card not in run]
    for value in VALUES:
        same = [card for card in left if card[0] == value]
        if value == 'A' or len(same) == 1:
            groups += [[card] for card in same]
        elif len(same) == 2:
            groups.append([same[0], same[1]])
        elif len(same) >= 3:
            groups.append([same[0], same[1], same[2]])
    return groups
