"""The COMP10001-Huxxy project (``rules.md``): its functions, how a game calls them, and published results.

    comp10001huxxy_play(play_history, active_player, hand, table) -> play
    comp10001huxxy_bonus_play, with the same arguments, is called in the bonus game

A play is ``(player, type, details)``: 0 pick up, 1 ``(card, to_group)``, 2 ``(card, from_group, to_group)``, 3 end the
turn.  The function is called once for every play, not once per turn.

The published result of ``comp10001huxxy_play`` is one of many: every play that the rules allow is accepted.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.cards import JOKER, code, parse_cards
from kibitz.engine.layout import PlainState
from kibitz.engine.views.assignment_interface import HISTORY, Call, Example, Function, exactly, quoted
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.actions import END, MAX_GROUPS, PICK_UP
from kibitz.games.huxxy.best import HAND, Play, play_action
from kibitz.games.huxxy.groups import JOKER_BIT
from kibitz.games.huxxy.rules import Reason
from kibitz.games.huxxy.view import HuxxyView, Moved, PickedUp, Played, TurnEnded, bit_sets, view

# The functions


COURSE = "comp10001"
HISTORY_PARAMETER = ("play_history", "all plays so far")
PLAYER_PARAMETER = ("active_player", "your number, 0 to 3")
HAND_PARAMETER = ("hand", "your cards")
TABLE_PARAMETER = ("table", "the groups on the table, each a list of cards")
THREE_PLAYS = [(0, 1, ("KC", 0)), (0, 1, ("XX", 0)), (0, 1, ("KH", 0))]
WITH_JOKER = THREE_PLAYS, 0, ["3S", "8S", "4H"], [["KC", "XX", "KH"]]
"""Example arguments for a call in the bonus game."""
PLAY_RETURNS = (
    "(active_player, play_type, details): (you, 0, None) picks up a card, (you, 1, (card, to_group)) plays one from the"
    " hand, (you, 2, (card, from_group, to_group)) moves one on the table, (you, 3, None) ends the turn; groups are"
    " numbered from 0, and len(table) is a new one"
)

PUBLISHED = (
    Function("comp10001huxxy_score", "adds up cards left in hand", (("cards", "the cards"),), "their value, an int"),
    Function(
        "comp10001huxxy_valid_table",
        "checks whether every group is a run or N of a kind",
        (("groups", "the groups, each a list of cards"),),
        "True or False",
    ),
    Function(
        "comp10001huxxy_valid_play",
        "checks whether a play is valid",
        (
            ("play", "a play, as comp10001huxxy_play returns it"),
            HISTORY_PARAMETER,
            PLAYER_PARAMETER,
            HAND_PARAMETER,
            TABLE_PARAMETER,
        ),
        "True or False",
    ),
    Function(
        "comp10001huxxy_play",
        "makes one play; called up to seven times per turn",
        (HISTORY_PARAMETER, PLAYER_PARAMETER, HAND_PARAMETER, TABLE_PARAMETER),
        PLAY_RETURNS,
    ),
    Function(
        "comp10001huxxy_bonus_play",
        "the same in the bonus game, which has Jokers (XX)",
        (HISTORY_PARAMETER, PLAYER_PARAMETER, HAND_PARAMETER, TABLE_PARAMETER),
        PLAY_RETURNS,
        WITH_JOKER,
    ),
)
"""Every function of the assignment."""


# Calls and answers


FUNCTIONS = ("comp10001huxxy_play", "comp10001huxxy_bonus_play")
PICKS_UP, PLAYS, MOVES, ENDS = range(4)
"""The types of plays."""


def called_functions(options: Mapping[str, int]) -> tuple[str, ...]:
    """The function that a game with these options calls: the bonus game's if there are Jokers."""
    return (FUNCTIONS[bool(options["pack"] & JOKER_BIT)],)


def history_item(event: Event) -> tuple[int, int, Any] | None:
    """The item that an event adds to ``play_history``."""
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


def function_name(view: HuxxyView) -> str:
    """The name of the function to call."""
    return FUNCTIONS[JOKER in view.pack]


def call(view: HuxxyView) -> Call:
    """The call for the seat to move."""
    hand = [code(card) for card in view.hand]
    table = [[code(card) for card in cards] for cards in view.table]
    return Call(function_name(view), (HISTORY, view.seat, hand, table))


def reply(view: HuxxyView, value: Any) -> list[int]:
    """The action that a returned value means.

    Raises NotationError if it means none. The rules decide whether it is legal.
    """
    name = function_name(view)
    if type(value) is not tuple or len(value) != 3 or type(value[0]) is not int or type(value[1]) is not int:
        raise NotationError(f"{name} must return a tuple (player, type, details), not {quoted(value)}.")
    player, kind, details = value
    if player != view.seat:
        raise NotationError(f"{name} must play for player {view.seat}, not for {quoted(player)}.")
    if kind in (PICKS_UP, ENDS) and details is None:
        return [PICK_UP if kind == PICKS_UP else END]
    if kind == PLAYS and type(details) is tuple and len(details) == 2:
        play = Play(card_number(view, name, details[0]), HAND, group_number(view, name, details[1]))
        return [play_action(view.table, play)]
    if kind == MOVES and type(details) is tuple and len(details) == 3:
        source, target = group_number(view, name, details[1]), group_number(view, name, details[2])
        for card in set(view.table[source]) if source < len(view.table) else ():
            if code(card) == details[0]:
                return [play_action(view.table, Play(card, source, target))]
        raise NotationError(f"{name} moves {quoted(details[0])} from group {source}. {Reason.NOT_THERE.sentence}")
    raise NotationError(f"{name} must return a play of type 0 to 3 with its details, not {quoted(value)}.")


