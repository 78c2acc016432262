"""Runs a submission: every case of every function, each in a confined process of its own.

    alone       while no other case runs: CPU time grows when processors are shared, so a case that timed out is
                repeated alone, and only that result counts
    near        a case that took between half and twice its time limit; the shortest time of several tries counts,
                because a case that is only just late may be late by chance

The cases of a function run in an order that depends on their arguments alone, the shortest first, so that their total
time limit always ends at the same case.

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

from kibitz.cards import shown
from kibitz.engine.sentences import counted, listed
from kibitz.errors import NotationError, PlayerError
from kibitz.marking.assignments import RETRY_SECONDS, Assignment, FunctionPlan, Plan, assignment, usual_seconds
from kibitz.marking.cases.case import Answer, Case, UnchangedJudge, ValueJudge
from kibitz.marking.results import FailingCase, FunctionOutcome, SubmissionResult
from kibitz.players.calls import quoted
from kibitz.players.files.sources import Sources, function_bodies, times_defined
from kibitz.players.isolation import wire
from kibitz.players.isolation.child import BLANK, EMPTY, Wanted
from kibitz.players.isolation.confined_process import SECOND, PlayerProcess
from kibitz.players.limits import Limits

OUT_OF_TIME = ("time", "idle")
NEAR_LIMIT_FACTOR = 2
"""A case is near its time limit if its time differs from it by less than this factor."""
CLOSE, TRIES = 1.25, 3
"""A case that is late by less than this factor is tried this often, alone."""
LONGEST_SHOWN, LONGEST_PRINTS = 2000, 600
"""The most characters of a value or traceback in a report, and of what was printed."""
MAX_SHOWN_FAILURES = 8
"""Failing cases of one function that are shown; for the others, only their edge cases are named."""
REPEATED_CALLS = 6
"""Calls that are made in one process to see whether a function keeps values between them."""

Stopped = Callable[[], bool]
Turn = Callable[[bool], AbstractContextManager[object]]
"""Waits until a case may run, either beside others or (if its argument is true) alone."""


class StoppedError(Exception):
    """The marking must stop."""


class PreparedCase(NamedTuple):
    """A case with its arguments encoded for the process."""

    case: Case
    encoded: str
    published: bool


class Result(NamedTuple):
    """The result of a case: nothing is wrong if ``kind`` is empty."""

    kind: str = ""
    expected: str = ""
    got: str = ""
    prints: str = ""
    detail: str = ""
    cpu: float = 0.0
    """Seconds of CPU time that the call took."""
    idle: float = 0.0
    """Seconds in which it slept or waited."""
    again: bool = False
    """Whether it was repeated, alone."""


@lru_cache(maxsize=64)
def prepared_cases(name: str, function: str, hidden: int, seed: int, bonus: bool) -> tuple[PreparedCase, ...]:
    """The published and hidden cases of a function."""
    target = assignment(name)
    shown = tuple(case for case in target.published if case.function == function)
    drawn = target.hidden(function, hidden, seed, bonus=bonus)
    return tuple(PreparedCase(case, encoded_arguments(case), i < len(shown)) for i, case in enumerate((*shown, *drawn)))


def encoded_arguments(case: Case) -> str:
    """The arguments of a case, encoded for the process; Python's own functions are sent by name."""
    return wire.packed(wire.interned([part.__name__.encode() if callable(part) else part for part in case.arguments]))


def run_at_once(_alone: bool) -> AbstractContextManager[object]:
    """The turn of a case if nothing else can be running: at once."""
    return nullcontext()


def mark_submission(
    assignment: Assignment,
    sources: Sources,
    plan: Plan,
    seed: int,
    stopped: Stopped = lambda: False,
    turn: Turn = run_at_once,
) -> SubmissionResult:
    """Run everything on a submission; StoppedError once ``stopped`` says so, MachineError if this machine fails."""
    if not sources.files[0][1].strip(BLANK):
        return SubmissionResult((), f"{EMPTY}.")
    asker = Asker(sources, stopped, turn)
    try:
        asker.check((), plan.functions[0].limits)
    except PlayerError as error:
        return SubmissionResult(
            (), error.sentence, shortened(error.detail), shortened(asker.load_output, LONGEST_PRINTS), asker.seconds
        )
    prints = asker.load_output
    outcomes = tuple(
        ask_function(
            asker,
            function,
            wanted_of(assignment, function.name),
            prepared_cases(assignment.name, function.name, function.hidden, seed, plan.bonus),
        )
        for function in plan.functions
    )
    return SubmissionResult(outcomes, "", "", shortened(prints, LONGEST_PRINTS), round(asker.seconds, 3))


