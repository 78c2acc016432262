"""How a game ended and who was taken out of it, with the names of the seats."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.sentences import listed
from kibitz.table import Table


def standing(record: AnyRecord) -> str:
    """How a game ended, or who is to move in one that is to go on."""
    if isinstance(record, Record):
        return result(record)
    waiting = Table.resume(record).waiting
    return f"The game is not finished: {listed([record.seats[seat] for seat in waiting])} to move."


def result(record: Record) -> str:
    """The result of a game as text for people."""
    outcome = record.outcome
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(record.seats, outcome.scores, strict=True))
    winners = listed([record.seats[seat] for seat in outcome.winners])
    return f"{outcome.reason} Result: {scores}. {'Winners' if len(outcome.winners) > 1 else 'Winner'}: {winners}."


def out(forfeit: Forfeit, names: Sequence[str]) -> str:
    """A forfeit as a sentence."""
    return f"{names[forfeit.seat]} is out of the game ({forfeit.kind}): {forfeit.sentence}"
