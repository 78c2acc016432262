"""Crazy Eights (``rules.md``).

    hand            by seat, the set of its cards
    stock           the set of cards that can be drawn
    discards        the set of cards that lie face up; ``top`` is the one played last
    suit            the suit to follow: the suit of ``top``, or the suit named for an eight
    calling         1 while the seat to move has played an eight and has yet to name a suit
    drawn           how many cards the seat to move has drawn this turn
    passes          how many seats in a row have passed

Actions 0 to 51 play a card, DRAW draws one, PASS ends the turn, and CALL + a suit names that suit.
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.drawing import random_card
from kibitz.cards.hands import deal_hands, give_one, redeal_hands, total_points
from kibitz.cards.tricks import ONE_SUIT
from kibitz.engine.layout import CHANCE, POOL, TURN, Field, Layout, PlainState
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.kernel import kernel

NONE, EIGHT = -1, 7
DRAW, PASS, CALL = 52, 53, 54
ACTIONS = CALL + 4
VERSION = 1
POINTS = (1, 2, 3, 4, 5, 6, 7, 50, 9, 10, 10, 10, 10)
"""The points of a card left in hand, by value from ace to king."""

OPTIONS = (
    Option("players", default=4, range=(2, 5), mini=2, ask="How many players?", says="{} players."),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("5D 5C 6D 6C 7D 8C 8H"))),
    Option(
        "hand_size",
        default=5,
        range=(1, 8),
        mini=2,
        mini_range=(2, 3),
        ask="How many cards are dealt to each?",
        says="Everyone gets {} cards.",
        one="Everyone gets one card.",
    ),
    Option(
        "limit",
        default=3,
        range=(1, 40),
        mini=1,
        ask="How many cards may be drawn in a turn?",
        says="Up to {} cards may be drawn.",
        one="One card may be drawn.",
    ),
)
TABLE = ("stock", "discards", "top", "suit", "calling", "drawn", "passes")
LAYOUT = Layout("EightsState", *CHANCE, *TURN, *OPTIONS, *map(Field, TABLE), Field("hand", 5), POOL)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't an action here: play a card, draw, pass or name a suit."
    NAME_A_SUIT = "You have played an eight: name a suit."
    NO_EIGHT = "You can name a suit only after an eight."
    NOT_HELD = "You can only play a card that you hold."
    NO_MATCH = "Play a card of the suit to follow, one of the same value as the top card, or an eight."
    STOCK_EMPTY = "The stock is empty: play or pass."
    DRAWN_ALL = "You have drawn the most cards for a turn: play or pass."
    DRAW_FIRST = "You can pass only after drawing all the cards you may, or if the stock is empty."


@kernel
def deal(s, k0, k1, k2, k3):
    """Deal a hand to everybody and turn up a card."""
    rekey(s, k0, k1, k2, k3)
    s.player = s.over = s.calling = s.drawn = s.passes = 0
    s.stock = deal_hands(s, s.hand, s.players, s.hand_size, s.pack)
    s.top = random_card(s, s.stock)
    s.discards = 1 << s.top
    s.stock ^= s.discards
    s.suit = s.top & 3


@kernel
def legal_mask(s):
    """The legal actions, as the bits of an integer."""
    if s.over:
        return 0
    if s.calling:
        return 15 << CALL
    may_draw = s.stock != 0 and s.drawn < s.limit
    return playable(s.hand[s.player], s.top, s.suit) | 1 << (DRAW if may_draw else PASS)


@kernel
def playable(cards, top, suit):
    """The cards among ``cards`` that may be played on ``top`` when ``suit`` is the suit to follow."""
    return cards & (ONE_SUIT << suit | 15 << (top & ~3) | 15 << 4 * EIGHT)  # the suit, the value, the eights


@kernel
def why_illegal(s, a):
    """Why action ``a`` is illegal."""
    if s.calling:
        return Reason.NAME_A_SUIT
    if a >= CALL:
        return Reason.NO_EIGHT
    if a == PASS:
        return Reason.DRAW_FIRST
    if a == DRAW:
        return Reason.DRAWN_ALL if s.stock else Reason.STOCK_EMPTY
    return Reason.NO_MATCH if s.hand[s.player] >> a & 1 else Reason.NOT_HELD


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if a == DRAW:
        s.stock = give_one(s, s.hand, s.player, s.stock)
        s.drawn += 1
        return
    s.passes = s.passes + 1 if a == PASS else 0
    s.calling = 0
    if a >= CALL:
        s.suit = a - CALL
    elif a < DRAW:
        s.hand[s.player] ^= 1 << a
        s.discards |= 1 << a
        s.top, s.suit = a, a & 3
        s.calling = int(a >> 2 == EIGHT and s.hand[s.player] != 0)
    if s.hand[s.player] == 0 or (s.passes >= s.players and s.stock == 0):
        s.over = 1
        s.player = NONE
    elif not s.calling:
        s.drawn = 0
        s.player = (s.player + 1) % s.players


@kernel
def returns(s, out):
    """Write each seat's result into ``out``: minus the points of the cards left in its hand."""
    for p in range(s.players):
        out[p] = -total_points(s.hand[p], POINTS)


@kernel
def resample(s, seat):
    """Redeal the cards that ``seat`` doesn't see; each of them can be anywhere, so every redeal is possible."""
    if not s.over:
        s.stock = redeal_hands(s, s.hand, s.players, seat, s.pack & ~s.discards)
    return True


def hidden(s: PlainState, seat: int) -> list[tuple[str, int | None]]:
    """Where the cards are that a seat doesn't see: pairs of a field and a seat, or None for a field without seats."""
    return [] if s.over else [("stock", None), *(("hand", p) for p in range(s.players) if p != seat)]
