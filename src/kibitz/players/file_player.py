"""A player file as a player: in its own process, as tournaments and rated games use it, or in this process.

A file runs in this process for ``pdb``, and so that what it prints appears at once. There it is never rated or limited,
and can do whatever Python can, so only its owner should run it.  Its random numbers are the same as in a process of its
own, but the order in which it iterates over a set may differ.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable
from math import inf
from types import ModuleType
from typing import Any, NamedTuple

from kibitz.engine.views.assignment_interface import HISTORY, Call
from kibitz.engine.views.events import Outcome
from kibitz.errors import PlayerError
from kibitz.players.files.sources import Source, sources_of
from kibitz.players.function_player import FunctionPlayer, HistoryItem, PlayInterface
from kibitz.players.isolation import child, wire
from kibitz.players.isolation.child import RequiredFunction
from kibitz.players.isolation.confined_process import SECOND
from kibitz.players.isolation.conversation import Conversation
from kibitz.players.isolation.imports import Importer
from kibitz.players.isolation.process import process_for
from kibitz.players.isolation.wire import View, as_object
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.rated_game import IdleTime

MAX_PRINTED = 200
"""The maximum number of ``Printed`` that are recorded, one for each call that printed something."""
END_SECONDS = 1.0
"""Seconds that a file's ``end`` may take, where a failure no longer counts."""
LOADING = "while it was loaded"
"""``Printed.call`` of what a file printed before its first call."""


class Printed(NamedTuple):
    """What a file printed in one call, or while it was loaded."""

    call: str
    text: str


class FilePlayer(FunctionPlayer):
    """Plays one game with a student's file; whatever the file does stays in its process.

    ``idle_time`` is the seat's idle time in a rated game, which may be played again. If ``printed`` is a list, the
    file's output in each call is added to it. The caller's own file may run unconfined.
    """

    def __init__(
        self,
        name: str,
        file: str,
        source: Source,
        limits: Limits = STANDARD,
        idle_time: IdleTime | None = None,
        *,
        own_file: bool = False,
    ) -> None:
        super().__init__(name, file, source)
        self.limits, self.idle_time, self.own_file = limits, idle_time, own_file
        self.process: Conversation | None = None
        self.printed: list[Printed] | None = None
        self.slowest = 0.0
        """Seconds of CPU time that the slowest call has taken."""
        self.spent = 0.0
        """Seconds of CPU time in all games together, except those whose process ended by itself."""
        self.idled = 0.0
        """Seconds for which it has slept or waited in all games together."""

    def load(self, required: tuple[RequiredFunction, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Start a process and have it load the file."""
        self.end(None)
        self.process = process_for(self.limits, self.idle_time, own_file=self.own_file)
        try:
            return self.process.load(self.file, self.sources, required, seed, allow_play=allow_play)
        finally:
            self.record_output()

    def answer(self, call: Call, new_items: list[HistoryItem]) -> Any:
        """Call the file's function in its process."""
        assert self.process is not None
        pack = wire.packed_by_value if isinstance(self.interface, PlayInterface) else wire.packed
        packed_arguments = pack([wire.HISTORY if argument is HISTORY else argument for argument in call.arguments])
        for item in new_items:
            item.text = item.text or pack(item.value)
        try:
            news = f"[{','.join([item.text for item in new_items])}]"
            max_seconds = END_SECONDS if call.function == "end" else inf
            subject = f"observe or {call.function}" if new_items and isinstance(self.interface, PlayInterface) else ""
            return self.process.call(call.function, packed_arguments, news, max_seconds=max_seconds, subject=subject)
        finally:
            if self.printed is not None:
                self.record_output()

    def record_output(self) -> None:
        """Add what the file has just printed to ``printed``, if that is a list."""
        if self.printed is None or self.process is None or len(self.printed) >= MAX_PRINTED:
            return
        if output := self.process.new_output():
            past_call = self.past_call()
            self.printed.append(Printed(str(past_call) if past_call else LOADING, output))

    def end(self, outcome: Outcome | None) -> str:
        """End the process and everything that it has started; return what the file printed."""
        if self.process is None:
            return ""
        if self.process.status is None:
            self.report_outcome(outcome)
        try:
            self.spent += self.process.cpu() / SECOND
            return self.process.end()
        finally:
            self.slowest = max(self.slowest, self.process.slowest)
            self.idled += self.process.idle_time.seconds
            self.process = None


class TrustedFilePlayer(FunctionPlayer):
    """Plays one game with a file in this process; ``folder`` is where the files are, so that a debugger finds them."""

    def __init__(self, name: str, file: str, source: Source, folder: str = "") -> None:
        super().__init__(name, folder + file, sources_of(file, source))
        self.folder = folder
        self.module = ModuleType(child.MODULE)
        self.importer = Importer(self.sources.files, {}, folder)
        self.random_state: Any = None

    def load(self, required: tuple[RequiredFunction, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Run the main file as a fresh module."""
        self.module = ModuleType(child.MODULE)
        self.importer = Importer(self.sources.files, {}, self.folder)
        self.random_state = random.Random(seed).getstate()
        defined: list[str] = self.guarded(
            "", lambda: child.load_main(self.module, self.importer, required, allow_play=allow_play)
        )
        return defined

    def answer(self, call: Call, new_items: list[HistoryItem]) -> Any:
        """Call the file's function with copies of the arguments."""
        if any(argument is HISTORY for argument in call.arguments):
            new_items = self.history
        history = child.History()
        self.guarded(
            "observe", lambda: child.pass_on_items(self.module, history, copied([item.value for item in new_items]))
        )
        arguments = [
            history.items if argument is HISTORY else as_object(View, copied(argument)) for argument in call.arguments
        ]
        value = self.guarded(call.function, lambda: self.module.__dict__[call.function](*arguments))
        self.guarded(call.function, lambda: wire.check_bounds(value, bools=False))
        return value

    def guarded(self, function: str, action: Callable[[], Any]) -> Any:
        """Run code of the file with its own random numbers. Raises PlayerError if it raises."""
        outer_state = random.getstate()
        random.setstate(self.random_state)
        try:
            with self.importer.importable(child.MODULE, self.module):
                return action()
        except (Exception, SystemExit) as error:
            raise PlayerError(*child.failure(error, function)) from error
        finally:
            self.random_state = random.getstate()
            random.setstate(outer_state)

    def end(self, outcome: Outcome | None) -> str:
        """Return an empty text: what the file printed has already gone to the terminal."""
        self.report_outcome(outcome)
        return ""


def copied(value: Any) -> Any:
    """A deep copy of a plain value, such as a file in a process of its own would get."""
    return marshal.loads(marshal.dumps(value))
