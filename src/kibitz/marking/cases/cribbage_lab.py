"""Cases of the cribbage lab (the assignment's statement, "The lab game")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from kibitz.coursework import aps106
from kibitz.engine.views.assignment_interface import quoted
from kibitz.marking.cases.case import (
    Answer,
    Case,
    CaseRandom,
    Draw,
    DrawnCase,
    EdgeCase,
    UnchangedJudge,
    answered_by,
    equal,
    one_argument,
)

LabCard = list[Any]
"""A card as the lab writes it: a list of its suit and its value from 1 to 13."""
DECK = aps106.generate_deck()
SUITS = [DECK[13 * place][0] for place in range(4)]


def shuffled(rng: CaseRandom, cards: Sequence[LabCard]) -> list[LabCard]:
    """Cards in another order."""
    return rng.sample([card[:] for card in cards], len(cards))


def of_values(rng: CaseRandom, values: Sequence[int]) -> list[LabCard]:
    """Different cards of these values in random order, not four of one suit."""
    while True:
        cards = [[rng.choice(SUITS), value] for value in values]
        suits = [suit for suit, _ in cards]
        if len({tuple(card) for card in cards}) == len(cards) and max(map(suits.count, suits)) < 4:
            return shuffled(rng, cards)


def of_suits(rng: CaseRandom, count: int) -> list[LabCard]:
    """Five cards, exactly ``count`` of them of one suit."""
    suit = rng.choice(SUITS)
    of_suit = [[suit, value] for value in rng.sample(range(1, 14), count)]
    return shuffled(
        rng, of_suit + [[rng.choice([other for other in SUITS if other != suit]), rng.randrange(1, 14)]] * (5 - count)
    )


def row(rng: CaseRandom, length: int) -> list[int]:
    """``length`` values in a row."""
    low = rng.randrange(1, 15 - length)
    return list(range(low, low + length))


def with_others(rng: CaseRandom, values: Sequence[int], count: int) -> list[int]:
    """``values``, and ``count`` other values that are not next to any of them."""
    others = [other for other in range(1, 14) if all(abs(other - value) > 1 for value in values)]
    return [*values, *rng.sample(others, count)]


def scoring_nothing(rng: CaseRandom) -> list[LabCard]:
    """Five cards that score nothing."""
    while True:
        cards = of_values(rng, rng.sample(range(1, 14), 5))
        if aps106.score_hand(cards) == 0:
            return cards


HANDS: dict[str, Callable[[CaseRandom], list[LabCard]]] = {
    "nothing at all": scoring_nothing,
    "a pair": lambda rng: of_values(rng, [*(v := rng.sample(range(1, 14), 4)), v[0]]),
    "two pairs": lambda rng: of_values(rng, [*(v := rng.sample(range(1, 14), 3)), v[0], v[1]]),
    "three of a kind": lambda rng: of_values(rng, [*(v := rng.sample(range(1, 14), 3)), v[0], v[0]]),
    "four of a kind": lambda rng: of_values(rng, [(v := rng.sample(range(1, 14), 2))[0]] * 4 + v[1:]),
    "three and a pair": lambda rng: of_values(rng, [*[(v := rng.sample(range(1, 14), 2))[0]] * 3, v[1], v[1]]),
    "four of a suit": lambda rng: of_suits(rng, 4),
    "five of a suit": lambda rng: of_suits(rng, 5),
    "a run of three": lambda rng: of_values(rng, with_others(rng, row(rng, 3), 2)),
    "a run of four": lambda rng: of_values(rng, with_others(rng, row(rng, 4), 1)),
    "a run of five": lambda rng: of_values(rng, row(rng, 5)),
    "a double run of three": lambda rng: of_values(rng, with_others(rng, [*(v := row(rng, 3)), rng.choice(v)], 1)),
    "a double run of four": lambda rng: of_values(rng, [*(v := row(rng, 4)), rng.choice(v)]),
    "a triple run": lambda rng: of_values(rng, [*(v := row(rng, 3)), *[rng.choice(v)] * 2]),
    "a double double run": lambda rng: of_values(rng, [*(v := row(rng, 3)), *rng.sample(v, 2)]),
    "King and Ace do not follow": lambda rng: of_values(rng, [12, 13, 1, 2, rng.choice([5, 6, 7])]),
    "many fifteens": lambda rng: of_values(rng, [5, rng.choice([5, 10]), *rng.choices([10, 11, 12, 13], k=3)]),
    "fifteens of three and more cards": lambda rng: of_values(
        rng, rng.choice([[1, 2, 3, 4, 5], [2, 2, 3, 4, 8], [1, 4, 4, 6, 7]])
    ),
    "a Jack of any suit": lambda rng: of_values(rng, [11, *rng.sample([1, 2, 3, 4, 6, 7, 8, 9, 13], 4)]),
    "any five cards": lambda rng: shuffled(rng, rng.sample(DECK, 5)),
}


def a_shuffle(rng: CaseRandom) -> DrawnCase:
    """A case of ``shuffle``: the same cards in another order are right, in a new list."""
    deck = shuffled(rng, rng.sample(DECK, rng.choice([52, 52, 30, 12])))
    before = deepcopy(deck)

    def judge(value: Any) -> str | None:
        if type(value) is not list or len(value) != len(before):
            returned = f"{len(value)} cards" if type(value) is list else quoted(value)
            return f"it should return a list of the deck's {len(before)} cards, not {returned}"
        cards = set(map(repr, value))  # as text, since 1.0 and True equal 1, but aren't values of cards
        if missing := [card for card in map(repr, before) if card not in cards]:
            return f"it should return the cards of the deck, but {missing[0]} is missing"
        return "it should change the order of the cards" if value == before else None

    if_changed = "it should return a new list, and leave the deck unchanged"
    return (deck,), UnchangedJudge(judge, (before,), if_changed), ""


def a_deal(rng: CaseRandom) -> DrawnCase:
    """A case of ``deal_card``: the first card of the deck must move to the end of the hand."""
    deck = shuffled(rng, rng.sample(DECK, rng.choice([1, 2, 10, 52])))
    hand = [card for card in shuffled(rng, DECK) if card not in deck][: rng.randrange(5)]
    deck_after, hand_after = deepcopy(deck[1:]), deepcopy([*hand, deck[0]])

    def judge(answer: Answer) -> str | None:
        if answer.value is not None:
            return "it should change both lists in place, and return None"
        if answer.after[0] != deck_after:
            return f"it should take the first card, {deck[0]!r}, off the deck, and leave {deck_after!r}"
        if answer.after[1] != hand_after:
            return f"it should put the card at the end of the hand: {hand_after!r}"
        return None

    return (deck, hand), judge, "None"


def deck_to_play(tie: bool) -> Draw:
    """A shuffled deck; the two hands dealt from it have equal scores if ``tie``."""

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        while True:
            deck = shuffled(rng, DECK)
            _, *scores = aps106.play(deepcopy(deck))
            if (scores[0] == scores[1]) is tie:
                return (deck,)

    return draw


SAMPLES: tuple[tuple[list[LabCard], int], ...] = (
    ([["hearts", 10], ["hearts", 2], ["hearts", 3], ["clubs", 6], ["diamonds", 5]], 4),
    ([["hearts", 9], ["spades", 2], ["clubs", 3], ["hearts", 3], ["hearts", 4]], 12),
    ([["diamonds", 5], ["diamonds", 12], ["diamonds", 13], ["diamonds", 1], ["hearts", 5]], 14),
    ([["diamonds", 3], ["diamonds", 4], ["diamonds", 5], ["diamonds", 6], ["diamonds", 7]], 14),
    ([["hearts", 1], ["spades", 1], ["diamonds", 2], ["hearts", 3], ["spades", 3]], 16),
)
"""The five hands that the lab publishes with their scores."""
PUBLISHED = (
    Case("generate_deck", "published example", (), equal(DECK), repr(DECK)),
    *(Case("score_hand", "published example", (hand,), equal(score), repr(score)) for hand, score in SAMPLES),
)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "generate_deck": answered_by(aps106.generate_deck, {"the whole deck in its order": lambda rng: ()}),
    "shuffle": (EdgeCase("any deck", a_shuffle),),
    "deal_card": (EdgeCase("a deck and a hand", a_deal),),
    "score_hand": answered_by(aps106.score_hand, one_argument(HANDS)),
    "play": answered_by(
        aps106.play,  # the lab doesn't say whether the deck stays as it is
        {"one scores more": deck_to_play(tie=False), "a tie is the dealer's": deck_to_play(tie=True)},
    ),
}
