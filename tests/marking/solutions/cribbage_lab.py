"""APS106 lab 6 as a student would write it."""

import random
from itertools import combinations


def generate_deck():
    deck = []
    for suit in ["spades", "clubs", "diamonds", "hearts"]:
        for value in range(1, 14):
            deck.append([suit, value])
    return deck


def shuffle(deck):
    return random.sample(deck, len(deck))


def deal_card(deck, hand):
    hand.append(deck.pop(0))


def score_hand(hand):
    points = 0
    for one, other in combinations(hand, 2):
        if one[1] == other[1]:
            points += 2
    suits = [suit for suit, _ in hand]
    most = max(suits.count(suit) for suit in suits)
    if most >= 4:
        points += most
    for size in range(2, 6):
        for cards in combinations(hand, size):
            if sum(min(value, 10) for _, value in cards) == 15:
                points += 2
    for size in (5, 4, 3):
        runs = 0
        for cards in combinations(hand, size):
            values = sorted(value for _, value in cards)
            if values == list(range(values[0], values[0] + size)):
                runs += 1
        if runs:
            return points + size * runs
    return points


def play(shuffled_deck):
    dealer, player = [], []
    for _ in range(5):
        deal_card(shuffled_deck, dealer)
        deal_card(shuffled_deck, player)
    theirs, ours = score_hand(dealer), score_hand(player)
    return ["player wins" if ours > theirs else "dealer wins", ours, theirs]
