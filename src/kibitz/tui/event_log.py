"""What a seat has been told, sentence by sentence, as a table goes on and back."""

from __future__ import annotations

from kibitz.engine.events import SPECTATOR
from kibitz.engine.game import Game
from kibitz.engine.registry import options_told
from kibitz.engine.sentences import names_for
from kibitz.table import Table
from kibitz.table.chapters import telling
from kibitz.table.outcomes import out


def opening(game: Game, commitment: str) -> str:
    """What a story begins with: the options that were chosen, and the proof that the deal is fixed."""
    return " ".join((*options_told(game), f"SHA-256 of the seed, which is shown at the end: {commitment}"))


class EventLog:
    """The sentences of one seat; made again from the beginning where the table went back."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.names = names_for(seat, table.names)
        self.heard = self.gone = 0
        self.sentences: list[str] = []

    def catch_up(self) -> list[str]:
        """All sentences so far."""
        table = self.table
        events = table.events(self.seat)
        if len(events) < self.heard or len(table.forfeits) < self.gone:
            self.heard, self.gone = 0, 0
            self.sentences.clear()
        self.sentences += [line for _, line in telling(table.game, events[self.heard :], self.seat, self.names)]
        for forfeit in table.forfeits[self.gone :]:
            self.sentences.append(out(forfeit, self.names))
        self.heard, self.gone = len(events), len(table.forfeits)
        return self.sentences


def spectator(table: Table) -> EventLog:
    """What everybody may hear."""
    return EventLog(table, SPECTATOR)
