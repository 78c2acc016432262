"""Values of discards, played cards and scores in cribbage, from tables that a study computed.

The study simulated games between computer players: ``python -m tools.cribbage_study`` makes the tables
(docs/cribbage-play.md says from how many deals).

The tables, files in ``study``:

    scores      what five ranks score, in the order of ``itertools.combinations_with_replacement``
    weights     learned from games (see "The card to play" below)
    chosen      how often each class of two cards is discarded, first by the dealer, then by the other seat
    kept        how often each group of four cards is kept, first by the dealer, then by the other seat
    cribs       for each class, discarded by the dealer and by the other seat, the probabilities that the crib scores
                0, 1, 2 ... points, in units of 1 / SCALE
    pegged      for each group of four cards, kept by the dealer and by the other seat, the numbers of deals in which
                it pegged 0, 1, 2 ... points; then the same for the seat that played against it
    shows       the numbers of deals in which the hand of the non-dealer, that of the dealer, and the crib scored
                0, 1, 2 ... points
    chances     by the dealer's and the other seat's score, the dealer's chance of winning, in units of 1 / SCALE
    errors      half the widths of the 95 % intervals of the chances, in units of 1 / SCALE
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.cards.sets import lowest, size
from kibitz.games.cribbage.scoring import FIFTEEN, MAX_COUNT, play_points, value_of
from kibitz.games.cribbage.stages import playable
from kibitz.kernel import kernel

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]


SCALE = 65535
"""The tables store a probability as its product with SCALE."""
TYPE_CODES: Mapping[str, str] = {
    "scores": "B",
    "weights": "h",
    "chosen": "i",
    "kept": "i",
    "cribs": "H",
    "pegged": "H",
    "shows": "i",
    "chances": "H",
    "errors": "H",
}
"""The type code of each table, as in ``array``."""


@cache
def load_table(name: str) -> array[int]:
    """The numbers of a table; they must not be changed."""
    packed = files(__package__).joinpath("study", f"{name}.z").read_bytes()
    numbers = array(TYPE_CODES[name], zlib.decompress(packed))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


# Ranks as numbers, which index the computed tables
#
# CODE        a number for each rank: two sets of five cards have equal sums of codes only if they have equal ranks
# class       two discarded cards: their ranks, and whether they are of one suit; 169 classes, numbered 13 * high + low
#             for cards of one suit, else 13 * low + high
# group       the ranks of at most four cards, in any order; the groups of four cards come last


RANKS = 13
CODE = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""Each is the smallest number for which all sums of five codes (none more than four times) still differ."""
CODE_SUMS = 5 * CODE[12] + 1
CLASSES = RANKS * RANKS
FIRST_OF_FOUR = sum(comb(RANKS + n - 1, n) for n in range(4))
"""The first group of four cards."""
GROUPS = FIRST_OF_FOUR + comb(RANKS + 3, 4)
GROUP_STEP = tuple(comb(rank + n - 1, n) for n in range(1, 5) for rank in range(RANKS))
"""The amount that the ``n``-th lowest card of a group adds to its number, at RANKS * (n - 1) + rank."""
GROUP_START = tuple(sum(comb(RANKS + k - 1, k) for k in range(n)) for n in range(5))
"""The first group of ``n`` cards."""


@kernel
def class_of(first, second):
    """The class of two different cards.

    >>> class_of(0, 5), class_of(0, 4), class_of(4, 0)  # A♦ 2♣, A♦ 2♦ in either order
    (1, 13, 13)
    """
    low = first >> 2
    high = second >> 2
    if low > high:
        low, high = high, low
    return high * RANKS + low if (first ^ second) & 3 == 0 else low * RANKS + high


@kernel
def group_of(cards):
    """The group, as a number, of a set of at most four cards.

    >>> group_of(0), group_of(0b1), group_of(0b10), group_of(0b10001)
    (0, 1, 1, 15)
    """
    n = 0
    number = 0
    while cards:
        number += GROUP_STEP[RANKS * n + (lowest(cards) >> 2)]
        cards &= cards - 1
        n += 1
    return GROUP_START[n] + number


