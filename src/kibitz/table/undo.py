"""Undo: takes a person's latest decision back, unless it has shown them something new.

    decision    what the person saw, chose and had seen by then
    undo        takes back the latest decision, only while it has shown the person nothing new
    last word   a forced action that would lose the game, though undo could avoid it: it waits for the person

Whether something new was shown is decided by trial: the decision is repeated on other positions that the person
could not tell from this one, followed by the same moves as far as possible.  If the events are the same in all of them,
the person has learnt nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.engine.events import Event, View, to_seat
from kibitz.engine.game import Game

if TYPE_CHECKING:
    from kibitz.table.table import Table

TRIALS = 32
"""How many imagined positions decide whether a decision may be taken back."""
STANDS = "You can't undo: you have seen something new since."


@dataclass(frozen=True)
class Decision:
    """What the person saw and chose at a step of the game, and how many events they had been told by then."""

    step: int
    view: View
    action: int
    told: int


def why_no_undo(table: Table, made: Sequence[Decision]) -> str | None:
    """Why the latest of a person's decisions cannot be taken back, in a sentence; None if it can."""
    if not made:
        return "There is nothing to undo yet."
    heard = table.events(made[-1].view.seat, made[-1].told)
    return None if taught_nothing(table.game, made[-1], heard) else STANDS


def is_last_word(table: Table, made: Sequence[Decision], view: View, legal: Sequence[int]) -> bool:
    """Whether the one legal action ends the game unwon, and the decision that has just led there can be taken back."""
    if len(legal) != 1 or not made or made[-1].step != table.step - 1:
        return False
    state = table.game.imagine(view, 0)
    table.game.advance(state, legal[0])
    if not state.over or view.seat in table.game.result(state, frozenset()).winners:
        return False
    return why_no_undo(table, made) is None


def taught_nothing(game: Game, decision: Decision, heard: list[Event]) -> bool:
    """Whether all that the person has ``heard`` since a decision follows from what they saw then."""
    seat = decision.view.seat
    for trial in range(TRIALS):
        state = game.imagine(decision.view, trial)
        told = to_seat(game.play(state, decision.action), seat)
        while len(told) < len(heard) and state.player == seat and len(only := game.legal(state)) == 1:
            told += to_seat(game.play(state, only[0]), seat)
        if told != heard or state.player != seat:
            return False
    return True
