"""The example calls that the assignment publishes, each with a judge of the answer.

For ``comp10001go_group`` any valid grouping of the ten discards is right; for ``comp10001go_best_partitions`` the
orders are free.  The assignment gives no results for these two: the tests take them from a brute force.  For
``comp10001go_score_group`` it gives the score of a single run; the other calls follow its table of groups.
"""

from collections.abc import Callable
from typing import Any

from kibitz.cards import parse
from kibitz.engine.form import Example, exactly, quoted
from kibitz.errors import NotationError
from kibitz.games.go.form import reply_groups
from kibitz.games.go.view import GoView

HISTORY = [
    ["0S", "KH", "AC", "3C"],
    ["JH", "AD", "QS", "5H"],
    ["9C", "8S", "QH", "9S"],
    ["8C", "9D", "0D", "JS"],
    ["5C", "AH", "5S", "4C"],
    ["8H", "2D", "6C", "2C"],
    ["8D", "4D", "JD", "AS"],
    ["0H", "6S", "2H", "KC"],
    ["KS", "KD", "7S", "6H"],
    ["JC", "QD", "4H", "QC"],
]
"""The discards of a whole game, turn by turn."""

SCORED: tuple[tuple[list[str], int], ...] = (
    (["AH", "AS", "QS", "9H", "7H", "AC"], 57),
    (["KC", "KH", "KS", "KD"], 312),
    (["KC", "KH", "KS", "AD"], -59),
    (["3C", "4H", "5S"], 12),
    (["3C", "4S", "5C"], -12),
    (["2C"], -2),
    (["AD"], -20),
    ([], 0),
)
"""Groups and their scores."""

VALID: tuple[tuple[list[list[str]], bool], ...] = (
    ([["KC", "KH", "KS", "KD"], ["2C"]], True),
    ([["KC", "KH", "KS", "AD"], ["2C"]], False),
    ([["KC", "KH", "KS", "KD"], ["2C", "3H"]], False),
    ([], True),
)
"""Groupings and whether they are valid."""

PARTITIONED = (
    (
        ["0H", "8S", "6H", "AC", "0S", "JS", "8C", "7C", "6D", "QS"],
        [[["0H", "0S"], ["8S", "8C"], ["6H", "6D"], ["AC"], ["JS"], ["7C"], ["QS"]]],
    ),
    (
        ["9D", "2S", "4D", "4H", "6D", "AH", "2C", "JH", "3C", "9H"],
        [[["9D", "9H"], ["4D", "4H"], ["2S", "2C"], ["6D"], ["AH"], ["JH"], ["3C"]]],
    ),
    (
        ["3C", "5H", "9S", "JS", "4C", "2C", "AS", "KC", "6H", "QC"],
        [[["3C"], ["5H"], ["9S"], ["JS"], ["4C"], ["2C"], ["AS"], ["KC"], ["6H"], ["QC"]]],
    ),
    (
        ["0D", "AS", "5C", "8H", "KS", "AH", "QH", "AC"],
        [
            [["0D", "AC", "QH", "KS"], ["5C", "AH", "AS", "8H"]],
            [["0D", "AS", "QH", "KS"], ["5C", "AH", "AC", "8H"]],
        ],
    ),
)
"""Cards and all their best partitions."""


def groups_all(cards: list[str]) -> Callable[[Any], str | None]:
    """A judge that wants a valid grouping of these cards."""
    laid = tuple(parse(card) for card in cards)
    view = GoView(0, 0, False, 1, len(laid), laid, False, len(laid), True, None, (None,), (laid,), ((),), (0,))

    def judge(value: Any) -> str | None:
        try:
            reply_groups(view, value)
        except NotationError as error:
            return str(error)
        return None

    return judge


def partitions(expected: list[list[list[str]]]) -> Callable[[Any], str | None]:
    """A judge that wants these partitions, each once, in any order."""
    wanted = {as_sets(partition) for partition in expected}

    def judge(value: Any) -> str | None:
        try:
            found = [as_sets(partition) for partition in value]
            right = len(found) == len(wanted) and set(found) == wanted
        except TypeError:
            return f"it should return a list of lists of lists of cards, not {quoted(value)}"
        return None if right else f"it should return, in any order, {expected!r}"

    return judge


def as_sets(partition: Any) -> frozenset[frozenset[str]]:
    """A partition without its orders; TypeError unless it is a list of lists of different things."""
    if type(partition) is not list or any(type(group) is not list for group in partition):
        raise TypeError("a partition must be a list of lists")
    groups = frozenset(frozenset(group) for group in partition)
    if sum(map(len, groups)) != sum(map(len, partition)):
        raise TypeError("a partition must hold every card once")
    return groups


EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001go_score_group", (cards,), exactly(score)) for cards, score in SCORED),
    *(Example("comp10001go_valid_groups", (groups,), exactly(valid)) for groups, valid in VALID),
    Example("comp10001go_play", (HISTORY[:9], 3, ["QC"]), exactly("QC")),
    Example("comp10001go_group", (HISTORY, 3), groups_all([turn[3] for turn in HISTORY])),
    *(Example("comp10001go_best_partitions", (cards,), partitions(best)) for cards, best in PARTITIONED),
)
"""All of them."""
