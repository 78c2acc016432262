"""Players for tests: a strategy at a seat, and a player file loaded into this process.

FilePlayer  calls the functions of a file as a tournament would, without limits and without a process
"""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Callable
from pathlib import Path
from random import Random
from random import seed as seed_all
from typing import Any

from kibitz.engine.game import Game
from kibitz.engine.views.assignment_interface import HISTORY
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.errors import NotationError, PlayerError

FILES = Path(__file__).parents[2] / "examples" / "players"


def anything(view: Any, legal: list[int], random: Random) -> int:
    """Any legal action."""
    return random.choice(legal)


class Strategist:
    """Plays a strategy."""

    def __init__(self, strategy: Callable[[Any, list[int], Random], int]) -> None:
        self.name, self.strategy = strategy.__name__, strategy
        self.random = Random(0)

    def start(self, game: Game, seat: int, seed: int) -> None:
        self.random = Random(seed)

    def observe(self, event: Event) -> None:
        pass

    def act(self, view: View, legal: list[int]) -> int:
        return self.strategy(view, legal, self.random)

    def end(self, outcome: Outcome | None) -> str:
        return ""


class FilePlayer:
    """Plays a player file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = 0

    def start(self, game: Game, seat: int, seed: int) -> None:
        self.assignment, self.history, self.waiting = game.assignment, [], []
        seed_all(seed)
        self.module = load(self.name)

    def observe(self, event: Event) -> None:
        item = self.assignment.history_item(event)
        if item is not None:
            self.history.append(item)

    def act(self, view: View, legal: list[int]) -> int:
        if not self.waiting:
            function, arguments = self.assignment.call(view)
            values = [self.history if value is HISTORY else value for value in arguments]
            given = copy.deepcopy(values)
            self.calls += 1
            answer = getattr(self.module, function)(*values)
            assert values == given, f"{self.name} changed its arguments"
            try:
                self.waiting = self.assignment.reply(view, answer)
            except NotationError as error:
                raise PlayerError("invalid", str(error)) from error
        return self.waiting.pop(0)

    def end(self, outcome: Outcome | None) -> str:
        return ""


def load(name: str) -> Any:
    """A fresh instance of the module in a player file."""
    spec = importlib.util.spec_from_file_location(name, FILES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
