"""Nine styles of playing Huxxy, from the written rules: each lays groups from its hand and adds cards to groups.

meld        cards of the hand that make a new group, or one card that is added to a group on the table
plan        the melds of a turn, the one rated highest first; a seat that has not opened needs 24 points, or else picks
            up a card.  No card of the table is ever moved
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple

from kibitz.games.huxxy.view import HuxxyView

PICK_UP, END, PLAY, SLOTS = 0, 1, 3, 41

Cards = tuple[int, ...]


class Meld(NamedTuple):
    """Cards from the hand, and the number of the group that they go to."""

    cards: Cards
    group: int
    is_new: bool


def value(card: int) -> int:
    """Ace 1 to king 13."""
    return (card >> 2) + 1


def is_run(cards: Cards) -> bool:
    """Three or more successive values in alternating colours."""
    row = sorted(cards)
    steps = pairwise(row)
    return len(row) > 2 and all(value(b) - value(a) == 1 and (a ^ b) & 1 for a, b in steps)


def is_kind(cards: Cards) -> bool:
    """Three or four of a value in different suits, or five to eight in all four."""
    suits = {card & 3 for card in cards}
    alike = len({value(card) for card in cards}) == 1
    return alike and len(cards) > 2 and len(suits) == min(4, len(cards)) and len(cards) < 9


def is_group(cards: Cards) -> bool:
    """Whether cards may lie on the table together."""
    return is_run(cards) or is_kind(cards)


def melds(hand: Cards, table: tuple[Cards, ...], most: int) -> Iterator[Meld]:
    """Every meld of at most ``most`` cards: single cards for existing groups, and new groups of three."""
    if most:
        for number, group in enumerate(table):
            yield from (Meld((card,), number, False) for card in hand if group and is_group((*group, card)))
    if most >= 3:
        new = (cards for cards in combinations(sorted(set(hand)), 3) if is_group(cards))
        yield from (Meld(cards, len(table), True) for cards in new)


Rate = Callable[[HuxxyView, Meld], tuple[float, ...] | None]
"""The rating of a meld by a style; None if the style doesn't lay it."""


def plan(view: HuxxyView, rate: Rate) -> list[Meld]:
    """The melds of the rest of a turn."""
    hand, table, plays_left, planned = list(view.hand), list(view.table), view.plays_left, []
    while True:
        rated = [
            (rating, meld) for meld in melds(tuple(hand), tuple(table), plays_left) if (rating := rate(view, meld))
        ]
        if not rated:
            return planned
        _, best = max(rated)
        planned.append(best)
        for card in best.cards:
            hand.remove(card)
        if best.is_new:
            table.append(best.cards)
        else:
            table[best.group] = tuple(sorted((*table[best.group], *best.cards)))
        plays_left -= len(best.cards)


def to_finish(view: HuxxyView, rate: Rate) -> tuple[int, int] | None:
    """The next card of an unfinished meld, and its group; None if every group is valid."""
    for number, group in enumerate(view.table):
        if not group or len(group) > 2:
            continue
        completions = [
            (rating, cards[0])
            for cards in combinations(sorted(set(view.hand)), 3 - len(group))
            if is_group((*group, *cards))
            and (rating := rate(view, Meld(tuple(sorted((*group, *cards))), number, True)))
        ]
        return (max(completions)[1], number) if completions else None
    return None


def style(rate: Rate) -> Callable[[HuxxyView, list[int], Random], int]:
    """The strategy that lays the melds with the highest rating."""

    def choose(view: HuxxyView, legal: list[int], random: Random) -> int:
        if unfinished := to_finish(view, rate):
            card, number = unfinished
            return PLAY + SLOTS * card + number
        planned = plan(view, rate) if view.plays_left else []
        points = sum(value(card) for meld in planned for card in meld.cards)
        if planned and (view.plays or view.opened[view.seat] or points >= view.opening):
            return PLAY + SLOTS * planned[0].cards[0] + planned[0].group
        action = END if view.plays else PICK_UP
        return action if action in legal else legal[0]

    return choose


def points(meld: Meld) -> int:
    """The points that the cards of a meld cost if they are left in the hand."""
    return sum(map(value, meld.cards))


def is_last(view: HuxxyView, meld: Meld) -> bool:
    """Whether the end is near: a hand or the stock has few cards."""
    return min(view.hand_counts) <= 4 or view.stock_count <= 8


STYLES = {
    "all_at_once": style(lambda view, meld: (len(meld.cards), points(meld))),
    "dearest": style(lambda view, meld: (points(meld) / len(meld.cards),)),
    "cheapest": style(lambda view, meld: (-points(meld), len(meld.cards))),
    "own_groups": style(lambda view, meld: (points(meld),) if meld.is_new or view.opened[view.seat] else None),
    "adds_first": style(lambda view, meld: (not meld.is_new, points(meld))),
    "runs": style(lambda view, meld: (points(meld),) if not meld.is_new or is_run(meld.cards) else None),
    "kinds": style(lambda view, meld: (points(meld),) if not meld.is_new or is_kind(meld.cards) else None),
    "waits": style(lambda view, meld: (points(meld),) if is_last(view, meld) or points(meld) >= 24 else None),
    "never_adds": style(lambda view, meld: (len(meld.cards),) if meld.is_new else None),
}
