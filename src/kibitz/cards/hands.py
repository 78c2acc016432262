"""Hands as sets of cards, one for each seat: dealing, redealing and counting points.

    hands       an array with a set for each seat, such as a state's ``hand``
    rest        the cards that are left over: what a game calls its stock

Cards are drawn by ``kibitz.cards.drawing.draw``, which needs the scratch array ``pool`` in the state.
"""

from kibitz.cards.drawing import draw, random_card
from kibitz.cards.sets import lowest, size
from kibitz.kernel import kernel


@kernel
def deal_hands(s, hands, n, number, cards):
    """Deal ``number`` of ``cards`` to each of the first ``n`` seats; return the rest."""
    for p in range(n):
        hands[p] = draw(s, cards, number)
        cards ^= hands[p]
    return cards


@kernel
def redeal_hands(s, hands, n, seat, cards):
    """Redeal ``cards`` to all seats but ``seat``, each as many as it has; return the rest.

    ``cards`` holds every card: those in the hands plus the undealt rest. Each hand keeps its size; a negative ``seat``
    is a spectator, who has no hand.
    """
    if seat >= 0:
        cards ^= hands[seat]
    for p in range(n):
        if p != seat:
            hands[p] = draw(s, cards, size(hands[p]))
            cards ^= hands[p]
    return cards


@kernel
def give_one(s, hands, seat, cards):
    """Give a seat one of ``cards``; return the rest."""
    card = 1 << random_card(s, cards)
    hands[seat] |= card
    return cards ^ card


@kernel
def total_points(cards, points):
    """The total points of the cards of a set; ``points`` has 13 numbers, from the ace's to the king's."""
    total = 0
    while cards:
        total += points[lowest(cards) >> 2]
        cards &= cards - 1
    return total
