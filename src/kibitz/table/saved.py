"""Saved games: each in its own file, rewritten after every action.

    saved game      a record (see ``kibitz.engine.record``) in the user's data folder, or in a file that the user names
    locked          a second program can't resume a game that is being played

A new game is saved once a person has chosen something.  However the program ends, the file has the game up to its
latest action.  It includes the seed, so only its owner can read it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime
from glob import escape
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from kibitz.engine import file_io
from kibitz.engine.file_io import draft_prefix, write_atomically
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import AnyRecord, Unfinished, closing_lines, commitment
from kibitz.engine.record_writer import RecordWriter, header_lines
from kibitz.engine.registry import game
from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError, cause
from kibitz.table.table import Table

SUFFIX = ".game"
BUSY_SENTENCE = "is being played by another program: continue there, or end it first."


def folder() -> Path:
    """The default folder of saved games."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / "games"


def saved_games() -> list[Path]:
    """The games in the user's data folder, the latest first."""
    found = []
    for path in folder().glob(f"[!.]*{SUFFIX}"):
        with suppress(OSError):
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def file_stem(record: AnyRecord) -> str:
    """The default name of a game's file: the game and the beginning of its commitment."""
    return f"{record.game.partition(':')[0]}-{commitment(record.seed)[:8]}"


class SavedHeader(NamedTuple):
    """What the header of a saved game says, before anything in it is checked."""

    game: str
    seats: tuple[str, ...]
    moves: int


def preview(path: Path) -> SavedHeader | None:
    """The header of a file, unchecked; None if it isn't a record."""
    try:
        lines = file_io.read_text(path).split("\n")
    except (OSError, UnicodeDecodeError):
        return None
    header = dict(line.partition(": ")[::2] for line in lines[1:6])
    if not {"game", "seats"} <= set(header):
        return None
    return SavedHeader(header["game"], tuple(header["seats"].split(" | ")), sum(line[:1].isdigit() for line in lines))


def saved_game_line(path: Path) -> str:
    """A saved game in a line: when its last move was, what is played, and by whom."""
    header = preview(path)
    if header is None:
        return f"{path.name}: this is not a record"
    last = datetime.fromtimestamp(path.stat().st_mtime)
    return f"{day_and_time(last, date.today())}: {header.game}, {listed(header.seats)}, after move {header.moves}"


def day_and_time(then: datetime, today: date) -> str:
    """A time of the past as people say it.

    >>> [day_and_time(datetime(2026, 3, day, 14, 5), date(2026, 3, 9)) for day in (9, 8, 7)]
    ['today 14:05', 'yesterday 14:05', '7 March 14:05']
    >>> day_and_time(datetime(2025, 12, 31, 9, 0), date(2026, 1, 2))
    '31 December 2025 09:00'
    """
    if 0 <= (ago := (today - then.date()).days) <= 1:
        return f"{'yesterday' if ago else 'today'} {then:%H:%M}"
    return f"{then.day} {then:%B}{f' {then.year}' * (then.year != today.year)} {then:%H:%M}"


class SavedGame:
    """The file of one game being played: ``write`` it after every action, and ``close`` or ``drop`` it at the end.

    KibitzError if the file cannot be written, or another program plays this game.
    """

    def __init__(self, path: Path, growing: GrowingRecord | None = None) -> None:
        self.path = path
        self.lock = Lock(path)
        self.growing = growing or GrowingRecord()
        self.text = ""
        with suppress(OSError, UnicodeDecodeError):
            self.text = file_io.read_text(path)
        for draft in path.parent.glob(f"{escape(draft_prefix(path))}*"):
            if draft != self.lock.path:
                draft.unlink(missing_ok=True)

    @classmethod
    def new(cls, record: AnyRecord) -> SavedGame:
        """A file for a new game, in the user's data folder."""
        home, growing = folder(), GrowingRecord()
        stem, text = file_stem(record), growing.text(record)
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in count(1):
                path = home / f"{stem}{f'-{number}' * (number > 1)}{SUFFIX}"
                with suppress(FileExistsError):
                    write_atomically(path, text, force=False, private=True)
                    break
        except OSError as error:
            raise write_error(home, error) from error
        return cls(path, growing)

    def write(self, record: AnyRecord) -> None:
        """Save the game as it is now; a file that has it already keeps the time of its last move."""
        text = self.growing.text(record)
        if text == self.text:
            return
        try:
            write_atomically(self.path, text, force=True, private=True)
        except OSError as error:
            raise write_error(self.path, error) from error
        self.text = text

    def delete(self) -> None:
        """The game is over: delete its file in the data folder; a file elsewhere stays as the game's record."""
        if self.path.resolve().parent == folder().resolve():
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        self.lock.release()


