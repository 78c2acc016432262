"""Cases of COMP10001-Go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.coursework import go
from kibitz.engine.views.assignment_interface import quoted
from kibitz.games.go.assignment import EXAMPLES, any_valid_grouping, exactly_partitions
from kibitz.marking.cases.case import (
    CaseRandom,
    Draw,
    DrawnCase,
    EdgeCase,
    ValueJudge,
    answered_by,
    arguments_of,
    published,
)

BLACK, RED = "SC", "HD"
VALUES = "234567890JQK"
PACK = [value + suit for value in "A" + VALUES for suit in BLACK + RED]


def run(rng: CaseRandom, length: int, aces: int = 0) -> list[str]:
    """A run of ``length`` cards, with ``aces`` Aces of the right colour between its ends."""
    while True:
        low, first = rng.randrange(len(VALUES) - length + 1), rng.randrange(2)
        colours = [(BLACK, RED)[(first + step) % 2] for step in range(length)]
        ace_steps = set(rng.sample(range(1, length - 1), aces))
        cards = [
            ("A" if step in ace_steps else VALUES[low + step]) + rng.choice(colour)
            for step, colour in enumerate(colours)
        ]
        if len(set(cards)) == length:
            return cards


def of_a_kind(rng: CaseRandom, count: int) -> list[str]:
    """``count`` cards of one value."""
    value = rng.choice(VALUES)
    return [value + suit for suit in rng.sample(BLACK + RED, count)]


def other_colour(card: str) -> str:
    """A card of the same value in the other colour."""
    return card[0] + {"S": "H", "C": "D", "H": "S", "D": "C"}[card[1]]


def run_with_wrong_colour(rng: CaseRandom) -> list[str]:
    """A run with the colour of one card changed."""
    cards = run(rng, rng.randrange(3, 7))
    index = rng.randrange(len(cards))
    cards[index] = other_colour(cards[index])
    return cards


def run_with_gap(rng: CaseRandom) -> list[str]:
    """A run without one of its inner cards."""
    cards = run(rng, rng.randrange(4, 8))
    del cards[rng.randrange(1, len(cards) - 1)]
    return cards


def wrong_ace(rng: CaseRandom) -> list[str]:
    """A run with one Ace, but of the wrong colour."""
    cards = run(rng, rng.randrange(3, 7), 1)
    return [other_colour(card) if card[0] == "A" else card for card in cards]


def ace_too_many(rng: CaseRandom) -> list[str]:
    """A complete run, and an Ace that has no gap to fill."""
    return [*run(rng, rng.randrange(3, 6)), "A" + rng.choice(BLACK + RED)]


def ace_at_an_end(rng: CaseRandom) -> list[str]:
    """Two cards in a row, and an Ace that would have to be the lowest or the highest."""
    low = rng.randrange(len(VALUES) - 1)
    first, second = rng.sample([BLACK, RED], 2)
    return [VALUES[low] + rng.choice(first), VALUES[low + 1] + rng.choice(second), "A" + rng.choice(first)]


def value_twice(rng: CaseRandom) -> list[str]:
    """A run in which one value occurs twice."""
    cards = run(rng, rng.randrange(3, 6))
    card = rng.choice(cards)
    return [*cards, next(card[0] + suit for suit in rng.shuffled(BLACK + RED) if card[0] + suit not in cards)]


def wrapped_row(rng: CaseRandom) -> list[str]:
    """Cards in a row in alternating colours, where the two wrongly follows the King."""
    first, second = rng.sample([BLACK, RED], 2)
    values = rng.choice(["QK2", "K23", "JQK2"])
    return [value + rng.choice((first, second)[step % 2]) for step, value in enumerate(values)]


def many_aces(rng: CaseRandom) -> list[str]:
    """A long run with two or more Aces, which may be side by side."""
    while True:
        length = rng.randrange(5, 8)
        cards = run(rng, length, rng.randrange(2, min(4, length - 2) + 1))
        if len(set(cards)) == len(cards):
            return cards


GROUPS: dict[str, Draw] = {
    "one card": lambda rng: (rng.sample(PACK[4:], 1),),
    "an Ace alone": lambda rng: (["A" + rng.choice(BLACK + RED)],),
    "no card": lambda rng: ([],),
    "two of a kind": lambda rng: (of_a_kind(rng, 2),),
    "three or four of a kind": lambda rng: (of_a_kind(rng, rng.randrange(3, 5)),),
    "several Aces and nothing else": lambda rng: (
        ["A" + suit for suit in rng.sample(BLACK + RED, rng.randrange(2, 5))],
    ),
    "N of a kind and an Ace": lambda rng: ([*of_a_kind(rng, rng.randrange(2, 4)), "A" + rng.choice(BLACK)],),
    "a run": lambda rng: (run(rng, rng.randrange(3, 6)),),
    "a long run out of order": lambda rng: (rng.shuffled(run(rng, rng.randrange(5, 11))),),
    "a run with an Ace in a gap": lambda rng: (rng.shuffled(run(rng, rng.randrange(3, 7), 1)),),
    "a run with several Aces in gaps": lambda rng: (rng.shuffled(many_aces(rng)),),
    "a run except for one colour": lambda rng: (run_with_wrong_colour(rng),),
    "a run with a gap": lambda rng: (run_with_gap(rng),),
    "a run whose Ace has the wrong colour": lambda rng: (rng.shuffled(wrong_ace(rng)),),
    "a run with one Ace too many": lambda rng: (rng.shuffled(ace_too_many(rng)),),
    "an Ace at the end of a run": lambda rng: (rng.shuffled(ace_at_an_end(rng)),),
    "a run with a value twice": lambda rng: (rng.shuffled(value_twice(rng)),),
    "two cards in a row": lambda rng: (run(rng, 3)[:2],),
    "a run that wraps from King to two": lambda rng: (wrapped_row(rng),),
    "any cards": lambda rng: (rng.sample(PACK, rng.randrange(2, 7)),),
}
VALID_KINDS = ("one card", "two of a kind", "three or four of a kind", "a run", "a run with an Ace in a gap")


def grouping(rng: CaseRandom, max_groups: int, *other_groups: list[str]) -> list[list[str]]:
    """Up to ``max_groups`` valid groups and ``other_groups``, in random order: at most ten cards, all different."""
    while True:
        kinds = rng.choices(VALID_KINDS, k=rng.randrange(max_groups + 1))
        groups = [*(list(GROUPS[name](rng)[0]) for name in kinds), *other_groups]
        cards = [card for group in groups for card in group]
        if len(set(cards)) == len(cards) <= 10:
            return rng.sample(groups, len(groups))


def invalid_group(rng: CaseRandom) -> list[str]:
    """Cards that aren't a group."""
    while True:
        group: list[str] = GROUPS[rng.choice(list(GROUPS))](rng)[0]
        if group and not go.comp10001go_valid_groups([group]):
            return group


