"""How a game ended and who was taken out of it, with the names of the seats."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine.events import SPECTATOR
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.sentences import listed, names_for
from kibitz.table import Table


def standing(record: AnyRecord) -> str:
    """How a game ended, or who is to move in one that is to go on."""
    if isinstance(record, Record):
        return result(record)
    waiting = Table.resume(record).waiting
    return f"The game is not finished: {listed([record.seats[seat] for seat in waiting])} to move."


def result(record: Record, reader: int = SPECTATOR) -> str:
    """The result of a game as text for people; the seat that reads it is called "You"."""
    outcome, names = record.outcome, names_for(reader, record.seats)
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(names, outcome.scores, strict=True))
    winners = listed([names[seat] for seat in outcome.winners])
    return f"{outcome.reason} Result: {scores}. {'Winners' if len(outcome.winners) > 1 else 'Winner'}: {winners}."


def out(forfeit: Forfeit, names: Sequence[str]) -> str:
    """A forfeit as a sentence."""
    return f"{names[forfeit.seat]} is out of the game ({forfeit.kind}): {forfeit.sentence}"
