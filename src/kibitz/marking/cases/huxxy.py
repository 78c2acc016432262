"""Cases of COMP10001-Huxxy and its bonus game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from kibitz.coursework import huxxy
from kibitz.engine.views.form import quoted
from kibitz.games.huxxy.assignment import EXAMPLES
from kibitz.marking.cases.case import CaseRandom, EdgeCase, Judge, answered_by, of_value, published, random_position

VALUES = "A234567890JQK"
SUITS = "SCHD"
BLACK, RED = "SC", "HD"
PACK = [value + suit for value in VALUES for suit in SUITS]
JOKER = "XX"
PICKS_UP, PLAYS, MOVES, ENDS = range(4)
Draw = Callable[[CaseRandom], tuple[Any, ...]]
PLAYS_PER_POSITION = 8
"""How many plays of a position are tried before another position is taken."""


def shuffled(rng: CaseRandom, cards: Sequence[Any]) -> list[Any]:
    """Cards in another order."""
    return rng.sample(list(cards), len(cards))


def run(rng: CaseRandom, length: int) -> list[str]:
    """Values in a row, colours by turns."""
    low, first = rng.randrange(len(VALUES) - length + 1), rng.randrange(2)
    return [VALUES[low + step] + rng.choice((BLACK, RED)[(first + step) % 2]) for step in range(length)]


def kind(rng: CaseRandom, *counts: int) -> list[str]:
    """Cards of one value: ``counts`` are the numbers of its suits, in any order."""
    value = rng.choice(VALUES)
    return [value + suit for suit, count in zip(shuffled(rng, SUITS), counts, strict=False) for _ in range(count)]


def recoloured(rng: CaseRandom) -> list[str]:
    """A run with the colour of one card changed."""
    cards = run(rng, rng.randrange(3, 6))
    at = rng.randrange(len(cards))
    suits = BLACK if cards[at][1] in RED else RED
    cards[at] = cards[at][0] + rng.choice(suits)
    return cards


def gap(rng: CaseRandom) -> list[str]:
    """A run without an inner card."""
    cards = run(rng, rng.randrange(4, 7))
    del cards[rng.randrange(1, len(cards) - 1)]
    return cards


def wrapped(rng: CaseRandom) -> list[str]:
    """A row that continues after the King."""
    colours = rng.sample((BLACK, RED), 2)
    return [value + rng.choice(colours[step % 2]) for step, value in enumerate(rng.choice(["QKA", "KA2", "JQKA"]))]


def doubled(rng: CaseRandom) -> list[str]:
    """A run with one of its cards twice."""
    cards = run(rng, rng.randrange(3, 6))
    return [*cards, rng.choice(cards)]


GROUPS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "a run": lambda rng: run(rng, rng.randrange(3, 6)),
    "a run out of order": lambda rng: shuffled(rng, run(rng, rng.randrange(4, 9))),
    "three or four of a kind": lambda rng: kind(rng, *[1] * rng.randrange(3, 5)),
    "five to eight of a kind": lambda rng: kind(rng, *rng.choice([(2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 2)])),
    "three or four of a kind with a suit twice": lambda rng: kind(rng, *rng.choice([(2, 1), (2, 1, 1), (2, 2)])),
    "five or six of a kind without a suit": lambda rng: kind(rng, *rng.choice([(2, 2, 1), (2, 2, 2)])),
    "one or two cards": lambda rng: rng.sample(PACK, rng.randrange(1, 3)),
    "two of a row or of a kind": lambda rng: rng.choice([run(rng, 2), kind(rng, 1, 1)]),
    "a run except for one colour": recoloured,
    "a run with a gap": gap,
    "King and Ace do not follow": wrapped,
    "a run with a card twice": doubled,
    "any cards": lambda rng: rng.sample(PACK, rng.randrange(3, 6)),
}
VALID = ("a run", "a run out of order", "three or four of a kind", "five to eight of a kind")


def laid(rng: CaseRandom, *more: list[str], least: int = 0) -> list[list[str]]:
    """Up to three valid groups and some others in random order, from the cards of two packs."""
    while True:
        groups = [GROUPS[rng.choice(VALID)](rng) for _ in range(rng.randrange(least, 4))]
        table = shuffled(rng, [*groups, *more])
        if max(Counter(card for group in table for card in group).values(), default=0) <= 2:
            return table


def one_invalid_group(name: str) -> Draw:
    """A group of one sort among valid ones."""
    return lambda rng: (laid(rng, GROUPS[name](rng)),)


def with_joker(rng: CaseRandom) -> list[str]:
    """A group in which a Joker stands for a card, or which a Joker belongs to."""
    cards = GROUPS[rng.choice(VALID)](rng)[:7]
    if rng.random() < 0.6:
        cards.pop(rng.randrange(len(cards)))
    return shuffled(rng, [*cards, JOKER])


def joker_in_vain(rng: CaseRandom) -> list[str]:
    """A Joker in cards that no card would make a group."""
    return shuffled(rng, [*rng.choice([recoloured, wrapped, doubled])(rng), JOKER])


TABLES: dict[str, Draw] = {
    "no_groups": lambda rng: ([],),
    "an_empty_group": lambda rng: (laid(rng, []),),
    "valid_groups": lambda rng: (laid(rng, least=1),),
    **{name.replace(" ", "_"): one_invalid_group(name) for name in GROUPS},
}
BONUS_TABLES: dict[str, Draw] = {
    "a_Joker_that_stands_for_a_card": lambda rng: (laid(rng, with_joker(rng)),),
    "a_Joker_in_vain": lambda rng: (laid(rng, joker_in_vain(rng)),),
    "eight_of_a_kind_and_a_Joker": lambda rng: ([[*kind(rng, 2, 2, 2, 2), JOKER]],),
    "two_Jokers_in_a_group": lambda rng: ([[*run(rng, 3), JOKER, JOKER]],),
}
SCORES: dict[str, Draw] = {
    "no_card": lambda rng: ([],),
    "one_card": lambda rng: (rng.sample(PACK, 1),),
    "tens_and_court_cards": lambda rng: (rng.sample([c for c in PACK if c[0] in "0JQK"], rng.randrange(1, 6)),),
    "Aces": lambda rng: (rng.sample([c for c in PACK if c[0] == "A"], rng.randrange(1, 5)),),
    "a_card_twice": lambda rng: ([rng.choice(PACK)] * 2 + rng.sample(PACK, 2),),
    "a_whole_hand": lambda rng: (rng.sample(PACK, 12),),
}
BONUS_SCORES: dict[str, Draw] = {
    "a_Joker": lambda rng: ([*rng.sample(PACK, rng.randrange(4)), JOKER],),
}


def seated(rng: CaseRandom, *, bonus: bool = False) -> tuple[Any, ...]:
    """History, active player, hand and table of a position."""
    name = "huxxy-bonus" if bonus else "huxxy"
    function = "comp10001huxxy_bonus_play" if bonus else "comp10001huxxy_play"
    return deepcopy(random_position(name, function, rng).arguments)


def candidates(rng: CaseRandom, history: Any, player: int, hand: list[str], table: list[list[str]]) -> Iterator[Any]:
    """Plays of a seat, most of them invalid, in random order."""
    goals = range(len(table) + 1)
    found: list[Any] = [(player, PICKS_UP, None), (player, ENDS, None)]
    found += [(player, PLAYS, (card, goal)) for card in dict.fromkeys(hand) for goal in goals]
    places = [(card, source) for source, group in enumerate(table) for card in dict.fromkeys(group)]
    found += [(player, MOVES, (card, source, goal)) for card, source in places for goal in goals if goal != source]
    yield from rng.sample(found, len(found))


def judged(valid: bool, *kinds: int, bonus: bool = False) -> Draw:
    """A play of these kinds that is valid or not, at the first position that has one.

    The course doesn't say whether cards on the table may be moved in a player's opening turn.
    """

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        for _ in range(2000):
            seat = seated(rng, bonus=bonus)
            opened = any(play[:2] == (seat[1], ENDS) for play in seat[0])
            asked = [kind for kind in kinds if opened or kind != MOVES]
            some = islice((play for play in candidates(rng, *seat) if play[1] in asked), PLAYS_PER_POSITION)
            for play in some:
                if huxxy.comp10001huxxy_valid_play(play, *seat) is valid:
                    return play, *seat
        raise AssertionError(f"no play of the kinds {kinds} is {'' if valid else 'in'}valid")

    return draw


def other_player(rng: CaseRandom) -> tuple[Any, ...]:
    """A play for a player who is not to move."""
    history, player, hand, table = seated(rng)
    other = rng.choice([p for p in range(4) if p != player])
    who, active = rng.choice([(other, player), (player, other), (other, other)])
    return (who, PICKS_UP, None), history, active, hand, table


def not_there(rng: CaseRandom) -> tuple[Any, ...]:
    """A card that is not in the hand or the group."""
    history, player, hand, table = seated(rng)
    card = rng.choice([card for card in PACK if card not in hand])
    if table and rng.random() < 0.5:
        source = rng.randrange(len(table))
        card = rng.choice([card for card in PACK if card not in table[source]])
        return (player, MOVES, (card, source, len(table))), history, player, hand, table
    return (player, PLAYS, (card, rng.randrange(len(table) + 1))), history, player, hand, table


def no_such_group(rng: CaseRandom) -> tuple[Any, ...]:
    """A group beyond the new one, or before the first."""
    history, player, hand, table = seated(rng)
    card = rng.choice(hand) if hand else rng.choice(PACK)
    return (player, PLAYS, (card, rng.choice([len(table) + 1, -1]))), history, player, hand, table


def opening(short: bool) -> Draw:
    """The end of a first turn with cards worth less than 24, or 24 and more."""

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        while True:
            group = GROUPS[rng.choice(VALID)](rng)[:6]
            total = huxxy.comp10001huxxy_score(group)
            if (total < 24) is short and huxxy.comp10001huxxy_valid_table([group]) and (total > 40) < rng.random():
                history: list[Any] = [(0, PLAYS, (card, 0)) for card in group]
                others = [card for card in PACK if card not in group]
                return (0, ENDS, None), history, 0, rng.sample(others, 12 - len(group)), [group]

    return draw


def six_already(rng: CaseRandom) -> tuple[Any, ...]:
    """A seventh play, or the end of the turn, after six."""
    group = run(rng, 6)
    hand = rng.sample(PACK, 6)
    history = [(0, PLAYS, (card, 0)) for card in group]
    play = rng.choice([(0, PLAYS, (hand[0], 1)), (0, PLAYS, (hand[0], 0)), (0, ENDS, None)])
    return play, history, 0, hand, [group]


def nothing_from_hand(rng: CaseRandom) -> tuple[Any, ...]:
    """A turn that is begun with a move, or ended without a play."""
    while True:
        history, player, hand, table = seated(rng)
        begun = bool(history) and history[-1][0] == player and history[-1][1] in (PLAYS, MOVES)
        if table and not begun:
            source = rng.randrange(len(table))
            move = (player, MOVES, (rng.choice(table[source]), source, len(table)))
            return rng.choice([move, (player, ENDS, None)]), history, player, hand, table


PLAYED: dict[str, Draw] = {
    "a_card_from_the_hand": judged(True, PLAYS),
    "a_move_that_is_allowed": judged(True, MOVES),
    "a_move_that_is_not": judged(False, MOVES),
    "picking_up": judged(True, PICKS_UP),
    "picking_up_in_the_midst_of_a_turn": judged(False, PICKS_UP),
    "the_end_of_a_turn": judged(True, ENDS),
    "an_end_that_is_not_allowed": judged(False, ENDS),
    "an_opening_of_less_than_24": opening(short=True),
    "an_opening_of_24_and_more": opening(short=False),
    "after_six_plays": six_already,
    "nothing_from_the_hand_yet": nothing_from_hand,
    "somebody_else_s_turn": other_player,
    "a_card_that_is_not_there": not_there,
    "a_group_that_is_not_there": no_such_group,
}


def turns(name: str) -> Callable[[CaseRandom], tuple[tuple[Any, ...], Judge, str]]:
    """Positions in which a function that plays is called."""
    game = "huxxy-bonus" if "bonus" in name else "huxxy"

    def draw(rng: CaseRandom) -> tuple[tuple[Any, ...], Judge, str]:
        right = None
        while right is None:  # a turn can be stuck, with no valid play
            seat = random_position(game, name, rng).arguments
            right = next((p for p in candidates(rng, *seat) if huxxy.comp10001huxxy_valid_play(p, *seat)), None)

        def judge(value: Any) -> str | None:
            if huxxy.comp10001huxxy_valid_play(value, *seat):
                return None
            return f"it should return a play that is valid there, not {quoted(value)}"

        return deepcopy(seat), of_value(judge), repr(right)

    return draw


BONUS_PLAYED: dict[str, Draw] = {
    "a_valid_play_in_the_bonus_game": judged(True, PICKS_UP, PLAYS, MOVES, ENDS, bonus=True),
    "an_invalid_play_in_the_bonus_game": judged(False, PICKS_UP, PLAYS, MOVES, ENDS, bonus=True),
}
PUBLISHED = published(EXAMPLES)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001huxxy_score": answered_by(huxxy.comp10001huxxy_score, **SCORES),
    "comp10001huxxy_valid_table": answered_by(huxxy.comp10001huxxy_valid_table, **TABLES),
    "comp10001huxxy_valid_play": answered_by(huxxy.comp10001huxxy_valid_play, **PLAYED),
    "comp10001huxxy_play": (EdgeCase("a play of a game", turns("comp10001huxxy_play")),),
}
BONUS: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001huxxy_score": answered_by(huxxy.comp10001huxxy_score, **BONUS_SCORES),
    "comp10001huxxy_valid_table": answered_by(huxxy.comp10001huxxy_valid_table, **BONUS_TABLES),
    "comp10001huxxy_valid_play": answered_by(huxxy.comp10001huxxy_valid_play, **BONUS_PLAYED),
    "comp10001huxxy_bonus_play": (EdgeCase("a play of a game with Jokers", turns("comp10001huxxy_bonus_play")),),
}
"""Edge cases of the bonus game, whose cards include Jokers."""