HANDS_OF_FOUR = GROUPS - FIRST_OF_FOUR
"""The number of groups of four cards."""
SHOW_SCORES = 30
"""The number of scores of a hand or a crib in the tables: 0 to 29."""
PEG_BINS = 24
"""The number of pegging scores in the tables: 0 to 23; more count as 23."""


# The card to play: the points that it scores, and weights learned for the position that it leaves
#
#   weights     a long array of numbers in units of 1 / POINT. Each feature of the position after a card, such as (cards
#               left, count), has one index in it, and a position has FEATURES features. The sum of their weights is the
#               number of points that the player of the card pegs after it, less what the other seat pegs
#   REST_COUNT ... COUNT_LIVE    where the weights of each kind of feature begin; WEIGHTS is the length of the array.
#               The names say what a feature combines: REST the group of the player's other cards, OTHER the group of
#               the cards that the other seat has played, LAST the ranks of the latest cards, SEEN how many cards of
#               the last rank have been seen, LIVE how many cards can complete the count
#
# The weights were learned from games between players that use them (``tools.cribbage_practice``).


POINT = 64
COUNTS = MAX_COUNT + 1
SMALL_GROUPS = FIRST_OF_FOUR
"""Groups of at most three cards."""
PREVIOUS_RANKS = RANKS + 1
"""The ranks that an earlier card of the count can have, and RANKS for no earlier card."""
LIVE_COUNTS = 17
"""The possible numbers of cards that complete a count: 0 to 16."""

REST_COUNT = 0
LAST_TWO = REST_COUNT + 10 * SMALL_GROUPS * COUNTS
REST_LAST = LAST_TWO + 10 * COUNTS * RANKS * PREVIOUS_RANKS
LAST_THREE = REST_LAST + 5 * SMALL_GROUPS * RANKS
OTHER_LAST = LAST_THREE + 5 * RANKS * PREVIOUS_RANKS * PREVIOUS_RANKS
OTHER_COUNT = OTHER_LAST + GROUPS * RANKS
LAST_SEEN = OTHER_COUNT + GROUPS * COUNTS
COUNT_LIVE = LAST_SEEN + 10 * 4 * RANKS
WEIGHTS = COUNT_LIVE + 10 * COUNTS * LIVE_COUNTS
FEATURES = 8


@kernel
def write_weight_indices(s, seat, card, out):
    """Write the indices of the weights for the position after ``seat`` has played ``card``."""
    rest = s.hand[seat] ^ 1 << card
    other = 1 - seat
    other_cards = size(s.hand[other])
    # 0 to 9: how many cards the other seat holds, and whether it is out of this count.
    turn = 2 * other_cards + (1 if other_cards == 0 or s.said_go >> other & 1 else 0)
    count = s.count + value_of(card)
    last = card >> 2
    second_last = s.played[s.plays - 1] >> 2 if s.plays > s.first else RANKS
    third_last = s.played[s.plays - 2] >> 2 if s.plays > s.first + 1 else RANKS
    played_by_other = 0
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter
    for i in range(s.plays):
        seen |= 1 << s.played[i]
        if s.played_by[i] == other:
            played_by_other |= 1 << s.played[i]
    rest_group = group_of(rest)
    played_group = group_of(played_by_other)
    out[0] = REST_COUNT + (turn * SMALL_GROUPS + rest_group) * COUNTS + count
    out[1] = LAST_TWO + ((turn * COUNTS + count) * RANKS + last) * PREVIOUS_RANKS + second_last
    out[2] = REST_LAST + (other_cards * SMALL_GROUPS + rest_group) * RANKS + last
    out[3] = LAST_THREE + ((other_cards * RANKS + last) * PREVIOUS_RANKS + second_last) * PREVIOUS_RANKS + third_last
    out[4] = OTHER_LAST + played_group * RANKS + last
    out[5] = OTHER_COUNT + played_group * COUNTS + count
    out[6] = LAST_SEEN + (turn * 4 + size(seen >> 4 * last & 15) - 1) * RANKS + last
    out[7] = COUNT_LIVE + (turn * COUNTS + count) * LIVE_COUNTS + completing_cards(seen, count)


