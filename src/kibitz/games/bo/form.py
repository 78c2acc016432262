"""COMP10001-Bo in the assignment's form (rule sheet "bo", Encoding).

    comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history) -> play

A play is ``(play_type, source, destination)``: 0 hand card, 1 discard pile ``(card, (owner, pile))``, 2 own
stockpile, 3 no play; the destination ``(0, k)`` is a build pile, ``(1, (owner, pile))`` a discard pile.  The types of
the arguments are those published (``kibitz.games.published``): tuples where there is one for each player or pile.
"""

from collections.abc import Mapping
from typing import Any

from kibitz.cards import code
from kibitz.engine.events import Event
from kibitz.engine.form import HISTORY, Call, quoted
from kibitz.errors import NotationError
from kibitz.games.bo.plays import FROM_PILE, NO_PLAY, SOURCE, STOCK
from kibitz.games.bo.rules import IDS
from kibitz.games.bo.view import BoView, Passed, Played

FUNCTIONS = ("comp10001bo_play",)
(PLAY,) = FUNCTIONS


def called(options: Mapping[str, int]) -> tuple[str, ...]:
    """The functions that a game with these options calls."""
    return FUNCTIONS


CODES = tuple(code(card & 63) if card & 63 < 52 else "" for card in range(IDS))
"""Every card id as the assignment writes it; a look-up, because a match asks thousands of times."""
NO_PLAY_FORM = (3, None, (None, None))
FROM_HAND, FROM_DISCARD, FROM_STOCK, NOTHING = range(4)


def history_item(event: Event) -> tuple[int, Any] | None:
    """What an event adds to ``play_history``."""
    if isinstance(event, Passed):
        return event.seat, NO_PLAY_FORM
    if isinstance(event, Played):
        return event.seat, play_form(event.source, event.card, event.pile)
    return None


def play_form(source: int, card: int, pile: int) -> tuple[int, Any, Any]:
    """A play in the assignment's form."""
    destination = (0, pile) if pile < 4 else (1, divmod(pile - 4, 4))
    text = CODES[card]
    if source < STOCK:
        return FROM_HAND, text, destination
    if source == STOCK:
        return FROM_STOCK, text, destination
    return FROM_DISCARD, (text, divmod(source - FROM_PILE, 4)), destination


def call(view: BoView) -> Call:
    """What to ask the seat to move."""
    hand = [CODES[card] for card in view.hand if card is not None]
    stockpiles = [
        (CODES[top] if top is not None else None, count)
        for top, count in zip(view.stock_tops, view.stock_counts, strict=True)
    ]
    piles = [[CODES[card] for card in pile] for pile in view.discards]
    discards = [tuple(piles[4 * p : 4 * p + 4]) for p in range(view.players)]
    builds = [[CODES[card] for card in pile] for pile in view.builds]
    return Call(PLAY, (view.seat, hand, tuple(stockpiles), tuple(discards), tuple(builds), HISTORY))


def reply(view: BoView, value: Any) -> list[int]:
    """The action that an answer means; NotationError if it means none.  Whether it is legal is the rules' to say."""
    if type(value) is tuple and len(value) == 3 and type(value[0]) is int:
        kind, source, destination = value
        if kind == NOTHING and source is None and destination == (None, None):
            return [NO_PLAY]
        if kind in (FROM_HAND, FROM_DISCARD, FROM_STOCK):
            return [SOURCE * source_number(view, kind, source) + pile_number(view, destination)]
    raise NotationError(f"{PLAY} must return a tuple (play_type, source, destination), not {quoted(value)}.")


def source_number(view: BoView, kind: int, source: Any) -> int:
    """Where the card of a play comes from."""
    if kind == FROM_HAND:
        for place, card in enumerate(view.hand):
            if card is not None and CODES[card] == source:
                return place
        raise NotationError(f"{PLAY} plays {quoted(source)} from the hand, which does not hold it.")
    if kind == FROM_STOCK:
        top = view.stock_tops[view.seat]
        if top is not None and CODES[top] == source:
            return STOCK
        raise NotationError(f"{PLAY} plays {quoted(source)} from the stockpile, whose top is another card.")
    if is_pair(source) and is_place(source[1], view.players):
        shown, (owner, k) = source
        pile = view.discards[4 * owner + k]
        if pile and CODES[pile[-1]] == shown:
            return int(FROM_PILE + 4 * owner + k)
        raise NotationError(f"{PLAY} plays {quoted(shown)} from discard pile {(owner, k)}, which does not show it.")
    raise NotationError(f"{PLAY} must name a discard pile as source by (card, (owner, pile)), not {quoted(source)}.")


def pile_number(view: BoView, destination: Any) -> int:
    """Where the card of a play goes."""
    if is_pair(destination):
        kind, place = destination
        if type(kind) is int and kind == 0 and type(place) is int and 0 <= place < 4:
            return place
        if type(kind) is int and kind == 1 and is_place(place, view.players):
            return 4 + 4 * int(place[0]) + int(place[1])
    raise NotationError(
        f"{PLAY} must name a destination (0, build pile 0 to 3) or (1, (owner, pile)), not {quoted(destination)}."
    )


def is_pair(value: Any) -> bool:
    """Whether a value is a tuple of two."""
    return type(value) is tuple and len(value) == 2


def is_place(value: Any, players: int) -> bool:
    """Whether a value names a discard pile: ``(owner, pile)``."""
    return is_pair(value) and all(type(n) is int for n in value) and 0 <= value[0] < players and 0 <= value[1] < 4
