"""Cases of Norvig's poker functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kibitz.coursework import cs212
from kibitz.engine.views.form import quoted
from kibitz.marking.cases.case import Case, CaseRandom, EdgeCase, Judge, OfValue, answered_by, equal, of_value

RANKS = "23456789TJQKA"
SUITS = "SHDC"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
JOKERS = {"?B": "SC", "?R": "HD"}
WHEEL = "A2345"
Draw = Callable[[CaseRandom], tuple[Any, ...]]


def shuffled(rng: CaseRandom, cards: Sequence[Any]) -> list[Any]:
    """Cards in another order."""
    return rng.sample(list(cards), len(cards))


def of_ranks(rng: CaseRandom, ranks: Sequence[str]) -> list[str]:
    """Different cards of these ranks in random order, not all of one suit."""
    while True:
        cards = [rank + rng.choice(SUITS) for rank in ranks]
        if len(set(cards)) == len(cards) and len({card[1] for card in cards}) > 1:
            return shuffled(rng, cards)


def suited(rng: CaseRandom, ranks: Sequence[str]) -> list[str]:
    """Cards of these ranks, all of one suit."""
    suit = rng.choice(SUITS)
    return shuffled(rng, [rank + suit for rank in ranks])


def row(rng: CaseRandom) -> str:
    """Five ranks in a row, the Ace above the King."""
    low = rng.randrange(9)
    return RANKS[low : low + 5]


def scattered(rng: CaseRandom) -> list[str]:
    """Different ranks that don't make a straight."""
    while True:
        ranks = rng.sample(RANKS, 5)
        places = sorted(map(RANKS.index, ranks))
        if places[-1] - places[0] > 4 and set(ranks) != set(WHEEL):
            return ranks


def kinds(rng: CaseRandom, *counts: int) -> list[str]:
    """Different ranks, each as often as its number in ``counts`` says."""
    return [rank for rank, count in zip(rng.sample(RANKS, len(counts)), counts, strict=True) for _ in range(count)]


HANDS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "high card": lambda rng: of_ranks(rng, scattered(rng)),
    "one pair": lambda rng: of_ranks(rng, kinds(rng, 2, 1, 1, 1)),
    "two pairs": lambda rng: of_ranks(rng, kinds(rng, 2, 2, 1)),
    "three of a kind": lambda rng: of_ranks(rng, kinds(rng, 3, 1, 1)),
    "a straight": lambda rng: of_ranks(rng, row(rng)),
    "the straight from the Ace to the five": lambda rng: of_ranks(rng, WHEEL),
    "a flush": lambda rng: suited(rng, scattered(rng)),
    "a full house": lambda rng: of_ranks(rng, kinds(rng, 3, 2)),
    "four of a kind": lambda rng: of_ranks(rng, kinds(rng, 4, 1)),
    "a straight flush": lambda rng: suited(rng, row(rng)),
    "the straight flush from the Ace to the five": lambda rng: suited(rng, WHEEL),
    "ranks that wrap around the Ace (no straight)": lambda rng: of_ranks(rng, rng.choice(["KA234", "QKA23", "JQKA2"])),
}


def edge_draws(hands: dict[str, Callable[[CaseRandom], Any]]) -> dict[str, Draw]:
    """Draws of one argument, by edge case."""
    return {name.replace(" ", "_"): lambda rng, draw=draw: (draw(rng),) for name, draw in hands.items()}  # type: ignore[misc]


def ranks_of(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[int]]:
    """The ranks of a hand, as ``card_ranks`` gives them."""
    return lambda rng: cs212.card_ranks(draw(rng))


def asked_kind(rng: CaseRandom, ranks: list[int]) -> tuple[int, list[int]]:
    """Ranks, and how often a rank must occur: mostly as often as one does."""
    return rng.choice([*sorted(set(map(ranks.count, ranks))), rng.randrange(1, 5)]), ranks


def two_pairs(rng: CaseRandom, fifth: int) -> tuple[list[int]]:
    """The ranks of two pairs and a fifth card; ``fifth`` is its place among the three ranks."""
    ranks = sorted(rng.sample(range(2, 15), 3), reverse=True)
    return ([rank for place, rank in enumerate(ranks) for _ in range(1 if place == fifth else 2)],)


ANY = {name.replace(" ", "_"): draw for name, draw in HANDS.items()}
RANKED = edge_draws({name: ranks_of(draw) for name, draw in HANDS.items()})


def several(rng: CaseRandom, ties: int = 0) -> list[list[str]]:
    """Hands of one pack, with ``ties`` more that tie with the best one."""
    while True:
        cards = shuffled(rng, PACK)
        hands = [cards[5 * k : 5 * k + 5] for k in range(rng.randrange(1, 7))]
        if not ties:
            return hands
        alike = rng.choice(["a straight", "high card", "the straight from the Ace to the five", "one pair"])
        shape = HANDS[alike](rng)
        same = [of_ranks(rng, [card[0] for card in shape]) for _ in range(ties + 1)]
        if len({card for hand in same for card in hand}) == 5 * (ties + 1):
            return shuffled(rng, [*hands[:2], *same])


