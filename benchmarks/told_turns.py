"""A seat of Huxxy that is told what no player can know: whole turns, each played to the end of the game.

    told        all hands and the order of the stock; or all hands alone, with stocks drawn by ``lots``
    turns       up to MANY of the mover's (``plans`` of the game), each searched to its end, and picking up
    end         how the game ends if the mover takes a turn and all then play as ``greedy`` does

Where all think once a turn, an end with the stock as it is comes true: who finds a turn that leads to the first place
has it.  ``greedy`` looks anew after each play, and now and then ends its turn with another table that is as good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks import huxxy_loop
from benchmarks.huxxy_loop import WHOLE
from kibitz.engine import compilation
from kibitz.engine.batch import records
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.policies import modules_of
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.groups import PICK_UP
from kibitz.games.huxxy.plans import MANY, SCRATCH
from kibitz.search import rollout_kernels

if TYPE_CHECKING:
    import numpy as np

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
        self.scratch, self.plays = np.zeros(SCRATCH, np.int64), np.zeros(rollout_kernels.EACH, np.int64)
        self.left: list[int] = []
        self.kernels = compilation.compiled(huxxy_loop, *modules_of(game))
        self.sure = False
        """Whether there was a choice of turns, and the one taken is known to lead to the first place."""

    def choose(self, state: PlainState, legal: list[int], played: list[int]) -> int:
        """The next action of the turn that is best by what comes of it."""
        self.left = self.left or self.best(state)
        return self.left.pop(0)

    def best(self, state: PlainState) -> list[int]:
        """The actions of the best turn."""
        self.game.rules.LAYOUT.store(state, self.states, 0)
        mover, place = self.states[0], (self.states, self.raw, self.words, self.scratch)
        self.sure, chosen = False, 0
        n = int(self.kernels.list_turns(mover, self.scratch, 1, 0))
        if n and not self.lots:
            self.sure = bool(self.kernels.end_of(*place, 0, self.plays, 0) == WHOLE)
        if n and not self.sure:
            n = int(self.kernels.list_turns(mover, self.scratch, MANY, 0))
            chosen = self.chosen(place, n)
        if chosen == n:
            return [PICK_UP]
        return self.plays[: self.kernels.plan_of(mover, self.scratch, chosen, self.plays, 0)].tolist()

    def chosen(self, place: tuple[Any, ...], n: int) -> int:
        """Which of so many turns is best, the pick-up being the last."""
        import numpy as np

        if self.lots == 0:
            ends = np.zeros(n + 1, np.int64)
            best = int(self.kernels.first_won(*place, n, self.plays, ends))
            self.sure = bool(ends[best] == WHOLE)
            return best
        ends = np.zeros(self.lots * (n + 1), np.int64)
        self.key = self.key + 1 & 0xFFFFFFFF
        self.kernels.by_lot(*place, n, self.plays, STEPS, self.key, self.lots, ends)
        return beyond_doubt(ends.reshape(self.lots, n + 1))


def beyond_doubt(ends: np.ndarray[Any, Any]) -> int:
    """The turn that is better than the first by most beyond the standard error of the difference; else the first."""
    more = (ends - ends[:, :1]) / WHOLE
    sure = more.mean(0) - more.std(0, ddof=1) / len(more) ** 0.5
    best = int(sure.argmax())
    return best if sure[best] > 0 else 0
