"""The published calls of COMP10001-Huxxy with their results (rule sheet "huxxy")."""

from typing import Any

from kibitz.engine.form import Example, exactly

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
            [KC, KC, KS, KH, KD],
            0,
            ["3S", "8S", "4H", "2C", "6S", "5H", "8C"],
            [["KC", "KC", "KS", "KH", "KD"]],
        ),
        exactly((0, 3, None)),
    ),
)
