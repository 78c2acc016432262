"""A seat of Huxxy that is told what no player can know: whole turns, each played to the end of the game.

    told        all hands and the order of the stock; or all hands alone, with stocks drawn by ``lots``
    turns       up to MANY of the mover's (``huxxy_loop``), and picking up
    end         how the game ends if the mover takes a turn and all then play as ``greedy`` does

Where all think once a turn, an end with the stock as it is comes true: who finds a turn that leads to the first place
has it.  ``greedy`` looks anew after each play, and now and then ends its turn with another table that is as good.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks import huxxy_loop
from benchmarks.huxxy_loop import GROUPS, ONCE, TWICE, WHOLE, WIDTH
from kibitz.engine import twins
from kibitz.engine.batch import records
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.games.huxxy import rules, work
from kibitz.games.huxxy.best import Play, play_action, plays_to
from kibitz.games.huxxy.plays import END, PICK_UP
from kibitz.games.huxxy.view import HuxxyView, faces

if TYPE_CHECKING:
    import numpy as np

MANY = 16
STEPS = 200
"""Of games with stocks drawn by lot, the steps of each search: all seats play on alike, in half the time."""


def has_whole_turns(game: Game) -> bool:
    """Whether a seat of this game can be told: it is one of Huxxy."""
    return game.rules is rules


class Told:
    """Chooses for the mover of a position, turn by turn."""

    def __init__(self, game: Game, seed: int, lots: int = 0) -> None:
        import numpy as np

        self.game, self.key, self.lots = game, seed & 0xFFFFFFFF, lots
        self.states = records(game, 2)
        self.raw, self.words = self.states.view(np.int64), self.states.dtype.itemsize // 8
        self.turns = np.zeros((MANY, WIDTH), np.int64)
        self.work, self.out = np.zeros(work.WORK, np.int64), np.zeros(game.seats, np.int64)
        self.left: list[Play] | None = None
        self.sure = False
        """Whether there was a choice of turns, and the one taken is known to lead to the first place."""

    def choose(self, state: PlainState, legal: list[int], played: list[int]) -> int:
        """The next action of the turn that is best by what comes of it."""
        view = self.game.view(state, state.player)
        assert isinstance(view, HuxxyView)
        if view.plays == 0:
            self.left = self.best(state, view)
            if self.left is None:
                return PICK_UP
        assert self.left is not None
        return play_action(view.table, self.left.pop(0)) if self.left else END

    def best(self, state: PlainState, view: HuxxyView) -> list[Play] | None:
        """The plays of the best turn, None to pick up."""
        kernels = loop()
        self.game.rules.LAYOUT.store(state, self.states, 0)
        mover, place = self.states[0], (self.states, self.raw, self.words, self.turns)
        self.sure, chosen = False, 0
        n = int(kernels.list_turns(mover, self.work, self.turns, 1))
        if n and not self.lots:
            self.sure = bool(kernels.end_of(*place, 0, self.work, self.out, 0) == WHOLE)
        if n and not self.sure:
            n = int(kernels.list_turns(mover, self.work, self.turns, MANY))
            chosen = self.chosen(place, n)
        if chosen == n:
            return None
        turn = self.turns[chosen]
        groups = range(int(turn[GROUPS]))
        return list(plays_to(view.table, [faces(int(turn[ONCE + g]), int(turn[TWICE + g])) for g in groups]))

    def chosen(self, place: tuple[Any, ...], n: int) -> int:
        """Which of so many turns is best, the pick-up being the last."""
        import numpy as np

        if self.lots == 0:
            ends = np.zeros(n + 1, np.int64)
            best = int(loop().first_won(*place, n, self.work, self.out, ends))
            self.sure = bool(ends[best] == WHOLE)
            return best
        ends = np.zeros(self.lots * (n + 1), np.int64)
        self.key = self.key + 1 & 0xFFFFFFFF
        loop().by_lot(*place, n, self.work, self.out, STEPS, self.key, self.lots, ends)
        return beyond_doubt(ends.reshape(self.lots, n + 1))


def beyond_doubt(ends: np.ndarray[Any, Any]) -> int:
    """The turn that is better than the first by most beyond the standard error of the difference; else the first."""
    more = (ends - ends[:, :1]) / WHOLE
    sure = more.mean(0) - more.std(0, ddof=1) / len(more) ** 0.5
    best = int(sure.argmax())
    return best if sure[best] > 0 else 0


@cache
def loop() -> Any:
    """The kernels in machine code."""
    return twins.compiled(huxxy_loop)
