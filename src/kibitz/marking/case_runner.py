"""Runs a submission: every case of every function, each in a confined process of its own.

    alone       while no other case runs. CPU time grows when processors are shared, so a case that ran out of time is
                repeated alone, and only that result counts
    near limit  between half and twice a case's time limit. If a case is only just late, which may be chance, the
                shortest time of several tries counts

The cases of a function run in an order that depends only on their arguments, the shortest first. So the total time
limit cuts off the same cases for everybody.

Only a function's name and arguments ever go to a process; the right answers stay here.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.sentences import counted, listed
from kibitz.errors import NotationError, PlayerError
from kibitz.marking.assignments import RETRY_SECONDS, Assignment, FunctionPlan, Plan, assignment, usual_seconds
from kibitz.marking.cases.case import Answer, Case, UnchangedJudge, ValueJudge
from kibitz.marking.results import FailingCase, FunctionOutcome, SubmissionResult
from kibitz.players.calls import call_error, is_unwritten, quoted, unwritten_clause
from kibitz.players.files.sources import Sources, function_bodies, times_defined
from kibitz.players.isolation import wire
from kibitz.players.isolation.child import BLANK, EMPTY
from kibitz.players.isolation.confined_process import SECOND, PlayerProcess
from kibitz.players.limits import Limits

OUT_OF_TIME = ("time", "idle")
"""The kinds of a PlayerError that mean that a time limit was exceeded."""
NEAR_LIMIT_FACTOR = 2
"""A case is near its time limit if its time differs from it by less than this factor."""
JUST_LATE_FACTOR, TRIES = 1.25, 3
"""A case that is late by less than this factor is tried this many times, alone."""
LONGEST_SHOWN, LONGEST_PRINTS = 2000, 600
"""The maximum number of characters of a value or traceback in a report, and of what was printed."""
MAX_SHOWN_FAILURES = 8
"""The maximum number of failing cases of a function that are shown; of the others, only the edge cases are named."""
REPEATED_CALLS = 6
"""The maximum number of calls made in one process, to see whether a function keeps values from call to call."""

Stopped = Callable[[], bool]
SlotContext = Callable[[bool], AbstractContextManager[object]]
"""A slot in which a case may run: beside others or, if the argument is true, alone. Entering it may wait."""


class StoppedError(Exception):
    """Marking was stopped."""


class PreparedCase(NamedTuple):
    """A case with its arguments encoded for the process."""

    case: Case
    encoded: str
    published: bool


class CaseResult(NamedTuple):
    """The result of a case; the answer is right if ``kind`` is empty.

    Otherwise ``kind`` is "wrong" or the kind of a PlayerError.
    """

    kind: str = ""
    expected: str = ""
    got: str = ""
    prints: str = ""
    detail: str = ""
    cpu: float = 0.0
    """Seconds of CPU time that the call took."""
    idle: float = 0.0
    """Seconds for which the call slept or waited."""
    repeated: bool = False
    """Whether the case was repeated alone."""


@lru_cache(maxsize=64)
def prepared_cases(name: str, function: str, hidden: int, seed: int, bonus: bool) -> tuple[PreparedCase, ...]:
    """The published and hidden cases of a function."""
    target = assignment(name)
    published = tuple(case for case in target.published if case.function == function)
    hidden_cases = target.hidden(function, hidden, seed, bonus=bonus)
    return tuple(
        PreparedCase(case, encoded_arguments(case), number < len(published))
        for number, case in enumerate((*published, *hidden_cases))
    )


def encoded_arguments(case: Case) -> str:
    """The arguments of a case, encoded for the process; built-in functions are sent by name."""
    return wire.packed(
        wire.interned([argument.__name__.encode() if callable(argument) else argument for argument in case.arguments])
    )


def free_slot(_alone: bool) -> AbstractContextManager[object]:
    """A slot that is always free, for when nothing else can be running."""
    return nullcontext()


def mark_submission(
    assignment: Assignment,
    sources: Sources,
    plan: Plan,
    seed: int,
    stopped: Stopped = lambda: False,
    slot: SlotContext = free_slot,
) -> SubmissionResult:
    """Run all cases of a submission.

    Raises StoppedError once ``stopped`` returns True, MachineError if this machine fails.
    """
    if not sources.files[0][1].strip(BLANK):
        return SubmissionResult((), f"{EMPTY}.")
    runner = CaseRunner(assignment, sources, stopped, slot)
    try:
        runner.check(plan.functions[0].limits)
    except PlayerError as error:
        return SubmissionResult(
            (), error.sentence, shortened(error.detail), shortened(runner.load_output, LONGEST_PRINTS), runner.seconds
        )
    prints = runner.load_output
    outcomes = tuple(
        run_function(
            runner, function, prepared_cases(assignment.name, function.name, function.hidden, seed, plan.bonus)
        )
        for function in plan.functions
    )
    return SubmissionResult(outcomes, "", "", shortened(prints, LONGEST_PRINTS), round(runner.seconds, 3))


class CaseRunner:
    """Calls one submission's functions, in one process at a time."""

    def __init__(
        self,
        assignment: Assignment,
        sources: Sources,
        stopped: Stopped = lambda: False,
        slot: SlotContext = free_slot,
    ) -> None:
        self.parameters = {
            function.name: [parameter.name for parameter in function.parameters] for function in assignment.signatures
        }
        """The names of every function's parameters."""
        self.sources, self.stopped, self.slot = sources, stopped, slot
        self.process: PlayerProcess | None = None
        self.seconds, self.load_output = 0.0, ""
        """The CPU time of processes that have ended, and what the last file printed while it was loaded."""

    def start(self, limits: Limits, function: str = "") -> None:
        """Start a process that has loaded the files. Raises PlayerError if they don't load or define ``function``."""
        if self.stopped():
            raise StoppedError
        names = self.parameters.get(function, [])
        required = [(function, len(names), ", ".join(names))] if function else []
        self.process = PlayerProcess(limits)
        try:
            self.process.load(self.sources.main, self.sources, required, 0)
        finally:
            self.load_output = self.process.new_output()

    def check(self, limits: Limits, function: str = "", *, alone: bool = False) -> None:
        """Load the files, and again alone if they timed out. Raises PlayerError as ``start`` does."""
        try:
            with self.slot(alone):
                self.start(limits, function)
        except PlayerError as error:
            if alone or error.kind not in OUT_OF_TIME:
                raise
            self.check(limits, function, alone=True)
        finally:
            self.end()

    def run_case(self, limits: Limits, prepared: PreparedCase, *, alone: bool = False) -> CaseResult:
        """The result of one case, in a fresh process."""
        with self.slot(alone):
            try:
                self.start(limits, prepared.case.function)
                return self.call(prepared)
            except PlayerError as error:
                return CaseResult(error.kind, "", error.sentence, self.load_output, shortened(error.detail))
            finally:
                self.end()

    def call(self, prepared: PreparedCase) -> CaseResult:
        """The result of one call."""
        assert self.process is not None
        case, in_place = prepared.case, prepared.case.in_place
        try:
            value = self.process.call(case.function, prepared.encoded, "[]", bools=True, with_arguments=in_place)
        except PlayerError as error:
            return self.with_times(
                CaseResult(error.kind, "", error.sentence, self.new_output(), shortened(error.detail))
            )
        if in_place and not is_answer(value, len(case.arguments)):
            return self.with_times(
                CaseResult("protocol", "", "The file's process answered a question it wasn't asked.")
            )
        answer = Answer(value[0], tuple(value[1])) if in_place else Answer(value, case.arguments)
        expected = case.judge(answer)
        prints = self.new_output()
        if not expected:
            return self.with_times(CaseResult())
        got = returned_text(answer, with_arguments=in_place)
        if isinstance(case.judge, UnchangedJudge):
            changed = self.changed_arguments(case, answer)
            got = returned_text(answer, with_arguments=False) + (f", and changed {listed(changed)}" if changed else "")
        return self.with_times(CaseResult("wrong", expected, got, prints))

    def changed_arguments(self, case: Case, answer: Answer) -> list[str]:
        """The arguments that a function has changed, with their new values."""
        arguments = zip(self.parameters[case.function], case.arguments, answer.after, strict=False)
        return [
            f"{name} (now {shortened(repr(now), 200)})"
            for name, before, now in arguments
            if now != before and not callable(before)
        ]

    def with_times(self, result: CaseResult) -> CaseResult:
        """A result with the times that the call took."""
        assert self.process is not None
        cut_short = self.process.watch.cpu_seconds() if self.process.watch else 0.0
        return result._replace(cpu=max(self.process.slowest, cut_short), idle=self.process.idle_time.seconds)

    def new_output(self) -> str:
        """The output since the last call of this method, shortened."""
        assert self.process is not None
        return shortened(self.process.new_output(), LONGEST_PRINTS)

    def end(self) -> None:
        """End the process with everything that it has started."""
        if self.process is not None:
            with suppress(OSError):
                self.seconds += self.process.cpu() / SECOND
            self.process.end()
            self.process = None


