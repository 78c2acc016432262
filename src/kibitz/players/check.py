"""What a player file would meet in a tournament, before it enters one.

    load        the file is loaded in a process of its own, and must define the game's functions
    examples    every published call whose function the file defines
    games       copies of the file in all seats, and by turns one copy against ``first`` and ``random``

A finding is one thing that was looked at: what, why it is not as it should be, and how to see it happen.
"""

from __future__ import annotations

import importlib
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.engine.form import HISTORY, Example
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.errors import NotationError, PlayerError
from kibitz.players import wire
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.child import missing
from kibitz.players.file_player import FilePlayer
from kibitz.players.form_player import Asked, arguments, form_of
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.process import PlayerProcess
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.table.match import Match, play_match
from kibitz.table.player import Player

ENOUGH = 3
"""After so many games that it has failed, or one that it has failed on time, a file need not play the others."""
SLOW = {"time", "idle"}
SHELL_SPECIAL = set('"$`\\!\n')

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    ``kind`` is a forfeit's, or "example"; ``reproduce`` is a command line, ``detail`` the call and the traceback.
    """

    ok: bool
    what: str
    why: str = ""
    kind: str = ""
    reproduce: str = ""
    detail: str = ""

    @property
    def sentence(self) -> str:
        """What and why in one."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


