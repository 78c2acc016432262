"""The hands and rounds that a game is made of: where one ends and the next is dealt.

    chapter     all from one deal to the next, of a game that deals more than once

A game tells of a deal by an event that is a ``NewDeal``; the first one begins the game and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from kibitz.engine.events import Event, NewDeal, Notice
from kibitz.table.table import Table


def ends_chapter(notices: Sequence[Notice]) -> bool:
    """Whether a step, not the first, ended a hand or round, and the next one was dealt."""
    return any(isinstance(notice.event, NewDeal) for notice in notices)


def closing(events: Sequence[Event]) -> list[Event]:
    """What is told of the chapter that ends in a step, out of all that is told of the step."""
    return list(takewhile(lambda event: not isinstance(event, NewDeal), events))


def chapters(table: Table) -> Iterator[int]:
    """The steps after which a new hand or round begins."""
    return (step for step in range(1, table.step + 1) if ends_chapter(table.notices(step)))
