"""Cases of COMP10001-Huxxy and its bonus game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

from kibitz.coursework import huxxy
from kibitz.games.huxxy.assignment import EXAMPLES
from kibitz.marking.cases.case import (
    CaseRandom,
    Draw,
    DrawnCase,
    EdgeCase,
    answered_by,
    published,
    random_position,
    valid_play_judge,
)

VALUES = "A234567890JQK"
SUITS = "SCHD"
BLACK, RED = "SC", "HD"
PACK = [value + suit for value in VALUES for suit in SUITS]
JOKER = "XX"
PICKS_UP, PLAYS, MOVES, ENDS = range(4)
"""The kinds of plays, as the course numbers them."""
PLAYS_PER_POSITION = 8
"""The number of plays that are tried in a position before another position is drawn."""


def run(rng: CaseRandom, length: int) -> list[str]:
    """``length`` cards with values in a row, in alternating colours."""
    low, first = rng.randrange(len(VALUES) - length + 1), rng.randrange(2)
    return [VALUES[low + step] + rng.choice((BLACK, RED)[(first + step) % 2]) for step in range(length)]


def of_a_kind(rng: CaseRandom, *counts: int) -> list[str]:
    """Cards of one value; ``counts`` are the numbers of cards of each suit, with the suits in random order."""
    value = rng.choice(VALUES)
    return [value + suit for suit, count in zip(rng.shuffled(SUITS), counts, strict=False) for _ in range(count)]


def run_with_wrong_colour(rng: CaseRandom) -> list[str]:
    """A run with the colour of one card changed."""
    cards = run(rng, rng.randrange(3, 6))
    index = rng.randrange(len(cards))
    suits = BLACK if cards[index][1] in RED else RED
    cards[index] = cards[index][0] + rng.choice(suits)
    return cards


def run_with_gap(rng: CaseRandom) -> list[str]:
    """A run without one of its inner cards."""
    cards = run(rng, rng.randrange(4, 7))
    del cards[rng.randrange(1, len(cards) - 1)]
    return cards


def wrapped_row(rng: CaseRandom) -> list[str]:
    """Cards in a row in alternating colours, where the Ace wrongly follows the King."""
    colours = rng.sample((BLACK, RED), 2)
    return [value + rng.choice(colours[step % 2]) for step, value in enumerate(rng.choice(["QKA", "KA2", "JQKA"]))]


def run_with_card_twice(rng: CaseRandom) -> list[str]:
    """A run with one of its cards twice."""
    cards = run(rng, rng.randrange(3, 6))
    return [*cards, rng.choice(cards)]


GROUPS: dict[str, Callable[[CaseRandom], list[str]]] = {
    "a run": lambda rng: run(rng, rng.randrange(3, 6)),
    "a run out of order": lambda rng: rng.shuffled(run(rng, rng.randrange(4, 9))),
    "three or four of a kind": lambda rng: of_a_kind(rng, *[1] * rng.randrange(3, 5)),
    "five to eight of a kind": lambda rng: of_a_kind(rng, *rng.choice([(2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 2)])),
    "three or four of a kind with a suit twice": lambda rng: of_a_kind(rng, *rng.choice([(2, 1), (2, 1, 1), (2, 2)])),
    "five or six of a kind without a suit": lambda rng: of_a_kind(rng, *rng.choice([(2, 2, 1), (2, 2, 2)])),
    "one or two cards": lambda rng: rng.sample(PACK, rng.randrange(1, 3)),
    "two cards in a row or of a kind": lambda rng: rng.choice([run(rng, 2), of_a_kind(rng, 1, 1)]),
    "a run except for one colour": run_with_wrong_colour,
    "a run with a gap": run_with_gap,
    "a run that wraps from King to Ace": wrapped_row,
    "a run with a card twice": run_with_card_twice,
    "any cards": lambda rng: rng.sample(PACK, rng.randrange(3, 6)),
}
VALID_KINDS = ("a run", "a run out of order", "three or four of a kind", "five to eight of a kind")


def random_table(rng: CaseRandom, *other_groups: list[str], least: int = 0) -> list[list[str]]:
    """From ``least`` to three valid groups and ``other_groups``, in random order, from the cards of two packs.

    Beside other groups, the valid ones are of the simplest kind, so that the other groups decide the answer.
    """
    kinds = ("three or four of a kind",) if other_groups else VALID_KINDS
    while True:
        groups = [GROUPS[rng.choice(kinds)](rng) for _ in range(rng.randrange(least, 4))]
        table = rng.shuffled([*groups, *other_groups])
        if max(Counter(card for group in table for card in group).values(), default=0) <= 2:
            return table


def table_with(name: str) -> Draw:
    """A table on which a group of the kind ``name`` lies among valid groups."""
    return lambda rng: (random_table(rng, GROUPS[name](rng)),)


def with_joker(rng: CaseRandom) -> list[str]:
    """A group in which a Joker replaces a card or is added to the cards."""
    cards = GROUPS[rng.choice(VALID_KINDS)](rng)[:7]
    if rng.random() < 0.6:
        cards.pop(rng.randrange(len(cards)))
    return rng.shuffled([*cards, JOKER])


def useless_joker(rng: CaseRandom) -> list[str]:
    """A Joker, and cards that aren't a group and that no further card would turn into one."""
    return rng.shuffled([*rng.choice([run_with_wrong_colour, wrapped_row, run_with_card_twice])(rng), JOKER])


