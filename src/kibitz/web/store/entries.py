"""What can happen at a table, as entries of its journal; read from the first to the last they are the whole game.

chose       a seat has chosen, itself or by a caretaker; ``by`` is the request that a person made
failed      a seat is out of the game
taken back  the game has gone back to an earlier step
noted       something that the record is to say, and the rules do not know of
"""

from __future__ import annotations

from typing import Literal

import msgspec

from kibitz.errors import FailureKind
from kibitz.remote.messages import Kind, NoteKind, Settings


class Entry(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of all entries."""


class Chose(Entry, frozen=True, tag="chose"):
    """A seat has chosen ``action``; ``person`` and ``by`` name whose request it was, if it was one."""

    seat: int
    action: int
    person: str = ""
    by: str = ""


class Failed(Entry, frozen=True, tag="failed"):
    """A seat's player has failed."""

    seat: int
    kind: FailureKind
    sentence: str


class TakenBack(Entry, frozen=True, tag="taken_back"):
    """A seat has taken its latest choice back."""

    seat: int
    step: int
    person: str = ""
    by: str = ""


class Noted(Entry, frozen=True, tag="noted"):
    """A caretaker comes or goes, or somebody has asked for a hint."""

    note: NoteKind
    seat: int


AnyEntry = Chose | Failed | TakenBack | Noted


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has a seat.

    kind        person, computer, file, or open: nobody yet
    name        what the seat is called at the table
    person      the id of a person
    player      the strategy of a computer player, or the name of a file's player in its tournament
    tournament  that of a file's player
    invite      the code that lets somebody sit down here
    """

    kind: Kind
    name: str
    person: str = ""
    player: str = ""
    tournament: str = ""
    invite: str = ""


class Kept(msgspec.Struct, frozen=True):
    """A table as the store keeps it."""

    id: str
    game: str
    rules: int
    seed: int
    maker: str
    chairs: tuple[Chair, ...]
    settings: Settings
    stands: Literal["gathering", "playing", "finished"]
    rematch: str
    made_at: float

    def shows(self, person: str) -> bool:
        """Whether somebody may watch the game, and see it once it is over."""
        here = person == self.maker or any(chair.person == person for chair in self.chairs)
        return here or self.settings.watching != "nobody"


class GameNote(msgspec.Struct, frozen=True):
    """A note on a finished game: after which step, about whom; ``record`` is what a record says that was handed in."""

    step: int
    seat: int
    note: NoteKind | Literal["record"]
    text: str


class Finished(msgspec.Struct, frozen=True):
    """A finished game; ``record`` is its text, empty where only the rest was asked for.

    ``kinds`` are those of the chairs, or ``record`` for all seats where it has come from elsewhere as a record.
    """

    id: str
    game: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    steps: int
    rated: bool
    notes: tuple[GameNote, ...]
    at: float
    record: str = ""
