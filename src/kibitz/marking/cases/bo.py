"""Cases of COMP10001-Bo."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from kibitz.coursework import bo
from kibitz.games.bo.assignment import EXAMPLES, NO_PLAY_FORM
from kibitz.marking.cases.case import (
    CaseRandom,
    Draw,
    DrawnCase,
    EdgeCase,
    answered_by,
    arguments_of,
    published,
    random_position,
    valid_play_judge,
)

VALUES = "A234567890JQK"
BLACK, RED = "SC", "HD"
CODES = [value + suit for value in VALUES for suit in BLACK + RED]


def suits_of_colour(card: str) -> str:
    """Both suits of a card's colour."""
    return RED if card[1] in RED else BLACK


def suits_of_other_colour(card: str) -> str:
    """The suits of the colour that a card doesn't have."""
    return BLACK if card[1] in RED else RED


def step(rng: CaseRandom, card: str, steps: int, suits: str) -> str:
    """A card of one of ``suits``, ``steps`` values above ``card``; Aces are skipped, so the two follows the King."""
    index = (VALUES.index(card[0]) - 1 + steps) % 12 + 1
    return VALUES[index] + rng.choice(suits)


def not_ace(rng: CaseRandom, values: str = VALUES[1:]) -> str:
    """A random card of one of ``values``, which default to all but the Ace."""
    return rng.choice(values) + rng.choice(BLACK + RED)


def build_pile(rng: CaseRandom, last: str) -> list[str]:
    """A build pile with ``last`` on top: one colour, from a two up or from a King down."""
    pile, direction = [last], rng.choice((-1, 1))
    while pile[0][0] not in "2K":
        pile.insert(0, step(rng, pile[0], direction, suits_of_colour(last)))
    return pile


def on_build(steps: int, *, same: bool) -> Draw:
    """A card ``steps`` values above or below the top of a build pile, and of the pile's colour if ``same``."""

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        top = not_ace(rng, VALUES[2:-1])
        suits = suits_of_colour(top) if same else suits_of_other_colour(top)
        return step(rng, top, rng.choice((-steps, steps)), suits), build_pile(rng, top)

    return draw


def ace_on_build(rng: CaseRandom) -> tuple[Any, ...]:
    """An Ace, and a build pile of either colour."""
    return "A" + rng.choice(BLACK + RED), build_pile(rng, not_ace(rng, VALUES[2:-1]))


def completing(rng: CaseRandom) -> tuple[Any, ...]:
    """A two on a three or a King on a Queen, of the pile's colour."""
    value, top = rng.choice([("2", "3"), ("K", "Q")])
    suits = rng.choice((BLACK, RED))
    return value + rng.choice(suits), build_pile(rng, top + rng.choice(suits))


def two_or_king_too_far(rng: CaseRandom) -> tuple[Any, ...]:
    """A two or a King that doesn't fit on the top card, and a build pile of its colour."""
    value, tops = rng.choice([("2", VALUES[3:-1]), ("K", VALUES[2:-2])])
    top = not_ace(rng, tops)
    return value + rng.choice(suits_of_colour(top)), build_pile(rng, top)


BUILD: dict[str, Draw] = {
    "a two or a King on an empty pile": lambda rng: (not_ace(rng, "2K"), []),
    "another card on an empty pile": lambda rng: (rng.choice([c for c in CODES if c[0] not in "2K"]), []),
    "an Ace on an empty pile": lambda rng: ("A" + rng.choice(BLACK + RED), []),
    "the next value up or down": on_build(1, same=True),
    "the next value of the other colour": on_build(1, same=False),
    "a value too far": on_build(2, same=True),
    "the same value": on_build(0, same=True),
    "an Ace on a pile": ace_on_build,
    "a two or a King that completes a pile": completing,
    "a two or a King that is not next": two_or_king_too_far,
    "any card on any pile": lambda rng: (rng.choice(CODES), build_pile(rng, not_ace(rng, VALUES[2:-1]))),
}


def seats(rng: CaseRandom, *, own: bool) -> tuple[int, int]:
    """A player, and the owner of a pile: the same player if ``own``, otherwise another one."""
    player = rng.randrange(4)
    return player, player if own else rng.choice([p for p in range(4) if p != player])


def discard_pile(rng: CaseRandom, last: str) -> list[str]:
    """A discard pile with ``last`` on top: any cards may lie below it, since hand cards needn't fit."""
    return [not_ace(rng) for _ in range(rng.randrange(3))] + [last]


def on_discard(steps: int, *, alternating: bool, hand: bool) -> Draw:
    """A card ``steps`` values above or below the top of a discard pile.

    It has the other colour if ``alternating``, and comes from the hand if ``hand``.
    """

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        top = not_ace(rng, VALUES[1:])
        card = step(
            rng, top, rng.choice((-steps, steps)), suits_of_other_colour(top) if alternating else suits_of_colour(top)
        )
        return card, discard_pile(rng, top), *seats(rng, own=rng.random() < 0.5), hand

    return draw


