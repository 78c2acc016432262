"""COMP10001-Go: builds one long run after the other, without Aces.

A card that makes the longest run longer is kept; if none does, the one nearest to a card it has.
Runs are found greedily: the longest one first, then the longest one of what is left.
"""

VALUES = 'A234567890JQK'
RED = 'HD'


def number(card):
    return VALUES.index(card[0]) + 1


def is_red(card):
    return card[1] in RED


def longest_run(cards):
    """The longest run among the cards (not counting Aces), as a list."""
    best = []
    for start in cards:
        if start[0] == 'A':
            continue
        run = [start]
        while True:
            following = [card for card in cards
                         if number(card) == number(run[-1]) + 1 and is_red(card) != is_red(run[-1])]
            if not following:
                break
            run.append(following[0])
        if (len(run), sum(map(number, run))) > (len(best), sum(map(number, best))):
            best = run
    return best


def all_groups(cards):
    """Runs as long as there are any, then pairs and the like, then single cards."""
    left = list(cards)
    groups = []
    while True:
        run = longest_run(left)
        if len(run) < 3:
            break
        groups.append(run)
        left = [card for card in left if card not in run]
    for value in VALUES[1:]:
        same = [card for card in left if card[0] == value]
        if same:
            groups.append(same)
    groups += [[card] for card in left if card[0] == 'A']
    return groups


def comp10001go_play(discard_history, player_no, hand):
    mine = [turn[player_no] for turn in discard_history]

    def liking(card):
        if card[0] == 'A':
            return (-1, 0, 0)
        near = 0
        for other in mine:
            if other[0] == 'A':
                continue
            steps = abs(number(card) - number(other))
            if steps == 1 and is_red(card) != is_red(other):
                near = max(near, 2)
            elif steps == 2 and is_red(card) == is_red(other):
                near = max(near, 1)
        return (len(longest_run(mine + [card])), near, number(card))

    return max(hand, key=liking)


def comp10001go_group(discard_history, player_no):
    return all_groups([turn[player_no] for turn in discard_history])
