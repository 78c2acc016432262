"""A game is kept as it goes on: written down after every step, with who sits in which chair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from kibitz.engine.record import Unfinished
from kibitz.errors import KibitzError
from kibitz.table.saved import SavedGame
from kibitz.table.table import Table


class Keeping:
    """Keeps a game in its file; where that cannot be, it says so once and lets the game go on.

    chairs      who goes on with the game: by seat None for a person, else the words that name a player
    tell        is told the sentence that says why the game cannot be kept
    saved       the file that the game comes from; a new one is made where there is none
    """

    def __init__(
        self, chairs: Sequence[str | None], tell: Callable[[str], None], saved: SavedGame | None = None
    ) -> None:
        self.chairs, self.tell, self.saved = tuple(chairs), tell, saved
        self.broken = False

    @property
    def kept(self) -> bool:
        """Whether the game is in its file as it is, and can be gone on with."""
        return self.saved is not None and not self.broken

    def keep(self, table: Table) -> bool:
        """Write the game down as it is now; whether that went well."""
        record = table.record
        if isinstance(record, Unfinished):
            record = msgspec.structs.replace(record, chairs=self.chairs)
        try:
            if self.saved is None and not self.broken:
                self.saved = SavedGame.new(record)
            elif self.saved is not None:
                self.saved.write(record)
        except KibitzError as error:
            if not self.broken:
                self.tell(f"The game cannot be saved as it goes on: {error}")
            self.broken = True
        return self.kept

    def drop(self) -> None:
        """The game is over: keep nothing more of it."""
        if self.saved is not None:
            self.saved.drop()

    def close(self) -> None:
        """Leave the file to whoever goes on with it."""
        if self.saved is not None:
            self.saved.close()
