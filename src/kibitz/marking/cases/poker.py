"""Cases of Norvig's poker functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kibitz.coursework import cs212
from kibitz.engine.views.assignment_interface import quoted
from kibitz.marking.cases.case import (
    Case,
    CaseRandom,
    DrawnCase,
    EdgeCase,
    Judge,
    ValueJudge,
    answered_by,
    equal,
    one_argument,
)

RANKS = "23456789TJQKA"
SUITS = "SHDC"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
JOKERS = {"?B": "SC", "?R": "HD"}
WHEEL = "A2345"


def of_ranks(rng: CaseRandom, ranks: Sequence[str]) -> list[str]:
    """Different cards of these ranks in random order, not all of one suit."""
    while True:
        cards = [rank + rng.choice(SUITS) for rank in ranks]
        if len(set(cards)) == len(cards) and len({card[1] for card in cards}) > 1:
            return rng.shuffled(cards)


def suited(rng: CaseRandom, ranks: Sequence[str]) -> list[str]:
    """Cards of these ranks, all of one suit."""
    suit = rng.choice(SUITS)
    return rng.shuffled([rank + suit for rank in ranks])


def straight_ranks(rng: CaseRandom) -> str:
    """Five ranks in a row; the Ace is above the King."""
    low = rng.randrange(9)
    return RANKS[low : low + 5]


def unconnected_ranks(rng: CaseRandom) -> list[str]:
    """Five different ranks that don't make a straight."""
    while True:
        ranks = rng.sample(RANKS, 5)
        places = sorted(map(RANKS.index, ranks))
        if places[-1] - places[0] > 4 and set(ranks) != set(WHEEL):
            return ranks


def repeated_ranks(rng: CaseRandom, *counts: int) -> list[str]:
    """Different random ranks, each repeated: ``repeated_ranks(rng, 3, 2)`` are the ranks of a full house."""
    return [rank for rank, count in zip(rng.sample(RANKS, len(counts)), counts, strict=True) for _ in range(count)]


HANDS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "high card": lambda rng: of_ranks(rng, unconnected_ranks(rng)),
    "one pair": lambda rng: of_ranks(rng, repeated_ranks(rng, 2, 1, 1, 1)),
    "two pairs": lambda rng: of_ranks(rng, repeated_ranks(rng, 2, 2, 1)),
    "three of a kind": lambda rng: of_ranks(rng, repeated_ranks(rng, 3, 1, 1)),
    "a straight": lambda rng: of_ranks(rng, straight_ranks(rng)),
    "the straight from the Ace to the five": lambda rng: of_ranks(rng, WHEEL),
    "a flush": lambda rng: suited(rng, unconnected_ranks(rng)),
    "a full house": lambda rng: of_ranks(rng, repeated_ranks(rng, 3, 2)),
    "four of a kind": lambda rng: of_ranks(rng, repeated_ranks(rng, 4, 1)),
    "a straight flush": lambda rng: suited(rng, straight_ranks(rng)),
    "the straight flush from the Ace to the five": lambda rng: suited(rng, WHEEL),
    "ranks that wrap around the Ace (no straight)": lambda rng: of_ranks(rng, rng.choice(["KA234", "QKA23", "JQKA2"])),
}


def ranks_of(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[int]]:
    """A draw of the ranks of a hand, as ``card_ranks`` returns them."""
    return lambda rng: cs212.card_ranks(draw(rng))


def kind_arguments(rng: CaseRandom, ranks: list[int]) -> tuple[int, list[int]]:
    """Arguments of ``kind``: how often a rank must occur (usually as often as one of them does), and the ranks."""
    return rng.choice([*sorted(set(map(ranks.count, ranks))), rng.randrange(1, 5)]), ranks


def two_pairs(rng: CaseRandom, position: int) -> tuple[list[int]]:
    """The ranks of two pairs and a fifth card, which ranks first (``position`` is 0), second (1) or third (2)."""
    ranks = sorted(rng.sample(range(2, 15), 3), reverse=True)
    return ([rank for index, rank in enumerate(ranks) for _ in range(1 if index == position else 2)],)


