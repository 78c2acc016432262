"""Checks a player file as a tournament would, before it enters one.

    load        the file is loaded in its own process, and must define the game's functions
    examples    every published call whose function the file defines
    games       copies of the file in all seats, alternating with one copy against built-in reference players

Game ``n`` of a check is always the same game, so a failure in it can be reproduced alone (``only``), with everything
that the file kept from earlier calls in that game.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.cards import shown
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.engine.registry import command_name
from kibitz.engine.sentences import listed
from kibitz.engine.views.form import HISTORY, Example, package_of
from kibitz.engine.views.form import published as published_functions
from kibitz.errors import NotationError, PlayerError
from kibitz.players.built_in import StrategyPlayer, everywhere_alike, strategies
from kibitz.players.calls import call_text, command
from kibitz.players.file_player import MAX_PRINTED, FilePlayer, Printed
from kibitz.players.files.entries import player_at
from kibitz.players.files.notebooks import author_note
from kibitz.players.files.sources import Source, outline
from kibitz.players.findings import Finding, position_lines
from kibitz.players.form_player import Asked, functions, main_functions, wanted_of
from kibitz.players.isolation import wire
from kibitz.players.isolation.child import EMPTY, PLAY, Wanted, missing
from kibitz.players.isolation.process import process_for
from kibitz.players.limits import STANDARD, Limits, limits_text
from kibitz.players.specs import PlayerSpec, entry_spec, file_spec
from kibitz.table.match import Match, Player, play_match

# The games.


MAX_FAILURES = 3
"""After this many failed games, or one timeout, a file needn't play the rest."""
SLOW_FAILURES = {"time", "idle"}
QUICK_PLAYERS, SLOW_PLAYER_INTERVAL = ("random", "first"), 10
"""Built-in players that every game has and that take no time; the others play in every tenth game against them."""

Progress = Callable[[int, int], object]


class Plan(msgspec.Struct, frozen=True):
    """Which games a check plays.

    Game 0, 2, 4 ... is between copies of the file, game 1, 3, 5 ... between one copy and the reference players:
    built-in players by name; or, if there are none, all of the game in every tenth game and the quick ones in the
    others.  ``only`` plays that game alone, counted from 1.
    Once the copies have used ``cpu_seconds`` seconds of CPU time or slept them, the games that are left are left out.
    """

    games: int = 20
    seed: int = 0
    references: tuple[str, ...] = ()
    only: int | None = None
    cpu_seconds: float = 120.0


