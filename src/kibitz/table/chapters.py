"""The hands and rounds that a game is made of: where one ends and the next is dealt.

    chapter     all from one deal to the next, of a game that deals more than once

A game tells of a deal by an event that is a ``NewDeal``; the first one begins the game and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from kibitz.engine.events import Event, NewDeal, Notice, RoundOver
from kibitz.engine.game import Game
from kibitz.engine.scene import Row, Summary
from kibitz.table.table import Table


def ends_chapter(notices: Sequence[Notice]) -> bool:
    """Whether a step, not the first, ended a hand or round, and the next one was dealt."""
    return any(isinstance(notice.event, NewDeal) for notice in notices)


def closing(events: Sequence[Event]) -> list[Event]:
    """What is told of the chapter that ends in a step, out of all that is told of the step."""
    return list(takewhile(lambda event: not isinstance(event, NewDeal), events))


def telling(game: Game, events: Sequence[Event], seat: int, names: Sequence[str]) -> Iterator[tuple[Event, str]]:
    """The events of whole steps, each with the sentence that tells it to a seat; ``names`` are those it reads.

    Where the last round ends the game with the same score, the score is told once, by the end of the game.
    """
    sentences = [game.describe(event, seat, names) for event in events]
    for event, (sentence, following) in zip(events, pairwise([*sentences, ""]), strict=True):
        if not (isinstance(event, RoundOver) and sentence.partition(": ")[2] == following.partition(": ")[2]):
            yield event, sentence


def summary(game: Game, events: Sequence[Event], seat: int, names: Sequence[str]) -> Summary | None:
    """What the hand or round came to that a step, not the first, has ended; None if it has ended none.

    ``events`` are those of the step that the seat is told of; a game that has no words of its own for this is told by
    the sentences of the step.
    """
    if not any(isinstance(event, NewDeal | RoundOver) for event in events):
        return None
    ended = closing(events)
    own = game.scenes.summary
    if own is not None:
        return own(ended, seat, names)
    return Summary("This deal is over", tuple(Row(game.describe(event, seat, names)) for event in ended))


def chapters(table: Table) -> Iterator[int]:
    """The steps after which a new hand or round begins."""
    return (step for step in range(1, table.step + 1) if ends_chapter(table.notices(step)))
