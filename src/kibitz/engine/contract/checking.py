"""What the checks of the contract share.

place       where a promise is checked: a game, the seed of its deal, the actions since, a seat, an action
violation   a broken promise: its place, what differs, and the command that reproduces it
hang        a call of the game's code that runs for more than ``MAX_CALL_SECONDS``; the watchdog interrupts it
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from inspect import CO_GENERATOR
from random import Random
from traceback import extract_tb
from types import FrameType
from typing import Any, Protocol

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.kernels.compilation import NUMBA
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import command_name
from kibitz.engine.views.events import SPECTATOR

# The watchdog: a process timer looks at the running frames, so watching costs nothing.


MAX_CALL_SECONDS = 30.0
"""Seconds of processor time; no call of any of Kibitz's games takes one second in plain Python."""


class CallTimeout(BaseException):
    """A call of a game's code doesn't end; a BaseException, so that no ``except Exception`` of the game catches it."""


@contextmanager
def watched(game: Game) -> Iterator[None]:
    """A block that raises CallTimeout if a call of the game's code in it lasts longer than ``MAX_CALL_SECONDS``.

    The timer fires at this interval, so a call can last up to twice as long. This works only where the system has such
    a timer, and only in the main thread, where Python handles signals.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    game_folder = os.path.dirname(str(sys.modules[game.rules.__name__].__file__)) + os.sep
    last_frame: list[FrameType | None] = [None]

    def check_frames(number: int, frame: FrameType | None) -> None:
        outermost = None
        while frame is not None:
            if frame.f_code.co_filename.startswith(game_folder) and not frame.f_code.co_flags & CO_GENERATOR:
                outermost = frame
            frame = frame.f_back
        frame_before, last_frame[0] = last_frame[0], outermost
        if outermost is not None and outermost is frame_before:
            raise CallTimeout(f"at work for more than {MAX_CALL_SECONDS:.0f} s of processor time")

    handler = signal.signal(signal.SIGVTALRM, check_frames)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, MAX_CALL_SECONDS, MAX_CALL_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, handler)


MAX_ACTIONS = 100_000
"""A game that is longer than this counts as endless."""


@dataclass(frozen=True)
class Place:
    """The place where a promise is checked; fields that don't apply are None."""

    game: Game
    seed: int | None = None
    step: int | None = None
    seat: int | None = None
    action: int | None = None
    actions: tuple[int, ...] = ()

    def text(self) -> str:
        """The place in words, such as ``go, seed 3, step 17, seat 2, action 40 (AS)``."""
        words = [self.game.name]
        words += [f"seed {self.seed}"] if self.seed is not None else []
        words += [f"step {self.step}"] if self.step is not None else []
        if self.seat is not None:
            words.append("the spectator" if self.seat == SPECTATOR else f"seat {self.seat}")
        words += [f"action {self.action}"] if self.action is not None else []
        return ", ".join(words)

    def at(self, **changes: Any) -> Place:
        """The same place with some fields filled in."""
        return replace(self, **changes)


class Violation(AssertionError):
    """A promise of the contract does not hold.

    ``sentence`` says which promise, ``place`` and ``field`` say where. ``values`` holds two values that should be
    equal, or a single wrong one. ``check`` is the name of the check that failed.
    """

    def __init__(
        self, sentence: str, place: Place | None = None, field: str = "", values: tuple[object, ...] = ()
    ) -> None:
        super().__init__(sentence)
        self.sentence, self.place, self.field, self.values = sentence, place, field, values
        self.check = ""

    @property
    def command(self) -> str:
        """The command that reproduces the fault; empty until the check is known."""
        if not self.check or self.place is None:
            return ""
        words = ["kibitz", "check-game", command_name(self.place.game.name), "--check", self.check]
        words += ["--seed", str(self.place.seed)] if self.place.seed is not None else []
        return shlex.join(words)

    def __str__(self) -> str:
        lines = [f"{self.place.game.name}: {self.sentence}" if self.place else self.sentence]
        if self.place and (self.place.seed, self.place.seat, self.place.action) != (None, None, None):
            lines.append(f"where: {self.place.text()}")
        if self.values:
            lines.append(
                f"found: {self.field + ': ' if self.field else ''}" + " and ".join(map(short_text, self.values))
            )
        return "\n".join(lines + ([f"to repeat: {self.command}"] if self.command else []))


