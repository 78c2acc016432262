"""COMP10001-Bo: everything for the stockpile.

Plays from the stockpile whenever it can. Otherwise it makes build piles grow with hand cards. If nothing of that
is possible, it ends the turn with its highest card, on an own empty pile if there is one.
"""

VALUES = 'A234567890JQK'


def colour(card):
    return 'black' if card[1] in 'SC' else 'red'


def number(card):
    return VALUES.index(card[0]) + 1


def match_build(card, pile):
    if pile == []:
        return card[0] == '2' or card[0] == 'K'
    top = pile[-1]
    return colour(card) == colour(top) and (card[0] == 'A' or abs(number(card) - number(top)) == 1)


def match_discard(card, pile):
    if pile == [] or card[0] == 'A':
        return False
    top = pile[-1]
    if colour(card) == colour(top):
        return False
    return abs(number(card) - number(top)) == 1 or {card[0], top[0]} == {'2', 'K'}


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    stock = stockpiles[player_no][0]
    piles = [(owner, k) for owner in range(4) for k in range(4)]

    # 1. the stockpile
    for k in range(4):
        if match_build(stock, build_piles[k]):
            return (2, stock, (0, k))
    for owner, k in piles:
        if match_discard(stock, discard_piles[owner][k]):
            return (2, stock, (1, (owner, k)))

    # 2. hand cards to the build piles, but no pile is completed while other cards would do
    for card in sorted(hand, key=lambda c: c[0] in '2KA'):
        for k in range(4):
            if match_build(card, build_piles[k]):
                return (0, card, (0, k))

    # 3. the end of the turn
    others = sorted((card for card in hand if card[0] != 'A'), key=number, reverse=True)
    if others:
        for k in range(4):
            if not discard_piles[player_no][k]:
                return (0, others[0], (1, (player_no, k)))
        return (0, others[0], (1, (player_no, number(others[0]) % 4)))

    # 4. only Aces are left, or nothing: perhaps a discard pile can move
    for owner, k in piles:
        if discard_piles[owner][k]:
            card = discard_piles[owner][k][-1]
            for b in range(4):
                if match_build(card, build_piles[b]):
                    return (1, (card, (owner, k)), (0, b))
            for other, j in piles:
                if (other, j) != (owner, k) and match_discard(card, discard_piles[other][j]):
                    return (1, (card, (owner, k)), (1, (other, j)))
    return (3, None, (None, None))
