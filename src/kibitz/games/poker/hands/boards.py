"""Boards and showdowns in machine code: every way to complete a board, or drawn at random.

    deck        the cards that may still come, in any order, at the places 1 to n; place 0 is empty
    boards      all sets of ``missing`` cards of the deck; each is met once, its cards in the deck's order
    held        for each player the cards that are certain: the own two and the board so far
    level       0 before the first card, then one more for each card that has been put down
    work        scratch of WORK integers: keys, suits and sets by player, by card of the deck and by level
    tally       counts, by player: boards won alone, boards tied, and shares of the pot in 1/SHARE

Without players a board is itself the hand, and the tally has one count for each strength.
Rule sheet "poker".

    hands       the hands of all ranges in a row; those of player ``p`` are from ``starts[p]`` to ``starts[p + 1] - 1``
    gone        the cards that cannot come: the board so far and dead cards
    sums        by player, the pots won, in 1/SHARE; ``squares`` their squares, for the error

All ways to give every player a hand of its range without a card twice are equally likely: hands are drawn
independently, and all again if two of them share a card.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import size
from kibitz.games.poker.hands.lookup import EIGHTS, THREE_EACH, column_of, flushed, has_flush, key_of, row_of, suits_of
from kibitz.kernel import kernel

# Every board


PLAYERS = 10
SHARE = 2520
"""One pot in equal parts for 1 to 10 winners."""
WINS, TIES, SHARES = 0, PLAYERS, 2 * PLAYERS
TALLY = 3 * PLAYERS

KEY, SUITS, SET, VALUE = 0, 10, 20, 30
DECK_KEY, DECK_SUITS, DECK_SET = 40, 100, 160
LEVEL_KEY, LEVEL_SUITS, LEVEL_SET, AT = 220, 228, 236, 244
WORK = 252


@kernel
def prepare(held, players, deck, n, work):
    """Fill the scratch for these players and this deck of ``n`` cards."""
    for player in range(players):
        work[KEY + player] = key_of(held[player])
        work[SUITS + player] = suits_of(held[player])
        work[SET + player] = held[player]
    work[DECK_KEY] = 0
    work[DECK_SUITS] = 0
    work[DECK_SET] = 0
    for i in range(n):
        work[DECK_KEY + 1 + i] = key_of(1 << deck[i])
        work[DECK_SUITS + 1 + i] = suits_of(1 << deck[i])
        work[DECK_SET + 1 + i] = 1 << deck[i]
    work[LEVEL_KEY] = 0
    work[LEVEL_SUITS] = THREE_EACH  # five of a suit make eight
    work[LEVEL_SET] = 0


@kernel
def count_boards(players, n, missing, first, last, rows, strengths, work, tally):
    """Count the boards whose first card is at place ``first`` to ``last - 1``; 1 to 7 cards are missing.

    All boards are first 1, last n + 1.  One missing card is first 0, last 1: after no card, one more; none missing
    is the same with n 1 and no deck.
    """
    level = 0
    work[AT] = first
    while level >= 0:
        end = n + 1 if level else last
        if level >= missing - 2:
            if players == 0:
                count_hands(n, work[AT + level], end, level, rows, strengths, work, tally)
            elif players == 2:
                count_duels(n, work[AT + level], end, level, rows, strengths, work, tally)
            else:
                count_showdowns(players, n, work[AT + level], end, level, rows, strengths, work, tally)
            level -= 1
        elif work[AT + level] < end:
            i = work[AT + level]
            work[LEVEL_KEY + level + 1] = work[LEVEL_KEY + level] + work[DECK_KEY + i]
            work[LEVEL_SUITS + level + 1] = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
            work[LEVEL_SET + level + 1] = work[LEVEL_SET + level] | work[DECK_SET + i]
            work[AT + level] = work[AT + level + 1] = i + 1
            level += 1
        else:
            level -= 1


@kernel
def count_hands(n, first, last, level, rows, strengths, work, tally):
    """The boards that two more cards complete, by their own strength.

    Keys and suits are sums over cards, so each further card costs two additions.  The four counts of suits begin at
    three, so a fifth card of a suit makes its count eight, and one test of the bits EIGHTS finds a flush of any suit.
    """
    for i in range(first, last):
        key = work[LEVEL_KEY + level] + work[DECK_KEY + i]
        suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
        cards = work[LEVEL_SET + level] | work[DECK_SET + i]
        for j in range(i + 1, n + 1):
            here = key + work[DECK_KEY + j]
            found = int(strengths[rows[row_of(here)] + column_of(here)])
            if suits + work[DECK_SUITS + j] & EIGHTS:
                found = flushed(cards | work[DECK_SET + j])
            tally[found] += 1


@kernel
def count_duels(n, first, last, level, rows, strengths, work, tally):
    """The boards that two more cards complete, for two players."""
    wins = 0
    losses = 0
    ties = 0
    for i in range(first, last):
        key = work[LEVEL_KEY + level] + work[DECK_KEY + i]
        suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
        cards = work[LEVEL_SET + level] | work[DECK_SET + i]
        for j in range(i + 1, n + 1):
            card = cards | work[DECK_SET + j]
            here = key + work[DECK_KEY + j] + work[KEY]
            mine = int(strengths[rows[row_of(here)] + column_of(here)])
            if suits + work[DECK_SUITS + j] + work[SUITS] & EIGHTS:
                mine = flushed(card | work[SET])
            here = key + work[DECK_KEY + j] + work[KEY + 1]
            other = int(strengths[rows[row_of(here)] + column_of(here)])
            if suits + work[DECK_SUITS + j] + work[SUITS + 1] & EIGHTS:
                other = flushed(card | work[SET + 1])
            wins += mine > other
            losses += mine < other
            ties += mine == other
    tally[WINS] += wins
    tally[WINS + 1] += losses
    for player in range(2):
        tally[TIES + player] += ties
        tally[SHARES + player] += SHARE // 2 * ties + SHARE * (losses if player else wins)


@kernel
def count_showdowns(players, n, first, last, level, rows, strengths, work, tally):
    """The boards that two more cards complete, for any number of players."""
    for i in range(first, last):
        for j in range(i + 1, n + 1):
            key = work[LEVEL_KEY + level] + work[DECK_KEY + i] + work[DECK_KEY + j]
            suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i] + work[DECK_SUITS + j]
            cards = work[LEVEL_SET + level] | work[DECK_SET + i] | work[DECK_SET + j]
            best = 0
            winners = 0
            for player in range(players):
                here = key + work[KEY + player]
                found = int(strengths[rows[row_of(here)] + column_of(here)])
                if suits + work[SUITS + player] & EIGHTS:
                    found = flushed(cards | work[SET + player])
                work[VALUE + player] = found
                winners = 1 if found > best else winners + (found == best)
                best = max(best, found)
            share_out(best, winners, players, work, tally)


@kernel
def share_out(best, winners, players, work, tally):
    """Count one board for those who have the best hand."""
    for player in range(players):
        if work[VALUE + player] == best:
            tally[(WINS if winners == 1 else TIES) + player] += 1
            tally[SHARES + player] += SHARE // winners


# Showdowns drawn at random


MAX_TRIES = 10_000
"""After this many draws in a row in which two hands share a card, it gives up."""


@kernel
def draw_hands(s, hands, starts, players, gone, held):
    """Give every player a hand of its range; the cards that are gone then, or -1 if none was found."""
    for _ in range(MAX_TRIES):
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
    """Add ``n`` showdowns to the sums; return how many were drawn, fewer only if no hands are compatible."""
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
