"""What a seat lays without a search: three cards of a hand that make a group, what they count, and the dearest card."""

from kibitz.cards.sets import lowest
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.groups import points, worth
from kibitz.kernel import kernel

NONE = -1


@kernel
def total(cards):
    """The points of some cards."""
    found = 0
    while cards:
        found += points(lowest(cards))
        cards &= cards - 1
    return found


@kernel
def triple(hand, must):
    """Three cards of a hand that make a group, with the most points; those in ``must`` among them; 0 if none do."""
    best = 0
    most = NONE
    a_left = hand
    while a_left:
        a = a_left & -a_left
        a_left ^= a
        b_left = a_left
        while b_left:
            b = b_left & -b_left
            b_left ^= b
            c_left = b_left & fitting(a | b, 0)
            while c_left:
                c = c_left & -c_left
                c_left ^= c
                if (a | b | c) & must == must and total(a | b | c) > most:
                    most = total(a | b | c)
                    best = a | b | c
    return best


@kernel
def dearest(cards):
    """The card that would cost most at the end, the lowest of equals; NONE of no cards."""
    found = NONE
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if found == NONE or worth(card) > worth(found):
            found = card
    return found