TABLES: dict[str, Draw] = {
    "no groups": lambda rng: ([],),
    "an empty group": lambda rng: (random_table(rng, []),),
    "valid groups": lambda rng: (random_table(rng, least=1),),
    **{name: table_with(name) for name in GROUPS},
}
BONUS_TABLES: dict[str, Draw] = {
    "a Joker that stands for a card": lambda rng: (random_table(rng, with_joker(rng)),),
    "a Joker that does not help": lambda rng: (random_table(rng, useless_joker(rng)),),
    "eight of a kind and a Joker": lambda rng: ([[*of_a_kind(rng, 2, 2, 2, 2), JOKER]],),
    "two Jokers in a group": lambda rng: ([[*run(rng, 3), JOKER, JOKER]],),
}
SCORES: dict[str, Draw] = {
    "no card": lambda rng: ([],),
    "one card": lambda rng: (rng.sample(PACK, 1),),
    "tens and court cards": lambda rng: (rng.sample([c for c in PACK if c[0] in "0JQK"], rng.randrange(1, 6)),),
    "Aces": lambda rng: (rng.sample([c for c in PACK if c[0] == "A"], rng.randrange(1, 5)),),
    "a card twice": lambda rng: ([rng.choice(PACK)] * 2 + rng.sample(PACK, 2),),
    "a whole hand": lambda rng: (rng.sample(PACK, 12),),
}
BONUS_SCORES: dict[str, Draw] = {
    "a Joker": lambda rng: ([*rng.sample(PACK, rng.randrange(4)), JOKER],),
}


def position_arguments(rng: CaseRandom, *, bonus: bool = False) -> tuple[Any, ...]:
    """The history, the active player, this player's hand and the table of a random position."""
    name = "huxxy-bonus" if bonus else "huxxy"
    function = "comp10001huxxy_bonus_play" if bonus else "comp10001huxxy_play"
    return deepcopy(random_position(name, function, rng).arguments)


def candidates(rng: CaseRandom, history: Any, player: int, hand: list[str], table: list[list[str]]) -> Iterator[Any]:
    """Plays of a player, most of them invalid, in random order."""
    goals = range(len(table) + 1)
    plays: list[Any] = [(player, PICKS_UP, None), (player, ENDS, None)]
    plays += [(player, PLAYS, (card, goal)) for card in dict.fromkeys(hand) for goal in goals]
    places = [(card, source) for source, group in enumerate(table) for card in dict.fromkeys(group)]
    plays += [(player, MOVES, (card, source, goal)) for card, source in places for goal in goals if goal != source]
    yield from rng.sample(plays, len(plays))


def play_of_kind(valid: bool, *kinds: int, bonus: bool = False) -> Draw:
    """A play of one of ``kinds`` that is valid or not, in the first random position that has one.

    No play is a move in a player's opening turn: the course doesn't say whether those are allowed.
    """

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        for _ in range(2000):
            history, player, hand, table = position_arguments(rng, bonus=bonus)
            opened = any(play[:2] == (player, ENDS) for play in history)
            allowed = [kind for kind in kinds if opened or kind != MOVES]
            plays = (play for play in candidates(rng, history, player, hand, table) if play[1] in allowed)
            for play in islice(plays, PLAYS_PER_POSITION):
                if huxxy.comp10001huxxy_valid_play(play, history, player, hand, table) is valid:
                    return play, history, player, hand, table
        raise AssertionError(f"no play of the kinds {kinds} is {'' if valid else 'in'}valid")

    return draw


def other_player(rng: CaseRandom) -> tuple[Any, ...]:
    """A play in which the player who plays, or the active player, isn't the player whose turn it is."""
    history, player, hand, table = position_arguments(rng)
    other = rng.choice([seat for seat in range(4) if seat != player])
    playing, active = rng.choice([(other, player), (player, other), (other, other)])
    return (playing, PICKS_UP, None), history, active, hand, table


def missing_card(rng: CaseRandom) -> tuple[Any, ...]:
    """A play of a card that isn't in the hand, or isn't in the group from which it is moved."""
    history, player, hand, table = position_arguments(rng)
    card = rng.choice([card for card in PACK if card not in hand])
    if table and rng.random() < 0.5:
        source = rng.randrange(len(table))
        card = rng.choice([card for card in PACK if card not in table[source]])
        return (player, MOVES, (card, source, len(table))), history, player, hand, table
    return (player, PLAYS, (card, rng.randrange(len(table) + 1))), history, player, hand, table


def no_such_group(rng: CaseRandom) -> tuple[Any, ...]:
    """A play to a group that doesn't exist and isn't the next new group."""
    history, player, hand, table = position_arguments(rng)
    card = rng.choice(hand) if hand else rng.choice(PACK)
    return (player, PLAYS, (card, rng.choice([len(table) + 1, -1]))), history, player, hand, table


