"""COMP10001-Go as a student would write it: every partition is tried."""

from collections import defaultdict
from math import factorial

VALUES = {"A": 20, "0": 10, "J": 11, "Q": 12, "K": 13, **{str(n): n for n in range(2, 10)}}
BLACK = "SC"


def colour(card):
    return "black" if card[1] in BLACK else "red"


def run_values(cards):
    """The values of a run, or None if the cards are no run."""
    aces = [card for card in cards if card[0] == "A"]
    others = sorted((card for card in cards if card[0] != "A"), key=lambda card: VALUES[card[0]])
    if len(cards) < 3 or len(others) < 2:
        return None
    row = [others[0]]
    for card in others[1:]:
        while VALUES[card[0]] > VALUES[others[0][0]] + len(row):
            wanted = "red" if colour(row[-1]) == "black" else "black"
            fitting = [ace for ace in aces if colour(ace) == wanted]
            if not fitting:
                return None
            aces.remove(fitting[0])
            row.append(fitting[0])
        if VALUES[card[0]] != VALUES[others[0][0]] + len(row) or colour(card) == colour(row[-1]):
            return None
        row.append(card)
    if aces:
        return None
    low = VALUES[others[0][0]]
    return range(low, low + len(row))


def comp10001go_score_group(cards):
    if len(cards) > 1 and len({card[0] for card in cards}) == 1 and cards[0][0] != "A":
        return VALUES[cards[0][0]] * factorial(len(cards))
    values = run_values(cards)
    if values:
        return sum(values)
    return -sum(VALUES[card[0]] for card in cards)


def comp10001go_valid_groups(groups):
    for group in groups:
        if not group or (len(group) > 1 and comp10001go_score_group(group) < 0):
            return False
    return True


def comp10001go_play(discard_history, player_no, hand):
    hand.sort(key=lambda card: VALUES[card[0]])
    return hand.pop(0)


def comp10001go_group(discard_history, player_no):
    by_value = defaultdict(list)
    for turn in discard_history:
        by_value[turn[player_no][0]].append(turn[player_no])
    groups = []
    for value, cards in by_value.items():
        groups += [[card] for card in cards] if value == "A" else [cards]
    return groups


def all_partitions(cards):
    if len(cards) == 1:
        yield [cards]
        return
    first, rest = cards[0], cards[1:]
    for smaller in all_partitions(rest):
        for n, group in enumerate(smaller):
            yield [*smaller[:n], [first, *group], *smaller[n + 1 :]]
        yield [[first], *smaller]


def comp10001go_best_partitions(cards):
    if not cards:
        return None
    best_score, best = None, []
    for partition in all_partitions(cards):
        score = sum(comp10001go_score_group(group) for group in partition)
        if not comp10001go_valid_groups(partition):
            continue
        if best_score is None or score > best_score:
            best_score, best = score, []
        if score == best_score:
            best.append(partition)
    return best