RANK_DRAWS = one_argument({name: ranks_of(draw) for name, draw in HANDS.items()})


def several_hands(rng: CaseRandom, extra_ties: int = 0) -> list[list[str]]:
    """Hands dealt from one pack; or up to two of them with ``extra_ties + 1`` hands that tie."""
    while True:
        cards = rng.shuffled(PACK)
        hands = [cards[5 * number : 5 * number + 5] for number in range(rng.randrange(1, 7))]
        if not extra_ties:
            return hands
        name = rng.choice(["a straight", "high card", "the straight from the Ace to the five", "one pair"])
        ranks = [card[0] for card in HANDS[name](rng)]
        tying = [of_ranks(rng, ranks) for _ in range(extra_ties + 1)]
        if len({card for hand in tying for card in hand}) == 5 * (extra_ties + 1):
            return rng.shuffled([*hands[:2], *tying])


def of_one_category(rng: CaseRandom) -> list[list[str]]:
    """Several hands of one category, such as two pairs."""
    draw = HANDS[rng.choice(["high card", "one pair", "two pairs", "three of a kind", "a flush"])]
    return [draw(rng) for _ in range(rng.randrange(2, 5))]


def with_two_more(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[str]]:
    """A draw of seven cards: the hand of five that ``draw`` draws, and two others."""

    def draw_seven(rng: CaseRandom) -> list[str]:
        hand = draw(rng)
        return rng.shuffled(hand + rng.sample([card for card in PACK if card not in hand], 2))

    return draw_seven


def with_jokers(*jokers: str) -> Callable[[CaseRandom], list[str]]:
    """A draw of seven cards, among them ``jokers`` in the place of other cards."""

    def draw(rng: CaseRandom) -> list[str]:
        hand = with_two_more(HANDS[rng.choice(list(HANDS))])(rng)
        return rng.shuffled([*hand[: 7 - len(jokers)], *jokers])

    return draw


def useless_joker(rng: CaseRandom) -> list[str]:
    """Both jokers, with cards of a straight flush: one joker completes it, and the other is of no use."""
    ranks = straight_ranks(rng)
    suit = rng.choice(SUITS)
    joker = next(joker for joker, suits in JOKERS.items() if suit in suits)
    other_joker = next(other for other in JOKERS if other != joker)
    cards = [rank + suit for rank in rng.sample(ranks, 4)]
    other_card = rng.choice([card for card in PACK if card not in cards])
    return rng.shuffled([*cards, other_card, joker, other_joker])


def without_doubling(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[str]]:
    """A draw of hands that rank the same whether or not a joker may double a card, since the course doesn't say."""

    def draw_hand(rng: CaseRandom) -> list[str]:
        while True:
            hand = draw(rng)
            if cs212.hand_rank(cs212.best_wild_hand(hand)) == cs212.hand_rank(cs212.best_wild_hand_peter(hand)):
                return hand

    return draw_hand


def best_five_cases(
    solution: Callable[[list[str]], Any],
    draws: dict[str, Callable[[CaseRandom], list[str]]],
    *,
    doubles: bool = False,
) -> tuple[EdgeCase, ...]:
    """Edge cases of a function that picks a best hand of five cards, where several hands may be best."""
    return tuple(
        EdgeCase(name, lambda rng, draw=draw: best_five(solution, draw(rng), doubles=doubles))  # type: ignore[misc]
        for name, draw in draws.items()
    )


def best_five(solution: Callable[[list[str]], Any], hand: list[str], *, doubles: bool) -> DrawnCase:
    """A case of picking the best five cards: any five that can be made from the hand and rank as high are right."""
    best = solution(hand[:])
    rank = cs212.hand_rank(best)

    def judge(value: Any) -> str | None:
        clause = f"it should return five cards as good as {tuple(best)!r}"
        if type(value) not in (tuple, list) or len(value) != 5 or any(card not in PACK for card in value):
            return f"{clause}, not {quoted(value)}"
        if not can_be_made(list(value), hand, doubles=doubles):
            return f"{clause}; {quoted(value)} can't be made of these cards"
        return None if cs212.hand_rank(value) == rank else f"{clause}, not {quoted(value)}"

    return (hand,), ValueJudge(judge), repr(tuple(best))


