"""One game stepped from Python, with little more than its kernels, for callers that write their own loop.

    reset(seed)     deal; without a seed, at random
    over            whether the game has ended, or none has begun
    player          the seat to move, unless the game is over
    legal           its legal actions, in the kernel's order; empty once the game is over
    step(action)    carry out one of these actions
    view(seat)      what a seat may know; show a player only its view and ``legal``

>>> from random import Random
>>> game = Stepping("go-mini")
>>> game.reset(seed=2)
>>> random = Random(2)
>>> while not game.over:
...     game.step(random.choice(game.legal))
>>> game.payoffs()
(0.5, -0.5)

For events and records, use ``kibitz.Table``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.engine.game import Game, fresh_seed, seed_words
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number, check_state, unchecked
from kibitz.engine.views.events import View
from kibitz.environments.conventions import payoffs_of
from kibitz.errors import RuleError

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

NOT_STARTED = "No game has begun: call reset() first."


class Stepping:
    """Steps one game after another. Raises NotationError for an unknown game."""

    __slots__ = ("_apply", "_legal", "_out", "_view", "game", "legal", "over", "state")

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        self.state: PlainState = self.game.blank()
        self.legal: list[int] = []
        self.over = True
        self._apply: Callable[[PlainState, int], object] = self.game.rules.apply
        self._legal: Callable[[PlainState, list[int]], int] = self.game.rules.legal
        self._view: Callable[[PlainState, int], View] = unchecked(self.game.view)
        self._out = [0] * self.game.max_legal

    def reset(self, seed: int | None = None) -> None:
        """Deal; ``seed`` is 0 to 2**128 - 1."""
        state, out = self.game.deal(fresh_seed() if seed is None else seed), self._out
        self.state, self.legal = state, out[: self._legal(state, out)]
        self.over = not self.legal

    def set_position(self, state: PlainState) -> None:
        """Continue from a copy of a position."""
        check_state(self.game, state)
        self.state = state.copy()
        self.legal = self.game.legal(self.state)
        self.over = not self.legal

    @property
    def player(self) -> int:
        """The seat to move."""
        return int(self.state.player)

    def step(self, action: int) -> None:
        """Carry out an action of the seat to move. Raises RuleError, with nothing changed, if it is illegal."""
        if type(action) is not int:
            action = check_number("action", action)
        if action not in self.legal:
            self.refuse(action)
        state, out = self.state, self._out
        self._apply(state, action)
        number = self._legal(state, out)
        self.legal = out[:number]
        if not number:
            self.over = True

    def refuse(self, action: int) -> None:
        """Raise RuleError with the reason, unless the action is a legal amount that ``legal`` doesn't list."""
        if not self.state.players or not any(self.state.key):
            raise RuleError(NOT_STARTED)
        if sentence := self.game.why_not(self.state, action):
            raise RuleError(sentence)

    def view(self, seat: int) -> View:
        """What a seat may know."""
        return self._view(self.state, seat)

    def payoffs(self, kind: str = "zero_sum") -> tuple[float, ...]:
        """The payoffs by seat (``kibitz.environments.conventions``); zeros before the end."""
        return payoffs_of(self.game, self.state, kind) if self.state.over else (0.0,) * self.game.seats


class Seeds:
    """The seeds of successive games: a caller's seed deals exactly that game, and determines all later seeds."""

    def __init__(self) -> None:
        self.random: Random | None = None

    def next(self, seed: int | None) -> int:
        """The seed of the next deal. Raises NotationError if ``seed`` is invalid."""
        if seed is not None:
            seed_words(seed)
            self.random = Random(int(seed))
            return int(seed)
        self.random = self.random or Random(fresh_seed())
        return self.random.getrandbits(128)
