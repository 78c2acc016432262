"""COMP10001-Go: counts what is still to come, remembers hands, and groups in the best possible way.

A card is worth what it makes of its value: two kings are 26, four are 312. So the player weighs each card by
how many of its value it has, and how many can still turn up. After four turns it has seen every hand once, so
whatever it has not seen by then is out of the game. For the last cards it looks at the real score.
"""

from itertools import combinations
from math import comb, factorial

VALUES = 'A234567890JQK'
seen_hands = {}        # the one global variable: turn -> the hand I held then


def number(card):
    return VALUES.index(card[0]) + 1


def is_red(card):
    return card[1] in 'HD'


def group_score(group):
    """The score of a group, or None if it is not a valid one."""
    if len(group) == 1:
        return -20 if group[0][0] == 'A' else -number(group[0])
    aces = [card for card in group if card[0] == 'A']
    others = sorted((card for card in group if card[0] != 'A'), key=number)
    if not aces and number(others[0]) == number(others[-1]):
        return factorial(len(group)) * number(others[0])
    if len(group) < 3 or len(others) < 2:
        return None
    low, high = number(others[0]), number(others[-1])
    if high - low + 1 != len(group):
        return None
    by_number = {number(card): card for card in others}
    if len(by_number) < len(others):
        return None
    red_gaps = 0
    for step in range(len(group)):
        should_be_red = is_red(others[0]) == (step % 2 == 0)
        if low + step not in by_number:
            red_gaps += should_be_red
        elif is_red(by_number[low + step]) != should_be_red:
            return None
    if red_gaps != len([ace for ace in aces if is_red(ace)]):
        return None
    return sum(range(low, high + 1))


def best_grouping(cards):
    """Score and groups of a best partition: the first card goes with every possible set of others."""
    cards = sorted(cards, key=number)
    worth = []
    for size in range(2, min(len(cards), 10) + 1):
        for places in combinations(range(len(cards)), size):
            score = group_score([cards[i] for i in places])
            if score is not None:
                worth.append((sum(1 << i for i in places), score))
    known = {0: (0, [])}

    def solve(left):
        if left in known:
            return known[left]
        first = left & -left
        alone = cards[first.bit_length() - 1]
        rest = solve(left ^ first)
        best = (rest[0] + group_score([alone]), [first] + rest[1])
        for mask, score in worth:
            if mask & first and mask & left == mask:
                rest = solve(left ^ mask)
                if rest[0] + score > best[0]:
                    best = (rest[0] + score, [mask] + rest[1])
        known[left] = best
        return best

    score, masks = solve((1 << len(cards)) - 1)
    return score, [[card for i, card in enumerate(cards) if mask >> i & 1] for mask in masks]


def promise(have, others, turns_left):
    """What a value is expected to score, per point, if I have some and others may still come to me."""
    chance = min(0.5, 0.05 + 0.05 * turns_left)
    total = 0
    for more in range(others + 1):
        how_likely = comb(others, more) * chance ** more * (1 - chance) ** (others - more)
        n = have + more
        total += how_likely * (factorial(n) if n > 1 else -n)
    return total


def comp10001go_play(discard_history, player_no, hand):
    turn = len(discard_history)
    if turn == 0:
        seen_hands.clear()
    seen_hands[turn] = list(hand)
    mine = [cards[player_no] for cards in discard_history]
    laid = [card for cards in discard_history for card in cards]
    turns_left = 9 - turn
    if turns_left <= 2:
        return max(hand, key=lambda card: best_grouping(mine + [card])[0])

    if turn >= 3:
        about = {card for seen in seen_hands.values() for card in seen} - set(laid)
    else:
        about = {value + suit for value in VALUES for suit in 'SHDC'} - set(laid)
    if turns_left < 4:
        about -= set(hand)      # this hand does not come round again

    def liking(card):
        if card[0] == 'A':
            return -10
        have = len([c for c in mine if c[0] == card[0]])
        others = len([c for c in about if c[0] == card[0] and c != card])
        with_it = promise(have + 1, others, turns_left)
        without = promise(have, others + 1, turns_left)
        return number(card) * (with_it - without)

    return max(hand, key=liking)


def comp10001go_group(discard_history, player_no):
    return best_grouping([turn[player_no] for turn in discard_history])[1]
