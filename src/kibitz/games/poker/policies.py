"""A strategy for poker as a kernel: a number for the hand at a glance, and bets by that number and the price.

glance      0 to 255: how a hand looks beside what the others may hold
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.poker.betting import DRAW, NONE, pot, price
from kibitz.games.poker.ranking import category, strength
from kibitz.games.poker.rules import ACTIONS, CALL, DISCARD, FOLD, RAISE, legal
from kibitz.kernel import kernel

POLICIES = {"quick": "Judges its hand at a glance, bets what looks strong, and pays no more than that is worth."}
LOOKS = (40, 128, 184, 208, 222, 232, 242, 250, 255)
"""How a best hand looks, by its category."""
STRONG, STRONGEST = 180, 225
WAYS = 256


@kernel
def choose(s, policy, rng, scratch):
    """Raise what looks strong, call what the pot pays for, check or fold the rest; draw to what is paired."""
    if s.stage == DRAW:
        return DISCARD + discards(s.held[s.player], s.hole)
    n = legal(s, scratch)
    look = glance(s)
    raises = 0
    while raises < n and scratch[n - 1 - raises] >= RAISE:
        raises += 1
    live = size(s.live) - 1
    eager = look - 12 * (live - 1) - 14 * max(0, s.raises - 1)
    if raises and eager >= STRONG:
        return scratch[n - raises + (1 if raises > 1 and eager >= STRONGEST else 0)]
    cost = min(price(s, s.player), s.chips[s.player])
    if cost == 0 or eager * (pot(s) + cost) >= WAYS * cost + 24 * (pot(s) + cost):
        return CALL
    return FOLD


@kernel
def glance(s):
    """How the hand of the seat to move looks."""
    hand = s.held[s.player]
    board = 0
    for i in range(s.shown_cards):
        if s.board[i] != NONE:
            board |= 1 << s.board[i]
    if size(hand | board) > 4:
        return made(hand, board)
    if size(hand) == 1:
        paired = board and lowest(board) >> 2 == lowest(hand) >> 2
        return 240 if paired else one_card(s, hand)
    high = max(height(lowest(hand)), height(lowest(hand & (hand - 1))))
    low = min(height(lowest(hand)), height(lowest(hand & (hand - 1))))
    if high == low:
        return 150 + 8 * high
    suited = (lowest(hand) ^ lowest(hand & (hand - 1))) & 3 == 0
    return min(255, 20 + 8 * high + 4 * low + (10 if suited else 0) + (8 if high - low < 3 else 0))


@kernel
def height(card):
    """A card's rank, 0 for a deuce to 12 for an Ace."""
    return 12 if card < 4 else (card >> 2) - 1


@kernel
def one_card(s, hand):
    """How a single card looks: the share of the pack's other cards that are not above it."""
    mine = height(lowest(hand))
    cards = s.pack & ~hand
    below = 0
    while cards:
        below += height(lowest(cards)) <= mine
        cards &= cards - 1
    return 255 * below // (size(s.pack) - 1)


@kernel
def made(hand, board):
    """How a hand of five cards or more looks: by its category, less where the board has as much alone."""
    worth = strength(hand | board)
    look = LOOKS[category(worth)]
    if size(board) > 4 and category(strength(board)) == category(worth):
        look -= 60
    if category(worth) == 1:
        look += 2 * height(paired_card(hand | board)) if paired_card(hand | board) >= 0 else 0
        if board and paired_in(board):
            look -= 70
    return max(0, min(255, look))


@kernel
def paired_in(cards):
    """Whether two of some cards have one rank."""
    return paired_card(cards) >= 0


@kernel
def paired_card(cards):
    """A card that has another of its rank beside it, or -1."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if cards and lowest(cards) >> 2 == card >> 2:
            return card
    return -1


@kernel
def discards(hand, hole):
    """The places of the cards without a second of their rank; of none alike, all but the two highest."""
    away = 0
    kept = 0
    i = 0
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if size(hand & 15 << (card & ~3)) > 1:
            kept += 1
        else:
            away |= 1 << i
        i += 1
    if kept == 0 and hole > 2:
        return (1 << hole - 2) - 1
    return away if kept else 0


@kernel
def truncate_rollout(s):
    """Imagined games end with the hand: nothing of the next one is known."""
    s.hands = s.number + 1


@kernel
def observe_action(s, seat, a):
    """Of discards the other seats see how many they are."""
    return ACTIONS + size(a - DISCARD) if a >= DISCARD and a < RAISE and seat != s.player else a