class GrowingRecord:
    """The text of a growing record: only new moves are replayed, so writing it often costs little."""

    def __init__(self) -> None:
        self.writer: RecordWriter | None = None
        self.lines: list[str] = []
        self.seed = 0
        self.actions: list[int] = []
        self.forfeits: list[Forfeit] = []

    def text(self, record: AnyRecord) -> str:
        """``kibitz.engine.record.text`` of a record."""
        writer = self.writer
        if writer is None or not self.begins(record):
            played = game(record.game)
            writer = self.writer = RecordWriter(played, record.seats, record.seed)
            self.lines = [*header_lines(played, record.seats, record.seed), writer.deal()]
            self.seed, self.actions, self.forfeits = record.seed, [], []
        left = list(record.forfeits[len(self.forfeits) :])
        for step in range(len(self.actions), len(record.actions) + 1):
            while left and left[0].moves == step:
                self.lines.append(writer.forfeit(left[0]))
                self.forfeits.append(left.pop(0))
            if step < len(record.actions):
                self.lines.append(writer.move(record.actions[step]))
                self.actions.append(record.actions[step])
        return "\n".join([*self.lines, "", *closing_lines(writer, record)]) + "\n"

    def begins(self, record: AnyRecord) -> bool:
        """Whether a record continues the text written so far."""
        assert self.writer is not None
        same = (self.writer.game.name, self.writer.seats, self.seed) == (record.game, record.seats, record.seed)
        actions, forfeits = tuple(self.actions), tuple(self.forfeits)
        late = any(forfeit.moves < len(actions) for forfeit in record.forfeits[len(forfeits) :])
        begun = record.actions[: len(actions)] == actions and record.forfeits[: len(forfeits)] == forfeits
        return same and begun and not late


class Lock:
    """Held by one program at a time, and gone with it; where the system has no such locks nothing is locked.

    ``busy`` is the error for a file that another program holds.
    """

    def __init__(self, path: Path, busy: str = BUSY_SENTENCE) -> None:
        self.path = path.with_name(f".{path.name}.lock")
        self.file = -1
        try:
            import fcntl
        except ImportError:
            return
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release(gone=False)
            raise KibitzError(f"{path} {busy}") from None
        except OSError as error:
            raise write_error(path, error) from error

    def release(self, *, gone: bool = True) -> None:
        """Release the lock."""
        if self.file >= 0:
            if gone:
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)
            os.close(self.file)
            self.file = -1


def write_error(path: Path, error: OSError) -> KibitzError:
    """The error for a game that cannot be saved."""
    return KibitzError(f"{path} cannot be written: {cause(error)}.")


class AutoSaver:
    """Saves a game in its file; if that fails, it reports this once and lets the game continue.

    chairs      who plays on: by seat None for a person, else the text that names a player
    tell        called with the sentence that says why the game cannot be saved
    saved       the file that the game comes from (default: a new one)
    """

    def __init__(
        self, chairs: Sequence[str | None], tell: Callable[[str], None], saved: SavedGame | None = None
    ) -> None:
        self.chairs, self.tell, self.saved = tuple(chairs), tell, saved
        self.broken = False

    @property
    def is_saved(self) -> bool:
        """Whether the file has the game as it is now, so that it can be resumed."""
        return self.saved is not None and not self.broken

    def save(self, table: Table) -> bool:
        """Save the game as it is now, once a person has chosen anything; return whether the file has it."""
        if self.saved is None and not self.touched(table):
            return False
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
                self.tell(f"The game can't be saved any more: {error}")
            self.broken = True
        return self.is_saved

    def touched(self, table: Table) -> bool:
        """Whether a person has chosen anything."""
        people = {seat for seat, words in enumerate(self.chairs) if words is None}
        acted = {past.player for past in table.replay() if past.step < table.step}
        return bool(people & acted) or any(table.held(seat) is not None for seat in people)

    def delete(self) -> None:
        """The game is over: stop saving it."""
        if self.saved is not None:
            self.saved.delete()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        if self.saved is not None:
            self.saved.close()