def note_changed_arguments(
    runner: CaseRunner, plan: FunctionPlan, pairs: list[tuple[PreparedCase, CaseResult]]
) -> None:
    """Add to the first wrong result which arguments the function has changed, as that is often the mistake.

    Functions that may change their arguments are left out.
    """
    for index, (prepared, result) in enumerate(pairs):
        if (
            result.kind == "wrong"
            and isinstance(prepared.case.judge, ValueJudge)
            and not prepared.case.judge.may_change
        ):

            def judge(answer: Answer, case: Case = prepared.case) -> str:
                return listed(changed) if (changed := runner.changed_arguments(case, answer)) else ""

            second_result = runner.run_case(plan.limits, prepared._replace(case=prepared.case._replace(judge=judge)))
            if second_result.kind == "wrong":
                pairs[index] = (prepared, result._replace(got=f"{result.got}, and changed {second_result.expected}"))
            return


def common_slip_note(sources: Sources, name: str, results: Sequence[CaseResult]) -> str:
    """A note on a wrong function that is defined twice, or has ``=+`` instead of ``+=``; empty for others."""
    content = sources.files[0][1]
    if not any(result.kind for result in results):
        return ""
    if times_defined(content, name) > 1:
        return f"{name} is defined more than once: only the last definition counts."
    slip = re.search(r"\w *=\+", function_bodies(content).get(name, ""))
    return f"{name} has =+, which sets a value: += adds to it." if slip else ""


