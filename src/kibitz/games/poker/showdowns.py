"""Showdowns drawn at random: hands from ranges, then a board, in machine code.

    hands       the hands of all ranges in a row; those of player ``p`` are from ``starts[p]`` to ``starts[p + 1] - 1``
    gone        the cards that cannot come: the board so far and dead cards
    sums        by player, the pots won, in 1/SHARE; ``squares`` their squares, for the error

All ways to give every player a hand of its range without a card twice are equally likely: hands are drawn
independently, and all again if two of them share a card.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import size
from kibitz.games.poker.boards import SHARE
from kibitz.games.poker.lookup import column_of, flushed, has_flush, key_of, row_of
from kibitz.kernel import kernel

TRIES = 10_000
"""So many draws in which two hands share a card are enough to give up."""


@kernel
def draw_hands(s, hands, starts, players, gone, held):
    """Give every player a hand of its range; the cards that are gone then, or -1 if none was found."""
    for _ in range(TRIES):
        taken = gone
        free = True
        for p in range(players):
            hand = hands[starts[p] + below(s, starts[p + 1] - starts[p])]
            if hand & taken:
                free = False
                break
            held[p] = hand
            taken |= hand
        if free:
            return taken
    return -1


@kernel
def draw_board(s, board, missing, taken):
    """A board completed with cards that are not taken."""
    while missing:
        card = 1 << below(s, 52)
        if not card & taken:
            taken |= card
            board |= card
            missing -= 1
    return board


@kernel
def value_of(cards, rows, strengths):
    """The strength of seven cards, looked up."""
    if has_flush(cards):
        return flushed(cards)
    key = key_of(cards)
    return int(strengths[rows[row_of(key)] + column_of(key)])


@kernel
def sample(s, hands, starts, players, board, gone, n, rows, strengths, held, sums, squares):
    """Add ``n`` showdowns to the sums; how many were drawn, fewer only if no hands go together."""
    missing = 5 - size(board)
    for drawn in range(n):
        taken = draw_hands(s, hands, starts, players, gone | board, held)
        if taken < 0:
            return drawn
        full = draw_board(s, board, missing, taken)
        best = 0
        winners = 0
        number = 0
        for p in range(players):
            worth = value_of(held[p] | full, rows, strengths)
            if worth > best:
                best = worth
                winners = 1 << p
                number = 1
            elif worth == best:
                winners |= 1 << p
                number += 1
        for p in range(players):
            if winners >> p & 1:
                sums[p] += SHARE // number
                squares[p] += (SHARE // number) * (SHARE // number)
    return n
