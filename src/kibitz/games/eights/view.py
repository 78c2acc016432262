"""What a seat of Crazy Eights may know, what it is told, and all that in words."""

from typing import Annotated

from kibitz.cards import SUIT_NAMES, Card, cards_of, symbol, symbols
from kibitz.engine import common
from kibitz.engine.common import Finished, Passed, Played, Shown, TurnedUp
from kibitz.engine.events import Event, Notice, Outcome, View, most_wins
from kibitz.engine.fields import Seat
from kibitz.engine.layout import PlainState
from kibitz.engine.seen import InTheEnd, Own, Size, Sizes, functions
from kibitz.engine.sentences import Names, verb
from kibitz.engine.settings import count
from kibitz.engine.words import CARDS, Acts
from kibitz.games.eights import rules
from kibitz.games.eights.rules import CALL, DRAW, PASS


class EightsView(View, frozen=True):
    """What one seat may know of a position in Crazy Eights.

    players     how many seats take part
    pack        the cards that are played with
    limit       how many cards a seat may draw in a turn
    hand        your cards, the lowest first
    counts      by seat, how many cards it holds
    stock       how many cards can still be drawn
    discards    the cards that have been laid, the lowest first
    top         the last of them, which lies open
    suit        the suit to follow, from 0: diamonds, clubs, hearts, spades
    calling     whether the seat to move has laid an eight and is to name a suit
    drawn       how many cards it has drawn this turn
    passes      how many seats in a row have passed
    hands       by seat, the cards left in its hand once the game is over, before that nothing
    """

    players: int
    pack: tuple[Card, ...]
    limit: int
    hand: Annotated[tuple[Card, ...], Own("hand")]
    counts: Annotated[tuple[int, ...], Sizes("hand")]
    stock: Annotated[int, Size("stock")]
    discards: tuple[Card, ...]
    top: Card
    suit: int
    calling: bool
    drawn: int
    passes: int
    hands: Annotated[tuple[tuple[Card, ...], ...], InTheEnd("hand")]


view, views, restore = functions(EightsView, rules.LAYOUT, rules.clear, parts=("hand", "stock", "discards"))


class Called(Event, frozen=True):
    """A seat has named the suit to follow."""

    seat: Seat
    suit: int


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the deal."""
    return common.dealt(hands(s)) + common.everybody(TurnedUp((s.top,)))


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    p, stock = s.player, s.stock
    rules.apply(s, a)
    if a == DRAW:
        return common.drew(p, tuple(cards_of(stock ^ s.stock)))
    event = Passed(p) if a == PASS else Called(p, a - CALL) if a >= CALL else Played(p, (a,))
    return common.everybody(event, *([Shown(hands(s)), Finished(scores(s))] if s.over else []))


def hands(s: PlainState) -> tuple[tuple[Card, ...], ...]:
    """The cards of all hands."""
    return tuple([tuple(cards_of(hand)) for hand in s.hand[: s.players]])


def scores(s: PlainState) -> tuple[int, ...]:
    """By seat, what the cards left in its hand count, as a loss."""
    out = [0] * s.players
    rules.returns(s, out)
    return tuple(out)


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: who has least left wins, equals share; a seat that has forfeited cannot win."""
    out = any(hand == 0 for hand in s.hand[: s.players])
    return most_wins("A hand is empty." if out else "Nobody can play, and the stock is empty.", scores(s), forfeited)


ACTS = Acts({0: CARDS, DRAW: "draw", PASS: "pass", CALL: SUIT_NAMES})
text, label, parse_action = ACTS.text, ACTS.label, ACTS.parse_action

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count("hand_size", "How many cards are dealt to each?", "Everyone gets {} cards.", "Everyone gets one card."),
    count("limit", "How many cards may be drawn in a turn?", "Up to {} cards may be drawn.", "One card may be drawn."),
)


def prompt(view: EightsView) -> str:
    """What the seat to move is asked."""
    if view.calling:
        return "Which suit is to be followed?"
    return f"Play {SUIT_NAMES[view.suit]}, another {symbol(view.top)[:-1]} or an eight; or draw, or pass."


def table(view: EightsView, names: Names) -> list[str]:
    """The position as lines of text."""
    lines = [f"{name}: {number} cards" for name, number in zip(names, view.counts, strict=True)]
    lines.append(f"{symbol(view.top)} lies open, {SUIT_NAMES[view.suit]} to follow, {view.stock} cards in the stock")
    return lines + ([f"your hand: {symbols(view.hand)}"] if view.hand else [])


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    if isinstance(event, Called):
        return f"{names[event.seat]} {verb(event.seat, seat, 'name', 'names')} {SUIT_NAMES[event.suit]}."
    return common.describe(event, seat, names)