def wanted_of(assignment: Assignment, name: str) -> Wanted:
    """A function's name, the number of its arguments, and their names."""
    signature = next(one for one in assignment.signatures if one.name == name)
    return name, len(signature.parameters), ", ".join(parameter.name for parameter in signature.parameters)


class Asker:
    """Calls one submission's functions, in one process at a time."""

    def __init__(self, sources: Sources, stopped: Stopped = lambda: False, turn: Turn = run_at_once) -> None:
        self.sources, self.stopped, self.turn = sources, stopped, turn
        self.process: PlayerProcess | None = None
        self.seconds, self.load_output = 0.0, ""
        """The CPU time of processes that have ended, and what the last file printed while it was loaded."""

    def start(self, wanted: Sequence[Wanted], limits: Limits) -> None:
        """Start a process that has loaded the files; PlayerError if it can't load them."""
        if self.stopped():
            raise StoppedError
        self.process = PlayerProcess(limits)
        try:
            self.process.load(self.sources.main, self.sources, wanted, 0)
        finally:
            self.load_output = self.process.said()

    def check(self, wanted: Sequence[Wanted], limits: Limits, *, alone: bool = False) -> None:
        """Load the files, and again alone if they timed out; PlayerError if they can't be loaded."""
        try:
            with self.turn(alone):
                self.start(wanted, limits)
        except PlayerError as error:
            if alone or error.kind not in OUT_OF_TIME:
                raise
            self.check(wanted, limits, alone=True)
        finally:
            self.end()

    def ask(self, wanted: Wanted, limits: Limits, one: PreparedCase, *, alone: bool = False) -> Result:
        """The result of one case, in a fresh process."""
        with self.turn(alone):
            try:
                self.start([wanted], limits)
                return self.call(wanted, one)
            except PlayerError as error:
                return Result(error.kind, "", error.sentence, self.load_output, shortened(error.detail))
            finally:
                self.end()

    def call(self, wanted: Wanted, one: PreparedCase) -> Result:
        """The result of one call."""
        assert self.process is not None
        left = one.case.in_place
        try:
            value = self.process.call(wanted[0], one.encoded, "[]", bools=True, after=left)
        except PlayerError as error:
            return self.with_times(Result(error.kind, "", error.sentence, self.said(), shortened(error.detail)))
        if left and not is_answer(value, len(one.case.arguments)):
            return self.with_times(Result("protocol", "", "The file's process answered a question it wasn't asked."))
        answer = Answer(value[0], tuple(value[1])) if left else Answer(value, one.case.arguments)
        wrong = one.case.judge(answer)
        prints = self.said()
        if not wrong:
            return self.with_times(Result())
        got = returned(answer, left=left)
        if isinstance(one.case.judge, UnchangedJudge):
            changed = listed(changed_arguments(wanted, one.case, answer))
            got = returned(answer, left=False) + (f", and changed {changed}" if changed else "")
        return self.with_times(Result("wrong", wrong, got, prints))

    def with_times(self, result: Result) -> Result:
        """A result with the times that the call took."""
        assert self.process is not None
        cut_short = self.process.watch.cpu_seconds() if self.process.watch else 0.0
        return result._replace(cpu=max(self.process.slowest, cut_short), idle=self.process.idle_time.idled)

    def said(self) -> str:
        """What was printed since this was last called."""
        assert self.process is not None
        return shortened(self.process.said(), LONGEST_PRINTS)

    def end(self) -> None:
        """End the process with everything that it has started."""
        if self.process is not None:
            with suppress(OSError):
                self.seconds += self.process.cpu() / SECOND
            self.process.end()
            self.process = None


def note_changed_arguments(
    asker: Asker, plan: FunctionPlan, wanted: Wanted, pairs: list[tuple[PreparedCase, Result]]
) -> None:
    """Add to the first wrong result which arguments the function has changed, because that is often the mistake."""
    for place, (one, result) in enumerate(pairs):
        if result.kind == "wrong" and isinstance(one.case.judge, ValueJudge) and not one.case.judge.may_change:
            judge = partial(changes_in_words, wanted, one.case)
            again = asker.ask(wanted, plan.limits, one._replace(case=one.case._replace(judge=judge)))
            if again.kind == "wrong":
                pairs[place] = (one, result._replace(got=f"{result.got}, and changed {again.expected}"))
            return


