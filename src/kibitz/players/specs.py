"""Players by the words that name them: a built-in strategy, or the path of a file, a folder or an archive.

A path that ends in ``.npz`` is that of a trained network (``kibitz.learned``): numbers and no code, so Kibitz plays it
itself.

A spec holds the player's files, so a player is the same in every process and on every machine that it is sent to,
whatever happens to the files meanwhile.
"""

from __future__ import annotations

import difflib
import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.engine.game import Game
from kibitz.engine.registry import game as game_by_name
from kibitz.errors import NotationError
from kibitz.learned.veterans import Veteran, trained
from kibitz.players.archives import is_archive, members
from kibitz.players.attempts import Account
from kibitz.players.built_in import StrategyPlayer, meant, strategies
from kibitz.players.choosing import one_player
from kibitz.players.entries import Entry, is_place, player_at
from kibitz.players.file_player import FilePlayer
from kibitz.players.form_player import sought
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.sources import Source, Sources, sources_of
from kibitz.players.trusted import TrustedFilePlayer
from kibitz.table.player import Player, clean_name


@dataclass(frozen=True)
class PlayerSpec:
    """One player of one game, ready to be made again and again; ``words`` are what ``find_player`` was given."""

    name: str
    words: str
    game: str
    source_hash: str
    source: Source = field(default="", repr=False)
    trusted: bool = False
    limits: Limits = STANDARD
    place: str = ""
    """The folder that the main file lies in, for the debugger."""
    own: bool = False
    """Whether it is the caller's own file, which may run where nothing can confine it."""
    network: bytes = field(default=b"", repr=False)
    """The file of a trained network, if it is one."""

    @property
    def is_file(self) -> bool:
        """Whether this is a player file, whose code has to be confined."""
        return bool(self.source_hash) and not self.network

    @property
    def built_in(self) -> str:
        """The name of the built-in strategy that this is; empty if it is a file of any kind."""
        return "" if self.source_hash else self.name

    @property
    def sources(self) -> Sources:
        """All files of the player."""
        return sources_of(Path(self.words).name, self.source)

    def make(self, account: Account | None = None) -> Player:
        """A fresh player for one match; ``account`` is its seat's, where the match counts."""
        if self.network:
            return StrategyPlayer(self.name, Veteran(self.name, self.network))
        if self.built_in:
            return StrategyPlayer(self.name, strategies(game_by_name(self.game))[self.name])
        sources = self.sources
        if self.trusted:
            folder = os.path.join(os.path.abspath(self.place), "")
            return TrustedFilePlayer(self.name, sources.main, sources, folder=folder)
        return FilePlayer(self.name, sources.main, sources, self.limits, account, own=self.own)


def find_player(
    game: Game, words: str, *, trusted: bool = False, limits: Limits = STANDARD, own: bool = False
) -> PlayerSpec:
    """The player that ``words`` name; NotationError with one sentence if there is none."""
    if (name := meant(game, words)) is not None:
        return PlayerSpec(name, words, game.name, "")
    if is_network(words):
        return network_spec(game, words, trained(game, words))
    if not is_place(words):
        known = strategies(game)
        close = difflib.get_close_matches(words.lower(), known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}; or give a .py file."
        raise NotationError(f"{game.title} has no player called {words[:40]!r}; {hint}")
    return entry_spec(game, player_at(words, sought(game)), trusted=trusted, limits=limits, own=own)


def is_network(words: str) -> bool:
    """Whether words name the file of a trained network."""
    return words.endswith(".npz")


def network_spec(game: Game, words: str, content: bytes) -> PlayerSpec:
    """The player of a trained network, by its file's name and bytes."""
    digest = hashlib.sha256(content).hexdigest()
    return PlayerSpec(clean_name(Path(words).stem), words, game.name, digest, network=content)


def entry_spec(
    game: Game, entry: Entry, *, trusted: bool = False, limits: Limits = STANDARD, own: bool = False
) -> PlayerSpec:
    """The player of an entry; NotationError where its files are not to be had."""
    if entry.sources is None:
        raise NotationError(entry.why)
    return file_spec(game, entry.words, entry.sources, entry.name, entry.place, trusted=trusted, limits=limits, own=own)


def file_spec(
    game: Game,
    words: str,
    source: Source,
    name: str = "",
    place: str = "",
    *,
    trusted: bool = False,
    limits: Limits = STANDARD,
    own: bool = False,
) -> PlayerSpec:
    """The player of a file whose text is known already, or of files."""
    sources = sources_of(Path(words).name, source)
    return PlayerSpec(name or Path(words).stem, words, game.name, sources.sha256, sources, trusted, limits, place, own)


def files_of(game: Game, path: str | Path, content: bytes | Sources | None = None) -> Sources:
    """The files of the player at a path, or of ``content``; NotationError if there is none.

    A path is that of a file, a folder or an archive; bytes are those of a file or an archive, by the path's name.
    """
    if isinstance(content, Sources):
        return content
    if content is not None and is_archive(str(path)):
        return one_player(members(content, str(path)).files, sought(game)).sources
    if content is not None:
        return sources_of(Path(path).name, content)
    found = player_at(path, sought(game)).sources
    assert found is not None
    return found
