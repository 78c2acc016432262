"""What a seat of Crazy Eights may know, what it is told, and all that in words."""

from typing import Annotated

from kibitz.cards import SUIT_NAMES, Card, cards_of, symbol
from kibitz.engine import common
from kibitz.engine.events import Notice, Outcome, View, most_wins
from kibitz.engine.layout import PlainState
from kibitz.engine.observation import Own, RevealedAtEnd, Size, Sizes, functions
from kibitz.engine.words import CARDS, Acts, count
from kibitz.games.eights import rules
from kibitz.games.eights.rules import CALL, DRAW, PASS


class EightsView(View, frozen=True):
    """What one seat may know of a position in Crazy Eights.

    pack        the cards that are played with
    limit       how many cards a seat may draw in a turn
    hand        your cards, the lowest first
    counts      by seat, how many cards it holds
    stock       how many cards can still be drawn
    discards    the cards that have been laid, the lowest first
    top         the last of them, which lies open
    suit        the suit to follow
    calling     whether the seat to move has laid an eight and is to name a suit
    drawn       how many cards it has drawn this turn
    passes      how many seats in a row have passed
    hands       by seat, the cards left in its hand once the game is over, before that nothing
    """

    pack: tuple[Card, ...]
    limit: int
    hand: Annotated[tuple[Card, ...], Own("hand")]
    counts: Annotated[tuple[int, ...], Sizes("hand")]
    stock: Annotated[int, Size("stock")]
    discards: tuple[Card, ...]
    top: Card
    suit: common.SuitName
    calling: bool
    drawn: int
    passes: int
    hands: Annotated[tuple[tuple[Card, ...], ...], RevealedAtEnd("hand")]


view, views, restore = functions(EightsView, rules.LAYOUT, parts=("hand", "stock", "discards"))


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the deal."""
    return common.dealt(s) + common.everybody(common.TurnedUp((s.top,)))


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    p, stock = s.player, s.stock
    rules.apply(s, a)
    if a == DRAW:
        return common.drew(p, tuple(cards_of(stock ^ s.stock)))
    event = common.Passed(p) if a == PASS else common.SuitNamed(p, a - CALL) if a >= CALL else common.Played(p, (a,))
    return common.everybody(event) + common.ended(s, rules.returns)


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: who has least left wins, equals share; a seat that has forfeited cannot win."""
    why = "A hand is empty." if 0 in s.hand[: s.players] else "Nobody can play, and the stock is empty."
    return most_wins(why, common.earned(s, rules.returns), forfeited)


ACTS = Acts({0: CARDS, DRAW: "draw", PASS: "pass", CALL: SUIT_NAMES})

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count("hand_size", "How many cards are dealt to each?", "Everyone gets {} cards.", "Everyone gets one card."),
    count("limit", "How many cards may be drawn in a turn?", "Up to {} cards may be drawn.", "One card may be drawn."),
)


def prompt(view: EightsView) -> str:
    """What the seat to move is asked."""
    cards = f"Play {SUIT_NAMES[view.suit]}, another {symbol(view.top)[:-1]} or an eight; or draw, or pass."
    return "Which suit is to be followed?" if view.calling else cards