def near(rng: CaseRandom) -> list[list[str]]:
    """Several hands of one category."""
    draw = HANDS[rng.choice(["high card", "one pair", "two pairs", "three of a kind", "a flush"])]
    return [draw(rng) for _ in range(rng.randrange(2, 5))]


def seven(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[str]]:
    """Seven cards with a hand of one sort among them."""

    def drawn(rng: CaseRandom) -> list[str]:
        hand = draw(rng)
        return shuffled(rng, hand + rng.sample([card for card in PACK if card not in hand], 2))

    return drawn


def wild(*jokers: str) -> Callable[[CaseRandom], list[str]]:
    """A hand of seven in which jokers stand for cards."""

    def drawn(rng: CaseRandom) -> list[str]:
        hand = seven(HANDS[rng.choice(list(HANDS))])(rng)
        return shuffled(rng, [*hand[: 7 - len(jokers)], *jokers])

    return drawn


def four_and_a_joker(rng: CaseRandom) -> list[str]:
    """Both jokers, one of which is best left out."""
    ranks = row(rng)
    suit = rng.choice(SUITS)
    joker = next(joker for joker, suits in JOKERS.items() if suit in suits)
    other = next(one for one in JOKERS if one != joker)
    cards = [rank + suit for rank in rng.sample(ranks, 4)]
    more = rng.choice([card for card in PACK if card not in cards])
    return shuffled(rng, [*cards, more, joker, other])


def undoubled(draw: Callable[[CaseRandom], list[str]]) -> Callable[[CaseRandom], list[str]]:
    """Hands whose rank is the same whether or not a joker may double a card: the course doesn't say whether it may."""

    def drawn(rng: CaseRandom) -> list[str]:
        while True:
            hand = draw(rng)
            if cs212.hand_rank(cs212.best_wild_hand(hand)) == cs212.hand_rank(cs212.best_wild_hand_peter(hand)):
                return hand

    return drawn


def best(right: Callable[[list[str]], Any], *, doubles: bool = False) -> Callable[..., tuple[EdgeCase, ...]]:
    """Edge cases of a function that picks a best hand of five, of which there may be several."""

    def edge_cases(draws: dict[str, Callable[[CaseRandom], list[str]]]) -> tuple[EdgeCase, ...]:
        return tuple(
            EdgeCase(name, lambda rng, draw=draw: picked(right, draw(rng), doubles=doubles))  # type: ignore[misc]
            for name, draw in draws.items()
        )

    return edge_cases


def picked(right: Callable[[list[str]], Any], hand: list[str], *, doubles: bool) -> tuple[tuple[Any, ...], Judge, str]:
    """A case of picking the best five cards: any five that can be made of the hand and rank as high are right."""
    wanted = right(hand[:])
    rank = cs212.hand_rank(wanted)

    def judge(value: Any) -> str | None:
        such_as = f"it should return five cards as good as {tuple(wanted)!r}"
        if type(value) not in (tuple, list) or len(value) != 5 or any(card not in PACK for card in value):
            return f"{such_as}, not {quoted(value)}"
        if not can_be_made(list(value), hand, doubles=doubles):
            return f"{such_as}; {quoted(value)} can't be made of these cards"
        return None if cs212.hand_rank(value) == rank else f"{such_as}, not {quoted(value)}"

    return (hand,), of_value(judge), repr(tuple(wanted))


def can_be_made(five: list[str], hand: list[str], *, doubles: bool) -> bool:
    """Whether jokers can stand for what ``five`` has beyond the hand; with ``doubles``, also for cards in the hand."""
    naturals = [card for card in hand if card not in JOKERS]
    if not doubles and len(set(five)) < len(five):
        return False
    left = naturals[:]
    missing = []
    for card in five:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    if not doubles and set(missing) & set(naturals):
        return False
    jokers = [joker for joker in hand if joker in JOKERS]
    for suits in JOKERS.values():
        wanted = sum(card[1] in suits for card in missing)
        if wanted > sum(JOKERS[joker] == suits for joker in jokers):
            return False
    return True


def a_deal(rng: CaseRandom) -> tuple[tuple[Any, ...], Judge, str]:
    """Hands of different cards of the deck."""
    hands, n = rng.choice([(1, 5), (2, 5), (4, 5), (10, 5), (3, 7), (2, 2)])
    deck = shuffled(rng, PACK)
    before = deck[:]

    def judge(value: Any) -> str | None:
        shape = f"it should return a list of {hands} hands of {n} cards"
        if type(value) is not list or len(value) != hands:
            return f"{shape}, not {quoted(value)}"
        if any(type(hand) not in (list, tuple) or len(hand) != n for hand in value):
            return f"{shape}, not {quoted(value)}"
        cards = [card for hand in value for card in hand]
        right = len(set(map(repr, cards))) == len(cards) and all(card in before for card in cards)
        return None if right else "it should deal different cards of the deck"

    return (hands, n, deck), OfValue(judge, may_change=True), ""


