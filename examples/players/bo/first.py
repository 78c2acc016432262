"""COMP10001-Bo: makes the first valid play it finds.

Tries hand cards, then the stockpile, then the discard piles, and for each the build piles before the discard piles.
"""

VALUES = 'A234567890JQK'


def is_black(card):
    return card[1] in 'SC'


def number(card):
    return VALUES.index(card[0]) + 1


def fits_build(card, pile):
    if not pile:
        return card[0] in '2K'
    if is_black(card) != is_black(pile[-1]):
        return False
    return card[0] == 'A' or abs(number(card) - number(pile[-1])) == 1


def fits_discard(card, pile):
    if card[0] == 'A' or not pile or is_black(card) == is_black(pile[-1]):
        return False
    return abs(number(card) - number(pile[-1])) in (1, 11)


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    sources = [(0, card, card) for card in hand]
    sources.append((2, stockpiles[player_no][0], stockpiles[player_no][0]))
    for owner in range(4):
        for k in range(4):
            pile = discard_piles[owner][k]
            if pile:
                sources.append((1, (pile[-1], (owner, k)), pile[-1]))
    for play_type, source, card in sources:
        for k in range(4):
            if fits_build(card, build_piles[k]):
                return (play_type, source, (0, k))
        for owner in range(4):
            for k in range(4):
                pile = discard_piles[owner][k]
                if play_type == 1 and source[1] == (owner, k):
                    continue
                if fits_discard(card, pile):
                    return (play_type, source, (1, (owner, k)))
                if play_type == 0 and card[0] != 'A' and (pile or owner == player_no):
                    return (play_type, source, (1, (owner, k)))
    return (3, None, (None, None))
