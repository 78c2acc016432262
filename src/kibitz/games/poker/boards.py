"""Every way to complete a board, or to draw a hand: counted in one loop whose sums grow card by card.

    deck        the cards that may still come, any order
    boards      all sets of ``missing`` cards of the deck; each is met once, its cards in the deck's order
    held        for each player the cards that are certain: the own two and the board so far
    level       0 before the first card, then one more for each card that has been put down
    work        scratch of WORK integers: keys, suits and sets by player, by card of the deck and by level
    tally       counts, by player: boards won alone, boards tied, and shares of the pot in 1/SHARE

The surprising rule: without players a board is itself the hand, and the tally has one count for each strength.
Rule sheet "poker".
"""

from kibitz.games.poker.lookup import key_of, showdown, suits_of
from kibitz.kernel import kernel

PLAYERS = 10
SHARE = 2520
"""One pot in equal parts for 1 to 10 winners."""
WINS, TIES, SHARES = 0, PLAYERS, 2 * PLAYERS
TALLY = 3 * PLAYERS

KEY, SUITS, SET, VALUE = 0, 10, 20, 30
DECK_KEY, DECK_SUITS, DECK_SET = 40, 92, 144
LEVEL_KEY, LEVEL_SUITS, LEVEL_SET, AT = 196, 204, 212, 220
WORK = 228


@kernel
def prepare(held, players, deck, n, work):
    """Fill the scratch for these players and this deck of ``n`` cards."""
    for player in range(players):
        work[KEY + player] = key_of(held[player])
        work[SUITS + player] = suits_of(held[player])
        work[SET + player] = held[player]
    for i in range(n):
        work[DECK_KEY + i] = key_of(1 << deck[i])
        work[DECK_SUITS + i] = suits_of(1 << deck[i])
        work[DECK_SET + i] = 1 << deck[i]
    work[LEVEL_KEY] = 0
    work[LEVEL_SUITS] = 0
    work[LEVEL_SET] = 0


@kernel
def count_boards(players, n, missing, first, last, rows, strengths, work, tally):
    """Count all boards whose first card is one of the deck's ``first`` to ``last - 1``; 1 to 7 cards are missing."""
    level = 0
    work[AT] = first
    while level >= 0:
        if level == missing - 1:
            end = last if level == 0 else n
            if players == 0:
                count_hands(work[AT + level], end, level, rows, strengths, work, tally)
            elif players == 2:
                count_duels(work[AT + level], end, level, rows, strengths, work, tally)
            else:
                count_showdowns(players, work[AT + level], end, level, rows, strengths, work, tally)
            level -= 1
        elif work[AT + level] < (last if level == 0 else n - (missing - 1 - level)):
            put_down(work[AT + level], level, work)
            work[AT + level] += 1
            work[AT + level + 1] = work[AT + level]
            level += 1
        else:
            level -= 1


@kernel
def put_down(i, level, work):
    """The next level's sums: this level's and the deck's card ``i``."""
    work[LEVEL_KEY + level + 1] = work[LEVEL_KEY + level] + work[DECK_KEY + i]
    work[LEVEL_SUITS + level + 1] = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
    work[LEVEL_SET + level + 1] = work[LEVEL_SET + level] | work[DECK_SET + i]


@kernel
def count_hands(first, last, level, rows, strengths, work, tally):
    """The boards that one more card completes, by their own strength."""
    key = work[LEVEL_KEY + level]
    suits = work[LEVEL_SUITS + level]
    cards = work[LEVEL_SET + level]
    for i in range(first, last):
        found = showdown(
            cards | work[DECK_SET + i], key + work[DECK_KEY + i], suits + work[DECK_SUITS + i], rows, strengths
        )
        tally[found] += 1


@kernel
def count_duels(first, last, level, rows, strengths, work, tally):
    """The boards that one more card completes, for two players."""
    key = work[LEVEL_KEY + level] + work[KEY]
    suits = work[LEVEL_SUITS + level] + work[SUITS]
    cards = work[LEVEL_SET + level] | work[SET]
    other_key = work[LEVEL_KEY + level] + work[KEY + 1]
    other_suits = work[LEVEL_SUITS + level] + work[SUITS + 1]
    other_cards = work[LEVEL_SET + level] | work[SET + 1]
    wins = 0
    ties = 0
    for i in range(first, last):
        card, more, suit = work[DECK_SET + i], work[DECK_KEY + i], work[DECK_SUITS + i]
        mine = showdown(cards | card, key + more, suits + suit, rows, strengths)
        other = showdown(other_cards | card, other_key + more, other_suits + suit, rows, strengths)
        wins += mine > other
        ties += mine == other
    losses = last - first - wins - ties
    tally[WINS] += wins
    tally[WINS + 1] += losses
    for player in range(2):
        tally[TIES + player] += ties
        tally[SHARES + player] += SHARE // 2 * ties + SHARE * (losses if player else wins)


@kernel
def count_showdowns(players, first, last, level, rows, strengths, work, tally):
    """The boards that one more card completes, for any number of players."""
    for i in range(first, last):
        key = work[LEVEL_KEY + level] + work[DECK_KEY + i]
        suits = work[LEVEL_SUITS + level] + work[DECK_SUITS + i]
        cards = work[LEVEL_SET + level] | work[DECK_SET + i]
        count_board(players, cards, key, suits, rows, strengths, work, tally)


@kernel
def count_board(players, cards, key, suits, rows, strengths, work, tally):
    """One complete board, or what completes it."""
    best = 0
    winners = 0
    for player in range(players):
        found = showdown(
            cards | work[SET + player], key + work[KEY + player], suits + work[SUITS + player], rows, strengths
        )
        work[VALUE + player] = found
        winners = 1 if found > best else winners + (found == best)
        best = max(best, found)
    for player in range(players):
        if work[VALUE + player] == best:
            tally[(WINS if winners == 1 else TIES) + player] += 1
            tally[SHARES + player] += SHARE // winners