def replaced(card: str) -> tuple[tuple[Any, ...], Judge, str]:
    """The cards that a card stands for, in any order."""
    wanted = sorted(cs212.replacement(card))

    def judge(value: Any) -> str | None:
        right = type(value) in (list, tuple) and sorted(map(str, value)) == wanted
        return None if right else f"it should return, in any order, {wanted!r}, not {quoted(value)}"

    return (card,), of_value(judge), repr(wanted)


def numbers(rng: CaseRandom) -> list[int]:
    """Numbers, perhaps with the greatest one several times."""
    found = [rng.randrange(-5, 6) for _ in range(rng.randrange(1, 8))]
    return shuffled(rng, found + [max(found)] * rng.randrange(3))


def hands(text: str) -> list[str]:
    """A hand as it is written in examples."""
    return text.split()


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


def sorted_as(wanted: list[str]) -> Judge:
    """A judge that wants these cards in any order, as the course's own test has it."""

    def judge(value: Any) -> str | None:
        right = type(value) in (list, tuple) and sorted(map(str, value)) == wanted
        return None if right else f"sorted, it should be {wanted!r}"

    return of_value(judge)


SHOWN = "published example"
PUBLISHED = (
    *(Case("hand_rank", SHOWN, (hands(text),), equal(rank), repr(rank)) for text, rank, _ in PUBLISHED_RANKS),
    Case("hand_rank", SHOWN, (hands("2C 4C 5H 7D TS"),), equal((0, [10, 7, 5, 4, 2])), "(0, [10, 7, 5, 4, 2])"),
    *(Case("card_ranks", SHOWN, (hands(text),), equal(ranks), repr(ranks)) for text, _, ranks in PUBLISHED_RANKS),
    Case("card_ranks", SHOWN, (hands("AC 5D 4D 3H 2S"),), equal([5, 4, 3, 2, 1]), "[5, 4, 3, 2, 1]"),
    *(Case("best_wild_hand", SHOWN, (hands(text),), sorted_as(best), repr(best)) for text, best in PUBLISHED_WILD),
)
NATURAL = {f"seven cards with {name}": seven(draw) for name, draw in HANDS.items()}
WILD: dict[str, Callable[[CaseRandom], list[str]]] = {
    "no joker": wild(),
    "a black joker": wild("?B"),
    "a red joker": wild("?R"),
    "both jokers": wild("?B", "?R"),
    "both jokers, one of them of no use": four_and_a_joker,
    "four of a kind and a joker": lambda rng: shuffled(
        rng, [*of_ranks(rng, kinds(rng, 4, 1, 1)), rng.choice(list(JOKERS))]
    ),
}
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "deal": (EdgeCase("any deck", a_deal),),
    "poker": answered_by(
        cs212.poker,
        hands_of_one_pack=lambda rng: (several(rng),),
        two_that_tie=lambda rng: (several(rng, 1),),
        three_that_tie=lambda rng: (several(rng, 2),),
        hands_that_kickers_decide=lambda rng: (near(rng),),
        a_single_hand=lambda rng: ([HANDS[rng.choice(list(HANDS))](rng)],),
    ),
    "allmax": answered_by(
        cs212.allmax,
        numbers=lambda rng: (numbers(rng),),
        one_item=lambda rng: ([rng.randrange(10)],),
        a_key=lambda rng: (numbers(rng), abs),
        texts_with_a_key=lambda rng: ([rng.choice("ab") * rng.randrange(1, 5) for _ in range(6)], len),
        a_key_that_is_None=lambda rng: (numbers(rng), None),
    ),
    "hand_rank": answered_by(cs212.hand_rank, **edge_draws(HANDS)),
    "card_ranks": answered_by(cs212.card_ranks, **edge_draws(HANDS)),
    "straight": answered_by(cs212.straight, **RANKED),
    "flush": answered_by(cs212.flush, **edge_draws(HANDS)),
    "kind": answered_by(
        cs212.kind,
        **{name: lambda rng, draw=draw: asked_kind(rng, cs212.card_ranks(draw(rng))) for name, draw in ANY.items()},
    ),
    "two_pair": answered_by(
        cs212.two_pair,
        **{
            name: RANKED[name]
            for name in ("high_card", "one_pair", "three_of_a_kind", "a_full_house", "four_of_a_kind")
        },
        two_pairs_under_the_fifth_card=lambda rng: two_pairs(rng, 0),
        two_pairs_around_the_fifth_card=lambda rng: two_pairs(rng, 1),
        two_pairs_over_the_fifth_card=lambda rng: two_pairs(rng, 2),
    ),
    "best_hand": best(cs212.best_hand)(NATURAL),
    "replacement": (
        EdgeCase("a joker", lambda rng: replaced(rng.choice(list(JOKERS)))),
        EdgeCase("a natural card", lambda rng: replaced(rng.choice(PACK))),
    ),
    "best_wild_hand": best(cs212.best_wild_hand, doubles=True)({name: undoubled(draw) for name, draw in WILD.items()}),
    "best_wild_hand_peter": best(cs212.best_wild_hand_peter, doubles=True)(WILD),
}
