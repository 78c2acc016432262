"""Every deal and every random outcome of a small game, with its exact probability.

    path        the random numbers of one playthrough, which ``randbelow`` returns one after the other; all paths are
                visited in turn
    weight      the probability of a path, as a fraction

The game's own kernels are used; only the random generator is replaced (see ``compilation.plain``).
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
"""For each call of ``randbelow(s, n)``: its result, and ``n``, the number of possible results."""


class ChanceScript:
    """A replacement for ``randbelow`` that follows one path after another, until all have been visited."""

    def __init__(self) -> None:
        self.path: Path = []
        self.depth = 0
        self.denominator = 1

    @property
    def weight(self) -> Fraction:
        """The probability of the path so far."""
        return Fraction(1, self.denominator)

    def randbelow(self, s: object, n: int) -> int:
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
            # Count up like an odometer: drop trailing numbers that have reached n - 1, and add 1 to the one before.
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


class EnumeratedGame:
    """A game whose random numbers follow a script, so that its deals and outcomes can be listed."""

    def __init__(self, game: Game) -> None:
        self.script = ChanceScript()
        self.kernels = compilation.plain(game.rules, randbelow=self.script.randbelow)
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
