"""Taking up a game that was left: its file is held, its record read, and it is known who sat where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kibitz.engine.record import AnyRecord, Unfinished, read_any
from kibitz.engine.registry import game
from kibitz.players.built_in import best_known
from kibitz.table.saved import SavedGame, folder


@dataclass(frozen=True)
class TakenUp:
    """A game that was left.

    record      what was played; a finished game is one whose result nobody has seen yet
    saved       its file, which no other program can take up until it is closed
    own         whether it lies among one's own saved games, so that no stranger has named its players
    """

    record: AnyRecord
    saved: SavedGame
    own: bool

    @property
    def chairs(self) -> tuple[str | None, ...]:
        """By seat None for a person, else the words that name a player; the first seat is a person's if unknown."""
        known = self.record.chairs if isinstance(self.record, Unfinished) else ()
        others = len(self.record.seats) - 1
        return known or (None, *[best_known(game(self.record.game))] * others)


def take_up(path: Path) -> TakenUp:
    """A game from its file; KibitzError, and the file as it was, where it cannot be gone on with."""
    read_any(path)
    saved = SavedGame(path)
    try:
        record = read_any(path)  # what another program may have written before it let go
    except BaseException:
        saved.close()
        raise
    return TakenUp(record, saved, path.resolve().parent == folder().resolve())
