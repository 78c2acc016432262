"""About the cheapest player of Bo that finishes: a hand card on a discard pile, or else anything that is legal."""

VALUES = "A234567890JQK"


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    """End the turn with the first hand card that is no Ace; with Aces only, look for a build pile."""
    own = discard_piles[player_no]
    for card in hand:
        if card[0] != "A":
            for k in range(4):
                if not own[k] or not follows(card, own[k][-1]):
                    return 0, card, (1, (player_no, k))
            return 0, card, (1, (player_no, 0))
    for kind, source, card in movable(player_no, hand, stockpiles, discard_piles):
        for k in range(4):
            if fits(card, build_piles[k]):
                return kind, source, (0, k)
        for owner in range(4):
            for k in range(4):
                pile = discard_piles[owner][k]
                if card[0] != "A" and pile and source != (card, (owner, k)) and follows(card, pile[-1]):
                    return kind, source, (1, (owner, k))
    return 3, None, (None, None)


def red(card):
    """Whether a card is red."""
    return card[1] in "HD"


def follows(card, top):
    """Whether a card matches the top of a discard pile."""
    step = abs(VALUES.index(card[0]) - VALUES.index(top[0]))
    return red(card) != red(top) and step in (1, 11)


def fits(card, pile):
    """Whether a card goes on a build pile."""
    if not pile:
        return card[0] in "2K"
    if red(card) != red(pile[-1]):
        return False
    return card[0] == "A" or abs(VALUES.index(card[0]) - VALUES.index(pile[-1][0])) == 1


def movable(player_no, hand, stockpiles, discard_piles):
    """Every card that can be played, with its source."""
    found = [(0, card, card) for card in hand]
    if stockpiles[player_no][1]:
        found.append((2, stockpiles[player_no][0], stockpiles[player_no][0]))
    for owner in range(4):
        for k in range(4):
            if discard_piles[owner][k]:
                card = discard_piles[owner][k][-1]
                found.append((1, (card, (owner, k)), card))
    return found
