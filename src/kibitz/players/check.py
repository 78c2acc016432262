"""What a player file would meet in a tournament, before it enters one.

load        the file is loaded in a process of its own, and must define the game's functions
examples    every published call whose function the file defines
games       those of ``rehearsal``
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.engine.form import HISTORY, Example
from kibitz.engine.game import Game
from kibitz.errors import NotationError, PlayerError
from kibitz.players import wire
from kibitz.players.child import missing
from kibitz.players.findings import Finding, call_again, command
from kibitz.players.form_player import Asked, arguments, form_of
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.process import PlayerProcess
from kibitz.players.rehearsal import SLOW, Plan, Progress, Rehearsal
from kibitz.players.specs import PlayerSpec, file_spec, read_source

STANDARD_PLAN = Plan()


class CheckReport(msgspec.Struct, frozen=True):
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
        self.rehearsal = Rehearsal(game, path, plan)

    def findings(self, progress: Progress) -> Iterator[Finding]:
        """Everything, in order."""
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
            yield from self.rehearsal.findings(self.spec, progress)

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
                given = wire.packed(wire.interned([[] if part is HISTORY else part for part in example.arguments]))
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
        again = call_again(self.path, asked)
        return Finding(False, what, why, kind, again, "\n".join(filter(None, (str(asked), detail))))


def published(game: Game) -> tuple[Example, ...]:
    """The published examples of a game; none where there is no such module."""
    module = f"{form_of(game).__name__.rpartition('.')[0]}.examples"
    try:
        found: tuple[Example, ...] = importlib.import_module(module).EXAMPLES
    except ModuleNotFoundError:
        return ()
    return found
