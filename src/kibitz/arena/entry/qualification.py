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

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.players.check import CheckPlan, check_player
from kibitz.players.files.sources import Sources
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import files_of
from kibitz.sandbox import Tier, adopt

DEFAULT_GAMES = 100
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
    def from_json(cls, text: str | bytes) -> Report:
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
    games: int = DEFAULT_GAMES,
    progress: Progress | None = None,
) -> Report:
    """Check a file for a tournament; ``progress`` is called with (games played, games).

    ``content`` is the file's bytes or all files of the player, if they have already been read. The report has
    everything that is wrong with the file. Raises MachineError if no process can be started.
    """
    try:
        sources = files_of(game, path, content)
    except NotationError as error:
        unreadable = Finding(False, "The file cannot be read", str(error), "load")
        return Report(game.name, str(path), "", games, (unreadable,))
    checked = check_player(game, path, CheckPlan(games), progress, limits, sources)
    return Report(game.name, str(path), sources.sha256, games, checked.findings)


# The task that checks a player on a worker, which has no access to the store.


TASK = "kibitz.arena.entry.qualification:qualify_in_worker"


class CheckOrder(msgspec.Struct, frozen=True):
    """A player to check, by its files, and the confinement on this machine."""

    game: str
    files: tuple[tuple[str, bytes], ...]
    limits: Limits
    games: int
    tier: Tier


encode = msgspec.msgpack.Encoder().encode
read_order = msgspec.msgpack.Decoder(CheckOrder).decode


def qualify_in_worker(block: bytes, blobs: Sequence[bytes], send_heartbeat: object) -> bytes:
    """Check one player; ``block`` is a CheckOrder, and the result a Report as JSON."""
    order = read_order(block)
    adopt(order.tier)
    sources = Sources(order.files)
    return qualify(find_game(order.game), sources.main, sources, order.limits, games=order.games).to_json().encode()
