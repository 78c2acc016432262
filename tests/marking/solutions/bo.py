"""COMP10001-Bo as a student would write it: the first valid play."""

VALUES = "A234567890JQK"
RED = "HD"
NO_PLAY = (3, None, (None, None))


def is_red(card):
    return card[1] in RED


def comp10001bo_match_build(play_card, build_pile):
    if not build_pile:
        return play_card[0] in "2K"
    top = build_pile[-1]
    if is_red(play_card) != is_red(top):
        return False
    return play_card[0] == "A" or abs(VALUES.index(play_card[0]) - VALUES.index(top[0])) == 1


def comp10001bo_match_discard(play_card, discard_pile, player_no, to_player_no, from_hand=True):
    if play_card[0] == "A":
        return 0
    if not discard_pile:
        return 2 if from_hand and player_no == to_player_no else 0
    top = discard_pile[-1]
    distance = abs(VALUES.index(play_card[0]) - VALUES.index(top[0]))
    if is_red(play_card) != is_red(top) and distance in (1, 11):
        return 1
    return 2 if from_hand else 0


def judged(play, player_no, hand, stockpiles, discard_piles, build_piles):
    """0, 1 or 2 for a play of a card."""
    kind, source, (to_kind, to) = play
    origin = None
    if kind == 0:
        card = source
        if card not in hand:
            return 0
    elif kind == 1:
        card, origin = source
        owner, number = origin
        if owner not in range(4) or number not in range(4):
            return 0
        pile = discard_piles[owner][number]
        if not pile or pile[-1] != card:
            return 0
    elif kind == 2:
        card = source
        if stockpiles[player_no][0] != card:
            return 0
    else:
        return 0
    if to_kind == 0:
        return int(to in range(4) and comp10001bo_match_build(card, build_piles[to]))
    if to_kind != 1 or to == origin:
        return 0
    owner, number = to
    if owner not in range(4) or number not in range(4):
        return 0
    return comp10001bo_match_discard(card, discard_piles[owner][number], player_no, owner, kind == 0)


def plays(player_no, hand, stockpiles, discard_piles, build_piles):
    goals = [(0, n) for n in range(4)] + [(1, (owner, n)) for owner in range(4) for n in range(4)]
    sources = [(2, stockpiles[player_no][0])] + [(0, card) for card in hand]
    for owner in range(4):
        for n, pile in enumerate(discard_piles[owner]):
            if pile:
                sources.append((1, (pile[-1], (owner, n))))
    for kind, source in sources:
        for goal in goals:
            play = kind, source, goal
            if judged(play, player_no, hand, stockpiles, discard_piles, build_piles):
                yield play


def comp10001bo_is_valid_play(play, player_no, hand, stockpiles, discard_piles, build_piles):
    if play[0] == 3:
        possible = any(True for _ in plays(player_no, hand, stockpiles, discard_piles, build_piles))
        return 3 if play == NO_PLAY and not possible else 0
    return judged(play, player_no, hand, stockpiles, discard_piles, build_piles)


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    return next(plays(player_no, hand, stockpiles, discard_piles, build_piles), NO_PLAY)
