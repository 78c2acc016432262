"""COMP10001-Huxxy in the assignment's form (rule sheet "huxxy", Encoding).

    comp10001huxxy_play(play_history, active_player, hand, table) -> play
    comp10001huxxy_bonus_play, with the same arguments, is asked in the bonus game

A play is ``(player, type, details)``: 0 pick up, 1 ``(card, to_group)``, 2 ``(card, from_group, to_group)``, 3 end the
turn.  The function is called once for every single play, not once a turn.
"""

from typing import Any

from kibitz.cards import JOKER, code
from kibitz.engine.events import Event
from kibitz.engine.form import HISTORY, Call, quoted
from kibitz.errors import NotationError
from kibitz.games.huxxy.best import HAND, Play, play_action
from kibitz.games.huxxy.plays import END, PICK_UP, SLOTS
from kibitz.games.huxxy.rules import Reason
from kibitz.games.huxxy.view import HuxxyView, Moved, PickedUp, Played, TurnEnded

FUNCTIONS = ("comp10001huxxy_play", "comp10001huxxy_bonus_play")
PICKS_UP, PLAYS, MOVES, ENDS = range(4)


def history_item(event: Event) -> tuple[int, int, Any] | None:
    """What an event adds to ``play_history``."""
    match event:
        case PickedUp(who, _, _):
            return who, PICKS_UP, None
        case Played(who, card, group, _):
            return who, PLAYS, (code(card), group)
        case Moved(who, card, source, group, _):
            return who, MOVES, (code(card), source, group)
        case TurnEnded(who, _):
            return who, ENDS, None
    return None


def function(view: HuxxyView) -> str:
    """Which function is asked."""
    return FUNCTIONS[JOKER in view.pack]


def call(view: HuxxyView) -> Call:
    """What to ask the seat to move."""
    hand = [code(card) for card in view.hand]
    table = [[code(card) for card in cards] for cards in view.table]
    return Call(function(view), (HISTORY, view.seat, hand, table))


def reply(view: HuxxyView, value: Any) -> list[int]:
    """The action that an answer means; NotationError if it means none.  Whether it is legal is the rules' to say."""
    name = function(view)
    if type(value) is not tuple or len(value) != 3 or type(value[0]) is not int or type(value[1]) is not int:
        raise NotationError(f"{name} must return a tuple (player, type, details), not {quoted(value)}.")
    player, kind, details = value
    if player != view.seat:
        raise NotationError(f"{name} must play for player {view.seat}, not for {quoted(player)}.")
    if kind in (PICKS_UP, ENDS) and details is None:
        return [PICK_UP if kind == PICKS_UP else END]
    if kind == PLAYS and type(details) is tuple and len(details) == 2:
        play = Play(card_number(view, name, details[0]), HAND, group(view, name, details[1]))
        return [play_action(view.table, play)]
    if kind == MOVES and type(details) is tuple and len(details) == 3:
        source, goal = group(view, name, details[1]), group(view, name, details[2])
        for card in set(view.table[source]) if source < len(view.table) else ():
            if code(card) == details[0]:
                return [play_action(view.table, Play(card, source, goal))]
        raise NotationError(f"{name} moves {quoted(details[0])} from group {source}. {Reason.NOT_THERE.sentence}")
    raise NotationError(f"{name} must return a play of type 0 to 3 with its details, not {quoted(value)}.")


def card_number(view: HuxxyView, name: str, text: Any) -> int:
    """The card of a play from the hand."""
    for card in view.hand:
        if code(card) == text:
            return card
    raise NotationError(f"{name} plays {quoted(text)}. {Reason.NOT_HELD.sentence}")


def group(view: HuxxyView, name: str, number: Any) -> int:
    """The number of a group."""
    if type(number) is int and 0 <= number < SLOTS:
        return number
    raise NotationError(f"{name} names the group {quoted(number)}. {Reason.NO_GROUP.sentence}")
