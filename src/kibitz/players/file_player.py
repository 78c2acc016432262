"""A player file in a process of its own: what tournaments and rated games use."""

from __future__ import annotations

from typing import Any

from kibitz.engine.events import Outcome
from kibitz.engine.form import HISTORY, Call
from kibitz.players import wire
from kibitz.players.clocks import SECOND
from kibitz.players.form_player import FormPlayer, Item
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.process import PlayerProcess


class FilePlayer(FormPlayer):
    """Plays one game with a student's file; whatever the file does stays in its process."""

    def __init__(self, name: str, file: str, source: str, limits: Limits = STANDARD, *, patient: bool = False) -> None:
        super().__init__(name, file, source)
        self.limits, self.patient = limits, patient
        self.process: PlayerProcess | None = None
        self.slowest = 0.0
        """Seconds of CPU time that the slowest call has taken."""
        self.spent = 0.0
        """Seconds of CPU time that all games together have taken, where the process did not end itself."""
        self.idled = 0.0
        """Seconds in which they have slept or waited, in calls that were answered."""

    def load(self, wanted: tuple[tuple[str, int], ...], seed: int) -> None:
        """Start a process and have it load the file."""
        self.end(None)
        self.process = PlayerProcess(self.limits, patient=self.patient)
        self.process.load(self.file, self.source, wanted, seed)

    def answer(self, call: Call, new: list[Item]) -> Any:
        """Ask the process."""
        assert self.process is not None
        given = wire.packed([wire.HISTORY if part is HISTORY else part for part in call.arguments])
        for item in new:
            item.text = item.text or wire.packed(item.value)
        return self.process.call(call.function, given, f"[{','.join([item.text for item in new])}]")

    def end(self, outcome: Outcome | None) -> str:
        """End the process and everything that it has started; what the file printed."""
        if self.process is None:
            return ""
        try:
            self.spent += self.process.cpu() / SECOND
            return self.process.end()
        finally:
            self.slowest = max(self.slowest, self.process.slowest)
            self.idled += self.process.idled
            self.process = None
