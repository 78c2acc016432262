"""Saved games: each in its own file, which is rewritten after every action.

    saved game      a record (see ``kibitz.engine.record``) in the user's data folder, or in a file that the user names
    lock            keeps other programs from resuming a game that is being played

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
    by_time = []
    for path in folder().glob(f"[!.]*{SUFFIX}"):
        with suppress(OSError):
            by_time.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(by_time, reverse=True)]


def file_stem(record: AnyRecord) -> str:
    """The default name of a game's file: the game and the beginning of its commitment."""
    return f"{record.game.partition(':')[0]}-{commitment(record.seed)[:8]}"


class SavedHeader(NamedTuple):
    """The header of a saved game, which has not been checked, and the number of moves."""

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
    """A saved game in one line: the time of its last move, the game and the players."""
    header = preview(path)
    if header is None:
        return f"{path.name}: this is not a record"
    last_move = datetime.fromtimestamp(path.stat().st_mtime)
    return f"{day_and_time(last_move, date.today())}: {header.game}, {listed(header.seats)}, after move {header.moves}"


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
    """The file of a game in progress: call ``write`` after every action, and ``close`` or ``delete`` at the end.

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
        games_folder, growing = folder(), GrowingRecord()
        stem, text = file_stem(record), growing.text(record)
        try:
            games_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in count(1):
                path = games_folder / f"{stem}{f'-{number}' * (number > 1)}{SUFFIX}"
                with suppress(FileExistsError):
                    write_atomically(path, text, force=False, private=True)
                    break
        except OSError as error:
            raise write_error(games_folder, error) from error
        return cls(path, growing)

    def write(self, record: AnyRecord) -> None:
        """Save the game as it is now; if the file has this text already, it isn't touched and keeps its time."""
        text = self.growing.text(record)
        if text == self.text:
            return
        try:
            write_atomically(self.path, text, force=True, private=True)
        except OSError as error:
            raise write_error(self.path, error) from error
        self.text = text

    def delete(self) -> None:
        """After the end of the game, delete its file if it is in the data folder; elsewhere it stays as the record."""
        if self.path.resolve().parent == folder().resolve():
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        self.lock.release()


class GrowingRecord:
    """The text of a record that grows: only new moves are replayed, so that it can be written after every move."""

    def __init__(self) -> None:
        self.writer: RecordWriter | None = None
        self.lines: list[str] = []
        self.seed = 0
        self.actions: list[int] = []
        self.forfeits: list[Forfeit] = []

    def text(self, record: AnyRecord) -> str:
        """The text of a record, as ``kibitz.engine.record.text`` returns it."""
        writer = self.writer
        if writer is None or not self.begins(record):
            found = game(record.game)
            writer = self.writer = RecordWriter(found, record.seats, record.seed)
            self.lines = [*header_lines(found, record.seats, record.seed), writer.deal()]
            self.seed, self.actions, self.forfeits = record.seed, [], []
        remaining = list(record.forfeits[len(self.forfeits) :])
        for step in range(len(self.actions), len(record.actions) + 1):
            while remaining and remaining[0].moves == step:
                self.lines.append(writer.forfeit(remaining[0]))
                self.forfeits.append(remaining.pop(0))
            if step < len(record.actions):
                self.lines.append(writer.move(record.actions[step]))
                self.actions.append(record.actions[step])
        return "\n".join([*self.lines, "", *closing_lines(writer, record)]) + "\n"

    def begins(self, record: AnyRecord) -> bool:
        """Whether a record continues the text written so far."""
        assert self.writer is not None
        same_deal = (self.writer.game.name, self.writer.seats, self.seed) == (record.game, record.seats, record.seed)
        actions, forfeits = tuple(self.actions), tuple(self.forfeits)
        inserted = any(forfeit.moves < len(actions) for forfeit in record.forfeits[len(forfeits) :])
        same_beginning = record.actions[: len(actions)] == actions and record.forfeits[: len(forfeits)] == forfeits
        return same_deal and same_beginning and not inserted


class Lock:
    """A lock on a file that one program can hold, until it ends; on systems without such locks it does nothing.

    KibitzError with the sentence ``busy`` if another program holds it.
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
            self.release(delete=False)
            raise KibitzError(f"{path} {busy}") from None
        except OSError as error:
            raise write_error(path, error) from error

    def release(self, *, delete: bool = True) -> None:
        """Release the lock, and delete its file unless another program holds it."""
        if self.file >= 0:
            if delete:
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)
            os.close(self.file)
            self.file = -1


def write_error(path: Path, error: OSError) -> KibitzError:
    """The error for a game that cannot be saved."""
    return KibitzError(f"{path} cannot be written: {cause(error)}.")


class AutoSaver:
    """Saves a game in its file; if that fails, it reports this once, and the game continues.

    chairs      who continues the game: by seat None for a person, else the text that names a player
    tell        called with the sentence that says why the game cannot be saved
    saved       the file that the game comes from (default: a new file)
    """

    def __init__(
        self, chairs: Sequence[str | None], tell: Callable[[str], None], saved: SavedGame | None = None
    ) -> None:
        self.chairs, self.tell, self.saved = tuple(chairs), tell, saved
        self.broken = False

    @property
    def is_saved(self) -> bool:
        """Whether the file has the current game, so that it can be resumed."""
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
        """After the end of the game, delete its file."""
        if self.saved is not None:
            self.saved.delete()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        if self.saved is not None:
            self.saved.close()