def repeated_calls_note(
    runner: CaseRunner, plan: FunctionPlan, pairs: Sequence[tuple[PreparedCase, CaseResult]]
) -> str:
    """A note on a function that is right in a fresh process but wrong after other calls, or that changes its arguments.

    The note shows no hidden case, because Gradescope shows it at once.
    """
    judges = [prepared.case.judge for prepared, _ in pairs]
    may_change = any(not isinstance(judge, ValueJudge) or judge.may_change for judge in judges)
    right_cases = [
        prepared for prepared, result in pairs if not result.kind and isinstance(prepared.case.judge, ValueJudge)
    ]
    # Only a case with one right answer shows that a function returns other values when it is called again. If there is
    # no such case, other cases still show that it changes its arguments.
    right_cases = [prepared for prepared in right_cases if prepared.case.right] or ([] if may_change else right_cases)
    changed: dict[str, None] = {}

    def note_changes(case: Case, answer: Answer) -> str | None:
        changed.update(dict.fromkeys(runner.changed_arguments(case, answer)))
        return case.judge(answer)

    with runner.slot(False), suppress(PlayerError):
        try:
            runner.start(plan.limits, plan.name)
            for prepared in (right_cases * 2)[:REPEATED_CALLS]:
                case = (
                    prepared.case if may_change else prepared.case._replace(judge=partial(note_changes, prepared.case))
                )
                result = runner.call(prepared._replace(case=case))
                if result.kind == "wrong" and prepared.case.right:
                    return (
                        f"Called several times in a row, {plan.name} returns other values than when it is called once: "
                        "something outside the function, such as a global variable, keeps values from call to call."
                    )
        finally:
            runner.end()
    names = [change.partition(" ")[0] for change in changed]
    if not names:
        return ""
    changed_names = listed(sorted(set(names)))
    return f"{plan.name} changes {changed_names}: work on a copy, so that what the caller passed stays as it is."


