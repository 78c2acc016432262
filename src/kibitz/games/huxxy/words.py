"""Huxxy in words: actions as text, refusals and events as sentences.

KS>2        put the king of spades from the hand to group 2 (groups count from 1)
KS>new      start a new group with it
KS 1>2      move it from group 1 to group 2
pick up     take the top card of the stock, which ends the turn
end         end the turn on the table
"""

import re
from collections.abc import Sequence

from kibitz.cards import JOKER, code, parse, symbol, symbols
from kibitz.engine.events import Event, View
from kibitz.engine.sentences import Names, listed, verb
from kibitz.errors import NotationError
from kibitz.games.huxxy.best import HAND, Play, can_end, parts, play_action
from kibitz.games.huxxy.best import leading as leading
from kibitz.games.huxxy.groups import total_worth
from kibitz.games.huxxy.plays import CONCEDE, END, NONE, PICK_UP, PLAY, SLOTS
from kibitz.games.huxxy.settings import OPTIONS as OPTIONS
from kibitz.games.huxxy.view import Conceded, Finished, HuxxyView, Moved, PickedUp, Played, Started, TurnEnded, pair

SCORES = "Left in hand, as a loss; who concedes loses 1000"
WORDS = {
    **dict.fromkeys(("pick up", "pickup", "pick", "draw", "p"), PICK_UP),
    **dict.fromkeys(("end", "end turn", "end the turn", "done", "e"), END),
    "concede": CONCEDE,
}
NUMBER = re.compile(r"new|[1-9]\d?")
SMALL_TALK = re.compile(r">|,|\b(?:to|from|group|card|play|move|put)\b")
STEP_LIMIT = 1500
"""How many steps the prompt looks ahead to see whether the turn can still be ended."""


def text(view: View, action: int) -> str:
    """An action as text, as ``parse_action`` reads it."""
    if action < PLAY:
        return ("pick up", "end", "concede")[action]
    assert isinstance(view, HuxxyView)
    card, source, group = parts(view, action)
    goal = "new" if group == len(view.table) else str(group + 1)
    return f"{code(card)}>{goal}" if source == HAND else f"{code(card)} {source + 1}>{goal}"


def label(view: View, action: int) -> str:
    """An action as a choice in a list."""
    if action < PLAY:
        return ("pick up a card  (ends the turn)", "end the turn", "concede: you lose, the others win")[action]
    assert isinstance(view, HuxxyView)
    card, source, group = parts(view, action)
    goal = "a new group" if group == len(view.table) else f"group {group + 1}"
    origin = "" if source == HAND else f" from group {source + 1}"
    return f"{symbol(card)}{origin} to {goal}"


def parse_action(view: View, words: str) -> int:
    """The action that a text means; NotationError if it cannot be read or means several."""
    assert isinstance(view, HuxxyView)
    plain = " ".join(words.lower().split())
    if plain in WORDS:
        return WORDS[plain]
    tokens = SMALL_TALK.sub(" ", plain).split()
    groups = [group_number(view, token) for token in tokens if NUMBER.fullmatch(token)]
    cards = [parse(token) for token in tokens if not NUMBER.fullmatch(token)]
    if len(cards) != 1 or len(groups) not in (1, 2):
        raise NotationError(
            f"{words[:40]!r} is no play: write one card and its group, such as 'KS>2' or 'KS>new', two groups to "
            "move it on the table, such as 'KS 1>2', or 'pick up' or 'end'."
        )
    card, group = cards[0], groups[-1]
    if card > JOKER:
        raise NotationError("The Joker of Huxxy is written XX.")
    if len(groups) == 1 and card in view.hand:
        return play_action(view.table, Play(card, HAND, group))
    homes = [g for g, held in enumerate(view.table) if card in held and g in (groups[0], *([g] * (len(groups) == 1)))]
    if len(homes) > 1:
        raise NotationError(f"{symbol(card)} is in several groups: say from which, such as '{code(card)} 1>2'.")
    if homes:
        return play_action(view.table, Play(card, homes[0], group))
    if len(groups) == 2:
        raise NotationError(f"{symbol(card)} is not in group {groups[0] + 1}.")
    return play_action(view.table, Play(card, HAND, group))


def group_number(view: HuxxyView, token: str) -> int:
    """The number of a group as actions have it."""
    number = len(view.table) if token == "new" else int(token) - 1
    if number >= SLOTS:
        raise NotationError(f"There is no group {token}.")
    return number


def prompt(view: View) -> str:
    """What the seat to move is asked."""
    assert isinstance(view, HuxxyView)
    opened = view.opened[view.player]
    if view.plays == 0:
        first = "" if opened else f" Your first turn on the table must bring {view.opening} points from your hand."
        return f"Pick up a card, or play up to {view.plays_a_turn} cards.{first}"
    plays = view.plays_left
    asked = f"{plays} {'play' if plays == 1 else 'plays'} left" if plays else "No play left"
    if not opened:
        asked += f", {view.points} of {view.opening} points"
    return f"{asked}: what do you do?{warning(view)}"


def warning(view: HuxxyView) -> str:
    """A sentence of warning if the turn can no longer be ended, as far as can be seen quickly."""
    if can_end(view, STEP_LIMIT) is False:
        return " Beware: nothing that you can still do ends this turn validly; undo takes a play back."
    return ""


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Started(players=players, hand_size=hand_size, hand=hand):
            dealt = f"{players} players get {hand_size} cards each."
            return dealt + (f" You hold {symbols(hand)}." if hand is not None else "")
        case PickedUp(who, card, next_player):
            what = "a card" if card is None else symbol(card)
            return f"{names[who]} {verb(who, seat, 'pick', 'picks')} up {what}.{turn_of(next_player, seat, names)}"
        case Played(who, card, group, True):
            return f"{names[who]} {verb(who, seat, 'start', 'starts')} group {group + 1} with {symbol(card)}."
        case Played(who, card, group, False):
            return f"{names[who]} {verb(who, seat, 'put', 'puts')} {symbol(card)} to group {group + 1}."
        case Moved(who, card, source, group, new):
            goal = "a new group" if new else f"group {group + 1}"
            move = verb(who, seat, "move", "moves")
            return f"{names[who]} {move} {symbol(card)} from group {source + 1} to {goal}."
        case TurnEnded(who, next_player):
            end = verb(who, seat, "end your turn", "ends the turn")
            return f"{names[who]} {end}.{turn_of(next_player, seat, names)}"
        case Conceded(who):
            return f"{names[who]} cannot end the turn and {verb(who, seat, 'concede', 'concedes')}."
        case Finished(hands):
            return f"The game is over. In hand: {listed([f'{names[p]} {left(hand)}' for p, hand in enumerate(hands)])}."
    raise TypeError(f"{event!r} is no event of Huxxy")


def left(hand: Sequence[int]) -> str:
    """The cards left in a hand, and what they cost."""
    return f"{symbols(hand) or 'nothing'} ({int(total_worth(*pair(hand)))})"


def turn_of(next_player: int, seat: int, names: Names) -> str:
    """Whose turn it is next, as the end of a sentence."""
    if next_player == NONE:
        return ""
    return f" {names[next_player]} {verb(next_player, seat, 'are', 'is')} to play."
