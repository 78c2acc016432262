"""Stays just below the card that wins, and gives away the queen of spades, then hearts, then high cards."""

RANKS = '234567890JQKA'


def rank(card):
    return RANKS.index(card[0])


def cost(card):
    """How much one wants to be rid of a card."""
    if card == 'QS':
        return 50
    if card in ('KS', 'AS'):
        return 30
    return rank(card) + (5 if card[1] == 'H' else 0)


def play(view, legal):
    if view.passing:
        return max(legal, key=cost)
    if view.player == view.leader:
        return min(legal, key=cost)
    led = view.trick[view.leader]
    if legal[0][1] != led[1]:
        return max(legal, key=cost)
    suited = [card for card in view.trick if card is not None and card[1] == led[1]]
    best = max(map(rank, suited))
    below = [card for card in legal if rank(card) < best]
    if below:
        return max(below, key=cost)
    points = [card for card in view.trick if card is not None and (card[1] == 'H' or card == 'QS')]
    last = sum(card is None for card in view.trick) == 1
    if last and not points:
        return max(legal, key=lambda card: (card != 'QS', rank(card)))
    return min(legal, key=cost)
