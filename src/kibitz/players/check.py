"""What a player file would meet in a tournament, before it enters one.

    load        the file is loaded in a process of its own, and must define the game's functions
    examples    every published call whose function the file defines
    games       copies of the file in all seats, and by turns one copy against reference players
    finding     one thing that was looked at: what, why it is not as it should be, and how to see it happen

The surprising rule: game ``n`` of a check is the same game wherever and whenever it is played, so a failure in it
can be seen again alone (``only``), with everything that the file had kept from earlier calls of that game.
"""

from __future__ import annotations

import importlib
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.cards import shown
from kibitz.engine.form import HISTORY, Example
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.engine.record import Forfeit, Record
from kibitz.errors import NotationError, PlayerError
from kibitz.players import wire
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.child import missing
from kibitz.players.file_player import FilePlayer
from kibitz.players.form_player import Asked, arguments, form_of
from kibitz.players.limits import STANDARD, Limits, limits_text
from kibitz.players.process import PlayerProcess
from kibitz.players.specs import PlayerSpec, file_spec, read_source
from kibitz.table.match import Match, play_match
from kibitz.table.player import Player

ENOUGH = 3
"""After so many games that it has failed, or one that it has failed on time, a file need not play the others."""
SLOW = {"time", "idle"}
QUICK, SELDOM = ("random", "first"), 10
"""Built-in players that every game has and that take no time; the others are met once in so many games."""
SHELL_SPECIAL = set('"$`\\!\n')

Progress = Callable[[int, int], object]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    ``kind`` is a forfeit's, or "example"; ``why`` the rule that was broken; ``position`` what the seat saw, line by
    line; ``detail`` the call, what it returned and the traceback; ``reproduce`` a command that shows it again, and
    ``alone`` one that makes the call alone.
    """

    ok: bool
    what: str
    why: str = ""
    kind: str = ""
    reproduce: str = ""
    detail: str = ""
    position: str = ""
    alone: str = ""

    @property
    def sentence(self) -> str:
        """What and why in one."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


