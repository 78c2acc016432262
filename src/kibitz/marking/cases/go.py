"""Cases of COMP10001-Go (rule sheet "go", Groups and Functions)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kibitz.coursework import go
from kibitz.engine.views.form import quoted
from kibitz.games.go.assignment import EXAMPLES, groups_all, partitions
from kibitz.marking.cases.case import EdgeCase, Judge, Luck, answered_by, arguments_of, of_value, published

BLACK, RED = "SC", "HD"
VALUES = "234567890JQK"
PACK = [value + suit for value in "A" + VALUES for suit in BLACK + RED]
Draw = Callable[[Luck], tuple[Any, ...]]


def shuffled(luck: Luck, cards: Sequence[str]) -> list[str]:
    """Cards in another order."""
    return luck.sample(list(cards), len(cards))


def run(luck: Luck, length: int, aces: int = 0) -> list[str]:
    """A run of ``length`` cards, with ``aces`` Aces of the right colour between its ends."""
    while True:
        low, first = luck.randrange(len(VALUES) - length + 1), luck.randrange(2)
        colours = [(BLACK, RED)[(first + step) % 2] for step in range(length)]
        holes = set(luck.sample(range(1, length - 1), aces))
        cards = [
            ("A" if step in holes else VALUES[low + step]) + luck.choice(colour) for step, colour in enumerate(colours)
        ]
        if len(set(cards)) == length:
            return cards


def kind(luck: Luck, count: int) -> list[str]:
    """``count`` cards of one value."""
    value = luck.choice(VALUES)
    return [value + suit for suit in luck.sample(BLACK + RED, count)]


def other_colour(card: str) -> str:
    """The card of the same value in the other colour."""
    return card[0] + {"S": "H", "C": "D", "H": "S", "D": "C"}[card[1]]


def recoloured(luck: Luck) -> list[str]:
    """A run with the colour of one card changed."""
    cards = run(luck, luck.randrange(3, 7))
    at = luck.randrange(len(cards))
    cards[at] = other_colour(cards[at])
    return cards


def with_gap(luck: Luck) -> list[str]:
    """A run without one of its inner cards."""
    cards = run(luck, luck.randrange(4, 8))
    del cards[luck.randrange(1, len(cards) - 1)]
    return cards


def wrong_ace(luck: Luck) -> list[str]:
    """A run with one Ace, which has the wrong colour."""
    cards = run(luck, luck.randrange(3, 7), 1)
    return [other_colour(card) if card[0] == "A" else card for card in cards]


def ace_too_many(luck: Luck) -> list[str]:
    """A whole run and an Ace that stands for no card."""
    return [*run(luck, luck.randrange(3, 6)), "A" + luck.choice(BLACK + RED)]


def ace_at_an_end(luck: Luck) -> list[str]:
    """Two cards in a row, and an Ace that would have to be the lowest or the highest."""
    low = luck.randrange(len(VALUES) - 1)
    first, second = luck.sample([BLACK, RED], 2)
    return [VALUES[low] + luck.choice(first), VALUES[low + 1] + luck.choice(second), "A" + luck.choice(first)]


def value_twice(luck: Luck) -> list[str]:
    """A run in which one value occurs twice."""
    cards = run(luck, luck.randrange(3, 6))
    card = luck.choice(cards)
    return [*cards, next(card[0] + suit for suit in shuffled(luck, BLACK + RED) if card[0] + suit not in cards)]


def wrapped(luck: Luck) -> list[str]:
    """Queen, King and two, or King, two and three, in alternating colours."""
    first, second = luck.sample([BLACK, RED], 2)
    values = luck.choice(["QK2", "K23", "JQK2"])
    return [value + luck.choice((first, second)[step % 2]) for step, value in enumerate(values)]


def many_aces(luck: Luck) -> list[str]:
    """A long run with two Aces and more, some side by side."""
    while True:
        length = luck.randrange(5, 8)
        cards = run(luck, length, luck.randrange(2, min(4, length - 2) + 1))
        if len(set(cards)) == len(cards):
            return cards


GROUPS: dict[str, Draw] = {
    "one_card": lambda luck: (luck.sample(PACK[4:], 1),),
    "an_Ace_alone": lambda luck: (["A" + luck.choice(BLACK + RED)],),
    "no_card": lambda luck: ([],),
    "two_of_a_kind": lambda luck: (kind(luck, 2),),
    "three_or_four_of_a_kind": lambda luck: (kind(luck, luck.randrange(3, 5)),),
    "several_Aces_and_nothing_else": lambda luck: (
        ["A" + suit for suit in luck.sample(BLACK + RED, luck.randrange(2, 5))],
    ),
    "N_of_a_kind_and_an_Ace": lambda luck: ([*kind(luck, luck.randrange(2, 4)), "A" + luck.choice(BLACK)],),
    "a_run": lambda luck: (run(luck, luck.randrange(3, 6)),),
    "a_long_run_out_of_order": lambda luck: (shuffled(luck, run(luck, luck.randrange(5, 11))),),
    "a_run_that_an_Ace_fills": lambda luck: (shuffled(luck, run(luck, luck.randrange(3, 7), 1)),),
    "a_run_that_several_Aces_fill": lambda luck: (shuffled(luck, many_aces(luck)),),
    "a_run_but_for_a_colour": lambda luck: (recoloured(luck),),
    "a_run_with_a_gap": lambda luck: (with_gap(luck),),
    "a_run_whose_Ace_has_the_wrong_colour": lambda luck: (shuffled(luck, wrong_ace(luck)),),
    "a_run_with_an_Ace_too_many": lambda luck: (shuffled(luck, ace_too_many(luck)),),
    "an_Ace_at_the_end_of_a_run": lambda luck: (shuffled(luck, ace_at_an_end(luck)),),
    "a_run_with_a_value_twice": lambda luck: (shuffled(luck, value_twice(luck)),),
    "two_cards_in_a_row": lambda luck: (run(luck, 3)[:2],),
    "King_and_two_do_not_follow": lambda luck: (wrapped(luck),),
    "any_cards": lambda luck: (luck.sample(PACK, luck.randrange(2, 7)),),
}
VALID_KINDS = ("one_card", "two_of_a_kind", "three_or_four_of_a_kind", "a_run", "a_run_that_an_Ace_fills")


def grouping(luck: Luck, most: int, *more: list[str]) -> list[list[str]]:
    """Up to ``most`` valid groups and some more groups in any order; ten different cards at most in all."""
    while True:
        kinds = luck.choices(VALID_KINDS, k=luck.randrange(most + 1))
        groups = [*(list(GROUPS[name](luck)[0]) for name in kinds), *more]
        cards = [card for group in groups for card in group]
        if len(set(cards)) == len(cards) <= 10:
            return luck.sample(groups, len(groups))


def invalid(luck: Luck) -> list[str]:
    """Cards that aren't a group."""
    while True:
        group: list[str] = GROUPS[luck.choice(list(GROUPS))](luck)[0]
        if group and not go.comp10001go_valid_groups([group]):
            return group