def few_values(rng: CaseRandom, count: int, aces: int) -> list[str]:
    """``count`` cards of few values, ``aces`` of them Aces, from which many groups can be made."""
    low = rng.randrange(len(VALUES) - 5)
    nearby = [value + suit for value in VALUES[low : low + 6] for suit in BLACK + RED]
    cards = ["A" + suit for suit in rng.sample(BLACK + RED, aces)] + rng.sample(nearby, count - aces)
    return rng.shuffled(cards)


def best_partitions(cards: list[str]) -> DrawnCase:
    """A case of ``comp10001go_best_partitions``: the same partitions in any order are right."""
    right = go.comp10001go_best_partitions(cards)
    return (cards,), ValueJudge(exactly_partitions(right)), repr(right)


def ties(rng: CaseRandom) -> list[str]:
    """Cards that have several best partitions."""
    while True:
        cards = few_values(rng, rng.randrange(6, 10), 2)
        if len(go.comp10001go_best_partitions(cards)) > 1:
            return cards


BEST_PARTITION_CARDS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "one card": lambda rng: rng.sample(PACK, 1),
    "a few cards": lambda rng: rng.sample(PACK, rng.randrange(2, 6)),
    "six to eight cards": lambda rng: rng.sample(PACK, rng.randrange(6, 9)),
    "several best partitions": ties,
    "cards of few values": lambda rng: few_values(rng, rng.randrange(6, 10), 0),
    "cards of few values with Aces": lambda rng: few_values(rng, rng.randrange(6, 10), rng.randrange(1, 5)),
    "ten cards": lambda rng: rng.sample(PACK, 10),
    "ten cards of few values": lambda rng: few_values(rng, 10, rng.randrange(0, 3)),
    "ten cards with all four Aces": lambda rng: few_values(rng, 10, 4),
}


def turn(rng: CaseRandom) -> DrawnCase:
    """A case of ``comp10001go_play``: any card of the hand is right."""
    arguments = arguments_of("go", "comp10001go_play", rng)
    hand = arguments[2]

    def judge(value: Any) -> str | None:
        right = type(value) is str and value in hand
        return None if right else f"it should return one card of the hand {hand!r}, not {quoted(value)}"

    return arguments, ValueJudge(judge), ""


def end_of_game(rng: CaseRandom) -> DrawnCase:
    """A case of ``comp10001go_group``: any valid grouping of the cards played is right."""
    arguments = arguments_of("go", "comp10001go_group", rng)
    history, player = arguments
    fault_in = any_valid_grouping([discards[player] for discards in history])

    def judge(value: Any) -> str | None:
        return (fault_in(value) or "").replace("comp10001go_group", "it").rstrip(".") or None

    return arguments, ValueJudge(judge), ""


PUBLISHED = published(EXAMPLES)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001go_score_group": answered_by(go.comp10001go_score_group, GROUPS),
    "comp10001go_valid_groups": answered_by(
        go.comp10001go_valid_groups,
        {
            "no groups": lambda rng: ([],),
            "valid groups": lambda rng: (grouping(rng, 4),),
            "an empty group": lambda rng: (grouping(rng, 3, []),),
            "one invalid group": lambda rng: (grouping(rng, 2, invalid_group(rng)),),
            "a single Ace": lambda rng: (grouping(rng, 2, ["A" + rng.choice(BLACK + RED)]),),
            "a run with Aces": lambda rng: (grouping(rng, 1, many_aces(rng)),),
            "only an invalid group": lambda rng: ([invalid_group(rng)],),
        },
    ),
    "comp10001go_play": (EdgeCase("a turn of a game", turn),),
    "comp10001go_group": (EdgeCase("the end of a game", end_of_game),),
    "comp10001go_best_partitions": tuple(
        EdgeCase(name, lambda rng, draw=draw: best_partitions(draw(rng)))  # type: ignore[misc]
        for name, draw in BEST_PARTITION_CARDS.items()
    ),
}
