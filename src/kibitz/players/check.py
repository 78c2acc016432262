"""Checks a player file as a tournament would, before it enters one.

    load        the file is loaded in its own process, and must define the game's functions
    examples    every published example whose function the file defines is called
    games       copies of the file play in all seats, alternating with one copy against built-in reference players

Game ``n`` of a check is always the same game. To reproduce a failure in it, with all calls that led to the failure,
play only that game (``CheckPlan.only``).
"""

from __future__ import annotations

import os
import shlex
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.engine.registry import command_name
from kibitz.engine.sentences import listed
from kibitz.engine.views.assignment_interface import HISTORY, Example, package_of
from kibitz.engine.views.assignment_interface import assignment_of_package as published_functions
from kibitz.errors import NotationError, PlayerError
from kibitz.games.signatures import CALL_SECONDS
from kibitz.players.built_in import StrategyPlayer, reproducible_players, strategies
from kibitz.players.calls import NO_RETURN, call_command, call_text, is_unwritten, unwritten_clause
from kibitz.players.file_player import MAX_PRINTED, FilePlayer, Printed
from kibitz.players.files.entries import player_at
from kibitz.players.files.notebooks import author_note
from kibitz.players.files.sources import Source, outline
from kibitz.players.findings import Finding, position_lines
from kibitz.players.function_player import PastCall, assignment_functions, main_functions, required_functions
from kibitz.players.isolation import wire
from kibitz.players.isolation.child import EMPTY, PLAY, RequiredFunction, missing
from kibitz.players.isolation.process import process_for
from kibitz.players.limits import STANDARD, Limits, limits_text
from kibitz.players.specs import PlayerSpec, entry_spec, file_spec
from kibitz.table.match import Match, Player, play_match

# The games.


MAX_FAILURES = 3
"""After this many failed games, or one that runs out of time, the remaining games are left out."""
OUT_OF_TIME = {"time", "idle"}
"""The kinds of failure that exceed a time limit."""
QUICK_PLAYERS, SLOW_PLAYER_INTERVAL = ("random", "first"), 10
"""Built-in players that every game has and that need no time; the others play only in every tenth of their games."""

Progress = Callable[[int, int], object]


class CheckPlan(msgspec.Struct, frozen=True):
    """Which games a check plays.

    Games 0, 2, 4 ... are between copies of the file. In games 1, 3, 5 ... one copy plays against ``references``, the
    names of built-in players; by default these are all built-in players in every tenth such game, and the quick ones in
    the others. With ``only``, only the game of that number, counted from 1, is played.
    Once the copies have worked or slept for ``cpu_seconds``, the remaining games are left out.
    """

    games: int = 20
    seed: int = 0
    references: tuple[str, ...] = ()
    only: int | None = None
    cpu_seconds: float = 120.0