def new_group(rng: CaseRandom) -> tuple[Any, ...]:
    """A card from the hand that begins a new group."""
    history, player, hand, table = play_of_kind(True, PLAYS)(rng)[1:]
    return (player, PLAYS, (rng.choice(hand), len(table))), history, player, hand, table


def opening(least: int, most: int) -> Draw:
    """The end of a first turn, with cards played that are worth ``least`` to ``most``."""

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        while True:
            group = GROUPS[rng.choice(VALID_KINDS)](rng)[:6]
            total = huxxy.comp10001huxxy_score(group)
            if least <= total <= most and huxxy.comp10001huxxy_valid_table([group]) and (total > 40) < rng.random():
                history: list[Any] = [(0, PLAYS, (card, 0)) for card in group]
                others = [card for card in PACK if card not in group]
                return (0, ENDS, None), history, 0, rng.sample(others, 12 - len(group)), [group]

    return draw


def after_six_plays(rng: CaseRandom) -> tuple[Any, ...]:
    """A seventh play, or the end of the turn, after six plays."""
    group = run(rng, 6)
    hand = rng.sample(PACK, 6)
    history = [(0, PLAYS, (card, 0)) for card in group]
    play = rng.choice([(0, PLAYS, (hand[0], 1)), (0, PLAYS, (hand[0], 0)), (0, ENDS, None)])
    return play, history, 0, hand, [group]


def nothing_from_hand(rng: CaseRandom) -> tuple[Any, ...]:
    """A turn that begins with a move, or ends before a card was played from the hand."""
    while True:
        history, player, hand, table = position_arguments(rng)
        turn_has_begun = bool(history) and history[-1][0] == player and history[-1][1] in (PLAYS, MOVES)
        if table and not turn_has_begun:
            source = rng.randrange(len(table))
            move = (player, MOVES, (rng.choice(table[source]), source, len(table)))
            return rng.choice([move, (player, ENDS, None)]), history, player, hand, table


VALIDITY: dict[str, Draw] = {
    "a card from the hand": play_of_kind(True, PLAYS),
    "a card that begins a new group": new_group,
    "a move that is allowed": play_of_kind(True, MOVES),
    "a move that is not allowed": play_of_kind(False, MOVES),
    "picking up": play_of_kind(True, PICKS_UP),
    "picking up in the middle of a turn": play_of_kind(False, PICKS_UP),
    "the end of a turn": play_of_kind(True, ENDS),
    "an end that is not allowed": play_of_kind(False, ENDS),
    "an opening of less than 24": opening(0, 23),
    "an opening of 24 or more": opening(24, 78),
    "an opening of exactly 24": opening(24, 24),
    "after six plays": after_six_plays,
    "nothing from the hand yet": nothing_from_hand,
    "somebody else's turn": other_player,
    "a card that is not where the play says": missing_card,
    "a group that does not exist": no_such_group,
}


def play(name: str) -> Callable[[CaseRandom], DrawnCase]:
    """Draws a case of the function ``name``, which chooses a play: any valid play is right."""
    game = "huxxy-bonus" if "bonus" in name else "huxxy"

    def draw(rng: CaseRandom) -> DrawnCase:
        def is_valid(play: Any) -> bool:
            return huxxy.comp10001huxxy_valid_play(play, *table)

        right = None
        while right is None:  # some positions have no valid play
            table = random_position(game, name, rng).arguments
            right = next(filter(is_valid, candidates(rng, *table)), None)
        return deepcopy(table), valid_play_judge(is_valid), repr(right)

    return draw


BONUS_VALIDITY: dict[str, Draw] = {
    "a valid play in the bonus game": play_of_kind(True, PICKS_UP, PLAYS, MOVES, ENDS, bonus=True),
    "an invalid play in the bonus game": play_of_kind(False, PICKS_UP, PLAYS, MOVES, ENDS, bonus=True),
}
PUBLISHED = published(EXAMPLES)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001huxxy_score": answered_by(huxxy.comp10001huxxy_score, SCORES),
    "comp10001huxxy_valid_table": answered_by(huxxy.comp10001huxxy_valid_table, TABLES),
    "comp10001huxxy_valid_play": answered_by(huxxy.comp10001huxxy_valid_play, VALIDITY),
    "comp10001huxxy_play": (EdgeCase("a play of a game", play("comp10001huxxy_play")),),
}
BONUS: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001huxxy_score": answered_by(huxxy.comp10001huxxy_score, BONUS_SCORES),
    "comp10001huxxy_valid_table": answered_by(huxxy.comp10001huxxy_valid_table, BONUS_TABLES),
    "comp10001huxxy_valid_play": answered_by(huxxy.comp10001huxxy_valid_play, BONUS_VALIDITY),
    "comp10001huxxy_bonus_play": (EdgeCase("a play of a game with Jokers", play("comp10001huxxy_bonus_play")),),
}
"""Edge cases of the bonus game, whose cards include Jokers."""