def is_answer(value: Any, arguments: int) -> bool:
    """Whether a reply has a value and this number of arguments; a student's process may send anything."""
    return type(value) is list and len(value) == 2 and type(value[1]) is list and len(value[1]) == arguments


def run_function(runner: CaseRunner, plan: FunctionPlan, cases: Sequence[PreparedCase]) -> FunctionOutcome:
    """Run all cases of one function."""
    hidden = sum(not prepared.published for prepared in cases)
    try:
        runner.check(plan.limits, plan.name)
    except PlayerError as error:
        return FunctionOutcome(plan.name, 0, hidden, 0, len(cases) - hidden, error.sentence)
    order = sorted(range(len(cases)), key=lambda index: (len(cases[index].encoded), cases[index].encoded))
    results = run_cases(runner, plan, [cases[index] for index in order])
    pairs = [
        (cases[index], result) for index, result in sorted(zip(order, results, strict=False), key=lambda pair: pair[0])
    ]
    if pairs and all(is_unwritten(plan.name, result.detail) for result in results):
        return FunctionOutcome(plan.name, 0, hidden, 0, len(cases) - hidden, f"{unwritten_clause(plan.name)}.")
    note_changed_arguments(runner, plan, pairs)
    return FunctionOutcome(
        plan.name,
        sum(not result.kind for prepared, result in pairs if not prepared.published),
        hidden,
        sum(not result.kind for prepared, result in pairs if prepared.published),
        len(cases) - hidden,
        not_run_note(plan, len(cases) - len(results))
        or common_slip_note(runner.sources, plan.name, results)
        or repeated_calls_note(runner, plan, pairs),
        *failing_cases(pairs),
        near_limit_note(plan, results),
    )


def run_cases(runner: CaseRunner, plan: FunctionPlan, cases: Sequence[PreparedCase]) -> list[CaseResult]:
    """The results of the cases, in order, until their total time is used up."""
    results: list[CaseResult] = []
    seconds_used = 0.0
    for prepared in cases:
        if seconds_used >= plan.total_seconds:
            break
        results.append(runner.run_case(plan.limits, prepared))
        if not prepared.published:  # capped at the limit, so that slow machines run as many cases
            seconds_used += min(results[-1].cpu, plan.seconds) + results[-1].idle
    seconds_used = 0.0
    for index, first_result in enumerate(results):
        if first_result.kind in OUT_OF_TIME and seconds_used < RETRY_SECONDS:
            alone_result = run_alone(runner, plan, cases[index])
            is_late = alone_result.cpu > plan.seconds
            verb = "was stopped after" if alone_result.kind in OUT_OF_TIME else "took"
            second_run = f"in another run, with no other case running, it {verb} {alone_result.cpu:.2g} s."
            explanation = f"{first_result.got.removesuffix('.')}: {second_run}"
            results[index] = first_result._replace(got=explanation) if is_late else alone_result
            results[index] = results[index]._replace(cpu=alone_result.cpu, repeated=True)
            if results[index].kind:  # a right answer was late only because other cases ran beside it
                seconds_used += alone_result.cpu + alone_result.idle
    return results


def run_alone(runner: CaseRunner, plan: FunctionPlan, prepared: PreparedCase) -> CaseResult:
    """The result of a case while nothing else runs; if it is only just late, the quickest of several tries."""
    longer_limits = replace(plan.limits, call=NEAR_LIMIT_FACTOR * plan.seconds)
    best = runner.run_case(longer_limits, prepared, alone=True)
    for _ in range(TRIES - 1):
        if plan.seconds < best.cpu < JUST_LATE_FACTOR * plan.seconds:
            best = min(best, runner.run_case(longer_limits, prepared, alone=True), key=lambda result: result.cpu)
    return best


