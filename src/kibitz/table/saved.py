"""Saved games: each in its own file, which is rewritten after every action.

    saved game      a record (see ``kibitz.engine.record``) in the user's data folder, or in a file that the user names
    lock            keeps other programs from resuming a game that is being played

A new game is saved as soon as a person has made a choice. However the program ends, the file has the game up to its
latest action. The file contains the seed, so other users of the machine can't read it.
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
from kibitz.engine.record import AnyRecord, UnfinishedRecord, closing_lines, commitment
from kibitz.engine.record_writer import RecordWriter, header_lines
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError, cause
from kibitz.table.table import Table

SUFFIX = ".game"
BUSY_SENTENCE = "is being played by another program: continue there, or end it first."


def saved_games_folder() -> Path:
    """The default folder of saved games."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / "games"


def saved_games() -> list[Path]:
    """The files in the default folder of saved games, the latest first."""
    by_time = []
    for path in saved_games_folder().glob(f"[!.]*{SUFFIX}"):
        with suppress(OSError):
            by_time.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(by_time, reverse=True)]


def file_stem(record: AnyRecord) -> str:
    """The default name of a game's file, without suffix: the game and the beginning of its commitment."""
    return f"{record.game.partition(':')[0]}-{commitment(record.seed)[:8]}"


class SavedHeader(NamedTuple):
    """The game, players and number of moves of a saved game, as its file says; nothing is checked."""

    game: str
    seats: tuple[str, ...]
    moves: int


def read_header(path: Path) -> SavedHeader | None:
    """The header of a saved game, unchecked; None if the file can't be read or isn't a record."""
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
    header = read_header(path)
    if header is None:
        return f"{path.name}: this is not a record"
    last_move = datetime.fromtimestamp(path.stat().st_mtime)
    return f"{day_and_time(last_move, date.today())}: {header.game}, {listed(header.seats)}, after move {header.moves}"


def day_and_time(then: datetime, today: date) -> str:
    """A past time in everyday words.

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

    Raises KibitzError if the file cannot be written, or if another program is playing this game.
    """

    def __init__(self, path: Path, formatter: RecordFormatter | None = None) -> None:
        self.path = path
        self.lock = Lock(path)
        self.formatter = formatter or RecordFormatter()
        self.text = ""
        with suppress(OSError, UnicodeDecodeError):
            self.text = file_io.read_text(path)
        for draft in path.parent.glob(f"{escape(draft_prefix(path))}*"):
            if draft != self.lock.path:
                draft.unlink(missing_ok=True)

    @classmethod
    def new(cls, record: AnyRecord) -> SavedGame:
        """Save a new game in the default folder."""
        games_folder, formatter = saved_games_folder(), RecordFormatter()
        stem, text = file_stem(record), formatter.text(record)
        try:
            games_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in count(1):
                path = games_folder / f"{stem}{f'-{number}' * (number > 1)}{SUFFIX}"
                with suppress(FileExistsError):
                    write_atomically(path, text, force=False, private=True)
                    break
        except OSError as error:
            raise write_error(games_folder, error) from error
        return cls(path, formatter)

    def write(self, record: AnyRecord) -> None:
        """Save the game as it is now; if the text hasn't changed, the file keeps its modification time."""
        text = self.formatter.text(record)
        if text == self.text:
            return
        try:
            write_atomically(self.path, text, force=True, private=True)
        except OSError as error:
            raise write_error(self.path, error) from error
        self.text = text

    def delete(self) -> None:
        """Delete the file of a finished game if it is in the default folder; elsewhere it stays as the record."""
        if self.path.resolve().parent == saved_games_folder().resolve():
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        self.lock.release()


class RecordFormatter:
    """Formats the record of one game after every move: keeps the lines so far, and replays only the new moves."""

    def __init__(self) -> None:
        self.writer: RecordWriter | None = None
        self.lines: list[str] = []
        self.seed = 0
        self.actions: list[int] = []
        self.forfeits: list[Forfeit] = []

    def text(self, record: AnyRecord) -> str:
        """The text of a record, as ``kibitz.engine.record.text`` returns it."""
        writer = self.writer
        if writer is None or not self.is_continued_by(record):
            game = find_game(record.game)
            writer = self.writer = RecordWriter(game, record.seats, record.seed)
            self.lines = [*header_lines(game, record.seats, record.seed), writer.deal()]
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

    def is_continued_by(self, record: AnyRecord) -> bool:
        """Whether a record continues the game of the lines so far."""
        assert self.writer is not None
        same_deal = (self.writer.game.name, self.writer.seats, self.seed) == (record.game, record.seats, record.seed)
        actions, forfeits = tuple(self.actions), tuple(self.forfeits)
        forfeit_inserted = any(forfeit.moves < len(actions) for forfeit in record.forfeits[len(forfeits) :])
        same_beginning = record.actions[: len(actions)] == actions and record.forfeits[: len(forfeits)] == forfeits
        return same_deal and same_beginning and not forfeit_inserted


class Lock:
    """A lock on a file, which one program at a time can hold; it does nothing on systems without ``flock``.

    If another program holds it, KibitzError: the path, then ``busy_sentence``.
    """

    def __init__(self, path: Path, busy_sentence: str = BUSY_SENTENCE) -> None:
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
            raise KibitzError(f"{path} {busy_sentence}") from None
        except OSError as error:
            raise write_error(path, error) from error

    def release(self, *, delete: bool = True) -> None:
        """Release the lock, and delete its file; ``delete`` is false if another program holds the lock."""
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
    """Saves a game in its file. If that fails, it reports the failure once, and the game continues.

    chairs      by seat, who plays when the game is resumed: None for a person, otherwise the text that names a player
    report      called with the sentence that says why the game cannot be saved
    saved       the file that the game was resumed from (default: a new file)
    """

    def __init__(
        self, chairs: Sequence[str | None], report: Callable[[str], None], saved: SavedGame | None = None
    ) -> None:
        self.chairs, self.report, self.saved = tuple(chairs), report, saved
        self.has_failed = False

    @property
    def is_saved(self) -> bool:
        """Whether the file has the current game, so that it can be resumed."""
        return self.saved is not None and not self.has_failed

    def save(self, table: Table) -> bool:
        """Save the game as it is now, unless no person has made a choice yet; return whether the file has it."""
        if self.saved is None and not self.person_has_chosen(table):
            return False
        record = table.record
        if isinstance(record, UnfinishedRecord):
            record = msgspec.structs.replace(record, chairs=self.chairs)
        try:
            if self.saved is None and not self.has_failed:
                self.saved = SavedGame.new(record)
            elif self.saved is not None:
                self.saved.write(record)
        except KibitzError as error:
            if not self.has_failed:
                self.report(f"The game can't be saved any more: {error}")
            self.has_failed = True
        return self.is_saved

    def person_has_chosen(self, table: Table) -> bool:
        """Whether a person has made a choice in this game."""
        people = {seat for seat, player in enumerate(self.chairs) if player is None}
        acted = {past.player for past in table.replay() if past.step < table.step}
        return bool(people & acted) or any(table.held_action(seat) is not None for seat in people)

    def delete(self) -> None:
        """Delete the file of a finished game, as ``SavedGame.delete`` does."""
        if self.saved is not None:
            self.saved.delete()

    def close(self) -> None:
        """Close the file, so that another program can resume the game."""
        if self.saved is not None:
            self.saved.close()
