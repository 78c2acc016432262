"""COMP10001-Bo: turns the own discard piles into ladders.

Stockpile first. Then hand cards go on discard piles that they match, which does not end the turn and makes room
for new cards. The card that ends the turn goes where it is next to the own stockpile card, if there is such a card.
"""

ORDER = '234567890JQK'      # a circle: after K comes 2 again


def red(card):
    return card[1] in 'HD'


def neighbours(a, b):
    """Next to each other on a discard pile."""
    if 'A' in (a[0], b[0]) or red(a) == red(b):
        return False
    return (ORDER.index(a[0]) - ORDER.index(b[0])) % 12 in (1, 11)


def builds_on(card, pile):
    if not pile:
        return card[0] in '2K'
    if red(card) != red(pile[-1]):
        return False
    if card[0] == 'A':
        return True
    return abs(ORDER.index(card[0]) - ORDER.index(pile[-1][0])) == 1


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    stock = stockpiles[player_no][0]
    tops = {}
    for owner in range(4):
        for k in range(4):
            if discard_piles[owner][k]:
                tops[(owner, k)] = discard_piles[owner][k][-1]

    def free_places(card, start=None):
        """Where a card may go without ending the turn."""
        places = [(0, k) for k in range(4) if builds_on(card, build_piles[k])]
        places += [(1, where) for where in tops if where != start and neighbours(card, tops[where])]
        return places

    places = free_places(stock)
    if places:
        return (2, stock, places[-1])

    # a hand card that makes a place for the stockpile card
    for card in hand:
        for place in free_places(card):
            if place[0] == 1 and neighbours(card, stock):
                return (0, card, place)

    # rungs of a ladder: discard piles first, build piles only with cards that do not complete them
    for card in hand:
        places = [place for place in free_places(card) if place[0] == 1 or card[0] not in '2K']
        if places:
            return (0, card, places[-1])

    # the end of the turn: next to the stockpile card if possible, on an empty pile of my own if possible
    candidates = [card for card in hand if card[0] != 'A']
    if candidates:
        def goodness(card):
            return (neighbours(card, stock), card[0] not in '2K', card)
        card = max(candidates, key=goodness)
        for k in range(4):
            if not discard_piles[player_no][k]:
                return (0, card, (1, (player_no, k)))
        heights = [(len(discard_piles[player_no][k]), k) for k in range(4)]
        # not where it would match: there the turn would go on, which is fine, too
        return (0, card, (1, (player_no, min(heights)[1])))

    for card in hand:
        places = free_places(card)
        if places:
            return (0, card, places[0])
    for where in tops:
        places = free_places(tops[where], where)
        if places:
            return (1, (tops[where], where), places[0])
    return (3, None, (None, None))