def on_empty(*, own: bool, hand: bool) -> Draw:
    """A card for an empty discard pile, which is the player's own if ``own``."""
    return lambda rng: (not_ace(rng), [], *seats(rng, own=own), hand)


def two_and_king(rng: CaseRandom) -> tuple[Any, ...]:
    """A two on a King or a King on a two."""
    card, top = rng.choice([("2", "K"), ("K", "2")])
    suits = rng.sample((BLACK, RED), 2)
    pile = discard_pile(rng, top + rng.choice(suits[0]))
    return card + rng.choice(suits[1]), pile, *seats(rng, own=rng.random() < 0.5), rng.random() < 0.5


def ace_on_discard(rng: CaseRandom) -> tuple[Any, ...]:
    """An Ace, and a discard pile that may be empty."""
    pile = [] if rng.random() < 0.4 else discard_pile(rng, not_ace(rng, rng.choice(("2K", VALUES[1:]))))
    return "A" + rng.choice(BLACK + RED), pile, *seats(rng, own=rng.random() < 0.6), rng.random() < 0.7


def without_from_hand(rng: CaseRandom) -> tuple[Any, ...]:
    """A call without ``from_hand``, which defaults to True."""
    top = not_ace(rng)
    return rng.choice(CODES), rng.choice(([], discard_pile(rng, top))), *seats(rng, own=rng.random() < 0.7)


DISCARD: dict[str, Draw] = {
    "a card from the hand on the player's own empty pile": on_empty(own=True, hand=True),
    "a card from the hand on another player's empty pile": on_empty(own=False, hand=True),
    "a card not from the hand on the player's own empty pile": on_empty(own=True, hand=False),
    "the next value of the other colour": on_discard(1, alternating=True, hand=True),
    "the next value of the other colour not from the hand": on_discard(1, alternating=True, hand=False),
    "the next value of the same colour from the hand": on_discard(1, alternating=False, hand=True),
    "the next value of the same colour not from the hand": on_discard(1, alternating=False, hand=False),
    "a value too far from the hand": on_discard(2, alternating=True, hand=True),
    "a value too far not from the hand": on_discard(2, alternating=True, hand=False),
    "the same value": on_discard(0, alternating=True, hand=False),
    "a two and a King": two_and_king,
    "an Ace": ace_on_discard,
    "without the argument from_hand": without_from_hand,
}

PLACES = [(owner, k) for owner in range(4) for k in range(4)]
"""The discard piles, each as its owner and number."""
DESTINATIONS = [(0, k) for k in range(4)] + [(1, place) for place in PLACES]
"""Where a card can be played: 0 and the number of a build pile, or 1 and a discard pile."""
FROM_HAND, FROM_DISCARD, FROM_STOCKPILE, NO_PLAY_KIND = range(4)
"""The kinds of plays, the first part of a play."""


def random_table(rng: CaseRandom) -> tuple[Any, ...]:
    """The table of a random position: all arguments of ``comp10001bo_is_valid_play`` except the play."""
    return arguments_of("bo", "comp10001bo_play", rng)[:-1]


def candidates(rng: CaseRandom, table: tuple[Any, ...]) -> Iterator[Any]:
    """Plays with the cards of a table, most of them invalid, in random order."""
    player, hand, stockpiles, discards, _ = table
    sources: list[tuple[int, Any]] = [(FROM_HAND, card) for card in hand]
    sources.append((FROM_STOCKPILE, stockpiles[player][0]))
    sources += [(FROM_DISCARD, (discards[o][k][-1], (o, k))) for o, k in PLACES if discards[o][k]]
    plays = [(kind, source, goal) for kind, source in sources for goal in DESTINATIONS]
    yield from rng.sample(plays, len(plays))
    yield NO_PLAY_FORM


def play_with_verdict(verdict: int, *kinds: int) -> Draw:
    """A play of one of ``kinds`` with this verdict, with its table: the first random table that has such a play."""

    def draw(rng: CaseRandom) -> tuple[Any, ...]:
        for _ in range(60):
            table = random_table(rng)
            for play in candidates(rng, table):
                if play[0] in kinds and bo.comp10001bo_is_valid_play(play, *table) == verdict:
                    return play, *table
        raise AssertionError(f"no play of the kinds {kinds} has the verdict {verdict}")

    return draw


def missing_card(rng: CaseRandom) -> tuple[Any, ...]:
    """A play that is invalid only because its card isn't where the play takes it from."""
    while True:
        table = random_table(rng)
        player, hand, stockpiles, _, builds = table
        card, pile = rng.choice(CODES), rng.randrange(4)
        if card not in (*hand, stockpiles[player][0]) and bo.comp10001bo_match_build(card, builds[pile]):
            return (rng.choice((FROM_HAND, FROM_STOCKPILE)), card, (0, pile)), *table