def can_be_made(five_cards: list[str], hand: list[str], *, doubles: bool) -> bool:
    """Whether five cards can be made of a hand and its jokers; with ``doubles``, a joker may double another card."""
    natural_cards = [card for card in hand if card not in JOKERS]
    if not doubles and len(set(five_cards)) < len(five_cards):
        return False
    unused_cards = natural_cards[:]
    missing = []
    for card in five_cards:
        if card in unused_cards:
            unused_cards.remove(card)
        else:
            missing.append(card)
    if not doubles and set(missing) & set(natural_cards):
        return False
    jokers = [joker for joker in hand if joker in JOKERS]
    for suits in JOKERS.values():
        needed = sum(card[1] in suits for card in missing)
        if needed > sum(JOKERS[joker] == suits for joker in jokers):
            return False
    return True


def a_deal(rng: CaseRandom) -> DrawnCase:
    """A case of ``deal``: any hands of the right size are right, if their cards are different cards of the deck."""
    hands, hand_size = rng.choice([(1, 5), (2, 5), (4, 5), (10, 5), (3, 7), (2, 2)])
    deck = rng.shuffled(PACK)
    before = deck[:]

    def judge(value: Any) -> str | None:
        shape = f"it should return a list of {hands} hands of {hand_size} cards"
        if type(value) is not list or len(value) != hands:
            return f"{shape}, not {quoted(value)}"
        if any(type(hand) not in (list, tuple) or len(hand) != hand_size for hand in value):
            return f"{shape}, not {quoted(value)}"
        cards = [card for hand in value for card in hand]
        is_right = len(set(map(repr, cards))) == len(cards) and all(card in before for card in cards)
        return None if is_right else "it should deal different cards of the deck"

    return (hands, hand_size, deck), ValueJudge(judge, may_change=True), ""


def replacement_case(card: str) -> DrawnCase:
    """A case of ``replacement``: the cards that ``card`` can stand for, in any order."""
    expected = sorted(cs212.replacement(card))
    return (card,), equal_sorted(expected, f"it should return, in any order, {expected!r}, not {{}}"), repr(expected)


def random_numbers(rng: CaseRandom) -> list[int]:
    """Random numbers, of which the greatest may occur several times."""
    drawn = [rng.randrange(-5, 6) for _ in range(rng.randrange(1, 8))]
    return rng.shuffled(drawn + [max(drawn)] * rng.randrange(3))


PUBLISHED_RANKS = (
    ("6C 7C 8C 9C TC", (8, 10), [10, 9, 8, 7, 6]),
    ("9D 9H 9S 9C 7D", (7, 9, 7), [9, 9, 9, 9, 7]),
    ("TD TC TH 7C 7D", (6, 10, 7), [10, 10, 10, 7, 7]),
)
PUBLISHED_WILD = (
    ("6C 7C 8C 9C TC 5C ?B", ["7C", "8C", "9C", "JC", "TC"]),
    ("TD TC 5H 5C 7C ?R ?B", ["7C", "TC", "TD", "TH", "TS"]),
    ("JD TC TH 7C 7D 7S 7H", ["7C", "7D", "7H", "7S", "JD"]),
)


def equal_sorted(expected: list[str], clause: str) -> Judge:
    """A judge that accepts these cards in any order; in ``clause``, ``{}`` stands for a wrong value."""

    def judge(value: Any) -> str | None:
        right = type(value) in (list, tuple) and sorted(map(str, value)) == expected
        return None if right else clause.format(quoted(value))

    return ValueJudge(judge)