def card_number(view: HuxxyView, name: str, text: Any) -> int:
    """The hand card that ``text`` names. Raises NotationError if it isn't in the hand."""
    for card in view.hand:
        if code(card) == text:
            return card
    raise NotationError(f"{name} plays {quoted(text)}. {Reason.NOT_HELD.sentence}")


def group_number(view: HuxxyView, name: str, number: Any) -> int:
    """``number`` as the number of a group. Raises NotationError if no group can have it."""
    if type(number) is int and 0 <= number < MAX_GROUPS:
        return number
    raise NotationError(f"{name} names the group {quoted(number)}. {Reason.NO_GROUP.sentence}")


# Published results


# The hands of player 0: as dealt, and after some plays.
DEALT = ["3S", "KC", "8C", "3S", "8S", "KH", "4H", "2C", "6S", "5H", "8C", "KD"]
WITHOUT_KC = ["3S", "8C", "3S", "8S", "KH", "4H", "2C", "6S", "5H", "8C", "KD"]
WITH_KD = ["3S", "8C", "3S", "8S", "4H", "2C", "6S", "5H", "8C", "KD"]
NO_KINGS = ["3S", "8C", "3S", "8S", "4H", "2C", "6S", "5H", "8C"]
WITH_KS = [*NO_KINGS, "KS"]
# Plays of player 0: a king into group 0; an opening turn with three kings, and the pick-ups that follow it; three Aces.
KC, KH, KD, KS = ((0, 1, (king, 0)) for king in ("KC", "KH", "KD", "KS"))
KINGS_OPENED = [KC, KH, KD, (0, 3, None), *((p, 0, None) for p in (1, 2, 3, 0, 1, 2, 3))]
ACES = [(0, 1, (ace, 0)) for ace in ("AC", "AH", "AD")]

SCORES: list[tuple[list[str], int]] = [([], 0), (["AC"], 1), (["4C", "2H", "KS"], 19)]
TABLES: list[tuple[list[list[str]], bool]] = [
    ([], True),
    ([["AC"]], False),
    ([["AC", "2S"]], False),
    ([["AC", "2S", "3H"]], False),
    ([["AC", "2S", "4H"]], False),
    ([["AC", "2H", "3S"]], True),
    ([["3C", "AS", "2H"]], True),
]
VALIDITIES: list[tuple[Any, list[Any], list[str], list[list[str]], bool]] = [
    ((0, 0, None), [], DEALT, [], True),
    (KC, [], DEALT, [], True),
    ((0, 1, ("KC", 1)), [], DEALT, [], False),
    ((0, 1, ("AC", 0)), [], DEALT, [], False),
    (KH, [KC], WITHOUT_KC, [["KC"]], True),
    (KD, [KC, KH], WITH_KD, [["KC", "KH"]], True),
    ((0, 2, ("KS", 1, 0)), [KC, KH], WITH_KD, [["KC", "KH"]], False),
    ((0, 3, None), [KC, KH, KD], NO_KINGS, [["KC", "KH", "KD"]], True),
    ((0, 3, None), [], DEALT, [], False),
    ((0, 3, None), [KC, KH], WITH_KD, [["KC", "KH"]], False),
    ((0, 3, None), ACES, NO_KINGS, [["AC", "AH", "AD"]], False),
    (KS, KINGS_OPENED, WITH_KS, [["KC", "KH", "KD"]], True),
    ((0, 3, None), [*KINGS_OPENED, KS], NO_KINGS, [["KC", "KH", "KD", "KS"]], True),
    ((1, 0, None), [], DEALT, [], False),
]
"""A play, the history before it, hand, table, and whether the play is valid; player 0 is active."""

FIVE_PLAYS = [KC, KC, KS, KH, KD]
"""Plays of player 0, whose turn continues."""
REST_OF_HAND = ["3S", "8S", "4H", "2C", "6S", "5H", "8C"]
"""The hand of player 0 after these plays."""


def first_turn(plays: list[Any], hand: list[str]) -> PlainState:
    """The position after some plays in the first turn of a game; ``hand`` is the rest of player 0's hand."""
    from kibitz.games.huxxy import GAMES

    state = GAMES[0].blank()
    rules.clear(state)
    dealt = hand + [card for _, _, (card, _) in plays]
    state.hand_once[0], state.hand_twice[0] = bit_sets(parse_cards(dealt))
    for play in plays:
        (action,) = reply(view(state, 0), play)
        rules.apply(state, action)
    return state


def any_legal_play(plays: list[Any], hand: list[str], example: Any) -> Callable[[Any], str | None]:
    """A judge that accepts any legal play in the position of ``first_turn``, and returns what is wrong with others."""
    expected = f"it should return a play that the rules allow there, such as {example!r}"

    def judge(value: Any) -> str | None:
        state = first_turn(plays, hand)
        try:
            actions = reply(view(state, 0), value)
        except NotationError as error:
            return f"{expected}; {str(error).rstrip('.')}"
        reason = rules.refusal(state, actions[0])
        return f"{expected}, not {quoted(value)} ({rules.Reason(reason).sentence.rstrip('.')})" if reason else None

    return judge


EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001huxxy_score", (cards,), exactly(total)) for cards, total in SCORES),
    *(Example("comp10001huxxy_valid_table", (groups,), exactly(valid)) for groups, valid in TABLES),
    *(
        Example("comp10001huxxy_valid_play", (play, history, 0, hand, table), exactly(valid))
        for play, history, hand, table, valid in VALIDITIES
    ),
    Example(
        "comp10001huxxy_play",
        (
            FIVE_PLAYS,
            0,
            REST_OF_HAND,
            [["KC", "KC", "KS", "KH", "KD"]],
        ),
        any_legal_play(FIVE_PLAYS, REST_OF_HAND, (0, 3, None)),
    ),
)
