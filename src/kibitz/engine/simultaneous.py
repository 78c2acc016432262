"""Choices that several seats make at the same time, although positions know one seat to move.

A game whose choices are simultaneous, such as Go's cards, steps them seat by seat and hides each until all are made.
It says so with ``rules.simultaneous(s)``: whether the seats from the one to move to the last choose at once.  What one
of them sees and may do then depends on no choice that is still out, so any of them can be asked first.
"""

from __future__ import annotations

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState


def choosing(game: Game, state: PlainState) -> tuple[int, ...]:
    """The seats whose choice is out, the one to move first; none once the game is over."""
    if state.over:
        return ()
    simultaneous = getattr(game.rules, "simultaneous", None)
    last = game.seats if simultaneous is not None and simultaneous(state) else state.player + 1
    return tuple(range(state.player, last))


def turned_to(state: PlainState, seat: int) -> PlainState:
    """The position as one of the seats that choose at once meets it: ``state`` itself if it is to move anyway."""
    if state.player == seat:
        return state
    turned = state.copy()
    turned.player = seat
    return turned
