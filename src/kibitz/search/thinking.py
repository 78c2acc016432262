"""What to do, by search: the legal actions ranked, with what each is worth and how sure that is.

    budget      how many games are imagined, or for how many seconds; 0 is no thought at all
    worth       what the seat earns in the mean if it does this, in the game's own units, with its standard error, which
                is infinite where it was tried once or never
    promise     0 to 1, mostly the chance to come first; by chips where a game is played for them

Only the view is used: whatever the seat does not know is imagined.  The same view, seed and number of imagined games
give the same ranking, in plain Python and in machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import Any

import msgspec

from kibitz.engine import twins
from kibitz.engine.events import View
from kibitz.engine.game import Game, seed_words
from kibitz.engine.layout import PlainState
from kibitz.engine.policies import modules_of, policies, room_of
from kibitz.search import ismcts

SIZE = 1 << 16
"""Entries of a tree; what finds no room is played by the policy."""


class Ranked(msgspec.Struct, frozen=True):
    """A legal action: how often it was tried, its worth with the standard error, and its promise."""

    action: int
    tried: int
    worth: float
    error: float
    promise: float


@dataclass(frozen=True)
class Thought:
    """How to search a game; ``policy`` is the name of the policy of rollouts, empty: any action by lot."""

    policy: str = ""
    explore: float = 0.5
    wide: int = 8
    flighty: float = 0.1
    limit: int = 400
    chips: int = 0


@dataclass
class Search:
    """A search of one position, which can go on for as long as one likes; ``view`` is that of the seat to move.

    With the ``truth`` it imagines no worlds: no player may, and it shows what a player could win who knew all cards.
    """

    game: Game
    view: View
    legal: Sequence[int]
    seed: int = 0
    how: Thought = field(default_factory=Thought)
    plain: bool = False
    truth: PlainState | None = field(default=None, repr=False)
    done: int = 0

    def __post_init__(self) -> None:
        game, number = self.game, len(self.legal)
        low, high, *_ = seed_words(self.seed)
        known = list(policies(game))
        policy = known.index(self.how.policy) if self.how.policy else ismcts.NOBODY
        explore, flighty = round(self.how.explore * 256), round(self.how.flighty * 256)
        how = [self.view.seat, policy, explore, self.how.wide, self.how.chips, self.how.limit, flighty, game.seats]
        how.append(int(self.truth is not None))
        sizes = {
            "tree": ismcts.FIRST + ismcts.FIELDS * SIZE,
            "path": ismcts.STEP * ismcts.DEEPEST + 1,
            "kept": 2 * game.seats,
            "room": max(room_of(game), game.seats),
            "tally": 4 * number,
        }
        state = game.blank() if self.truth is None else self.truth.copy()
        if self.truth is None:
            game.restore(state, self.view)
        make: Any = plain_board if self.plain else fast_board
        self.kernels, self.board = make(game, state, sizes, list(self.legal), [low, high], how)

    def go_on(self, games: int) -> None:
        """Imagine so many games more."""
        b, last = self.board, self.done + games
        self.kernels.search(
            *(b["states"], b["raw"], b["words"], b["tree"], SIZE, b["path"], b["kept"], b["room"]),
            *(b["tally"], b["actions"], len(self.legal), b["keys"], b["how"], self.done, last),
        )
        self.done = last

    def go_on_for(self, seconds: float) -> None:
        """Imagine games for so long: one at least, and none that would not be over in time."""
        start, rate, games = perf_counter(), 0.0, 1
        while (left := seconds - (perf_counter() - start)) > 0 and (not rate or left * rate > 1):
            games = max(1, min(games, int(left * rate / 2))) if rate else games
            before, began = self.done, perf_counter()
            self.go_on(games)
            rate = (self.done - before) / max(1e-9, perf_counter() - began)
            games *= 2

    def ends(self, action: int, games: int) -> list[tuple[int, float]]:
        """What comes of an action in so many worlds, if all go on by the policy: what is earned, and the promise.

        World by world the same whatever the action, so that two can be held against each other.
        """
        b = self.board
        ends: Any = [0] * (2 * games) if self.plain else fresh(2 * games)
        self.kernels.after(*(b["states"], b["raw"], b["words"], b["room"], action, ends, b["keys"], b["how"], 0, games))
        return [(int(ends[2 * i]), int(ends[2 * i + 1]) / ismcts.ONE) for i in range(games)]

    def ranking(self) -> list[Ranked]:
        """The legal actions, the best first: what was tried most is best."""
        found = []
        for i, action in enumerate(self.legal):
            n, total, squares, rewards = (int(x) for x in self.board["tally"][4 * i : 4 * i + 4])
            mean = total / n if n else 0.0
            error = sqrt(max(0.0, squares / n - mean * mean) / (n - 1)) if n > 1 else float("inf")
            found.append(Ranked(action, n, mean, error, rewards / n / ismcts.ONE if n else 0.0))
        return sorted(found, key=lambda one: (-one.tried, -one.promise))


def thought_of(game: Game) -> Thought:
    """How a game is searched: as its ``choosing.py`` says, else by its first policy, else any action by lot."""
    chips = max((value for name, value in game.options.items() if name == "stack"), default=0) if game.by_score else 0
    usual = {"chips": chips, "policy": next(iter(policies(game)), "")}
    return Thought(**{**usual, **getattr(game.choosing, "SEARCH", {})})


def promised(game: Game, how: Thought, scores: Sequence[float], seat: int) -> float:
    """What the end of a game is worth to a seat, in the measure of promises."""
    words = [0] * ismcts.TOLD + [0]
    words[ismcts.CHIPS], words[ismcts.SEATS] = how.chips, game.seats
    return int(ismcts.reward([int(score) for score in scores], seat, words)) / ismcts.ONE


def is_ready(game: Game) -> bool:
    """Whether the machine code of a search need not be made first."""
    return twins.is_ready("search", ismcts, *modules_of(game))


def plain_board(
    game: Game, state: Any, sizes: dict[str, int], legal: list[int], keys: list[int], how: list[int]
) -> Any:
    """The kernels and their arrays in plain Python."""

    def copied(states: list[Any], raw: object, words: int) -> None:
        states[1] = states[0].copy()

    board: dict[str, Any] = {name: [0] * size for name, size in sizes.items()}
    board |= {"states": [state, state, state.copy()], "raw": None, "words": 0}
    return twins.plain(ismcts, *modules_of(game), copied=copied), board | {"actions": legal, "keys": keys, "how": how}


def fresh(size: int) -> Any:
    """An array of zeros for machine code."""
    import numpy as np

    return np.zeros(size, np.int64)


def fast_board(game: Game, state: Any, sizes: dict[str, int], legal: list[int], keys: list[int], how: list[int]) -> Any:
    """The kernels in machine code and their arrays."""
    import numpy as np

    kernels = twins.compiled(ismcts, *modules_of(game))
    board: dict[str, Any] = {name: np.zeros(size, np.int64) for name, size in sizes.items()}
    states = np.zeros(3, game.rules.LAYOUT.dtype)
    game.rules.LAYOUT.store(state, states, 0)
    raw = states.view(np.int64)
    board |= {"states": states, "raw": raw, "words": len(raw) // 3}
    board |= {"actions": np.array(legal, np.int64), "keys": np.array(keys, np.int64), "how": np.array(how, np.int64)}
    return kernels, board
