"""The COMP10001-Go project (``rules.md``): its functions, how a game calls them, and published results.

    comp10001go_play(discard_history, player_no, hand) -> one card of the hand
    comp10001go_group(discard_history, player_no) -> groups that cover the player's ten discards

Any valid grouping of the ten discards is a right answer of ``comp10001go_group``; the result of
``comp10001go_best_partitions`` may be in any order.  The assignment publishes calls of these two without results: the
tests check the results here against brute force.  For ``comp10001go_score_group`` it publishes the score of one run;
the other scores follow from its table of groups.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.cards import code, parse, symbol
from kibitz.engine.views.assignment_interface import HISTORY, Call, Example, Function, exactly, quoted
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError
from kibitz.games.go.groups import is_valid
from kibitz.games.go.rules import GROUP
from kibitz.games.go.view import GoView, Revealed

# The functions


COURSE = "comp10001"
HISTORY_PARAMETER = (
    "discard_history",
    "one list for each completed turn: the card that each of the players 0 to 3 discarded",
)
PLAYER_PARAMETER = ("player_no", "your number, 0 to 3: the place of your card in each turn of the history")

PUBLISHED = (
    Function(
        "comp10001go_score_group",
        "scores one group",
        (("cards", "the cards of the group, in any order"),),
        "the score, an int: minus the values of the cards if the group is invalid, 0 for no cards",
    ),
    Function(
        "comp10001go_valid_groups",
        "checks whether every group is valid",
        (("groups", "lists of cards, ten cards in all at most"),),
        "True if every group is a single card, N of a kind or a run, else False; [[]] is False, and [] True",
    ),
    Function(
        "comp10001go_play",
        "chooses the card to discard; called once a turn, ten times a game",
        (HISTORY_PARAMETER, PLAYER_PARAMETER, ("hand", "the cards that you may choose from; the rest is passed on")),
        "one card of the hand, as written there",
    ),
    Function(
        "comp10001go_group",
        "groups your ten discards at the end; called once a game",
        (HISTORY_PARAMETER, PLAYER_PARAMETER),
        "a list of lists of cards: every one of your discards once, and every group valid",
    ),
    Function(
        "comp10001go_best_partitions",
        "finds all groupings with the highest score",
        (("cards", "up to ten different cards"),),
        "a list of all best partitions, each a list of groups, each a list of cards; all in any order",
    ),
)
"""Every function of the assignment."""


# Calls and answers


FUNCTIONS = ("comp10001go_play", "comp10001go_group")
PLAY, GROUPING = FUNCTIONS


def called_functions(options: Mapping[str, int]) -> tuple[str, ...]:
    """The functions that a game with these options calls: none where grouping is automatic."""
    return (PLAY,) if options["auto"] else FUNCTIONS


def history_item(event: Event) -> list[str] | None:
    """The item that an event adds to ``discard_history``: the four cards of a completed turn."""
    return [code(card) for card in event.cards] if isinstance(event, Revealed) else None


def call(view: GoView) -> Call:
    """The call for the seat to move."""
    if view.grouping:
        return Call(GROUPING, (HISTORY, view.seat))
    return Call(PLAY, (HISTORY, view.seat, [code(card) for card in view.hand]))


def reply(view: GoView, value: Any) -> list[int]:
    """The actions that a returned value means. Raises NotationError, with the reason, if it means none.

    A grouping is returned as a whole and becomes one action for each group.
    """
    return reply_groups(view, value) if view.grouping else [reply_card(view, value)]


def reply_card(view: GoView, value: Any) -> int:
    """The card that a returned value chooses. Raises NotationError if it isn't one of the hand."""
    if type(value) is not str:
        raise NotationError(f"{PLAY} must return one card of the hand as a string, not {quoted(value)}.")
    for card in view.hand:
        if code(card) == value:
            return card
    hand = " ".join(code(card) for card in view.hand)
    raise NotationError(f"{PLAY} must return one card of the hand ({hand}), not {quoted(value)}.")