@kernel
def completing_cards(seen, count):
    """How many unseen cards would bring a count to fifteen or, above that, to 31 with one play."""
    value = FIFTEEN - count if count < FIFTEEN else MAX_COUNT - count
    if value < 1 or value > 10:
        return 0
    if value == 10:
        return 16 - size(seen >> 36)  # tens, Jacks, queens and kings are the last sixteen cards
    return 4 - size(seen >> 4 * (value - 1) & 15)


@kernel
def immediate_points(s, card):
    """The points for playing a card now."""
    saved = s.played[s.plays]
    s.played[s.plays] = card
    points = play_points(s.played, s.first, s.plays + 1, s.count + value_of(card))
    s.played[s.plays] = saved
    return points


@kernel
def play_value(s, seat, card, weights, out):
    """How much more ``seat`` will peg from now on than the other if it plays ``card``, in units of 1 / POINT."""
    write_weight_indices(s, seat, card, out)
    value = immediate_points(s, card) * POINT
    for i in range(FEATURES):
        value += weights[out[i]]
    return value


@kernel
def best_card(s, seat, weights, out):
    """The card with the highest ``play_value``; at least one must fit.  Of equal cards, the lowest is played."""
    cards = playable(s, seat)
    best = lowest(cards)
    cards &= cards - 1
    if not cards:
        return best
    highest = play_value(s, seat, best, weights, out)
    rank = best >> 2
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if card >> 2 == rank:
            continue
        rank = card >> 2
        value = play_value(s, seat, card, weights, out)
        if value > highest:
            highest = value
            best = card
    return best


# The chance of winning from every score, as dealer and as the other seat
#
# Computed backwards from the end of the game, from deals that were played (``tools.cribbage_practice``). A skunk counts
# as one game, and both seats play for points until the end.


TARGET = 121
MAX_DEAL = 70
"""No seat scores as much as this in one deal."""


class WinChance(NamedTuple):
    """The chance of winning, and half the width of its 95 % interval."""

    chance: float
    margin: float


def win_chance(own: int, other: int, *, dealer: bool, target: int = TARGET) -> WinChance:
    """The chance of winning for a seat with ``own`` points against ``other`` before a deal; ``dealer`` if it deals.

    >>> round(win_chance(0, 0, dealer=True).chance, 2)
    0.56
    """
    shift = TARGET - target
    scores = (own + shift, other + shift) if dealer else (other + shift, own + shift)
    index = scores[0] * TARGET + scores[1]
    chance, margin = load_table("chances")[index] / SCALE, load_table("errors")[index] / SCALE
    return WinChance(chance if dealer else 1 - chance, margin)


@cache
def chance_tables() -> tuple[Numbers, Numbers]:
    """The dealer's chances by both scores, and their margins: shapes (TARGET, TARGET)."""
    import numpy as np

    chances, errors = (np.array(load_table(name), np.float64).reshape(TARGET, TARGET) for name in ("chances", "errors"))
    return chances / SCALE, errors / SCALE


def chances_after_deal(own: int, other: int, *, dealer: bool) -> tuple[Numbers, Numbers]:
    """A seat's chances of winning after this deal, and their margins, by the points that each seat scores in it.

    ``own`` and ``other`` are the points that the seat and the other still need to win.  In both arrays the rows are the
    seat's points in this deal, 0 to ``own``, and the columns the other's, both cut off at MAX_DEAL.  ``dealer``:
    whether the seat deals next.
    """
    import numpy as np

    parts = []
    for table in chance_tables():
        part = np.zeros((min(own, MAX_DEAL) + 1, min(other, MAX_DEAL) + 1))
        stored = (table if dealer else table.T)[TARGET - own :, TARGET - other :][: MAX_DEAL + 1, : MAX_DEAL + 1]
        part[: stored.shape[0], : stored.shape[1]] = stored
        parts.append(part)
    chances, errors = parts
    if not dealer:
        chances = 1 - chances
    fill_game_end(chances, errors, own, other)
    return chances, errors


def fill_game_end(chances: Numbers, errors: Numbers, own: int, other: int) -> None:
    """Fill in the last row, where the seat has won, and the last column, where the other seat has won."""
    if own <= MAX_DEAL:
        chances[-1], errors[-1] = 1.0, 0.0
    if other <= MAX_DEAL:
        chances[:, -1], errors[:, -1] = 0.0, 0.0
