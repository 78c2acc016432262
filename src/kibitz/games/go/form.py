"""COMP10001-Go in the assignment's form (rule sheet "go", Functions).

comp10001go_play(discard_history, player_no, hand)  -> one card of the hand
comp10001go_group(discard_history, player_no)       -> groups that cover the player's ten discards
"""

from collections.abc import Mapping
from typing import Any

from kibitz.cards import code, symbol
from kibitz.engine.events import Event
from kibitz.engine.form import HISTORY, Call, quoted
from kibitz.errors import NotationError
from kibitz.games.go.groups import is_valid
from kibitz.games.go.rules import GROUP
from kibitz.games.go.view import GoView, Revealed

FUNCTIONS = ("comp10001go_play", "comp10001go_group")
PLAY, GROUPING = FUNCTIONS


def called(options: Mapping[str, int]) -> tuple[str, ...]:
    """The functions that a game with these options calls: where cards are grouped by themselves, nobody is asked."""
    return (PLAY,) if options["auto"] else FUNCTIONS


def history_item(event: Event) -> list[str] | None:
    """What an event adds to ``discard_history``: the four cards of a completed turn."""
    return [code(card) for card in event.cards] if isinstance(event, Revealed) else None


def call(view: GoView) -> Call:
    """What to ask the seat to move."""
    if view.grouping:
        return Call(GROUPING, (HISTORY, view.seat))
    return Call(PLAY, (HISTORY, view.seat, [code(card) for card in view.hand]))


def reply(view: GoView, value: Any) -> list[int]:
    """The actions that an answer means; NotationError with the rule it breaks if it means none.

    A grouping is answered at once and becomes one action for each group.
    """
    return reply_groups(view, value) if view.grouping else [reply_card(view, value)]


def reply_card(view: GoView, value: Any) -> int:
    """The card chosen."""
    if type(value) is not str:
        raise NotationError(f"{PLAY} must return one card of the hand as a string, not {quoted(value)}.")
    for card in view.hand:
        if code(card) == value:
            return card
    hand = " ".join(code(card) for card in view.hand)
    raise NotationError(f"{PLAY} must return one card of the hand ({hand}), not {quoted(value)}.")


def reply_groups(view: GoView, value: Any) -> list[int]:
    """The groups formed, the one with the lowest card first."""
    if type(value) is not list or any(type(group) is not list for group in value):
        raise NotationError(f"{GROUPING} must return a list of lists of cards, not {quoted(value)}.")
    laid = sorted(view.discards[view.seat])
    codes = {code(card): position for position, card in enumerate(laid)}
    parts = []
    taken = 0
    for group in value:
        part = 0
        for text in group:
            if type(text) is not str or text not in codes:
                raise NotationError(f"{GROUPING} must group the player's own discards, and {quoted(text)} is none.")
            if (part | taken) >> codes[text] & 1:
                raise NotationError(f"{GROUPING} must use every discard once, and {text} comes twice.")
            part |= 1 << codes[text]
        cards = sum(1 << card for position, card in enumerate(laid) if part >> position & 1)
        if not part or not is_valid(cards):
            raise NotationError(f"{GROUPING} returned {quoted(group)}, which is no valid group.")
        taken |= part
        parts.append(part)
    missing = [symbol(card) for position, card in enumerate(laid) if not taken >> position & 1]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise NotationError(f"{GROUPING} must use every discard once, and {' '.join(missing)} {are} missing.")
    return [GROUP + part for part in sorted(parts, key=lambda part: part & -part)]
