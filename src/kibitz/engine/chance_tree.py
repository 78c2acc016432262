"""Enumerates chance: every deal and every random outcome of a small game, with its exact probability.

    path        the random numbers of one playthrough, each with its number of possible values; ``below`` returns them
                one after the other, and all paths are visited in turn
    weight      the probability of a path, as a fraction

The game's own kernels are played; only the generator is replaced (see ``compilation.plain``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import Notice

Path = list[tuple[int, int]]
"""For each call of ``below(s, n)``: its result, and ``n``."""


class ChanceScript:
    """Fixes the results of ``below`` along one path after another, until all have been visited."""

    def __init__(self) -> None:
        self.path: Path = []
        self.depth = 0
        self.denominator = 1

    @property
    def weight(self) -> Fraction:
        """The probability of the path so far."""
        return Fraction(1, self.denominator)

    def below(self, s: object, n: int) -> int:
        """The next number of the path, or 0 where the path is new."""
        if self.depth == len(self.path):
            self.path.append((0, n))
        choice, _ = self.path[self.depth]
        self.depth += 1
        self.denominator *= n
        return choice

    def paths(self) -> Iterator[None]:
        """Yield once for every path, for the caller to play along; then ``weight`` is the path's probability."""
        while True:
            self.depth, self.denominator = 0, 1
            yield
            # As an odometer counts: drop the last numbers that are at their highest, raise the one before.
            del self.path[self.depth :]
            while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
                self.path.pop()
            if not self.path:
                return
            choice, n = self.path.pop()
            self.path.append((choice + 1, n))

    def paths_after(self, prefix: Path) -> Iterator[None]:
        """Every path that begins with ``prefix``.

        Its entries are ``(number, number + 1)``: each already has its highest value, so it is never raised.
        """
        self.path = prefix[:]
        yield from self.paths()


class Enumerated:
    """A game whose random numbers follow a script: its deals, and the outcomes of its actions."""

    def __init__(self, game: Game) -> None:
        self.script = ChanceScript()
        self.kernels = compilation.plain(game.rules, below=self.script.below)
        self.rules: Any = SimpleNamespace(**{**vars(game.rules), **vars(self.kernels)})
        view_module = compilation.with_globals(sys.modules[game.advance.__module__], rules=self.rules)
        self.advance = getattr(view_module, game.advance.__name__, game.advance)
        self.original = game

    def deals(self) -> Iterator[tuple[Fraction, PlainState]]:
        """Every deal with its probability."""
        for _ in self.script.paths():
            state = self.original.blank()
            self.rules.deal(state, 0, 0, 0, 0)
            yield self.script.weight, state

    def outcomes(self, state: PlainState, action: int) -> Iterator[tuple[Fraction, PlainState, list[Notice]]]:
        """Every outcome of an action: its probability, the position and the events."""
        for _ in self.script.paths():
            after = state.copy()
            notices = self.advance(after, action)
            yield self.script.weight, after, notices