def not_run_note(plan: FunctionPlan, cases: int) -> str:
    """Why some cases were not run; empty if all were."""
    if not cases:
        return ""
    consequence = "case was not run and counts as wrong" if cases == 1 else "cases were not run and count as wrong"
    return f"{plan.name} used up the {plan.total_seconds:g} s for all its cases, so {cases} {consequence}."


def near_limit_note(plan: FunctionPlan, results: Sequence[CaseResult]) -> str:
    """A note for the lecturer about times near the limit; empty if there were none."""
    low, high = plan.seconds / NEAR_LIMIT_FACTOR, plan.seconds * NEAR_LIMIT_FACTOR
    not_repeated = sum(result.kind in OUT_OF_TIME and not result.repeated for result in results)
    near_cases = [
        result for result in results if low < result.cpu < high and (result.repeated or result.kind not in OUT_OF_TIME)
    ]
    late = sum(result.kind in OUT_OF_TIME for result in near_cases)
    notes = []
    if near_cases:
        cases = f"{counted(len(near_cases), 'case')}{f' ({late} of them out of time)' * bool(late)}"
        notes.append(f"{plan.name} took {low:g} to {high:g} s in {cases}; the limit is {plan.seconds:g} s.")
    if not_repeated:
        notes.append(
            f"{plan.name} ran out of time in {counted(not_repeated, 'case')}, which"
            f" {'counts' if not_repeated == 1 else 'count'} as wrong; there was no second run, because the"
            f" {RETRY_SECONDS:g} s for second runs were used up."
        )
    return " ".join(notes)


def failing_cases(pairs: Sequence[tuple[PreparedCase, CaseResult]]) -> tuple[tuple[FailingCase, ...], tuple[str, ...]]:
    """The first failing case of each kind, with the number of that kind, and the edge cases of kinds that aren't shown.

    Wrong answers to the same edge case are one kind; other failures are one kind if their sentences begin the same.
    A case with the same call and answer as the first of an earlier kind counts as that kind.
    """
    by_kind: dict[tuple[str, str], list[tuple[PreparedCase, CaseResult]]] = {}
    shown_calls: dict[tuple[str, str], tuple[str, str]] = {}
    for prepared, result in pairs:
        if result.kind:
            group_name = (
                prepared.case.edge_case if result.kind == "wrong" else result.got.partition(":")[0].removesuffix(".")
            )
            call = prepared.encoded, result.got
            kind = shown_calls.get(call, (result.kind, group_name))
            if kind not in by_kind:
                shown_calls[call] = kind
            by_kind.setdefault(kind, []).append((prepared, result))
    kinds = list(by_kind.values())
    unshown = tuple(dict.fromkeys(group[0][0].case.edge_case for group in kinds[MAX_SHOWN_FAILURES:]))
    return tuple(failing_case(*group[0], len(group)) for group in kinds[:MAX_SHOWN_FAILURES]), unshown


def failing_case(prepared: PreparedCase, result: CaseResult, times: int) -> FailingCase:
    """A failing case in the form that its author sees."""
    case = prepared.case
    expected_in_words = case.judge(Answer(None, case.arguments)) or "it should return None"
    expected = result.expected or expected_in_words.removesuffix(", not None")
    return FailingCase(
        case.edge_case,
        result.kind,
        call_text(case.function, case.arguments),
        sentence(expected),
        sentence(result.got),
        case.right,
        result.prints,
        result.detail,
        times,
        prepared.published,
    )


def call_text(function: str, arguments: Sequence[Any]) -> str:
    """A call as Python source."""
    texts = (argument.__name__ if callable(argument) else repr(argument) for argument in arguments)
    return f"{function}({', '.join(texts)})"


