"""A player file in this very process: for ``pdb`` and for prints that appear at once.  Never rated, never limited.

The file can do here whatever Python can, so only its owner should run it.  Its random numbers are the ones it
gets in a process of its own; the order of its sets is not.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

from kibitz.engine.events import Outcome
from kibitz.engine.form import HISTORY, Call
from kibitz.errors import PlayerError
from kibitz.players import child, wire
from kibitz.players.child import Wanted
from kibitz.players.form_player import FormPlayer
from kibitz.players.forms import Item
from kibitz.players.imports import Importer
from kibitz.players.objects import View, as_object
from kibitz.players.sources import Source, sources_of


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

    def load(self, wanted: tuple[Wanted, ...], seed: int, *, own: bool = False) -> list[str]:
        """Run the main file as a fresh module."""
        self.module = ModuleType(child.MODULE)
        self.importer = Importer(self.sources.files, {}, self.folder)
        self.random_state = random.Random(seed).getstate()
        defined: list[str] = self.guarded("", lambda: child.loaded(self.module, self.importer, wanted, own=own))
        return defined

    def answer(self, call: Call, new: list[Item]) -> Any:
        """Call the file's function with copies of the arguments."""
        if any(part is HISTORY for part in call.arguments):
            new = self.history
        told = child.History()
        self.guarded("observe", lambda: child.hear(self.module, told, copied([item.value for item in new])))
        given = [told.items if part is HISTORY else as_object(View, copied(part)) for part in call.arguments]
        value = self.guarded(call.function, lambda: self.module.__dict__[call.function](*given))
        self.guarded(call.function, lambda: wire.checked(value, bools=False))
        return value

    def guarded(self, function: str, action: Callable[[], Any]) -> Any:
        """Run something of the file's with its own random numbers; PlayerError if it raises."""
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
        """Nothing is left to end; the prints have gone where prints go."""
        self.take_leave(outcome)
        return ""


def copied(value: Any) -> Any:
    """A copy of a plain value that shares no list with it, as a file in a process of its own gets it."""
    return marshal.loads(marshal.dumps(value))