def card_below_top(rng: CaseRandom) -> tuple[Any, ...]:
    """A play of a card of a discard pile that is invalid only because the card is not on top."""
    while True:
        table = random_table(rng)
        builds = table[4]
        plays = [
            (FROM_DISCARD, (card, (owner, k)), (0, goal))
            for owner, k in PLACES
            for card in table[3][owner][k][:-1]
            for goal in range(4)
            if card != table[3][owner][k][-1] and bo.comp10001bo_match_build(card, builds[goal])
        ]
        if plays:
            return rng.choice(plays), *table


def same_pile(rng: CaseRandom) -> tuple[Any, ...]:
    """A play that moves the top card of a discard pile back to the same pile."""
    while True:
        table = random_table(rng)
        piles = [place for place in PLACES if table[3][place[0]][place[1]]]
        if piles:
            place = rng.choice(piles)
            return (1, (table[3][place[0]][place[1]][-1], place), (1, place)), *table


def no_possible_play(rng: CaseRandom) -> tuple[Any, ...]:
    """NO_PLAY_FORM in a position without a possible play, in which the hand is empty or holds one Ace."""
    while True:
        player, _, stockpiles, discards, builds = random_table(rng)
        hand = [] if rng.random() < 0.6 else ["A" + rng.choice(BLACK + RED)]
        table: tuple[Any, ...] = player, hand, stockpiles, discards, tuple([] for _ in builds)
        if bo.comp10001bo_is_valid_play(NO_PLAY_FORM, *table) == bo.NOTHING_POSSIBLE:
            return NO_PLAY_FORM, *table


def no_such_pile(rng: CaseRandom) -> tuple[Any, ...]:
    """A play with a number out of range: of a pile, of a kind of pile or of a kind of play."""
    table = random_table(rng)
    while not table[1]:
        table = random_table(rng)
    _, hand, _, _, builds = table
    fitting = [card for card in hand if bo.comp10001bo_match_build(card, builds[-1])]
    card = rng.choice(fitting or hand)  # so that, where possible, only the number is wrong
    plays: list[Any] = [
        (4, card, (0, 0)),
        (0, card, (0, 4)),
        (0, card, (0, -1)),
        (0, card, (2, 0)),
        (0, card, (1, (4, 0))),
        (1, (card, (0, 4)), (0, 0)),
    ]
    return rng.choice([play for play in plays if not bo.comp10001bo_is_valid_play(play, *table)]), *table


def any_play(rng: CaseRandom) -> tuple[Any, ...]:
    """Any play with the cards of a table."""
    table = random_table(rng)
    return next(candidates(rng, table)), *table


VALIDITY: dict[str, Draw] = {
    "a valid play from the hand": play_with_verdict(bo.VALID, FROM_HAND),
    "a valid play from the stockpile": play_with_verdict(bo.VALID, FROM_STOCKPILE),
    "a valid play from a discard pile": play_with_verdict(bo.VALID, FROM_DISCARD),
    "a play that ends the turn": play_with_verdict(bo.ENDS_TURN, FROM_HAND),
    "an invalid play from the hand": play_with_verdict(bo.INVALID, FROM_HAND),
    "an invalid play from the stockpile": play_with_verdict(bo.INVALID, FROM_STOCKPILE),
    "an invalid play from a discard pile": play_with_verdict(bo.INVALID, FROM_DISCARD),
    "no play where one is possible": play_with_verdict(bo.INVALID, NO_PLAY_KIND),
    "no play where none is possible": no_possible_play,
    "a card that is not where the play says": missing_card,
    "a card below the top": card_below_top,
    "back to the same pile": same_pile,
    "a pile or a kind of play that does not exist": no_such_pile,
    "any play": any_play,
}


def turn(rng: CaseRandom) -> DrawnCase:
    """A case of ``comp10001bo_play``: any valid play is right."""
    table = random_position("bo", "comp10001bo_play", rng).arguments

    def is_valid(play: Any) -> int:
        return bo.comp10001bo_is_valid_play(play, *table[:-1])

    right = next(filter(is_valid, candidates(rng, table[:-1])))
    return deepcopy(table), valid_play_judge(is_valid), repr(right)


PUBLISHED = published(EXAMPLES)
HIDDEN: dict[str, tuple[EdgeCase, ...]] = {
    "comp10001bo_match_build": answered_by(bo.comp10001bo_match_build, BUILD),
    "comp10001bo_match_discard": answered_by(bo.comp10001bo_match_discard, DISCARD),
    "comp10001bo_is_valid_play": answered_by(bo.comp10001bo_is_valid_play, VALIDITY),
    "comp10001bo_play": (EdgeCase("a turn of a game", turn),),
}
