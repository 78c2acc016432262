"""COMP10001-Huxxy as a student would write it, without the bonus game."""

import itertools

VALUES = "A234567890JQK"
RED = "HD"


def worth(card):
    return VALUES.index(card[0]) + 1


def comp10001huxxy_score(cards):
    return sum(map(worth, cards))


def valid_group(group):
    if not group:
        return True
    if len(group) < 3:
        return False
    if len({card[0] for card in group}) == 1:
        suits = [card[1] for card in group]
        if len(group) <= 4:
            return len(set(suits)) == len(suits)
        return len(set(suits)) == 4
    row = sorted(group, key=worth)
    for low, high in itertools.pairwise(row):
        if worth(high) != worth(low) + 1 or (low[1] in RED) == (high[1] in RED):
            return False
    return True


def comp10001huxxy_valid_table(groups):
    return all(map(valid_group, groups))


def whose_turn(play_history):
    if not play_history:
        return 0
    player, kind, _ = play_history[-1]
    return player if kind in (1, 2) else (player + 1) % 4


def comp10001huxxy_valid_play(play, play_history, active_player, hand, table):
    player, kind, details = play
    if player != active_player or player != whose_turn(play_history):
        return False
    turn = []
    for earlier in reversed(play_history):
        if earlier[0] != player or earlier[1] not in (1, 2):
            break
        turn.append(earlier)
    from_hand = [earlier[2][0] for earlier in turn if earlier[1] == 1]
    if kind == 0:
        return not turn
    if kind == 1:
        card, goal = details
        return len(turn) < 6 and card in hand and 0 <= goal <= len(table)
    if kind == 2:
        card, source, goal = details
        if len(turn) >= 6 or not from_hand or not 0 <= source < len(table):
            return False
        return card in table[source] and 0 <= goal <= len(table) and source != goal
    if not from_hand or not comp10001huxxy_valid_table(table):
        return False
    opened = any(earlier[:2] == (player, 3) for earlier in play_history)
    return opened or comp10001huxxy_score(from_hand) >= 24


def comp10001huxxy_play(play_history, active_player, hand, table):
    new = len(table)
    plays = [(active_player, 3, None), (active_player, 0, None)]
    plays += [(active_player, 1, (card, goal)) for card in hand for goal in range(new + 1)]
    plays += [(active_player, 2, (card, n, new)) for n, group in enumerate(table) for card in group]
    for play in plays:
        if comp10001huxxy_valid_play(play, play_history, active_player, hand, table):
            return play
    return None
