"""A player file in a process of its own: what tournaments and rated games use."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from kibitz.engine.events import Outcome
from kibitz.engine.form import HISTORY, Call
from kibitz.players import wire
from kibitz.players.attempts import Account
from kibitz.players.child import Wanted
from kibitz.players.clocks import SECOND
from kibitz.players.conversation import Conversation
from kibitz.players.form_player import FormPlayer
from kibitz.players.forms import Item, OwnForm
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.processes import process_for
from kibitz.players.sources import Source

MOST_HEARD = 200
LEAVE = 1.0
"""Seconds that a file may use after its game; all that is at stake then is everybody's time."""
LOADING = "while it was loaded"


class Heard(NamedTuple):
    """What a file printed in one call, or while it was loaded."""

    call: str
    said: str


class FilePlayer(FormPlayer):
    """Plays one game with a student's file; whatever the file does stays in its process.

    ``account`` is the seat's in a game that counts, which may be begun again.  Where ``heard`` is a list, it is told
    what the file printed in each call.  One's ``own`` file may run where nothing can confine it.
    """

    def __init__(
        self,
        name: str,
        file: str,
        source: Source,
        limits: Limits = STANDARD,
        account: Account | None = None,
        *,
        own: bool = False,
    ) -> None:
        super().__init__(name, file, source)
        self.limits, self.account, self.own = limits, account, own
        self.process: Conversation | None = None
        self.heard: list[Heard] | None = None
        self.slowest = 0.0
        """Seconds of CPU time that the slowest call has taken."""
        self.spent = 0.0
        """Seconds of CPU time that all games together have taken, where the process did not end itself."""
        self.idled = 0.0
        """Seconds in which they have slept or waited."""

    def load(self, wanted: tuple[Wanted, ...], seed: int, *, own: bool = False) -> list[str]:
        """Start a process and have it load the file."""
        self.end(None)
        self.process = process_for(self.limits, self.account, own=self.own)
        try:
            return self.process.load(self.file, self.sources, wanted, seed, own=own)
        finally:
            self.listen()

    def answer(self, call: Call, new: list[Item]) -> Any:
        """Ask the process."""
        assert self.process is not None
        pack = wire.packed_alike if isinstance(self.form, OwnForm) else wire.packed
        given = pack([wire.HISTORY if part is HISTORY else part for part in call.arguments])
        for item in new:
            item.text = item.text or pack(item.value)
        try:
            told = f"[{','.join([item.text for item in new])}]"
            most = LEAVE if call.function == "end" else inf
            both = f"observe or {call.function}" if new and isinstance(self.form, OwnForm) else ""
            return self.process.call(call.function, given, told, most=most, doing=both)
        finally:
            if self.heard is not None:
                self.listen()

    def listen(self) -> None:
        """Note what the file has just printed, for whoever wants to know."""
        if self.heard is None or self.process is None or len(self.heard) >= MOST_HEARD:
            return
        if said := self.process.said():
            asked = self.asked()
            self.heard.append(Heard(str(asked) if asked else LOADING, said))

    def end(self, outcome: Outcome | None) -> str:
        """End the process and everything that it has started; what the file printed."""
        if self.process is None:
            return ""
        if self.process.status is None:
            self.take_leave(outcome)
        try:
            self.spent += self.process.cpu() / SECOND
            return self.process.end()
        finally:
            self.slowest = max(self.slowest, self.process.slowest)
            self.idled += self.process.account.idled
            self.process = None