@dataclass(frozen=True)
class CheckReport:
    """All findings about one file."""

    file: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether the file is fit to play."""
        return all(finding.ok for finding in self.findings)


def check_player(
    game: Game,
    path: str | Path,
    games: int = 20,
    seed: int = 0,
    progress: Progress | None = None,
    limits: Limits = STANDARD,
) -> CheckReport:
    """Try a player file in every way that costs nothing; ``progress`` is told (games played, games).

    MachineError where no process can be had; whatever is wrong with the file is a finding.
    """
    form_of(game)
    checker = Checker(game, str(path), limits)
    findings = []
    for finding in checker.findings(games, seed, progress or (lambda done, total: None)):
        findings.append(finding)
    return CheckReport(str(path), tuple(findings))


class Checker:
    """Looks at one file."""

    def __init__(self, game: Game, path: str, limits: Limits) -> None:
        self.game, self.path, self.limits = game, path, limits
        self.spec = PlayerSpec(Path(path).stem, path, game.name, "")

    def findings(self, games: int, seed: int, progress: Progress) -> Iterator[Finding]:
        """Everything, in the order in which a student would want to put it right."""
        try:
            self.spec = find_player(self.game, self.path, limits=self.limits)
        except NotationError as error:
            yield Finding(False, "The file cannot be read", str(error), "load")
            return
        if failed := self.load(()):
            yield failed
            return
        wanted = arguments(self.game)
        if failed := self.load(wanted):
            yield failed
        else:
            yield Finding(True, f"The file loads and defines {' and '.join(name for name, _ in wanted)}")
        yield from self.examples()
        if not failed:
            yield from self.games(games, seed, progress)

    def load(self, wanted: Sequence[tuple[str, int]]) -> Finding | None:
        """What is wrong with the file before the first call."""
        try:
            self.run(wanted, None)
        except PlayerError as error:
            python = f"import runpy; runpy.run_path({self.path!r})"
            return Finding(False, "The file cannot be used", error.sentence, error.kind, command(python), error.detail)
        return None

    def run(self, wanted: Sequence[tuple[str, int]], example: Example | None) -> Any:
        """Load the file into a fresh process and make one call, if there is one to make."""
        process = PlayerProcess(self.limits)
        try:
            process.load(Path(self.path).name, self.spec.source, wanted, 0)
            if example:
                given = wire.text([[] if part is HISTORY else part for part in example.arguments])
                return process.call(example.function, given, "[]", bools=True)
        finally:
            process.end()

    def examples(self) -> Iterator[Finding]:
        """The published calls, of each function the first that goes wrong; one out of time is not called again."""
        passed, more = 0, Counter[str]()
        usable: dict[str, bool] = {}
        for example in published(self.game):
            name = example.function
            if name not in usable:
                failed = self.load([(name, len(example.arguments))])
                usable[name] = not failed
                if failed and failed.why != missing(name) and name not in dict(arguments(self.game)):
                    yield failed
            if usable[name]:
                failed = self.example(example)
                passed += not failed
                if failed:
                    usable[name] = failed.kind not in SLOW
                    more[name] += 1
                    if more[name] == 1:
                        yield failed
        for name, count in more.items():
            if count > 1:
                calls = "call of a published example" if count == 2 else "calls of published examples"
                yield Finding(
                    False, f"{count - 1} more {calls} of {name} go{'es' if count == 2 else ''} wrong", "", "example"
                )
        if passed:
            yield Finding(True, f"{passed} published example{'s give' if passed > 1 else ' gives'} the right result")

    def example(self, example: Example) -> Finding | None:
        """What is wrong with the result of a published call."""
        asked = Asked(example.function, example.arguments, "")
        try:
            value = self.run([], example)
        except PlayerError as error:
            kind, why, detail = error.kind, error.sentence, error.detail
        else:
            wrong = example.judge(value)
            if wrong is None:
                return None
            kind, why, detail = "example", f"it returned {value!r}; {wrong}.", ""
        what = f"A published example of {example.function} goes wrong"
        return Finding(False, what, why, kind, self.reproduce(asked), "\n".join(filter(None, (str(asked), detail))))

    def games(self, games: int, seed: int, progress: Progress) -> Iterator[Finding]:
        """Whole games; each kind of failure is told once."""
        known: set[str] = set()
        lost, played, slowest = 0, 0, 0.0
        while played < games and lost < ENOUGH and not known & SLOW:
            players = self.seating(played)
            match = play_match(self.game, players, (seed + played) % SEED_LIMIT)
            for finding in self.failures(match, players, played):
                if finding.kind not in known:
                    yield finding
                known.add(finding.kind)
            lost += bool(match.record.forfeits)
            slowest = max([slowest, *(player.slowest for player in players if isinstance(player, FilePlayer))])
            played += 1
            progress(played, games)
        if not lost:
            time = f"the slowest call took {1000 * slowest:.1f} ms of CPU time"
            yield Finding(True, f"{played} games are played to the end; {time}")

    def seating(self, number: int) -> list[Player]:
        """Who plays game ``number``: copies of the file in all seats, or one copy against others."""
        seats = range(self.game.seats)
        if number % 2 == 0:
            return [self.spec.make() for _ in seats]
        mine, known = number // 2 % self.game.seats, strategies(self.game)
        names = ["first" if "first" in known and seat % 2 else "random" for seat in seats]
        return [self.spec.make() if seat == mine else StrategyPlayer(names[seat], known[names[seat]]) for seat in seats]

    def failures(self, match: Match, players: Sequence[Player], number: int) -> Iterator[Finding]:
        """The failures of the file's copies in one game."""
        for forfeit in match.record.forfeits:
            player = players[forfeit.seat]
            if not isinstance(player, FilePlayer):
                continue
            asked = player.asked()
            shown = f"{asked}\nreturned {asked.returned}" if asked and forfeit.kind == "illegal" else ""
            where = f"game {number + 1} (seed {match.record.seed}), seat {forfeit.seat}, after {forfeit.moves} moves"
            again = self.reproduce(asked) if asked else ""
            detail = match.details[forfeit.seat] or shown
            what = f"Failure ({forfeit.kind}) in {where}"
            yield Finding(False, what, forfeit.sentence, forfeit.kind, again, detail)

    def reproduce(self, asked: Asked) -> str:
        """A command line that makes a call of the file's function."""
        given = ", ".join(repr([] if part is HISTORY else part) for part in asked.arguments)
        python = f"player = runpy.run_path({self.path!r}); print(player[{asked.function!r}]({given}))"
        return command(f"import runpy; {python}")


def command(python: str) -> str:
    """A command line that runs a line of Python, in quotes that a shell understands."""
    return f'python -c "{python}"' if not SHELL_SPECIAL & set(python) else f"python -c {shlex.quote(python)}"


def published(game: Game) -> tuple[Example, ...]:
    """The published examples of a game; none where there is no such module."""
    module = f"{form_of(game).__name__.rpartition('.')[0]}.examples"
    try:
        found: tuple[Example, ...] = importlib.import_module(module).EXAMPLES
    except ModuleNotFoundError:
        return ()
    return found
