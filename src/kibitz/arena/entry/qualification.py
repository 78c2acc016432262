"""Qualification: the check of a file before it may enter a tournament; pages and messages call it "check".

    load        the file loads in the sandbox and defines the game's functions
    examples    functions that are called in games give the right results for their published examples; for the
                assignment's other functions, a wrong result is only a warning
    games       50 games against itself and 50 against reference players, without a failure of its own
    report      all findings, for the file's owner

The games are those of ``kibitz check-player GAME FILE --games 100``, with ``--limits`` if the tournament has its own,
so a file that passes at home passes here.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing.synchronize import Lock as LockType
from pathlib import Path

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.executors.worker import die_with_parent, stay_on_core
from kibitz.players.check import CheckPlan, check_player
from kibitz.players.files.sources import Sources
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import files_of
from kibitz.sandbox import Tier, adopt

GAMES = 100
"""The number of games in a check; in half of them the player plays against itself."""

Progress = Callable[[int, int], object]


class Report(msgspec.Struct, frozen=True):
    """The result of a qualification; ``findings`` are in the order in which the owner should fix them."""

    game: str
    file: str
    sha256: str
    """The SHA-256 of the file's bytes, or of all files packed into one; empty if they could not be read."""
    games: int
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether the file may play."""
        return all(finding.ok for finding in self.findings)

    @property
    def reason(self) -> str:
        """Why the file may not play, in a sentence; empty if it may."""
        return next((finding.sentence for finding in self.findings if not finding.ok), "")

    def to_json(self) -> str:
        """The report as JSON, as it is stored."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Report:
        """A stored report; ``NotationError`` if it isn't one."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise NotationError(f"this isn't a qualification report: {error}.") from error


def qualify(
    game: Game,
    path: str | Path,
    content: bytes | Sources | None = None,
    limits: Limits = STANDARD,
    *,
    games: int = GAMES,
    seed: int = 0,
    references: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Report:
    """Check a file for a tournament; ``progress`` is called with (games played, games).

    ``content`` is the file's bytes or all files of the player, if they have already been read; ``references`` are
    built-in players of the game (default: all). The report has everything that is wrong with the file. Raises
    NotationError for a game that player files can't play or an unknown reference player, MachineError if no process can
    be started.
    """
    plan = CheckPlan(games, seed, references)
    try:
        sources = files_of(game, path, content)
    except NotationError as error:
        unreadable = Finding(False, "The file cannot be read", str(error), "load")
        return Report(game.name, str(path), "", games, (unreadable,))
    checked = check_player(game, path, plan, progress, limits, sources)
    return Report(game.name, str(path), sources.sha256, games, checked.findings)


# A worker that checks player files: one process on one core, with no access to the store.


IGNORED_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""Signals that a terminal sends to all processes. Workers ignore them, because their parent ends them."""


def start_worker(tier: Tier, parent: int, lock: LockType, started: object) -> None:
    """Prepare a worker process: it confines players as its ``parent`` does, stays on one core, and dies with it.

    ``started`` is a shared counter that gives each worker its core, guarded by ``lock``.
    """
    for which in IGNORED_SIGNALS:
        signal.signal(which, signal.SIG_IGN)
    die_with_parent(parent)
    adopt(tier)
    with lock:
        number = started.value  # type: ignore[attr-defined]
        started.value = number + 1  # type: ignore[attr-defined]
    stay_on_core(number)


def qualify_in_worker(game: str, path: str, sources: Sources, limits: Limits, games: int) -> Report:
    """Check one player in a worker process."""
    return qualify(find_game(game), path, sources, limits, games=games)
