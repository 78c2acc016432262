"""CS212 as the course's own solutions have it: in ``best_wild_hand``, too, a joker may double a card."""

import itertools
import random

mydeck = [r + s for r in "23456789TJQKA" for s in "SHDC"]
all_ranks = "23456789TJQKA"
red_cards = [r + s for r in all_ranks for s in "HD"]
black_cards = [r + s for r in all_ranks for s in "SC"]


def deal(numhands, n=5, deck=mydeck):
    random.shuffle(deck)
    return [deck[n * i : n * (i + 1)] for i in range(numhands)]


def poker(hands):
    return allmax(hands, key=hand_rank)


def allmax(iterable, key=None):
    key = key or (lambda x: x)
    best = key(max(iterable, key=key))
    return [x for x in iterable if key(x) == best]


def hand_rank(hand):
    ranks = card_ranks(hand)
    if straight(ranks) and flush(hand):
        return (8, max(ranks))
    if kind(4, ranks):
        return (7, kind(4, ranks), kind(1, ranks))
    if kind(3, ranks) and kind(2, ranks):
        return (6, kind(3, ranks), kind(2, ranks))
    if flush(hand):
        return (5, ranks)
    if straight(ranks):
        return (4, max(ranks))
    if kind(3, ranks):
        return (3, kind(3, ranks), ranks)
    if two_pair(ranks):
        return (2, two_pair(ranks), ranks)
    if kind(2, ranks):
        return (1, kind(2, ranks), ranks)
    return (0, ranks)


def card_ranks(hand):
    ranks = ["--23456789TJQKA".index(r) for r, s in hand]
    ranks.sort(reverse=True)
    return [5, 4, 3, 2, 1] if ranks == [14, 5, 4, 3, 2] else ranks


def straight(ranks):
    return max(ranks) - min(ranks) == 4 and len(set(ranks)) == 5


def flush(hand):
    suits = [s for r, s in hand]
    return len(set(suits)) == 1


def kind(n, ranks):
    for r in ranks:
        if ranks.count(r) == n:
            return r
    return None


def two_pair(ranks):
    pair = kind(2, ranks)
    lowpair = kind(2, list(reversed(ranks)))
    if pair and lowpair != pair:
        return (pair, lowpair)
    return None


def best_hand(hand):
    return max(itertools.combinations(hand, 5), key=hand_rank)


def replacement(card):
    if card == "?B":
        return black_cards
    if card == "?R":
        return red_cards
    return [card]


def best_wild_hand(hand):
    hands = {best_hand(h) for h in itertools.product(*map(replacement, hand))}
    return max(hands, key=hand_rank)


def best_wild_hand_peter(hand):
    return best_wild_hand(hand)