def common_slip_note(sources: Sources, name: str, results: Sequence[Result]) -> str:
    """A note on a wrong function that is defined twice or has ``=+`` instead of ``+=``; empty for others."""
    content = sources.files[0][1]
    if not any(result.kind for result in results):
        return ""
    if times_defined(content, name) > 1:
        return f"{name} is defined more than once: only the last definition counts."
    sets = re.search(r"\w *=\+", function_bodies(content).get(name, ""))
    return f"{name} has =+, which sets a value: += adds to it." if sets else ""


def repeated_calls_note(
    asker: Asker, plan: FunctionPlan, wanted: Wanted, pairs: Sequence[tuple[PreparedCase, Result]]
) -> str:
    """A note on a function that is right in fresh processes, but not after other calls, or that changes its arguments.

    Hidden cases aren't shown here: Gradescope shows this at once.
    """
    judges = [one.case.judge for one, _ in pairs]
    may_change = any(not isinstance(judge, ValueJudge) or judge.may_change for judge in judges)
    right = [one for one, result in pairs if not result.kind and isinstance(one.case.judge, ValueJudge)]
    right = [one for one in right if one.case.right] or ([] if may_change else right)
    changed: dict[str, None] = {}

    def watched(case: Case, answer: Answer) -> str | None:
        changed.update(dict.fromkeys(changed_arguments(wanted, case, answer)))
        return case.judge(answer)

    with asker.turn(False), suppress(PlayerError):
        try:
            asker.start([wanted], plan.limits)
            for one in (right * 2)[:REPEATED_CALLS]:
                case = one.case if may_change else one.case._replace(judge=partial(watched, one.case))
                result = asker.call(wanted, one._replace(case=case))
                if result.kind == "wrong" and one.case.right:
                    return (
                        f"Called several times in a row, {plan.name} returns other values than when it is called once: "
                        "something outside the function, such as a global variable, keeps values from call to call."
                    )
        finally:
            asker.end()
    names = [change.partition(" ")[0] for change in changed]
    if not names:
        return ""
    what = listed(sorted(set(names)))
    return f"{plan.name} changes {what}: work on a copy, so that what the caller passed stays as it is."


def changed_arguments(wanted: Wanted, case: Case, answer: Answer) -> list[str]:
    """The arguments that a function has changed, with their new values."""
    each = zip(str(wanted[-1]).split(", "), case.arguments, answer.after, strict=False)
    return [f"{name} (now {shortened(repr(now), 200)})" for name, was, now in each if now != was and not callable(was)]


def changes_in_words(wanted: Wanted, case: Case, answer: Answer) -> str:
    """The arguments that a function has changed, in words; empty if it changed none."""
    changed = changed_arguments(wanted, case, answer)
    return listed(changed) if changed else ""


def is_answer(value: Any, arguments: int) -> bool:
    """Whether a reply has a value and this number of arguments; a process may send anything."""
    return type(value) is list and len(value) == 2 and type(value[1]) is list and len(value[1]) == arguments


def ask_function(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[PreparedCase]) -> FunctionOutcome:
    """Run all cases of one function."""
    hidden = sum(not one.published for one in cases)
    try:
        asker.check([wanted], plan.limits)
    except PlayerError as error:
        return FunctionOutcome(plan.name, 0, hidden, 0, len(cases) - hidden, error.sentence)
    order = sorted(range(len(cases)), key=lambda i: (len(cases[i].encoded), cases[i].encoded))
    results = run_cases(asker, plan, wanted, [cases[i] for i in order])
    pairs = [(cases[i], result) for i, result in sorted(zip(order, results, strict=False), key=lambda pair: pair[0])]
    note_changed_arguments(asker, plan, wanted, pairs)
    return FunctionOutcome(
        plan.name,
        sum(not result.kind for one, result in pairs if not one.published),
        hidden,
        sum(not result.kind for one, result in pairs if one.published),
        len(cases) - hidden,
        unasked_note(plan, len(cases) - len(results))
        or common_slip_note(asker.sources, plan.name, results)
        or repeated_calls_note(asker, plan, wanted, pairs),
        *failings(pairs),
        near_limit_note(plan, results),
    )