def reply_groups(view: GoView, value: Any) -> list[int]:
    """The actions of a returned grouping, by the lowest card of each group. Raises NotationError if it isn't valid."""
    if type(value) is not list or any(type(group) is not list for group in value):
        raise NotationError(f"{GROUPING} must return a list of lists of cards, not {quoted(value)}.")
    laid = sorted(view.discards[view.seat])
    positions = {code(card): position for position, card in enumerate(laid)}
    parts = []
    used = 0
    for group in value:
        part = 0
        for text in group:
            if type(text) is list:
                raise NotationError(
                    f"{GROUPING} must return one partition, a list of groups; {quoted(text)} is one list too deep."
                )
            if type(text) is not str or text not in positions:
                raise NotationError(f"{GROUPING} must group the player's own discards; {quoted(text)} isn't one.")
            if (part | used) >> positions[text] & 1:
                raise NotationError(f"{GROUPING} must use every discard once, and {text} comes twice.")
            part |= 1 << positions[text]
        cards = sum(1 << card for position, card in enumerate(laid) if part >> position & 1)
        if not part or not is_valid(cards):
            raise NotationError(f"{GROUPING} returned {quoted(group)}, which isn't a valid group.")
        used |= part
        parts.append(part)
    missing = [symbol(card) for position, card in enumerate(laid) if not used >> position & 1]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise NotationError(f"{GROUPING} must use every discard once, and {' '.join(missing)} {verb} missing.")
    return [GROUP + part for part in sorted(parts, key=lambda part: part & -part)]


# Published results


PUBLISHED_HISTORY = [
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
"""The discards of a whole game, by turn and player."""

SCORES: tuple[tuple[list[str], int], ...] = (
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

VALIDITIES: tuple[tuple[list[list[str]], bool], ...] = (
    ([["KC", "KH", "KS", "KD"], ["2C"]], True),
    ([["KC", "KH", "KS", "AD"], ["2C"]], False),
    ([["KC", "KH", "KS", "KD"], ["2C", "3H"]], False),
    ([], True),
)
"""Groupings and whether they are valid."""

PARTITIONS = (
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


def any_valid_grouping(cards: list[str]) -> Callable[[Any], str | None]:
    """A judge that accepts any valid grouping of these cards, and returns what is wrong with another value."""
    laid = tuple(parse(card) for card in cards)
    view = GoView(
        seat=0,
        player=0,
        over=False,
        players=1,
        hand_size=len(laid),
        pack=laid,
        auto=False,
        turn=len(laid),
        grouping=True,
        chosen=None,
        hands=(None,),
        discards=(laid,),
        groups=((),),
        scores=(0,),
    )

    def judge(value: Any) -> str | None:
        try:
            reply_groups(view, value)
        except NotationError as error:
            return str(error)
        return None

    return judge


def exactly_partitions(expected: list[list[list[str]]]) -> Callable[[Any], str | None]:
    """A judge that accepts exactly these partitions, each once, in any order."""
    expected_sets = {as_sets(partition) for partition in expected}

    def judge(value: Any) -> str | None:
        try:
            partitions = [as_sets(partition) for partition in value]
            is_right = len(partitions) == len(expected_sets) and set(partitions) == expected_sets
        except TypeError:
            return f"it should return a list of lists of lists of cards, not {quoted(value)}"
        return None if is_right else f"it should return, in any order, {expected!r}"

    return judge


def as_sets(partition: Any) -> frozenset[frozenset[str]]:
    """A partition as sets. Raises TypeError unless it is a list of lists without duplicates."""
    if type(partition) is not list or any(type(group) is not list for group in partition):
        raise TypeError("a partition must be a list of lists")
    groups = frozenset(frozenset(group) for group in partition)
    if sum(map(len, groups)) != sum(map(len, partition)):
        raise TypeError("a partition must hold every card once")
    return groups


EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001go_score_group", (cards,), exactly(score)) for cards, score in SCORES),
    *(Example("comp10001go_valid_groups", (groups,), exactly(valid)) for groups, valid in VALIDITIES),
    Example("comp10001go_play", (PUBLISHED_HISTORY[:9], 3, ["QC"]), exactly("QC")),
    Example("comp10001go_group", (PUBLISHED_HISTORY, 3), any_valid_grouping([turn[3] for turn in PUBLISHED_HISTORY])),
    *(Example("comp10001go_best_partitions", (cards,), exactly_partitions(best)) for cards, best in PARTITIONS),
)
"""Every published call, with its result."""