class TrialGames:
    """All games of a plan. Raises NotationError for an unknown reference player.

    ``printed`` pairs a text that names the game and the seat with what a copy of the file printed there in one call.
    """

    def __init__(self, game: Game, path: str, plan: CheckPlan) -> None:
        self.game, self.path, self.plan = game, path, plan
        self.printed: list[tuple[str, Printed]] = []
        self.strategies = strategies(game)
        self.references = plan.references or tuple(reproducible_players(game))
        for name in self.references:
            if name not in self.strategies:
                known = ", ".join(self.strategies)
                raise NotationError(
                    f"{game.title} has no built-in player called {short_repr(name)}; known players: {known}."
                )

    def findings(self, spec: PlayerSpec, progress: Progress) -> Iterator[Finding]:
        """The findings of the games; each kind of failure is reported once."""
        reported: set[str] = set()
        failed_games, played, slowest, spent = 0, 0, 0.0, 0.0
        numbers = range(self.plan.games) if self.plan.only is None else [self.plan.only - 1]
        for number in numbers:
            if failed_games >= MAX_FAILURES or reported & OUT_OF_TIME or (played > 1 and spent > self.plan.cpu_seconds):
                break
            players = self.players_of_game(spec, number)
            for player in players:
                if isinstance(player, FilePlayer):
                    player.printed = []
            match = play_match(self.game, players, (self.plan.seed + number) % SEED_LIMIT)
            for finding in self.failures(spec, match, players, number):
                if finding.kind not in reported:
                    yield finding
                reported.add(finding.kind)
            failed_games += bool(match.record.forfeits)
            copies = [player for player in players if isinstance(player, FilePlayer)]
            if "end" not in reported and (
                end_error := next(filter(None, (player.end_error for player in copies)), None)
            ):
                reported.add("end")
                sentence = f"The file fails when it gets the result, in game {number + 1}"
                yield Finding(
                    True, sentence, str(end_error), "end", detail=getattr(end_error, "detail", ""), warning=True
                )
            for seat, player in enumerate(players):
                if isinstance(player, FilePlayer):
                    game_and_seat = f"game {number + 1}, seat {seat}"
                    self.printed += [(game_and_seat, output) for output in (player.printed or ())]
            del self.printed[MAX_PRINTED:]
            slowest = max([slowest, *(player.slowest for player in copies)])
            spent += sum(player.spent + player.idled for player in copies)
            played += 1
            progress(played, len(numbers))
        if not failed_games:
            yield Finding(True, self.success_text(played, len(numbers), slowest))

    def success_text(self, played: int, planned: int, slowest: float) -> str:
        """The text of the finding on games without a failure."""
        of_planned = f" of {planned}" if played < planned else ""
        games = f"{played}{of_planned} games were" if planned != 1 else "1 game was"
        slow_text = ", the others were left out because the file is slow" if of_planned else ""
        return f"{games} played to the end; the slowest call took {1000 * slowest:.1f} ms of CPU time{slow_text}"

    def players_of_game(self, spec: PlayerSpec, number: int) -> list[Player]:
        """The players of game ``number``: copies of the file in all seats, or one copy against reference players."""
        seats = range(self.game.seats)
        if number % 2 == 0:
            return [spec.make() for _ in seats]
        own_seat, opponents = number // 2 % self.game.seats, self.references_in(number // 2)
        names = [opponents[(number // 2 + seat) % len(opponents)] for seat in seats]
        return [
            spec.make() if seat == own_seat else StrategyPlayer(names[seat], self.strategies[names[seat]])
            for seat in seats
        ]

    def references_in(self, number: int) -> tuple[str, ...]:
        """The reference players in the game with this number, counted among the games against them."""
        if self.plan.references or number % SLOW_PLAYER_INTERVAL == 0:
            return self.references
        return tuple(name for name in self.references if name in QUICK_PLAYERS)

    def failures(self, spec: PlayerSpec, match: Match, players: Sequence[Player], number: int) -> Iterator[Finding]:
        """The failures of the file's copies in one game."""
        for forfeit in match.record.forfeits:
            player = players[forfeit.seat]
            if not isinstance(player, FilePlayer):
                continue
            last_call = player.past_call()
            answer = f"{last_call}\nreturned {last_call.returned}" if last_call and forfeit.kind == "illegal" else ""
            detail = match.details[forfeit.seat] or answer
            if detail.endswith("\nreturned None"):
                detail += f"\n{NO_RETURN}"
            where = f"game {number + 1} (seed {match.record.seed}), seat {forfeit.seat}, after {forfeit.moves} moves"
            yield Finding(
                False,
                f"Failure in {where}",
                forfeit.sentence,
                forfeit.kind,
                self.game_command(spec, number),
                detail,
                "\n".join(position_lines(self.game, match.record, forfeit)) if last_call else "",
                call_command(self.game.name, self.path, call_text(last_call), spec.limits) if last_call else "",
            )

    def game_command(self, spec: PlayerSpec, number: int) -> str:
        """A command line that plays one game of this check again."""
        words = ["kibitz", "check-player", command_name(self.game.name), self.path, "--game-number", str(number + 1)]
        words += ["--seed", str(self.plan.seed)] if self.plan.seed else []
        words += ["--against", ",".join(self.references)] if self.plan.references else []
        words += ["--limits", limits_words] if (limits_words := limits_text(spec.limits)) else []
        return shlex.join(words)


STANDARD_PLAN = CheckPlan()
PUBLISHED_CALLS_SECONDS = 2.0
"""Seconds of CPU time for all published calls together."""
MAX_SHOWN_PRINTS, LONGEST_PRINT, LONGEST_CALL = 10, 500, 100
"""How many of the file's outputs are shown, and how many characters of each output and of its call."""


class CheckReport(msgspec.Struct, frozen=True):
    """All findings about one file."""

    file: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether the file can play."""
        return all(finding.ok for finding in self.findings)


def check_player(
    game: Game,
    path: str | Path,
    plan: CheckPlan = STANDARD_PLAN,
    progress: Progress | None = None,
    limits: Limits = STANDARD,
    source: Source | None = None,
    *,
    own_file: bool = False,
) -> CheckReport:
    """Check a player file as a tournament would; ``progress(played, games)`` is called after each game.

    ``path`` is a file, or a folder or an archive that is one player; ``source`` is the file's text or the player's
    files, if they have already been read. The caller's own file may run where nothing can confine it. Raises
    NotationError for an unknown reference player, MachineError if no process can be started; everything that is wrong
    with the file is a finding.
    """
    checker = Checker(game, str(path), plan, limits, source, own_file=own_file)
    return CheckReport(str(path), tuple(checker.findings(progress or (lambda done, total: None))))


class CallOutcome(NamedTuple):
    """The result of a call, or only of loading the file: the value or the error, and what the file printed."""

    value: Any
    error: PlayerError | None
    output: str


class Checker:
    """Checks one player; ``called`` are the functions that games call."""

    def __init__(
        self, game: Game, path: str, plan: CheckPlan, limits: Limits, source: Source | None, *, own_file: bool
    ) -> None:
        self.game, self.path, self.plan, self.limits, self.source = game, path, plan, limits, source
        self.own_file = own_file
        self.spec = PlayerSpec(Path(path).stem, path, game.name, "")
        self.trial_games = TrialGames(game, path, plan)
        self.called: tuple[str, ...] = assignment_functions(game)
        self.printed: list[tuple[str, Printed]] = []

    def findings(self, progress: Progress) -> Iterator[Finding]:
        """All findings, in the order of the checks."""
        try:
            self.spec = self.read_player()
        except NotationError as error:
            yield Finding(False, "The file cannot be read", str(error), "load")
            return
        if note := author_note(self.spec.sources.files[0][1]):
            yield Finding(True, note.rstrip("."))
        if fault := self.load(()):
            yield fault
            return
        if fault := self.load(required_functions(self.game), allow_play=True):
            yield fault
        else:
            yield from self.play_note()
            helpers = self.spec.sources.helpers
            files_text = f" ({self.spec.sources.main}, with {listed(helpers)})" if helpers else ""
            yield Finding(True, f"The file{files_text} loads and defines {listed(self.called)}")
        if self.plan.only is None:
            yield from self.examples()
        if not fault:
            yield from self.trial_games.findings(self.spec, progress)
        yield from self.prints()

    def read_player(self) -> PlayerSpec:
        """The player. Raises NotationError if it cannot be read."""
        if self.source is None:
            return entry_spec(
                self.game, player_at(self.path, main_functions(self.game)), limits=self.limits, own_file=self.own_file
            )
        main_folder = ""
        if os.path.isdir(self.path):
            with suppress(NotationError):
                main_folder = player_at(self.path, main_functions(self.game)).main_folder
        return file_spec(
            self.game, self.path, self.source, main_folder=main_folder, limits=self.limits, own_file=self.own_file
        )

    def play_note(self) -> Iterator[Finding]:
        """A note if the file defines ``play``, but games call the assignment's functions instead."""
        main = self.spec.sources.files[0][1]
        if PLAY not in self.called and PLAY in outline(main).defined:
            called = listed(self.called)
            yield Finding(True, f"The file defines {PLAY} as well as {called}; games call only {called}")

    def load(self, required: Sequence[RequiredFunction], *, allow_play: bool = False) -> Finding | None:
        """What is wrong with loading the file; with ``allow_play``, it may define ``play`` instead of ``required``."""
        result = self.run(required, None, allow_play=allow_play)
        error = result.error
        if error is None:
            self.called = tuple(result.value or self.called)
            return None
        reproduce = call_command(self.game.name, self.path, limits=self.limits)
        return Finding(False, "The file can't be used", error.sentence, error.kind, reproduce, error.detail)

    def run(
        self,
        required: Sequence[RequiredFunction],
        example: Example | None,
        limits: Limits | None = None,
        *,
        allow_play: bool = False,
    ) -> CallOutcome:
        """Load the file into a fresh process, and make one call if ``example`` is given."""
        process = process_for(limits or self.limits, None, own_file=self.own_file)
        value, call_error, output = None, None, ""
        try:
            value = process.load(self.spec.sources.main, self.spec.sources, required, 0, allow_play=allow_play)
            process.new_output()
            if example:
                arguments = wire.packed(
                    wire.interned([[] if argument is HISTORY else argument for argument in example.arguments])
                )
                value = process.call(example.function, arguments, "[]", bools=True)
        except PlayerError as error:
            call_error = error
        finally:
            output = process.new_output()
            process.end()
        return CallOutcome(value, call_error, output)

    def examples(self) -> Iterator[Finding]:
        """The findings on published examples: the first failure of each function.

        A function that runs out of time isn't called again. If no game calls a function, it's no fault that it isn't
        written yet: one finding names all of these.
        """
        passed, failures, unwritten = list[Example](), Counter[str](), list[str]()
        usable: dict[str, bool] = {}
        assignment_module = published_functions(package_of(self.game.rules))
        names = {function.name: function.names for function in assignment_module.PUBLISHED} if assignment_module else {}
        for example in published(self.game):
            name = example.function
            if name not in usable:
                fault = self.load([(name, len(example.arguments), names.get(name, ""))])
                usable[name] = not fault
                if fault and not fault.why.startswith((missing(name), EMPTY)) and name not in self.called:
                    yield self.downgraded_if_uncalled(fault, name)
            if usable[name]:
                fault = self.example(example)
                if not fault:
                    passed.append(example)
                elif name not in self.called and is_unwritten(name, fault.detail):
                    unwritten.append(name)
                    usable[name] = False
                else:
                    usable[name] = fault.kind not in OUT_OF_TIME
                    failures[name] += 1
                    if failures[name] == 1:
                        yield self.downgraded_if_uncalled(fault, name)
        if unwritten:
            pronoun = "it" if len(unwritten) == 1 else "them"
            yield Finding(True, f"{unwritten_clause(*unwritten)}; no game calls {pronoun}")
        for name, count in failures.items():
            if count > 1:
                calls_text = "call of a published example" if count == 2 else "calls of published examples"
                sentence = f"{count - 1} more {calls_text} of {name} fail{'s' if count == 2 else ''}"
                yield self.downgraded_if_uncalled(Finding(False, sentence, "", "example"), name)
        if passed:
            count = len(passed)
            yield Finding(True, f"{count} published example{'s give' if count > 1 else ' gives'} the right result")
            yield from self.stateful_function([example for example in passed if example.function not in self.called])

    def stateful_function(self, examples: Sequence[Example]) -> Iterator[Finding]:
        """A warning on the first function that fails only after other calls, if all are made twice in one process.

        Functions that games call may keep state between calls; leave their examples out.
        """
        process, name = (
            process_for(replace(self.limits, bank=PUBLISHED_CALLS_SECONDS), None, own_file=self.own_file),
            "The file",
        )
        try:
            process.load(self.spec.sources.main, self.spec.sources, [], 0)
            for example in (*examples, *examples):
                name = example.function
                value = process.call(name, wire.packed(wire.interned(list(example.arguments))), "[]", bools=True)
                if example.judge(value) is not None:
                    sentence = f"{name} is right when called first, but wrong after other calls"
                    why = f"it returned {value!r}; does it keep something, such as a list outside the function?"
                    call = str(PastCall(name, example.arguments, ""))
                    yield Finding(True, sentence, why, "example", detail=call, warning=True)
                    return
        except PlayerError as error:
            if error.kind not in OUT_OF_TIME:
                sentence = f"{name} is right when called first, but fails after other calls"
                yield Finding(True, sentence, error.sentence, error.kind, detail=error.detail, warning=True)
        finally:
            process.end()

    def downgraded_if_uncalled(self, fault: Finding, function: str) -> Finding:
        """A fault of a function; only a warning if no game calls the function."""
        return fault if function in self.called else msgspec.structs.replace(fault, ok=True, warning=True)

    def example(self, example: Example) -> Finding | None:
        """What is wrong with the result of a published example; None if it is right."""
        past_call = PastCall(example.function, example.arguments, "")
        seconds = CALL_SECONDS.get(example.function, self.limits.call)
        limits = replace(self.limits, call=min(seconds, self.limits.call))
        value, error, output = self.run([], example, limits)
        if output:
            self.printed.append(("a published example", Printed(str(past_call), output)))
        if error is not None:
            kind: str = error.kind
            why, detail = error.sentence, error.detail
        else:
            fault = example.judge(value)
            if fault is None:
                return None
            kind, why = "example", f"it returned {value!r}; {fault.removesuffix('.')}."
            detail = NO_RETURN if value is None else ""
        sentence = f"A published example of {example.function} fails"
        reproduce = call_command(self.game.name, self.path, call_text(past_call), limits)
        printed = f"It printed:\n{output[-LONGEST_PRINT:].rstrip()}" if output.strip() else ""
        return Finding(
            False, sentence, why, kind, reproduce, "\n".join(filter(None, (str(past_call), detail, printed)))
        )

    def prints(self) -> Iterator[Finding]:
        """What the file printed, by call: the first outputs, or all if only one game is played."""
        printed = [*self.printed, *self.trial_games.printed]
        if not printed:
            return
        limit = MAX_SHOWN_PRINTS if self.plan.only is None else MAX_PRINTED
        texts = [
            f"{place}, {textwrap.shorten(output.call, LONGEST_CALL, placeholder=' ...')}\n{indented(output.text)}"
            for place, output in printed[:limit]
        ]
        if len(printed) > limit:
            reproduce = self.trial_games.game_command(self.spec, 0)
            texts.append(f"To play only the first game, and see everything that the file prints in it:\n{reproduce}")
        calls = f"{'at least ' if len(printed) >= MAX_PRINTED else ''}{len(printed)} call{'s' * (len(printed) != 1)}"
        first = f"; the first {limit} are shown" if len(printed) > limit else ""
        yield Finding(True, f"The file printed something in {calls}{first}", "", "prints", "", "\n".join(texts))


def indented(output: str) -> str:
    """What a file printed in one call, indented and cut to a readable length."""
    text = (
        output
        if len(output) <= LONGEST_PRINT
        else f"{output[:LONGEST_PRINT]}\n[... {len(output) - LONGEST_PRINT} more]"
    )
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


def published(game: Game) -> tuple[Example, ...]:
    """The published examples of a game."""
    result: tuple[Example, ...] = getattr(published_functions(package_of(game.rules)), "EXAMPLES", ())
    return result
