"""Taking a decision back: what a person decided, and whether anything that it showed them forbids it.

    decision    what the person saw, chose and had been told by then
    undo        taking back the latest decision: only while it has shown the person nothing new

Whether something new was shown is decided by trial: the decision is repeated on other positions that the person
could not tell from this one.  If they hear the very same in all of them, they have learnt nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.engine.events import Event, View, to_seat
from kibitz.engine.game import Game

TRIALS = 32
"""So many imagined positions decide whether a decision may be taken back."""


@dataclass(frozen=True)
class Decision:
    """What the person saw and chose at a step of the game, and how many events they had been told by then."""

    step: int
    view: View
    action: int
    told: int


def taught_nothing(game: Game, decision: Decision, heard: list[Event], then: Sequence[int] = ()) -> bool:
    """Whether all that the person has ``heard`` since a decision follows from what they saw then.

    ``then`` are the actions that they took after it because there was nothing else to do.
    """
    seat = decision.view.seat
    for trial in range(TRIALS):
        state = game.imagine(decision.view, trial)
        told: list[Event] = []
        for action in (decision.action, *then):
            if state.player != seat or game.why_not(state, action):
                return False
            told += to_seat(game.play(state, action), seat)
        if told != heard or state.player != seat:
            return False
    return True
