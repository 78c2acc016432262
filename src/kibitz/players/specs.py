"""Players, found by name or path, or made from Python functions.

    spec        a built-in strategy, or the files at a path (a file, a folder or an archive). It holds the files' bytes,
                so the player stays the same in every process and on every machine, even if the files change
    network     a path that ends in ``.npz``: numbers without code (``kibitz.search.networks``), with which Kibitz
                itself plays
    strategy    ``f(view, legal)`` or ``f(view, legal, random)``: chooses one of the legal actions from a view
                alone; ``random`` is a new generator for every game, so that a game's seed determines the numbers

A player file always runs as ``kibitz match`` runs it: confined where the system can do that.
"""

from __future__ import annotations

import difflib
import hashlib
import inspect
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from kibitz.cards import short_repr
from kibitz.engine.game import Game, Strategy
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.engine.registry import game as game_by_name
from kibitz.engine.sentences import listed
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError, NotationError, PlayerError
from kibitz.players.built_in import LEVELS, StrategyPlayer, built_in_name, levels, strategies
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.files.archives import is_archive, read_player_archive
from kibitz.players.files.entries import FolderEntry, is_player_path, player_at
from kibitz.players.files.notebooks import python_name, python_of
from kibitz.players.files.sources import Source, Sources, one_player, sources_of
from kibitz.players.function_player import main_functions
from kibitz.players.isolation.process import why_no_sandbox
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.rated_game import IdleTime
from kibitz.search.veterans import Veteran, network_bytes
from kibitz.table.match import Player


@dataclass(frozen=True)
class PlayerSpec:
    """What makes a player of one game, any number of times; ``name_or_path`` is the argument of ``find_player``."""

    name: str
    name_or_path: str
    game: str
    source_hash: str
    source: Source = field(default="", repr=False)
    trusted: bool = False
    limits: Limits = STANDARD
    main_folder: str = ""
    """The folder of the main file, for the debugger."""
    own_file: bool = False
    """Whether it is the caller's own file, which may run where nothing can confine it."""
    network: bytes = field(default=b"", repr=False)
    """The bytes of a trained network's file; empty for other players."""
    shown_name: str = ""
    """The player's name in games, if it isn't ``name``."""

    @property
    def is_file(self) -> bool:
        """Whether this is a player file, whose code has to be confined."""
        return bool(self.source_hash) and not self.network

    @property
    def built_in(self) -> str:
        """The name of this built-in strategy; empty for player files and networks."""
        return "" if self.source_hash else self.name

    @property
    def sources(self) -> Sources:
        """All files of the player."""
        return sources_of(Path(self.name_or_path).name, self.source)

    def stored_file(self, name: str) -> tuple[str, bytes]:
        """The file that a store keeps of this player under this name, and its content, empty for built-in players."""
        if self.built_in:
            return self.built_in, b""
        if self.network:
            return os.path.basename(self.name_or_path), self.network
        return self.sources.packed_name(name), self.sources.packed

    def make(self, idle_time: IdleTime | None = None) -> Player:
        """A fresh player for one match; ``idle_time`` is the seat's idle time in a rated match."""
        name = self.shown_name or self.name
        if self.network:
            return StrategyPlayer(name, Veteran(self.name, self.network))
        if self.built_in:
            return StrategyPlayer(name, strategies(game_by_name(self.game))[self.name])
        sources = self.sources
        if self.trusted:
            folder = os.path.join(os.path.abspath(self.main_folder), "")
            return TrustedFilePlayer(name, sources.main, sources, folder=folder)
        return FilePlayer(name, sources.main, sources, self.limits, idle_time, own_file=self.own_file)


def find_player(
    game: Game, name_or_path: str, *, trusted: bool = False, limits: Limits = STANDARD, own_file: bool = False
) -> PlayerSpec:
    """The player with a name or at a path. Raises NotationError, with one sentence, if there is none."""
    if (name := built_in_name(game, name_or_path)) is not None:
        return PlayerSpec(name, name_or_path, game.name, "")
    if is_network(name_or_path):
        return network_spec(game, name_or_path, network_bytes(game, name_or_path))
    if not is_player_path(name_or_path):
        built_in = strategies(game)
        matches = difflib.get_close_matches(name_or_path.lower(), built_in, 1)
        hint = (
            f"did you mean {matches[0]!r}?" if matches else f"known players: {', '.join(built_in)}; or give a .py file."
        )
        if name_or_path.capitalize() in LEVELS[-1]:
            named_levels = [f"{level} is {player.name!r}" for level, player in levels(game).items()]
            hint = f"{listed(named_levels)}." if named_levels else hint
        raise NotationError(f"{game.title} has no player called {name_or_path[:40]!r}; {hint}")
    return entry_spec(
        game, player_at(name_or_path, main_functions(game)), trusted=trusted, limits=limits, own_file=own_file
    )


def is_network(name_or_path: str) -> bool:
    """Whether a text is the path of a trained network."""
    return name_or_path.endswith(".npz")


def network_spec(game: Game, name_or_path: str, content: bytes) -> PlayerSpec:
    """The player of a trained network, by its file's name and bytes."""
    digest = hashlib.sha256(content).hexdigest()
    return PlayerSpec(clean_name(Path(name_or_path).stem), name_or_path, game.name, digest, network=content)


