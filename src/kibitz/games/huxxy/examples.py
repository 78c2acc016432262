"""The published calls of COMP10001-Huxxy, each with a judge of the result (rule sheet "huxxy").

For ``comp10001huxxy_play`` the published result is one of many: every play that the rules allow there is right.
"""

from collections.abc import Callable
from typing import Any

from kibitz.cards import parse_cards
from kibitz.engine.form import Example, exactly, quoted
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError
from kibitz.games.huxxy import GAMES, rules
from kibitz.games.huxxy.form import reply
from kibitz.games.huxxy.view import pair, view

DEALT = ["3S", "KC", "8C", "3S", "8S", "KH", "4H", "2C", "6S", "5H", "8C", "KD"]
WITHOUT_KC = ["3S", "8C", "3S", "8S", "KH", "4H", "2C", "6S", "5H", "8C", "KD"]
WITH_KD = ["3S", "8C", "3S", "8S", "4H", "2C", "6S", "5H", "8C", "KD"]
NO_KINGS = ["3S", "8C", "3S", "8S", "4H", "2C", "6S", "5H", "8C"]
WITH_KS = [*NO_KINGS, "KS"]
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
PLAYS: list[tuple[Any, list[Any], list[str], list[list[str]], bool]] = [
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

PLAYED = [KC, KC, KS, KH, KD]
"""Five plays of player 0, who goes on from there."""
LEFT_OVER = ["3S", "8S", "4H", "2C", "6S", "5H", "8C"]


def first_turn(plays: list[Any], hand: list[str]) -> PlainState:
    """The position after some plays of the first turn of a game, with ``hand`` left in hand."""
    state = GAMES[0].blank()
    rules.clear(state)
    dealt = hand + [card for _, _, (card, _) in plays]
    state.hand_once[0], state.hand_twice[0] = pair(parse_cards(dealt))
    for play in plays:
        (action,) = reply(view(state, 0), play)
        rules.apply(state, action)
    return state


def allowed(plays: list[Any], hand: list[str], such_as: Any) -> Callable[[Any], str | None]:
    """A judge that wants a play that the rules allow after others."""
    wanted = f"it should return a play that the rules allow there, such as {such_as!r}"

    def judge(value: Any) -> str | None:
        state = first_turn(plays, hand)
        try:
            actions = reply(view(state, 0), value)
        except NotationError as error:
            return f"{wanted} ({str(error).rstrip('.')})"
        refused = rules.refusal(state, actions[0])
        return f"{wanted}, not {quoted(value)} ({rules.Reason(refused).sentence.rstrip('.')})" if refused else None

    return judge


EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001huxxy_score", (cards,), exactly(total)) for cards, total in SCORES),
    *(Example("comp10001huxxy_valid_table", (groups,), exactly(valid)) for groups, valid in TABLES),
    *(
        Example("comp10001huxxy_valid_play", (play, history, 0, hand, table), exactly(valid))
        for play, history, hand, table, valid in PLAYS
    ),
    Example(
        "comp10001huxxy_play",
        (
            PLAYED,
            0,
            LEFT_OVER,
            [["KC", "KC", "KS", "KH", "KD"]],
        ),
        allowed(PLAYED, LEFT_OVER, (0, 3, None)),
    ),
)
