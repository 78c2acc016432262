"""A player file as a player: in its own process, as tournaments and rated games use it, or in this process.

In this process it is for ``pdb`` and for prints that appear at once: never rated, never limited, and able to do
whatever Python can, so only its owner should run it.  Its random numbers are the same as in its own process; the order
of its sets isn't.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable
from math import inf
from types import ModuleType
from typing import Any, NamedTuple

from kibitz.engine.views.events import Outcome
from kibitz.engine.views.form import HISTORY, Call
from kibitz.errors import PlayerError
from kibitz.players.files.sources import Source, sources_of
from kibitz.players.form_player import FormPlayer, Item, OwnForm
from kibitz.players.isolation import child, wire
from kibitz.players.isolation.child import Wanted
from kibitz.players.isolation.confined_process import SECOND
from kibitz.players.isolation.conversation import Conversation
from kibitz.players.isolation.imports import Importer
from kibitz.players.isolation.process import process_for
from kibitz.players.isolation.wire import View, as_object
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.rated_game import IdleTime

MAX_PRINTED = 200
END_SECONDS = 1.0
"""Seconds that a file may use after its game, when only waiting time is at stake."""
LOADING = "while it was loaded"


class Printed(NamedTuple):
    """What a file printed in one call, or while it was loaded."""

    call: str
    text: str


class FilePlayer(FormPlayer):
    """Plays one game with a student's file; whatever the file does stays in its process.

    ``idle_time`` is the seat's in a rated game, which may be played again. Where ``printed`` is a list, what the file
    prints in each call is added to it. ``own``: it is the caller's own file, and may run where nothing can confine it.
    """

    def __init__(
        self,
        name: str,
        file: str,
        source: Source,
        limits: Limits = STANDARD,
        idle_time: IdleTime | None = None,
        *,
        own: bool = False,
    ) -> None:
        super().__init__(name, file, source)
        self.limits, self.idle_time, self.own = limits, idle_time, own
        self.process: Conversation | None = None
        self.printed: list[Printed] | None = None
        self.slowest = 0.0
        """Seconds of CPU time that the slowest call has taken."""
        self.spent = 0.0
        """Seconds of CPU time that all games together have taken, where the process did not end itself."""
        self.idled = 0.0
        """Seconds in which they have slept or waited."""

    def load(self, wanted: tuple[Wanted, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Start a process and have it load the file."""
        self.end(None)
        self.process = process_for(self.limits, self.idle_time, own=self.own)
        try:
            return self.process.load(self.file, self.sources, wanted, seed, allow_play=allow_play)
        finally:
            self.listen()

    def answer(self, call: Call, new: list[Item]) -> Any:
        """Call the file's function in its process."""
        assert self.process is not None
        pack = wire.packed_alike if isinstance(self.form, OwnForm) else wire.packed
        given = pack([wire.HISTORY if part is HISTORY else part for part in call.arguments])
        for item in new:
            item.text = item.text or pack(item.value)
        try:
            news = f"[{','.join([item.text for item in new])}]"
            most = END_SECONDS if call.function == "end" else inf
            both = f"observe or {call.function}" if new and isinstance(self.form, OwnForm) else ""
            return self.process.call(call.function, given, news, most=most, doing=both)
        finally:
            if self.printed is not None:
                self.listen()

    def listen(self) -> None:
        """Report what the file has just printed to a listener, if there is one."""
        if self.printed is None or self.process is None or len(self.printed) >= MAX_PRINTED:
            return
        if output := self.process.said():
            asked = self.asked()
            self.printed.append(Printed(str(asked) if asked else LOADING, output))

    def end(self, outcome: Outcome | None) -> str:
        """End the process and everything that it has started; return what the file printed."""
        if self.process is None:
            return ""
        if self.process.status is None:
            self.take_leave(outcome)
        try:
            self.spent += self.process.cpu() / SECOND
            return self.process.end()
        finally:
            self.slowest = max(self.slowest, self.process.slowest)
            self.idled += self.process.idle_time.idled
            self.process = None


class TrustedFilePlayer(FormPlayer):
    """Plays one game with a file in this process; ``post_mortem`` is called with what the file raises.

    ``folder`` is where the files lie, so that a debugger finds them.
    """

    def __init__(
        self,
        name: str,
        file: str,
        source: Source,
        post_mortem: Callable[[BaseException], object] | None = None,
        folder: str = "",
    ) -> None:
        super().__init__(name, folder + file, sources_of(file, source))
        self.post_mortem, self.folder = post_mortem, folder
        self.module = ModuleType(child.MODULE)
        self.importer = Importer(self.sources.files, {}, folder)
        self.random_state: Any = None

    def load(self, wanted: tuple[Wanted, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Run the main file as a fresh module."""
        self.module = ModuleType(child.MODULE)
        self.importer = Importer(self.sources.files, {}, self.folder)
        self.random_state = random.Random(seed).getstate()
        defined: list[str] = self.guarded(
            "", lambda: child.loaded(self.module, self.importer, wanted, allow_play=allow_play)
        )
        return defined

    def answer(self, call: Call, new: list[Item]) -> Any:
        """Call the file's function with copies of the arguments."""
        if any(part is HISTORY for part in call.arguments):
            new = self.history
        history = child.History()
        self.guarded("observe", lambda: child.hear(self.module, history, copied([item.value for item in new])))
        given = [history.items if part is HISTORY else as_object(View, copied(part)) for part in call.arguments]
        value = self.guarded(call.function, lambda: self.module.__dict__[call.function](*given))
        self.guarded(call.function, lambda: wire.check_bounds(value, bools=False))
        return value

    def guarded(self, function: str, action: Callable[[], Any]) -> Any:
        """Run code of the file with its own random numbers; PlayerError if it raises."""
        outside = random.getstate()
        random.setstate(self.random_state)
        try:
            with self.importer.at_work(child.MODULE, self.module):
                return action()
        except (Exception, SystemExit) as error:
            if self.post_mortem:
                self.post_mortem(error)
            raise PlayerError(*child.failure(error, function)) from error
        finally:
            self.random_state = random.getstate()
            random.setstate(outside)

    def end(self, outcome: Outcome | None) -> str:
        """Nothing to end; prints have already gone to the terminal."""
        self.take_leave(outcome)
        return ""


def copied(value: Any) -> Any:
    """A copy of a plain value that shares no list with it, as a file in a process of its own gets it."""
    return marshal.loads(marshal.dumps(value))
