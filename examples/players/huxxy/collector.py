"""COMP10001-Huxxy and its bonus game: plays whole groups from the hand, and single cards that fit on the table.

It never moves a card on the table. A turn is planned anew before every play, from the hand and the table with which it
began, and so always comes to the same plays.
"""

from itertools import combinations

VALUES = 'A234567890JQK'
SUITS = 'SHDC'
PLAYS = 6


def number(card):
    return 0 if card == 'XX' else VALUES.index(card[0]) + 1


def is_kind(cards):
    suits = {card[1] for card in cards}
    if len({card[0] for card in cards}) != 1 or not 3 <= len(cards) <= 8:
        return False
    return len(suits) == len(cards) if len(cards) <= 4 else len(suits) == 4


def is_run(cards):
    cards = sorted(cards, key=number)
    for low, high in zip(cards, cards[1:]):
        if number(high) != number(low) + 1 or (low[1] in 'SC') == (high[1] in 'SC'):
            return False
    return len(cards) >= 3


def is_group(cards):
    if 'XX' in cards:
        rest = [card for card in cards if card != 'XX']
        if len(rest) < len(cards) - 1 or len(rest) < 2:
            return False
        every = [value + suit for value in VALUES for suit in SUITS]
        return any(rest.count(card) < 2 and is_group(rest + [card]) for card in every)
    return is_kind(cards) or is_run(cards)


def groups_in(hand):
    # all groups of three from the hand, and of four that hold no group of three more than once
    found = []
    cards = sorted(set(hand))
    for size in (3, 4):
        for group in combinations(cards, size):
            if is_group(list(group)):
                found.append(list(group))
    return found


def this_turn(play_history, player):
    plays = []
    for play in reversed(play_history):
        if play[0] != player or play[1] not in (1, 2):
            break
        plays.append(play)
    return plays[::-1]


def plan(hand, table, needed):
    # the plays of the best turn, the same in whatever order the hand is: whole groups first, then single cards
    groups = groups_in(hand)
    best, most = [], 0
    for chosen in [()] + [(g,) for g in groups] + list(combinations(groups, 2)):
        rest, plays = hand[:], []
        tables = [group[:] for group in table]
        cards = [card for group in chosen for card in group]
        if len(cards) > PLAYS or any(cards.count(card) > hand.count(card) for card in cards):
            continue
        for group in chosen:
            tables.append(group)
            for card in group:
                rest.remove(card)
                plays.append((card, len(tables) - 1))
        for card in sorted(rest, key=lambda card: (number(card), card), reverse=True):
            for k, group in enumerate(tables):
                if len(plays) < PLAYS and is_group(group + [card]):
                    group.append(card)
                    plays.append((card, k))
                    break
        if sum(number(card) for card, k in plays) >= needed and len(plays) > most:
            best, most = plays, len(plays)
    return best


def at_start(plays, hand, table):
    # the hand and the table as they were before the plays of this turn, all of them from the hand
    hand, table = hand + [card for card, k in plays], [group[:] for group in table]
    for card, k in plays:
        table[k].remove(card)
    return hand, [group for group in table if group]


def comp10001huxxy_play(play_history, active_player, hand, table):
    plays = [play[2] for play in this_turn(play_history, active_player)]
    opened = any(play[0] == active_player and play[1] == 3 for play in play_history)
    turn = plan(*at_start(plays, hand, table), 0 if opened else 24)
    if turn[:len(plays)] != plays or len(turn) == len(plays):
        return (active_player, 3 if plays else 0, None)
    return (active_player, 1, turn[len(plays)])


def comp10001huxxy_bonus_play(play_history, active_player, hand, table):
    return comp10001huxxy_play(play_history, active_player, hand, table)
