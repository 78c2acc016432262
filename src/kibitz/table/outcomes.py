"""How a game ended and who was taken out of it, with the names of the seats."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.engine.events import SPECTATOR, Outcome, to_seat
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.sentences import YOU, listed, names_for
from kibitz.table.table import Table


def standing(record: AnyRecord, reader: int = SPECTATOR, heard: str = "") -> str:
    """How a game ended, as ``result`` tells it, or who is to move in one that is to go on."""
    if isinstance(record, Record):
        return result(record, reader, heard)
    waiting = Table.resume(record).waiting
    return f"The game is not finished: {listed([record.seats[seat] for seat in waiting])} to move."


def result(record: Record, reader: int = SPECTATOR, heard: str = "") -> str:
    """The result of a game as text for people; the seat that reads it is called "You".

    Scores that the reader has just ``heard`` in a sentence are not told twice.
    """
    return ended(record.outcome, names_for(reader, record.seats), heard)


def ended(outcome: Outcome, names: Sequence[str], heard: str = "") -> str:
    """The same of an outcome, with the names as the reader knows them."""
    pairs = list(zip(names, outcome.scores, strict=True))
    scores = "" if all(says(heard, *pair) for pair in pairs) else f"Result: {', '.join(map(scored, pairs))}. "
    winners = listed([names[seat] for seat in outcome.winners])
    return f"{outcome.reason} {scores}{'Winners' if len(outcome.winners) > 1 else 'Winner'}: {winners}."


def latest(table: Table, reader: int = SPECTATOR) -> str:
    """The last sentence that somebody has been told at a table; empty if there is none."""
    events = to_seat(table.latest, reader)
    return table.game.describe(events[-1], reader, names_for(reader, table.names)) if events else ""


def scored(pair: tuple[str, float]) -> str:
    """A name with its score."""
    return f"{pair[0]} {pair[1]:g}"


def says(sentence: str, name: str, score: float) -> bool:
    """Whether a sentence tells somebody's score.

    >>> says("The game is over: You +3 and Ada -12.", "Ada", -12.0), says("You +31 and Ada -12.", "You", 3.0)
    (True, False)
    """
    called = "[Yy]ou" if name == YOU else re.escape(name)
    return bool(re.search(rf"(?<!\w){called} \+?{re.escape(f'{score:g}')}(?![\d.]\d|\d)", sentence))


def out(forfeit: Forfeit, names: Sequence[str]) -> str:
    """A forfeit as a sentence."""
    return f"{names[forfeit.seat]} is out of the game ({forfeit.kind}): {forfeit.sentence}"