PUBLISHED_NAME = "published example"
PUBLISHED = (
    *(Case("hand_rank", PUBLISHED_NAME, (text.split(),), equal(rank), repr(rank)) for text, rank, _ in PUBLISHED_RANKS),
    Case(
        "hand_rank",
        PUBLISHED_NAME,
        (["2C", "4C", "5H", "7D", "TS"],),
        equal((0, [10, 7, 5, 4, 2])),
        "(0, [10, 7, 5, 4, 2])",
    ),
    *(
        Case("card_ranks", PUBLISHED_NAME, (text.split(),), equal(ranks), repr(ranks))
        for text, _, ranks in PUBLISHED_RANKS
    ),
    Case("card_ranks", PUBLISHED_NAME, (["AC", "5D", "4D", "3H", "2S"],), equal([5, 4, 3, 2, 1]), "[5, 4, 3, 2, 1]"),
    *(
        Case(
            "best_wild_hand",
            PUBLISHED_NAME,
            (text.split(),),
            equal_sorted(cards, f"sorted, it should be {cards!r}"),
            repr(cards),
        )
        for text, cards in PUBLISHED_WILD
    ),
)
NATURAL_HANDS = {f"seven cards with {name}": with_two_more(draw) for name, draw in HANDS.items()}
WILD_HANDS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "no joker": with_jokers(),
    "a black joker": with_jokers("?B"),
    "a red joker": with_jokers("?R"),
    "both jokers": with_jokers("?B", "?R"),
    "both jokers, one of them of no use": useless_joker,
    "four of a kind and a joker": lambda rng: rng.shuffled(
        [*of_ranks(rng, repeated_ranks(rng, 4, 1, 1)), rng.choice(list(JOKERS))]
    ),
}
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "deal": (EdgeCase("any deck", a_deal),),
    "poker": answered_by(
        cs212.poker,
        {
            "hands of one pack": lambda rng: (several_hands(rng),),
            "two that tie": lambda rng: (several_hands(rng, 1),),
            "three that tie": lambda rng: (several_hands(rng, 2),),
            "hands that kickers decide": lambda rng: (of_one_category(rng),),
            "a single hand": lambda rng: ([HANDS[rng.choice(list(HANDS))](rng)],),
        },
    ),
    "allmax": answered_by(
        cs212.allmax,
        {
            "numbers": lambda rng: (random_numbers(rng),),
            "one item": lambda rng: ([rng.randrange(10)],),
            "a key": lambda rng: (random_numbers(rng), abs),
            "texts with a key": lambda rng: ([rng.choice("ab") * rng.randrange(1, 5) for _ in range(6)], len),
            "a key that is None": lambda rng: (random_numbers(rng), None),
        },
    ),
    "hand_rank": answered_by(cs212.hand_rank, one_argument(HANDS)),
    "card_ranks": answered_by(cs212.card_ranks, one_argument(HANDS)),
    "straight": answered_by(cs212.straight, RANK_DRAWS),
    "flush": answered_by(cs212.flush, one_argument(HANDS)),
    "kind": answered_by(
        cs212.kind,
        {name: lambda rng, draw=draw: kind_arguments(rng, *draw(rng)) for name, draw in RANK_DRAWS.items()},  # type: ignore[misc]
    ),
    "two_pair": answered_by(
        cs212.two_pair,
        {
            **{
                name: RANK_DRAWS[name]
                for name in ("high card", "one pair", "three of a kind", "a full house", "four of a kind")
            },
            "two pairs under the fifth card": lambda rng: two_pairs(rng, 0),
            "two pairs around the fifth card": lambda rng: two_pairs(rng, 1),
            "two pairs over the fifth card": lambda rng: two_pairs(rng, 2),
        },
    ),
    "best_hand": best_five_cases(cs212.best_hand, NATURAL_HANDS),
    "replacement": (
        EdgeCase("a joker", lambda rng: replacement_case(rng.choice(list(JOKERS)))),
        EdgeCase("a natural card", lambda rng: replacement_case(rng.choice(PACK))),
    ),
    "best_wild_hand": best_five_cases(
        cs212.best_wild_hand, {name: without_doubling(draw) for name, draw in WILD_HANDS.items()}, doubles=True
    ),
    "best_wild_hand_peter": best_five_cases(cs212.best_wild_hand_peter, WILD_HANDS, doubles=True),
}