def short_text(value: object) -> str:
    """A value for a message, shortened."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


def demand(
    holds: object, sentence: str, place: Place | None = None, field: str = "", values: tuple[object, ...] = ()
) -> None:
    """Raise Violation unless ``holds``."""
    if not holds:
        raise Violation(sentence, place, field, values)


def demand_equal(first: object, second: object, sentence: str, place: Place) -> None:
    """Raise Violation, with the first field that differs and both values, unless two values are equal."""
    if first != second:
        field, *values = difference(first, second) or ("", first, second)
        raise Violation(sentence, place, field, tuple(values))


def difference(first: Any, second: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first difference between two values: its path, such as ``hands[2][0]``, and both values there."""
    if type(first) is type(second) and isinstance(first, msgspec.Struct):
        pairs = [
            (f"{path}.{name}".lstrip("."), getattr(first, name), getattr(second, name))
            for name in first.__struct_fields__
        ]
    elif isinstance(first, tuple | list) and isinstance(second, tuple | list) and len(first) == len(second):
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    else:
        return None if type(first) is type(second) and first == second else (path, first, second)
    return next((inner_difference for name, a, b in pairs if (inner_difference := difference(a, b, name))), None)


class Hang(Violation):
    """A call of the game's code doesn't end, so no other check can be run."""


@contextmanager
def raising_nothing(what: str, place: Place) -> Iterator[None]:
    """A block in which the game's code may raise nothing: exceptions become Violation, endless calls Hang.

    A missing Numba is not the game's fault and passes through.
    """
    try:
        yield
    except Violation:
        raise
    except (Exception, CallTimeout) as error:
        if isinstance(error, ImportError) and error.name == NUMBA:
            raise
        frames = extract_tb(error.__traceback__)
        game_frames = [each for each in frames if each.filename != __file__]
        line = (
            f"{game_frames[-1].name}, line {game_frames[-1].lineno} of {game_frames[-1].filename}"
            if game_frames
            else ""
        )
        if isinstance(error, CallTimeout):
            raise Hang(f"{what} does not end", place, line, (str(error),)) from error
        raise Violation(f"{what} raised {type(error).__name__}", place, line, (str(error),)) from error


class Check(Protocol):
    """A promise that every game keeps; calling it raises Violation if ``game`` doesn't."""

    __name__: str

    def __call__(self, game: Game, thorough: int = 1, seed: int | None = None) -> None:
        """Check the game: a greater ``thorough`` checks more (1 takes seconds); ``seed``, if given, is the only one."""


def check(function: Check) -> Check:
    """Turn a function into a check, which adds its own name to every Violation, for the command that reproduces it.

    Unexpected exceptions and endless calls of the game's code become Violations as well.
    """

    @wraps(function)
    def checked(game: Game, thorough: int = 1, seed: int | None = None) -> None:
        try:
            with raising_nothing("the game", Place(game, seed)), watched(game):
                function(game, thorough, seed)
        except Violation as broken:
            broken.check = broken.check or function.__name__
            broken.place = broken.place or Place(game)
            raise

    return checked


def observers(game: Game) -> list[int]:
    """Every seat, and the spectator."""
    return [SPECTATOR, *range(game.seats)]


def seeds(n: int, only: int | None = None) -> range:
    """The seeds that a check looks at: the first ``n``, or ``only`` one."""
    return range(n) if only is None else range(only, only + 1)


def random_game(game: Game, seed: int) -> Iterator[tuple[PlainState, list[int], int]]:
    """A random game: each position, with its legal actions and the action that is taken.

    The next step changes the yielded state: copy it to keep it.
    """
    random = Random(seed)
    state = game.deal(seed)
    for step in range(MAX_ACTIONS):
        if state.over:
            return
        legal = game.legal(state)
        demand(legal, "no action is legal, yet the game is not over", Place(game, seed, step))
        action = random.choice(legal)
        yield state, legal, action
        game.advance(state, action)
    raise Violation("the game does not end", Place(game, seed, MAX_ACTIONS))


def sample_actions(game: Game, state: PlainState, first: int, step: int) -> list[int]:
    """Every ``step``-th action from ``first`` on, and of the amounts those near the legal limits and a few others."""
    result = list(range(first, game.first_amount, step))
    if game.first_amount < game.actions:
        low, high = game.rules.min_amount(state), game.rules.max_amount(state)
        edges = {low - 1, low, low + 1, (low + high) // 2, high - 1, high, high + 1}
        result += sorted(a for a in edges if game.first_amount <= a < game.actions)
        result += range(game.first_amount + first, game.actions, (game.actions - game.first_amount) // 3)
    return result


def illegal_actions(game: Game, state: PlainState, legal: list[int], first: int, step: int) -> set[int]:
    """The illegal actions in a sample (see ``sample_actions``), and a number beyond each end of the range."""
    result = {-1, game.actions, *sample_actions(game, state, first, step)} - set(legal)
    if game.first_amount == game.actions:
        return result
    # ``legal`` lists only some amounts: all between the limits are legal.
    low, high = max(game.first_amount, game.rules.min_amount(state)), game.rules.max_amount(state)
    return {action for action in result if not low <= action <= high}