class CheckReport(msgspec.Struct, frozen=True):
    """All findings about one file."""

    file: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether the file is fit to play."""
        return all(finding.ok for finding in self.findings)


class Plan(msgspec.Struct, frozen=True):
    """Which games a check plays.

    Game 0, 2, 4 ... is between copies of the file, game 1, 3, 5 ... between one copy and the reference players:
    built-in players by name; or, if there are none, all of the game in every tenth game and the quick ones in the
    others.  ``only`` plays that game alone, counted from 1.
    Once the copies have used ``patience`` seconds of CPU time or slept them, the games that are left are left out.
    """

    games: int = 20
    seed: int = 0
    references: tuple[str, ...] = ()
    only: int | None = None
    patience: float = 120.0


STANDARD_PLAN = Plan()


def check_player(
    game: Game,
    path: str | Path,
    plan: Plan = STANDARD_PLAN,
    progress: Progress | None = None,
    limits: Limits = STANDARD,
    source: str | None = None,
) -> CheckReport:
    """Try a player file in every way that costs nothing; ``progress`` is told (games played, games).

    ``source`` is the file's text where it has been read already.  NotationError for a reference player that there
    is not, MachineError where no process can be had; whatever is wrong with the file is a finding.
    """
    form_of(game)
    checker = Checker(game, str(path), plan, limits, source)
    return CheckReport(str(path), tuple(checker.findings(progress or (lambda done, total: None))))


class Checker:
    """Looks at one file."""

    def __init__(self, game: Game, path: str, plan: Plan, limits: Limits, source: str | None) -> None:
        self.game, self.path, self.plan, self.limits, self.source = game, path, plan, limits, source
        self.spec = PlayerSpec(Path(path).stem, path, game.name, "")
        self.known = strategies(game)
        self.references = plan.references or tuple(self.known)
        for name in self.references:
            if name not in self.known:
                there_are = ", ".join(self.known)
                raise NotationError(
                    f"{game.title} has no built-in player called {shown(name)}; there are: {there_are}."
                )

    def findings(self, progress: Progress) -> Iterator[Finding]:
        """Everything, in the order in which a student would want to put it right."""
        try:
            source = read_source(self.path) if self.source is None else self.source
            self.spec = file_spec(self.game, self.path, source, limits=self.limits)
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
        if self.plan.only is None:
            yield from self.examples()
        if not failed:
            yield from self.games(progress)

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

    def games(self, progress: Progress) -> Iterator[Finding]:
        """Whole games; each kind of failure is told once."""
        known: set[str] = set()
        lost, played, slowest, spent = 0, 0, 0.0, 0.0
        numbers = range(self.plan.games) if self.plan.only is None else [self.plan.only - 1]
        for number in numbers:
            if lost >= ENOUGH or known & SLOW or (played > 1 and spent > self.plan.patience):
                break
            players = self.seating(number)
            match = play_match(self.game, players, (self.plan.seed + number) % SEED_LIMIT)
            for finding in self.failures(match, players, number):
                if finding.kind not in known:
                    yield finding
                known.add(finding.kind)
            lost += bool(match.record.forfeits)
            copies = [player for player in players if isinstance(player, FilePlayer)]
            slowest = max([slowest, *(player.slowest for player in copies)])
            spent += sum(player.spent + player.idled for player in copies)
            played += 1
            progress(played, len(numbers))
        if not lost:
            yield Finding(True, self.all_played(played, len(numbers), slowest))

    def all_played(self, played: int, wanted: int, slowest: float) -> str:
        """What is said of games without a failure."""
        of = f" of {wanted}" if played < wanted else ""
        games = f"{played}{of} games are" if wanted != 1 else "1 game is"
        slow = ", the others were left out because the file is slow" if of else ""
        return f"{games} played to the end; the slowest call took {1000 * slowest:.1f} ms of CPU time{slow}"

    def seating(self, number: int) -> list[Player]:
        """Who plays game ``number``: copies of the file in all seats, or one copy against reference players."""
        seats = range(self.game.seats)
        if number % 2 == 0:
            return [self.spec.make() for _ in seats]
        mine, others = number // 2 % self.game.seats, self.met(number // 2)
        names = [others[(number // 2 + seat) % len(others)] for seat in seats]
        return [
            self.spec.make() if seat == mine else StrategyPlayer(names[seat], self.known[names[seat]]) for seat in seats
        ]

    def met(self, number: int) -> tuple[str, ...]:
        """The built-in players of the game with this number among those against them."""
        if self.plan.references or number % SELDOM == 0:
            return self.references
        return tuple(name for name in self.references if name in QUICK)

    def failures(self, match: Match, players: Sequence[Player], number: int) -> Iterator[Finding]:
        """The failures of the file's copies in one game."""
        for forfeit in match.record.forfeits:
            player = players[forfeit.seat]
            if not isinstance(player, FilePlayer):
                continue
            asked = player.asked()
            answer = f"{asked}\nreturned {asked.returned}" if asked and forfeit.kind == "illegal" else ""
            where = f"game {number + 1} (seed {match.record.seed}), seat {forfeit.seat}, after {forfeit.moves} moves"
            yield Finding(
                False,
                f"Failure ({forfeit.kind}) in {where}",
                forfeit.sentence,
                forfeit.kind,
                self.play_again(number),
                match.details[forfeit.seat] or answer,
                "\n".join(position(self.game, match.record, forfeit)) if asked else "",
                self.reproduce(asked) if asked else "",
            )

    def play_again(self, number: int) -> str:
        """A command line that plays one game of this check again."""
        words = ["kibitz", "check-player", self.game.name, self.path, "--only", str(number + 1)]
        words += ["--seed", str(self.plan.seed)] if self.plan.seed else []
        words += ["--against", ",".join(self.references)] if self.plan.references else []
        words += ["--limits", limited] if (limited := limits_text(self.limits)) else []
        return shlex.join(words)

    def reproduce(self, asked: Asked) -> str:
        """A command line that makes a call of the file's function."""
        given = ", ".join(repr([] if part is HISTORY else part) for part in asked.arguments)
        python = f"player = runpy.run_path({self.path!r}); print(player[{asked.function!r}]({given}))"
        return command(f"import runpy; {python}")


def position(game: Game, record: Record, forfeit: Forfeit) -> list[str]:
    """What the seat that forfeits saw when it was asked, line by line."""
    state = game.deal(record.seed)
    for action in record.actions[: forfeit.moves]:
        game.rules.apply(state, action)
    names = [f"seat {seat}" + " (you)" * (seat == forfeit.seat) for seat in range(game.seats)]
    return list(game.words.table(game.view(state, forfeit.seat), names))


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
