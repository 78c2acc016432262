"""Crazy Eights as seats see it: the view, the events, their words, and the scene."""

from typing import Annotated

from kibitz.cards import SUIT_NAMES, Card, as_set, cards_of, symbol
from kibitz.engine.layout import PlainState
from kibitz.engine.scene import Scene, Zone
from kibitz.engine.scene.elements import hands, pile
from kibitz.engine.sentences import Names, counted
from kibitz.engine.setup_position import Facts
from kibitz.engine.views import common_events
from kibitz.engine.views.common_events import Cards
from kibitz.engine.views.events import Event, Notice, View
from kibitz.engine.views.field_types import Doc
from kibitz.engine.views.observation import Own, RevealedAtEnd, Size, Sizes, view_functions
from kibitz.engine.words import CARDS, ActionTexts
from kibitz.errors import NotationError
from kibitz.games.eights import rules
from kibitz.games.eights.rules import CALL, DRAW, EIGHT, PASS, POINTS, playable


class EightsView(View, frozen=True):
    """What one seat may know of a position in Crazy Eights."""

    pack: Annotated[Cards, Doc("the cards that are played with")]
    limit: Annotated[int, Doc("how many cards a seat may draw in a turn")]
    hand: Annotated[Cards, Own("hand"), Doc("your cards, the lowest first")]
    counts: Annotated[tuple[int, ...], Sizes("hand"), Doc("by seat, how many cards it holds")]
    stock: Annotated[int, Size("stock"), Doc("how many cards can still be drawn")]
    discards: Annotated[Cards, Doc("the cards that lie face up, the lowest first")]
    top: Annotated[Card, Doc("the top card of the discard pile")]
    suit: Annotated[common_events.SuitName, Doc("the suit to follow")]
    calling: Annotated[bool, Doc("whether the seat to move has played an eight and must name a suit")]
    drawn: Annotated[int, Doc("how many cards the seat to move has drawn this turn")]
    passes: Annotated[int, Doc("how many seats in a row have passed")]
    hands: Annotated[tuple[Cards, ...], RevealedAtEnd("hand"), Doc("by seat, the cards left in its hand at the end")]


view, views, restore = view_functions(EightsView, rules.LAYOUT, parts=("hand", "stock", "discards"))


def opening(s: PlainState) -> list[Notice]:
    """The events of the deal."""
    return common_events.deal_notices(s) + common_events.everybody(common_events.TurnedUp((s.top,)))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action; return the notices."""
    p, stock = s.player, s.stock
    rules.apply(s, a)
    if a == DRAW:
        return common_events.draw_notices(p, tuple(cards_of(stock ^ s.stock)))
    event: Event = common_events.Played(p, (a,))
    if a == PASS:
        event = common_events.Passed(p)
    elif a >= CALL:
        event = common_events.SuitNamed(p, a - CALL)
    return common_events.everybody(event) + common_events.end_notices(s, rules.returns)


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    return "A hand is empty." if 0 in s.hand[: s.players] else "Nobody can play, and the stock is empty."


ACTION_TEXTS = ActionTexts({0: CARDS, DRAW: "draw", PASS: "pass", CALL: SUIT_NAMES})
SCORE_LABEL, SCORES_ARE_LOSSES = "Points left in hand", True


def prompt(view: EightsView) -> str:
    """The question to the seat to move."""
    alternative = "draw" if view.stock and view.drawn < view.limit else "pass"
    rank = "" if view.top >> 2 == rules.EIGHT else f", another {symbol(view.top)[:-1]}"
    play = f"Play a {SUIT_NAMES[view.suit][:-1]}{rank} or an eight, or {alternative}."
    return "Which suit is to be followed?" if view.calling else play


def action_verb(view: EightsView, action: int) -> str:
    """The verb that a hint puts before an action; "" for the default ("play" before a card)."""
    return "name" if action >= CALL else ""


def explain(view: EightsView, action: int) -> str:
    """One sentence on what an action does, or "" if there is nothing to say."""
    hand = as_set(view.hand)
    if action in (DRAW, PASS):
        if action == PASS and not view.stock and view.passes + 1 == len(view.counts):
            return "It ends the game: everybody has passed, and the stock is empty."
        can_play = playable(hand, view.top, view.suit)
        return "It keeps the playable cards for later." if can_play else "No card in hand can be played."
    if action >= CALL:
        unseen = as_set(view.pack) & ~hand & ~as_set(view.discards)
        held, elsewhere = (playable(cards, view.top, action - CALL).bit_count() for cards in (hand, unseen))
        in_hand = f"{held} of the {hand.bit_count()} cards in hand"
        return f"{in_hand} and {elsewhere} of the {unseen.bit_count()} cards not seen yet could be played on it."
    rest = hand & ~(1 << action)
    if not rest:
        return "It is the last card in hand."
    saving = f"It gets rid of {counted(POINTS[action >> 2], 'point')}"
    if action >> 2 == EIGHT:
        can_play = playable(rest, view.top, view.suit)
        return f"{saving}, and names the suit." if can_play else "No other card in hand can be played."
    count, following = rest.bit_count(), playable(rest, action, action & 3).bit_count()
    how_many = {0: "none", count: "each"}.get(following, str(following))
    return f"{saving}, and {how_many} of the {count} cards left could be played on it." if count > 1 else f"{saving}."


def scene(view: EightsView, names: Names) -> Scene:
    """The position."""
    discards = pile("discards", "Discard pile", view.top, len(view.discards), note=f"{SUIT_NAMES[view.suit]} to follow")
    stock = Zone("stock", "Stock", -1, "backs", (), view.stock)
    return Scene((discards, stock, *hands(view.seat, view.hand, view.counts, names, view.hands)))


FACTS = {
    "hand": "your cards",
    "top": "the top card of the discard pile",
    "suit": "the named suit, if the top card is an eight: diamonds, clubs, hearts or spades",
    "counts": "how many cards the others hold, starting with the next player; default: as many as were dealt",
    "gone": "the cards under the top card",
    "drawn": "how many cards you have drawn this turn",
}
EXAMPLE = '"5H 8C KD KS 2S" --top 5S --counts "4 6 5"'


def position(s: PlainState, facts: Facts) -> None:
    """Set up a position from the facts that were typed in; seat 0 is to move."""
    hand, top, covered = facts.hand(), facts.card("top"), facts.cards("gone")
    s.top, s.suit = top, facts.choice("suit", SUIT_NAMES, default=top & 3)
    if s.suit != top & 3 and top >> 2 != EIGHT:
        raise NotationError("--suit is for an eight, and the top card isn't one.")
    s.discards, s.hand[0] = as_set([*covered, top]), as_set(hand)
    for p, count in enumerate(facts.counts(default=s.hand_size), 1):
        s.hand[p] = as_set(facts.deal(count))
    s.stock = as_set(facts.rest)
    s.drawn = facts.number("drawn", 0, s.limit)
