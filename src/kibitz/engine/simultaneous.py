"""Simultaneous choices, in positions that have one seat to move.

A game with simultaneous choices, such as Go's cards, takes them seat by seat and hides each until all are made.  Its
``rules.simultaneous(s)`` says whether the seats from the one to move to the last choose at the same time.  What each of
them sees and may do then doesn't depend on the others' choices, so they can be asked in any order.
"""

from __future__ import annotations

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState


def choosing(game: Game, state: PlainState) -> tuple[int, ...]:
    """The seats that still have to choose, the one to move first; none once the game is over."""
    if state.over:
        return ()
    simultaneous = getattr(game.rules, "simultaneous", None)
    last = game.seats if simultaneous is not None and simultaneous(state) else state.player + 1
    return tuple(range(state.player, last))


def turned_to(state: PlainState, seat: int) -> PlainState:
    """The position as one of the simultaneously choosing seats sees it.

    That is ``state`` itself if it is to move anyway.
    """
    if state.player == seat:
        return state
    turned = state.copy()
    turned.player = seat
    return turned
