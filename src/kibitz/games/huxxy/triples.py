"""What a seat lays without a search: three cards of a hand that make a group, what they count, and the dearest card.

triple      by a try of all; with it the plays of ``quick`` are what they are
highest_triple by a few operations on the hand; a Joker is left in hand where three other cards make a group
"""

from kibitz.cards.sets import lowest
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.groups import ACES, EVEN, JOKER_BIT, ODD, points, values_of, worth
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
def highest_triple(hand):
    """Three cards that make a group, with the most points, a Joker only where nothing else does; 0 if none do."""
    a = hand & ACES
    b = hand >> 1 & ACES
    c = hand >> 2 & ACES
    d = hand >> 3 & ACES
    best = 0
    same = a & b & (c | d) | c & d & (a | b)
    if same:
        best = few(hand & 15 * highest(same), 3)
    for side in (EVEN, ODD):
        values = values_of(hand & side)
        runs = values & values >> 4 & values >> 8
        if runs:
            low = highest(runs)
            found = one(hand & side, low) | one(hand & side, low << 4) | one(hand & side, low << 8)
            if total(found) > total(best):
                best = found
    if best == 0 and hand & JOKER_BIT:
        return with_joker(hand)
    return best


@kernel
def with_joker(hand):
    """Two cards and a Joker that make a group, with the most points; 0 if none do."""
    best = 0
    a = hand & ACES
    b = hand >> 1 & ACES
    c = hand >> 2 & ACES
    d = hand >> 3 & ACES
    same = a & b | c & d | (a | b) & (c | d)
    if same:
        best = few(hand & 15 * highest(same), 2)
    for side in (EVEN, ODD):
        values = values_of(hand & side)
        for step in range(1, 3):
            runs = values & values >> 4 * step
            if runs:
                low = highest(runs)
                found = one(hand & side, low) | one(hand & side, low << 4 * step)
                if total(found) > total(best):
                    best = found
    return best | JOKER_BIT if best else 0


@kernel
def highest(values):
    """The highest bit of a set."""
    while values & values - 1:
        values &= values - 1
    return values


@kernel
def one(cards, value):
    """One card of a value, as a set."""
    found = cards & 15 * value
    return found & -found


@kernel
def few(cards, most):
    """So many cards of a set, the lowest."""
    found = 0
    for _ in range(most):
        bit = cards & -cards
        found |= bit
        cards ^= bit
    return found


@kernel
def highest_card(cards):
    """The card that would cost most at the end, the lowest of equals; NONE of no cards."""
    found = NONE
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if found == NONE or worth(card) > worth(found):
            found = card
    return found