def entry_spec(
    game: Game, entry: FolderEntry, *, trusted: bool = False, limits: Limits = STANDARD, own_file: bool = False
) -> PlayerSpec:
    """The player of an entry. Raises NotationError if it has no files."""
    if entry.sources is None:
        raise NotationError(entry.why)
    sources, folder = entry.sources, entry.main_folder
    name = entry.name or Path(entry.path).stem
    return PlayerSpec(name, entry.path, game.name, sources.sha256, sources, trusted, limits, folder, own_file=own_file)


def file_spec(
    game: Game,
    path: str,
    source: Source,
    name: str = "",
    main_folder: str = "",
    *,
    limits: Limits = STANDARD,
    own_file: bool = False,
) -> PlayerSpec:
    """The player of files that have already been read: all its files, or its only one as text or bytes."""
    sources = sources_of(Path(path).name, source)
    name = name or Path(path).stem
    return PlayerSpec(
        name, path, game.name, sources.sha256, sources, limits=limits, main_folder=main_folder, own_file=own_file
    )


def files_of(game: Game, path: str | Path, content: bytes | Sources | None = None) -> Sources:
    """The files of the player at a path, which leads to a file, a folder or an archive.

    Raises NotationError if there is none.

    With ``content``, nothing is read: it has the player's files, or is the content of the file or archive at the path.
    """
    if isinstance(content, Sources):
        return content
    if content is not None and is_archive(str(path)):
        return one_player(read_player_archive(content, str(path)).files, main_functions(game)).sources
    if content is not None:
        name = Path(path).name
        return sources_of(python_name(name), python_of(content, name))
    result = player_at(path, main_functions(game)).sources
    assert result is not None
    return result


# Players from Python functions, and lists of players of any kind, for programs that use Kibitz as a library.


AnyPlayer: TypeAlias = "str | os.PathLike[str] | Callable[..., int]"


@dataclass(frozen=True)
class FunctionSpec:
    """A strategy as a player for every game, as ``PlayerSpec`` is for names and files."""

    name: str
    strategy: Strategy = field(repr=False)
    limits: Limits = STANDARD
    is_file: bool = False
    built_in: str = ""

    def make(self, idle_time: IdleTime | None = None) -> Player:
        """A fresh player for one match."""
        return StrategyPlayer(self.name, self.strategy)


AnySpec: TypeAlias = PlayerSpec | FunctionSpec


def specs_of(game: Game, players: Sequence[AnyPlayer]) -> list[AnySpec]:
    """The specs of players from names, paths and functions. Raises NotationError for the first that isn't valid.

    Warns about player files if this system cannot confine them.
    """
    if isinstance(players, str | os.PathLike) or callable(players) or not isinstance(players, Sequence):
        raise NotationError(f"players must be a list, such as ['greedy', 'random'], not {short_repr(players)}.")
    if not players:
        raise NotationError("players must name at least one player; got an empty list.")
    result = [spec_of(game, player, f"players[{number}]") for number, player in enumerate(players)]
    if any(spec.is_file for spec in result) and (why := why_no_sandbox()):
        warnings.warn(why, UserWarning, stacklevel=3)
    return result


def spec_of(game: Game, player: AnyPlayer, argument: str) -> AnySpec:
    """One player; ``argument`` is its name in errors."""
    if isinstance(player, str | os.PathLike):
        try:
            return find_player(game, os.fspath(player), own_file=True)
        except KibitzError as error:
            raise NotationError(f"{argument}: {error}") from error
    if not callable(player):
        raise NotationError(
            f"{argument} must be the name of a built-in player, a function of view and legal actions, or the path of a"
            f" player file, not {short_repr(player)}."
        )
    name = getattr(player, "__name__", type(player).__name__)
    return FunctionSpec(clean_name("function" if name == "<lambda>" else name), strategy_of(player, argument))


def strategy_of(function: Callable[..., int], argument: str) -> Strategy:
    """A function as a strategy; it gets a generator if it has a parameter ``random`` or needs a third argument."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return FunctionStrategy(function, draws=False)
    for draws in (True, False):
        if draws and "random" not in signature.parameters and takes_arguments(signature, 2):
            continue
        if takes_arguments(signature, 3 if draws else 2):
            return FunctionStrategy(function, draws)
    raise NotationError(f"{argument} must be a function of view and legal, or of view, legal and random.")


def takes_arguments(signature: inspect.Signature, number: int) -> bool:
    """Whether a function can be called with this many arguments."""
    try:
        signature.bind(*[None] * number)
    except TypeError:
        return False
    return True


@dataclass(frozen=True)
class FunctionStrategy:
    """A function as a strategy; ``draws`` passes it a random generator. It may return any type of whole number."""

    function: Callable[..., int]
    draws: bool

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """The function's choice as an ``int``. Raises PlayerError if it isn't a whole number."""
        action: Any = self.function(view, legal, random) if self.draws else self.function(view, legal)
        if type(action) is int:
            return action
        try:
            return index(action)
        except TypeError:
            sentence = f"The function returned {short_repr(action)}, but must return one of the numbers in legal"
            text = "; game.parse(view, words) is the number that a text means" if isinstance(action, str) else ""
            raise PlayerError("invalid", f"{sentence}{text}.") from None


def distinct_names_of(specs: Sequence[AnySpec]) -> tuple[str, ...]:
    """The players' names, made distinct."""
    return distinct_names([clean_name(spec.name) for spec in specs])