def run_cases(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[PreparedCase]) -> list[Result]:
    """The results of the cases, in order, until their total time is used up."""
    results: list[Result] = []
    used = 0.0
    for one in cases:
        if used >= plan.total:
            break
        results.append(asker.ask(wanted, plan.limits, one))
        if not one.published:  # at most the limit, so that a slower machine reaches as many cases
            used += min(results[-1].cpu, plan.seconds) + results[-1].idle
    used = 0.0
    for i, first in enumerate(results):
        if first.kind in OUT_OF_TIME and used < RETRY_SECONDS:
            alone = ask_alone(asker, plan, wanted, cases[i])
            late = alone.cpu > plan.seconds
            took = "was stopped after" if alone.kind in OUT_OF_TIME else "took"
            again = f"{first.got.removesuffix('.')}: run again alone, it {took} {alone.cpu:.2g} s."
            results[i] = first._replace(got=again) if late else alone
            results[i] = results[i]._replace(cpu=alone.cpu, again=True)
            if results[i].kind:  # a right one was slow only because others ran beside it
                used += alone.cpu + alone.idle
    return results


def ask_alone(asker: Asker, plan: FunctionPlan, wanted: Wanted, one: PreparedCase) -> Result:
    """The result of a case while nothing else runs; if it is only just late, the quickest of several tries."""
    longer = replace(plan.limits, call=NEAR_LIMIT_FACTOR * plan.seconds)
    best = asker.ask(wanted, longer, one, alone=True)
    for _ in range(TRIES - 1):
        if plan.seconds < best.cpu < CLOSE * plan.seconds:
            best = min(best, asker.ask(wanted, longer, one, alone=True), key=lambda result: result.cpu)
    return best


def unasked_note(plan: FunctionPlan, cases: int) -> str:
    """Why some cases were not run; empty if all were."""
    if not cases:
        return ""
    return f"{plan.name} used up the {plan.total:g} s for all its cases; not asked, and so wrong: {cases}."


def near_limit_note(plan: FunctionPlan, results: Sequence[Result]) -> str:
    """A note for the lecturer about times near the limit; empty if there were none."""
    low, high = plan.seconds / NEAR_LIMIT_FACTOR, plan.seconds * NEAR_LIMIT_FACTOR
    once = sum(result.kind in OUT_OF_TIME and not result.again for result in results)
    close = [one for one in results if low < one.cpu < high and (one.again or one.kind not in OUT_OF_TIME)]
    late = sum(one.kind in OUT_OF_TIME for one in close)
    notes = []
    if close:
        cases = f"{counted(len(close), 'case')}{f' ({late} of them out of time)' * bool(late)}"
        notes.append(f"{plan.name} took {low:g} to {high:g} s in {cases}; the limit is {plan.seconds:g} s.")
    if once:
        notes.append(
            f"{plan.name} was out of time in {counted(once, 'case')}: wrong, and not run again, because second runs had"
            f" used up their {RETRY_SECONDS:g} s."
        )
    return " ".join(notes)


def failings(pairs: Sequence[tuple[PreparedCase, Result]]) -> tuple[tuple[FailingCase, ...], tuple[str, ...]]:
    """The first failing case of each kind, with the number of that kind; and the edge cases of kinds beyond the limit.

    Wrong answers to one edge case are one kind; other failures are one kind if they are the same failure.
    """
    found: dict[tuple[str, str], list[tuple[PreparedCase, Result]]] = {}
    for one, result in pairs:
        if result.kind:
            what = one.case.edge_case if result.kind == "wrong" else result.got.partition(":")[0].removesuffix(".")
            found.setdefault((result.kind, what), []).append((one, result))
    kinds = list(found.values())
    rest = tuple(dict.fromkeys(group[0][0].case.edge_case for group in kinds[MAX_SHOWN_FAILURES:]))
    return tuple(failing(*group[0], len(group)) for group in kinds[:MAX_SHOWN_FAILURES]), rest


def failing(one: PreparedCase, result: Result, times: int) -> FailingCase:
    """A failing case in the form that its author sees."""
    case = one.case
    unanswered = case.judge(Answer(None, case.arguments)) or "it should return None"
    expected = result.expected or unanswered.removesuffix(", not None")
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
        one.published,
    )


