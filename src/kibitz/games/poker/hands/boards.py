"""Boards and showdowns in machine code: every way to complete a board, or random samples.

    deck        the cards that can still be dealt, in any order, at indices 1 to n; index 0 is empty
    boards      all sets of ``missing`` cards of the deck; each is visited once, its cards in the deck's order
    held        for each player the known cards: the player's own two and the board so far
    level       how many cards of the board have been chosen
    work        scratch of WORK integers: keys, suits and sets by player, by card of the deck and by level
    tally       by player, the numbers of boards won alone and of boards tied, and the pots won in units of 1/SHARE

Without players, the board itself is the hand, and the tally has one count for each strength.

    hands       the hands of all ranges in a row; those of player ``p`` are from ``starts[p]`` to ``starts[p + 1] - 1``
    dead        the set of cards that can't be drawn: the board so far and dead cards
    sums        by player, the pots won, in units of 1/SHARE; ``squares`` has the sums of squares, for the error

All ways to give every player a hand of its range, without a card in common, are equally likely: hands are drawn
independently, and if two of them have a card in common, all are drawn again.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.sets import size
from kibitz.games.poker.hands.lookup import (
    EIGHTS,
    THREE_EACH,
    column_of,
    flush_strength,
    has_flush,
    key_of,
    row_of,
    suits_of,
)
from kibitz.kernel import kernel

# Every board


PLAYERS = 10
SHARE = 2520
"""The number of parts of a pot, divisible by every number of winners from 1 to 10."""
WINS, TIES, SHARES = 0, PLAYERS, 2 * PLAYERS
TALLY = 3 * PLAYERS

# Where each part of ``work`` begins.
KEY, SUITS, SET, VALUE = 0, 10, 20, 30
DECK_KEY, DECK_SUITS, DECK_SET = 40, 100, 160
LEVEL_KEY, LEVEL_SUITS, LEVEL_SET, AT = 220, 228, 236, 244  # AT: the index in the deck of the next card to try
WORK = 252


@kernel
def prepare(held, players, deck, n, work):
    """Fill ``work`` for these players and this deck of ``n`` cards."""
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
    """Count the boards whose first missing card is at index ``first`` to ``last - 1`` of the deck.

    The last two cards are dealt together, so with fewer missing, the empty index 0 takes the place of one:

        cards missing   n               missing     first, last
        2 to 7          cards in deck   2 to 7      1, n + 1 for all boards
        1               cards in deck   1           0, 1
        0               1, no deck      1           0, 1
    """
    level = 0
    work[AT] = first
    while level >= 0:
        end = n + 1 if level else last
        if level >= missing - 2:
            if players == 0:
                count_hands(n, work[AT + level], end, level, rows, strengths, work, tally)
            elif players == 2:
                count_heads_up(n, work[AT + level], end, level, rows, strengths, work, tally)
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
    """Count the boards that two more cards complete, by their own strength.

    Keys and suits are sums over cards, so each card costs two additions.  The counts of the four suits begin at three,
    so a fifth card of a suit makes its count eight, and one test of the bits EIGHTS finds a flush of any suit.
    """
    for i in range(first, last):
        key = work[LEVEL_KEY + level] + work[DECK_KEY + i]
        suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
        cards = work[LEVEL_SET + level] | work[DECK_SET + i]
        for j in range(i + 1, n + 1):
            full_key = key + work[DECK_KEY + j]
            strength = int(strengths[rows[row_of(full_key)] + column_of(full_key)])
            if suits + work[DECK_SUITS + j] & EIGHTS:
                strength = flush_strength(cards | work[DECK_SET + j])
            tally[strength] += 1


@kernel
def count_heads_up(n, first, last, level, rows, strengths, work, tally):
    """Count the boards that two more cards complete, for two players."""
    wins = 0
    losses = 0
    ties = 0
    for i in range(first, last):
        key = work[LEVEL_KEY + level] + work[DECK_KEY + i]
        suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
        cards = work[LEVEL_SET + level] | work[DECK_SET + i]
        for j in range(i + 1, n + 1):
            board = cards | work[DECK_SET + j]
            hand_key = key + work[DECK_KEY + j] + work[KEY]
            first_strength = int(strengths[rows[row_of(hand_key)] + column_of(hand_key)])
            if suits + work[DECK_SUITS + j] + work[SUITS] & EIGHTS:
                first_strength = flush_strength(board | work[SET])
            hand_key = key + work[DECK_KEY + j] + work[KEY + 1]
            second_strength = int(strengths[rows[row_of(hand_key)] + column_of(hand_key)])
            if suits + work[DECK_SUITS + j] + work[SUITS + 1] & EIGHTS:
                second_strength = flush_strength(board | work[SET + 1])
            wins += first_strength > second_strength
            losses += first_strength < second_strength
            ties += first_strength == second_strength
    tally[WINS] += wins
    tally[WINS + 1] += losses
    for player in range(2):
        tally[TIES + player] += ties
        tally[SHARES + player] += SHARE // 2 * ties + SHARE * (losses if player else wins)


@kernel
def count_showdowns(players, n, first, last, level, rows, strengths, work, tally):
    """Count the boards that two more cards complete, for any number of players."""
    for i in range(first, last):
        for j in range(i + 1, n + 1):
            key = work[LEVEL_KEY + level] + work[DECK_KEY + i] + work[DECK_KEY + j]
            suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i] + work[DECK_SUITS + j]
            cards = work[LEVEL_SET + level] | work[DECK_SET + i] | work[DECK_SET + j]
            best = 0
            winners = 0
            for player in range(players):
                hand_key = key + work[KEY + player]
                strength = int(strengths[rows[row_of(hand_key)] + column_of(hand_key)])
                if suits + work[SUITS + player] & EIGHTS:
                    strength = flush_strength(cards | work[SET + player])
                work[VALUE + player] = strength
                winners = 1 if strength > best else winners + (strength == best)
                best = max(best, strength)
            count_winners(best, winners, players, work, tally)


@kernel
def count_winners(best, winners, players, work, tally):
    """Count one board for the ``winners`` players whose hand has the strength ``best``."""
    for player in range(players):
        if work[VALUE + player] == best:
            tally[(WINS if winners == 1 else TIES) + player] += 1
            tally[SHARES + player] += SHARE // winners


# Showdowns drawn at random


MAX_TRIES = 10_000
"""``draw_hands`` gives up after this many draws in a row in which two hands share a card."""


@kernel
def draw_hands(rng, hands, starts, players, dead, held):
    """Give every player a hand of its range; return these hands and ``dead`` as one set, -1 if no draw succeeded."""
    for _ in range(MAX_TRIES):
        taken = dead
        compatible = True
        for p in range(players):
            hand = hands[starts[p] + randbelow(rng, starts[p + 1] - starts[p])]
            if hand & taken:
                compatible = False
                break
            held[p] = hand
            taken |= hand
        if compatible:
            return taken
    return -1


@kernel
def draw_board(rng, board, missing, taken):
    """The board, completed with ``missing`` random cards that are not taken."""
    while missing:
        card = 1 << randbelow(rng, 52)
        if not card & taken:
            taken |= card
            board |= card
            missing -= 1
    return board


@kernel
def strength_of(cards, rows, strengths):
    """The strength of seven cards, looked up."""
    if has_flush(cards):
        return flush_strength(cards)
    key = key_of(cards)
    return int(strengths[rows[row_of(key)] + column_of(key)])


@kernel
def sample(rng, hands, starts, players, board, dead, n, rows, strengths, held, sums, squares):
    """Add ``n`` random showdowns to the sums; return how many were added: fewer only if ``draw_hands`` failed."""
    missing = 5 - size(board)
    for drawn in range(n):
        taken = draw_hands(rng, hands, starts, players, dead | board, held)
        if taken < 0:
            return drawn
        full_board = draw_board(rng, board, missing, taken)
        best = 0
        winners = 0
        n_winners = 0
        for p in range(players):
            strength = strength_of(held[p] | full_board, rows, strengths)
            if strength > best:
                best = strength
                winners = 1 << p
                n_winners = 1
            elif strength == best:
                winners |= 1 << p
                n_winners += 1
        for p in range(players):
            if winners >> p & 1:
                sums[p] += SHARE // n_winners
                squares[p] += (SHARE // n_winners) * (SHARE // n_winners)
    return n