def returned_text(answer: Answer, *, with_arguments: bool) -> str:
    """What a function returned, in words; ``with_arguments``, also its arguments after the call."""
    value = f"it returned {shortened(repr(answer.value))}"
    return f"{value}, and left its arguments as {shortened(repr(list(answer.after)))}" if with_arguments else value


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    text = clause[:1].upper() + clause[1:] if clause.startswith("it ") else clause
    return text if text.endswith((".", "!", "?")) else f"{text}."


def shortened(text: str, limit: int = LONGEST_SHOWN) -> str:
    """The beginning and the end of a text of more than ``limit`` characters, in whole lines if there are several."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit // 2], text[-limit // 2 :]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    left_out = len(text) - len(head) - len(tail)
    omission = f"[... {left_out} characters are left out here ...]"
    return f"{head.rstrip(chr(10))}\n{omission}\n{tail}" if "\n" in text else f"{head} {omission} {tail}"


def bytes_to_hash(assignment: Assignment, plan: Plan, seed: int, version: str) -> bytes:
    """Everything that a result depends on except the submission, as bytes; weights don't matter."""
    functions = [(function.name, function.hidden, function.seconds) for function in plan.functions]
    return msgspec.json.encode([assignment.name, functions, plan.bonus, str(seed), version])


# One call of a submission, confined, as its author can repeat it at home.
#
# call        Python source that calls a function of the assignment with plain values, such as
#             ``score_hand([['hearts', 10]])``; a built-in function of Python may be passed by its name


MAX_COMMAND = 7000
"""The maximum number of characters of a command line that every system's shell takes."""
BUILT_IN_ARGUMENTS = ("abs", "len", "max", "min", "sum", "sorted", "str", "int", "repr")
"""Built-in functions that may be arguments of a call."""


def parse_call(assignment: Assignment, text: str) -> Case:
    """A call as a case; its judge is ``reported_arguments``.

    Raises NotationError unless it is a call of one of the assignment's functions.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            raise ValueError
        name, arguments = tree.func.id, tuple(argument_value(node) for node in tree.args)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise call_error(text.strip(), error, "score_hand([['hearts', 10]])") from None
    if name not in assignment.functions:
        known = ", ".join(assignment.functions)
        raise NotationError(f"{assignment.name} has no function called {short_repr(name)}; known functions: {known}.")
    return Case(name, "", arguments, reported_arguments)


def argument_value(node: ast.expr) -> Any:
    """The value of an argument of a call: a plain value, or a built-in function."""
    if isinstance(node, ast.Name) and node.id in BUILT_IN_ARGUMENTS:
        return getattr(builtins, node.id)
    return ast.literal_eval(node)


def reported_arguments(answer: Answer) -> str:
    """A judge for a single call, which doesn't judge: it returns the arguments after the call, so they are reported."""
    return repr(list(answer.after))


class CallReport(NamedTuple):
    """The result of one call, for people.

    ``got`` is the value or the failure in words; ``after`` are the arguments, if the function changed them.
    """

    ok: bool
    got: str
    after: str
    prints: str
    detail: str


def make_call(assignment: Assignment, sources: Sources, plan: Plan, call: Case) -> CallReport:
    """Make one call."""
    function = next(known for known in plan.functions if known.name == call.function)
    prepared = PreparedCase(call, encoded_arguments(call), published=False)
    result = CaseRunner(assignment, sources).run_case(function.limits, prepared)
    before = repr([None if callable(argument) else argument for argument in call.arguments])
    ok = result.kind == "wrong"  # ``reported_arguments`` accepts no answer, so every value counts as wrong
    after = result.expected if ok and result.expected != before else ""
    got = result.got.removesuffix(f", and left its arguments as {shortened(result.expected)}")
    return CallReport(ok, sentence(got), after, result.prints, result.detail)


def call_command(assignment: str, file: str, call: str, plan: FunctionPlan) -> str:
    """A command line that makes a call of a file's function; empty if it would be too long for a shell."""
    limit_option = [] if plan.seconds == usual_seconds(plan.name) else [f"--seconds {plan.seconds:g}"]
    line = " ".join(["kibitz mark", assignment, quoted(file), *limit_option, "--call", quoted(call)])
    return line if len(line) <= MAX_COMMAND else ""