def call_text(function: str, arguments: Sequence[Any]) -> str:
    """A call as Python."""
    return f"{function}({', '.join(argument_text(part) for part in arguments)})"


def argument_text(part: Any) -> str:
    """An argument as Python."""
    return part.__name__ if callable(part) else repr(part)


def returned(answer: Answer, *, left: bool) -> str:
    """What a function returned, and its arguments afterwards."""
    value = f"it returned {shortened(repr(answer.value))}"
    return f"{value}, and left its arguments as {shortened(repr(list(answer.after)))}" if left else value


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    text = clause[:1].upper() + clause[1:] if clause.startswith("it ") else clause
    return text if text.endswith((".", "!", "?")) else f"{text}."


def shortened(text: str, most: int = LONGEST_SHOWN) -> str:
    """A text cut to a readable length: its beginning and its end, in whole lines if there are several."""
    if len(text) <= most:
        return text
    head, tail = text[: most // 2], text[-most // 2 :]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    gone = len(text) - len(head) - len(tail)
    between = f"[... {gone} characters are left out here ...]"
    return f"{head.rstrip(chr(10))}\n{between}\n{tail}" if "\n" in text else f"{head} {between} {tail}"


def digest_of(assignment: Assignment, plan: Plan, seed: int, version: str) -> bytes:
    """Everything that a result depends on, except the submission, as bytes; weights don't matter."""
    asked_for = [(one.name, one.hidden, one.seconds) for one in plan.functions]
    return msgspec.json.encode([assignment.name, asked_for, plan.bonus, str(seed), version])


# One call of a submission, confined, as its author can repeat it at home.
#
# call        Python: a function of the assignment with plain values, such as ``score_hand([['hearts', 10]])``; a
#             function of Python's own may be passed by its name
# command     a line for a shell that makes the call


MAX_COMMAND = 7000
"""The most characters of a command line that every system's shell takes."""
NAMED = ("abs", "len", "max", "min", "sum", "sorted", "str", "int", "repr")
"""Functions of Python's own that may be arguments of a call."""


def parse_call(assignment: Assignment, text: str) -> Case:
    """A call as a case without a judge; NotationError unless it is a call of one of the assignment's functions."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            raise ValueError
        name, arguments = tree.func.id, tuple(argument(part) for part in tree.args)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        example = "write one such as score_hand([['hearts', 10]])"
        raise NotationError(f"{shown(text)} isn't a call of a function with plain values: {example}.") from None
    if name not in assignment.functions:
        raise NotationError(
            f"{assignment.name} has no function called {shown(name)}; there are: {', '.join(assignment.functions)}."
        )
    return Case(name, "", arguments, accept_anything)


def argument(part: ast.expr) -> Any:
    """An argument of a call: a plain value, or a function of Python's own."""
    if isinstance(part, ast.Name) and part.id in NAMED:
        return getattr(builtins, part.id)
    return ast.literal_eval(part)


def accept_anything(answer: Answer) -> str:
    """A judge that accepts any answer."""
    return repr(list(answer.after))


class CallResult(NamedTuple):
    """The result of a call: the value or the failure, the arguments if the function changed them, and the output."""

    ok: bool
    got: str
    after: str
    prints: str
    detail: str


def make_call(assignment: Assignment, sources: Sources, plan: Plan, call: Case) -> CallResult:
    """Make one call."""
    function = next(one for one in plan.functions if one.name == call.function)
    wanted = wanted_of(assignment, call.function)
    result = Asker(sources).ask(wanted, function.limits, PreparedCase(call, encoded_arguments(call), published=False))
    before = repr([None if callable(part) else part for part in call.arguments])
    ok = result.kind == "wrong"
    after = result.expected if ok and result.expected != before else ""
    got = result.got.removesuffix(f", and left its arguments as {shortened(result.expected)}")
    return CallResult(ok, sentence(got), after, result.prints, result.detail)


def command(assignment: str, file: str, call: str, plan: FunctionPlan) -> str:
    """A command line that makes a call of a file's function; empty if it would be too long for a shell."""
    allowed = [] if plan.seconds == usual_seconds(plan.name) else [f"--seconds {plan.seconds:g}"]
    line = " ".join(["kibitz mark", assignment, quoted(file), *allowed, "--call", quoted(call)])
    return line if len(line) <= MAX_COMMAND else ""