class TrialGames:
    """All games of a plan; NotationError for an unknown reference player.

    ``printed`` is what the copies of the file printed, by call, with the game and the seat.
    """

    def __init__(self, game: Game, path: str, plan: Plan) -> None:
        self.game, self.path, self.plan = game, path, plan
        self.printed: list[tuple[str, Printed]] = []
        self.known = strategies(game)
        self.references = plan.references or tuple(everywhere_alike(game))
        for name in self.references:
            if name not in self.known:
                there_are = ", ".join(self.known)
                raise NotationError(
                    f"{game.title} has no built-in player called {shown(name)}; there are: {there_are}."
                )

    def findings(self, spec: PlayerSpec, progress: Progress) -> Iterator[Finding]:
        """The findings of the games; each kind of failure is reported once."""
        known: set[str] = set()
        lost, played, slowest, spent = 0, 0, 0.0, 0.0
        numbers = range(self.plan.games) if self.plan.only is None else [self.plan.only - 1]
        for number in numbers:
            if lost >= MAX_FAILURES or known & SLOW_FAILURES or (played > 1 and spent > self.plan.cpu_seconds):
                break
            players = self.seating(spec, number)
            for player in players:
                if isinstance(player, FilePlayer):
                    player.printed = []
            match = play_match(self.game, players, (self.plan.seed + number) % SEED_LIMIT)
            for finding in self.failures(spec, match, players, number):
                if finding.kind not in known:
                    yield finding
                known.add(finding.kind)
            lost += bool(match.record.forfeits)
            copies = [player for player in players if isinstance(player, FilePlayer)]
            if "end" not in known and (after := next(filter(None, (player.after for player in copies)), None)):
                known.add("end")
                what = f"The file fails when it gets the result, in game {number + 1}"
                yield Finding(True, what, str(after), "end", detail=getattr(after, "detail", ""), warning=True)
            for seat, player in enumerate(players):
                if isinstance(player, FilePlayer):
                    where = f"game {number + 1}, seat {seat}"
                    self.printed += [(where, one) for one in (player.printed or ())]
            del self.printed[MAX_PRINTED:]
            slowest = max([slowest, *(player.slowest for player in copies)])
            spent += sum(player.spent + player.idled for player in copies)
            played += 1
            progress(played, len(numbers))
        if not lost:
            yield Finding(True, self.all_played(played, len(numbers), slowest))

    def all_played(self, played: int, wanted: int, slowest: float) -> str:
        """The sentence about games without a failure."""
        of = f" of {wanted}" if played < wanted else ""
        games = f"{played}{of} games were" if wanted != 1 else "1 game was"
        slow = ", the others were left out because the file is slow" if of else ""
        return f"{games} played to the end; the slowest call took {1000 * slowest:.1f} ms of CPU time{slow}"

    def seating(self, spec: PlayerSpec, number: int) -> list[Player]:
        """The players of game ``number``: copies of the file in all seats, or one copy against reference players."""
        seats = range(self.game.seats)
        if number % 2 == 0:
            return [spec.make() for _ in seats]
        mine, others = number // 2 % self.game.seats, self.references_in(number // 2)
        names = [others[(number // 2 + seat) % len(others)] for seat in seats]
        return [spec.make() if seat == mine else StrategyPlayer(names[seat], self.known[names[seat]]) for seat in seats]

    def references_in(self, number: int) -> tuple[str, ...]:
        """The built-in players in the game with this number, counted among the games against them."""
        if self.plan.references or number % SLOW_PLAYER_INTERVAL == 0:
            return self.references
        return tuple(name for name in self.references if name in QUICK_PLAYERS)

    def failures(self, spec: PlayerSpec, match: Match, players: Sequence[Player], number: int) -> Iterator[Finding]:
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
                self.play_again(spec, number),
                match.details[forfeit.seat] or answer,
                "\n".join(position_lines(self.game, match.record, forfeit)) if asked else "",
                command(self.game.name, self.path, call_text(asked), spec.limits) if asked else "",
            )

    def play_again(self, spec: PlayerSpec, number: int) -> str:
        """A command line that plays one game of this check again."""
        words = ["kibitz", "check-player", command_name(self.game.name), self.path, "--only", str(number + 1)]
        words += ["--seed", str(self.plan.seed)] if self.plan.seed else []
        words += ["--against", ",".join(self.references)] if self.plan.references else []
        words += ["--limits", limited] if (limited := limits_text(spec.limits)) else []
        return shlex.join(words)


STANDARD_PLAN = Plan()
PUBLISHED_CALLS_SECONDS = 2.0
"""Seconds of CPU time for all published calls together."""
MAX_SAID, LONGEST_SAID, LONGEST_CALL = 10, 500, 300
"""How many prints are shown, and how many characters of each print and call."""


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
    source: Source | None = None,
    *,
    own: bool = False,
) -> CheckReport:
    """Try a player in every way that a rated game could; ``progress(played, games)`` is called after each game.

    ``path`` is a file, or a folder or an archive that is one player; ``source`` is the file's text or the player's
    files, if they have already been read. ``own``: it is the caller's own, and may run where nothing can confine it.
    NotationError for an unknown reference player, MachineError if no process can be started; everything wrong with the
    file is a finding.
    """
    checker = Checker(game, str(path), plan, limits, source, own=own)
    return CheckReport(str(path), tuple(checker.findings(progress or (lambda done, total: None))))


class Result(NamedTuple):
    """The result of a call, or of the load alone: its value or its failure, and what the file printed."""

    value: Any
    failed: PlayerError | None
    said: str


class Checker:
    """Checks one player."""

    def __init__(self, game: Game, path: str, plan: Plan, limits: Limits, source: Source | None, *, own: bool) -> None:
        self.game, self.path, self.plan, self.limits, self.source = game, path, plan, limits, source
        self.own = own
        self.spec = PlayerSpec(Path(path).stem, path, game.name, "")
        self.rehearsal = TrialGames(game, path, plan)
        self.called: tuple[str, ...] = functions(game)
        self.printed: list[tuple[str, Printed]] = []

    def findings(self, progress: Progress) -> Iterator[Finding]:
        """Everything, in order."""
        try:
            self.spec = self.read_player()
        except NotationError as error:
            yield Finding(False, "The file cannot be read", str(error), "load")
            return
        if note := author_note(self.spec.sources.files[0][1]):
            yield Finding(True, note.rstrip("."))
        if failed := self.load(()):
            yield failed
            return
        if failed := self.load(wanted_of(self.game), allow_play=True):
            yield failed
        else:
            yield from self.unasked()
            helpers = self.spec.sources.helpers
            of = f" ({self.spec.sources.main}, with {listed(helpers)})" if helpers else ""
            yield Finding(True, f"The file{of} loads and defines {listed(self.called)}")
        if self.plan.only is None:
            yield from self.examples()
        if not failed:
            yield from self.rehearsal.findings(self.spec, progress)
        yield from self.prints()

    def read_player(self) -> PlayerSpec:
        """The player; NotationError if it cannot be read."""
        if self.source is None:
            return entry_spec(
                self.game, player_at(self.path, main_functions(self.game)), limits=self.limits, own=self.own
            )
        place = ""
        if os.path.isdir(self.path):
            with suppress(NotationError):
                place = player_at(self.path, main_functions(self.game)).place
        return file_spec(self.game, self.path, self.source, place=place, limits=self.limits, own=self.own)

    def unasked(self) -> Iterator[Finding]:
        """A note about ``play`` if the file is called by the assignment's functions instead."""
        main = self.spec.sources.files[0][1]
        if PLAY not in self.called and PLAY in outline(main).defined:
            asked = listed(self.called)
            yield Finding(True, f"The file defines {PLAY} as well as {asked}; games call only {asked}")

    def load(self, wanted: Sequence[Wanted], *, allow_play: bool = False) -> Finding | None:
        """What is wrong with the file before the first call; with ``allow_play``, it may define ``play`` instead."""
        result = self.run(wanted, None, allow_play=allow_play)
        error = result.failed
        if error is None:
            self.called = tuple(result.value or self.called)
            return None
        again = command(self.game.name, self.path, limits=self.limits)
        return Finding(False, "The file can't be used", error.sentence, error.kind, again, error.detail)

    def run(self, wanted: Sequence[Wanted], example: Example | None, *, allow_play: bool = False) -> Result:
        """Load the file into a fresh process and make one call, if there is one to make."""
        process = process_for(self.limits, None, own=self.own)
        value, failed, output = None, None, ""
        try:
            value = process.load(self.spec.sources.main, self.spec.sources, wanted, 0, allow_play=allow_play)
            process.said()
            if example:
                given = wire.packed(wire.interned([[] if part is HISTORY else part for part in example.arguments]))
                value = process.call(example.function, given, "[]", bools=True)
        except PlayerError as error:
            failed = error
        finally:
            output = process.said()
            process.end()
        return Result(value, failed, output)

    def examples(self) -> Iterator[Finding]:
        """The findings on published calls: the first failure of each function.

        A function that times out isn't called again.
        """
        passed, more = list[Example](), Counter[str]()
        usable: dict[str, bool] = {}
        described = published_functions(package_of(self.game.rules))
        names = {function.name: function.names for function in described.PUBLISHED} if described else {}
        for example in published(self.game):
            name = example.function
            if name not in usable:
                failed = self.load([(name, len(example.arguments), names.get(name, ""))])
                usable[name] = not failed
                if failed and not failed.why.startswith((missing(name), EMPTY)) and name not in self.called:
                    yield self.downgraded_if_uncalled(failed, name)
            if usable[name]:
                failed = self.example(example)
                if not failed:
                    passed.append(example)
                else:
                    usable[name] = failed.kind not in SLOW_FAILURES
                    more[name] += 1
                    if more[name] == 1:
                        yield self.downgraded_if_uncalled(failed, name)
        for name, count in more.items():
            if count > 1:
                calls = "call of a published example" if count == 2 else "calls of published examples"
                what = f"{count - 1} more {calls} of {name} fail{'s' if count == 2 else ''}"
                yield self.downgraded_if_uncalled(Finding(False, what, "", "example"), name)
        if passed:
            count = len(passed)
            yield Finding(True, f"{count} published example{'s give' if count > 1 else ' gives'} the right result")
            yield from self.first_spoilt([example for example in passed if example.function not in self.called])

    def first_spoilt(self, examples: Sequence[Example]) -> Iterator[Finding]:
        """The first published call that goes wrong only after others, when all are made twice in one process.

        Functions that play games may keep state between calls, and are not checked.
        """
        process, name = process_for(replace(self.limits, bank=PUBLISHED_CALLS_SECONDS), None, own=self.own), "The file"
        try:
            process.load(self.spec.sources.main, self.spec.sources, [], 0)
            for example in (*examples, *examples):
                name = example.function
                value = process.call(name, wire.packed(wire.interned(list(example.arguments))), "[]", bools=True)
                if example.judge(value) is not None:
                    what = f"{name} is right when called first, but wrong after other calls"
                    why = f"it returned {value!r}; does it keep something, such as a list outside the function?"
                    call = str(Asked(name, example.arguments, ""))
                    yield Finding(True, what, why, "example", detail=call, warning=True)
                    return
        except PlayerError as error:
            if error.kind not in SLOW_FAILURES:
                what = f"{name} is right when called first, but fails after other calls"
                yield Finding(True, what, error.sentence, error.kind, detail=error.detail, warning=True)
        finally:
            process.end()

    def downgraded_if_uncalled(self, failed: Finding, function: str) -> Finding:
        """What is wrong with a function, as a mere warning if no game ever calls it."""
        return failed if function in self.called else msgspec.structs.replace(failed, ok=True, warning=True)

    def example(self, example: Example) -> Finding | None:
        """What is wrong with the result of a published call."""
        asked = Asked(example.function, example.arguments, "")
        value, error, output = self.run([], example)
        if output:
            self.printed.append(("a published example", Printed(str(asked), output)))
        if error is not None:
            kind: str = error.kind
            why, detail = error.sentence, error.detail
        else:
            wrong = example.judge(value)
            if wrong is None:
                return None
            kind, why, detail = "example", f"it returned {value!r}; {wrong.removesuffix('.')}.", ""
        what = f"A published example of {example.function} fails"
        again = command(self.game.name, self.path, call_text(asked), self.limits)
        printed = f"It printed:\n{output[-LONGEST_SAID:].rstrip()}" if output.strip() else ""
        return Finding(False, what, why, kind, again, "\n".join(filter(None, (str(asked), detail, printed))))

    def prints(self) -> Iterator[Finding]:
        """What the file printed, by call; in a game played alone, all of it."""
        printed = [*self.printed, *self.rehearsal.printed]
        if not printed:
            return
        most = MAX_SAID if self.plan.only is None else MAX_PRINTED
        shown = [f"{where}, {one.call[:LONGEST_CALL]}\n{indented(one.text)}" for where, one in printed[:most]]
        if len(printed) > most:
            again = self.rehearsal.play_again(self.spec, 0)
            shown.append(f"To play only the first game, and see everything that the file prints in it:\n{again}")
        calls = f"{'at least ' if len(printed) >= MAX_PRINTED else ''}{len(printed)} call{'s' * (len(printed) != 1)}"
        first = f"; the first {most} are shown" if len(printed) > most else ""
        yield Finding(True, f"The file printed something in {calls}{first}", "", "prints", "", "\n".join(shown))


def indented(output: str) -> str:
    """What a file printed in one call, cut to a readable length."""
    text = (
        output if len(output) <= LONGEST_SAID else f"{output[:LONGEST_SAID]}\n[... {len(output) - LONGEST_SAID} more]"
    )
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


def published(game: Game) -> tuple[Example, ...]:
    """The published examples of a game."""
    result: tuple[Example, ...] = getattr(published_functions(package_of(game.rules)), "EXAMPLES", ())
    return result
