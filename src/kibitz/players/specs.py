"""Players by the words that name them: a built-in strategy, or the path of a player file.

A spec holds the file's source, so a player is the same in every process and on every machine that it is sent
to, whatever happens to the file meanwhile.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.engine.game import Game
from kibitz.engine.registry import game as game_by_name
from kibitz.errors import NotationError
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.file_player import FilePlayer
from kibitz.players.form_player import form_of
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.trusted import TrustedFilePlayer
from kibitz.table.player import Player

LARGEST_FILE = 1 << 20


@dataclass(frozen=True)
class PlayerSpec:
    """One player of one game, ready to be made again and again; ``words`` are what ``find_player`` was given."""

    name: str
    words: str
    game: str
    source_hash: str
    source: str = field(default="", repr=False)
    trusted: bool = False
    limits: Limits = STANDARD

    @property
    def is_file(self) -> bool:
        """Whether this is a player file."""
        return bool(self.source_hash)

    def make(self, *, patient: bool = False) -> Player:
        """A fresh player for one match; one that is ``patient`` voids it rather than forfeit it for idleness."""
        if not self.is_file:
            return StrategyPlayer(self.name, strategies(game_by_name(self.game))[self.name])
        if self.trusted:
            return TrustedFilePlayer(self.name, os.path.abspath(self.words), self.source)
        return FilePlayer(self.name, Path(self.words).name, self.source, self.limits, patient=patient)


def find_player(game: Game, words: str, *, trusted: bool = False, limits: Limits = STANDARD) -> PlayerSpec:
    """The player that ``words`` name; NotationError with one sentence if there is none."""
    known = strategies(game)
    if words in known:
        return PlayerSpec(words, words, game.name, "")
    if not words.endswith(".py") and os.sep not in words:
        close = difflib.get_close_matches(words.lower(), known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}{or_a_file(game)}."
        raise NotationError(f"{game.title} has no player called {words[:40]!r}; {hint}")
    return file_spec(game, words, read_source(words), trusted=trusted, limits=limits)


def takes_files(game: Game) -> bool:
    """Whether player files can play a game: whether it has a form for them."""
    return game.form is not None


def or_a_file(game: Game) -> str:
    """What to add to the names of a game's players, where files can play it too."""
    return "; or give a .py file" if takes_files(game) else ""


def file_spec(game: Game, words: str, source: str, *, trusted: bool = False, limits: Limits = STANDARD) -> PlayerSpec:
    """The player of a file whose text is known already."""
    form_of(game)
    digest = hashlib.sha256(source.encode()).hexdigest()
    return PlayerSpec(Path(words).stem, words, game.name, digest, source, trusted, limits)


def read_source(path: str | Path) -> str:
    """The text of a player file; NotationError with one sentence if it is none."""
    return decoded(read_content(path), path)


def read_content(path: str | Path) -> bytes:
    """The bytes of a player file; NotationError with one sentence if it cannot be one."""
    shown = repr(str(path))
    if not str(path).endswith(".py"):
        raise NotationError(f"{shown} is no player file: its name should end in .py.")
    if not Path(path).name.isprintable():
        raise NotationError(f"{shown} is no name for a player file: it holds a character that cannot be shown.")
    try:
        content = regular_content(path)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "there is no such file" if missing else str(error.strerror or error).lower()
        raise NotationError(f"{shown} cannot be read: {reason}.") from error
    except ValueError as error:
        raise NotationError(f"{shown} is no path: {error}.") from error
    if len(content) > LARGEST_FILE:
        raise NotationError(f"{shown} is larger than {LARGEST_FILE >> 20} MiB, the most that a player file may have.")
    return content


def decoded(content: bytes, path: str | Path) -> str:
    """A player file's bytes as text; NotationError if they are none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotationError(f"{str(path)!r} is not UTF-8 text: look at line {line}, and save it as UTF-8.") from error


def regular_content(path: str | Path) -> bytes:
    """The content of a regular file, a little more than is allowed at most; OSError for anything else."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is no regular file")
        content = b""
        while len(content) <= LARGEST_FILE and (chunk := os.read(fd, LARGEST_FILE + 1)):
            content += chunk
        return content
    finally:
        os.close(fd)