def rich(luck: Luck, cards: int, aces: int) -> list[str]:
    """Cards of few values, from which many groups can be made."""
    low = luck.randrange(len(VALUES) - 5)
    near = [value + suit for value in VALUES[low : low + 6] for suit in BLACK + RED]
    found = ["A" + suit for suit in luck.sample(BLACK + RED, aces)] + luck.sample(near, cards - aces)
    return shuffled(luck, found)


def best(luck: Luck, cards: list[str]) -> tuple[tuple[Any, ...], Judge, str]:
    """A case of ``best_partitions``."""
    right = go.comp10001go_best_partitions(cards)
    return (cards,), of_value(partitions(right)), repr(right)


def ties(luck: Luck) -> list[str]:
    """Cards that have several best partitions."""
    while True:
        cards = rich(luck, luck.randrange(6, 10), 2)
        if len(go.comp10001go_best_partitions(cards)) > 1:
            return cards


BEST: dict[str, Callable[[Luck], list[str]]] = {
    "one card": lambda luck: luck.sample(PACK, 1),
    "a few cards": lambda luck: luck.sample(PACK, luck.randrange(2, 6)),
    "six to eight cards": lambda luck: luck.sample(PACK, luck.randrange(6, 9)),
    "several best partitions": ties,
    "cards of few values": lambda luck: rich(luck, luck.randrange(6, 10), 0),
    "cards of few values with Aces": lambda luck: rich(luck, luck.randrange(6, 10), luck.randrange(1, 5)),
    "ten cards": lambda luck: luck.sample(PACK, 10),
    "ten cards of few values": lambda luck: rich(luck, 10, luck.randrange(0, 3)),
    "ten cards with all four Aces": lambda luck: rich(luck, 10, 4),
}


def held(arguments: tuple[Any, ...], value: Any) -> str | None:
    """What is wrong with a card that ``comp10001go_play`` returns."""
    hand = arguments[2]
    right = type(value) is str and value in hand
    return None if right else f"it should return one card of the hand {hand!r}, not {quoted(value)}"


def plays(luck: Luck) -> tuple[tuple[Any, ...], Judge, str]:
    """A turn of a game."""
    arguments = arguments_of("go", "comp10001go_play", luck)
    return arguments, of_value(lambda value: held(arguments, value)), ""


def groupings(luck: Luck) -> tuple[tuple[Any, ...], Judge, str]:
    """The end of a game."""
    arguments = arguments_of("go", "comp10001go_group", luck)
    history, player = arguments
    wrong = groups_all([turn[player] for turn in history])

    def judge(value: Any) -> str | None:
        return (wrong(value) or "").replace("comp10001go_group", "it").rstrip(".") or None

    return arguments, of_value(judge), ""


PUBLISHED = published(EXAMPLES)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001go_score_group": answered_by(go.comp10001go_score_group, **GROUPS),
    "comp10001go_valid_groups": answered_by(
        go.comp10001go_valid_groups,
        no_groups=lambda luck: ([],),
        valid_groups=lambda luck: (grouping(luck, 4),),
        an_empty_group=lambda luck: (grouping(luck, 3, []),),
        one_group_that_is_none=lambda luck: (grouping(luck, 2, invalid(luck)),),
        a_single_Ace=lambda luck: (grouping(luck, 2, ["A" + luck.choice(BLACK + RED)]),),
        a_run_with_Aces=lambda luck: (grouping(luck, 1, many_aces(luck)),),
        nothing_but_one_that_is_none=lambda luck: ([invalid(luck)],),
    ),
    "comp10001go_play": (EdgeCase("a turn of a game", plays),),
    "comp10001go_group": (EdgeCase("the end of a game", groupings),),
    "comp10001go_best_partitions": tuple(
        EdgeCase(name, lambda luck, draw=draw: best(luck, draw(luck)))  # type: ignore[misc]
        for name, draw in BEST.items()
    ),
}
