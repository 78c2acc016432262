"""Runs a submission: every case of every function, each in a confined process of its own.

    alone       while no other case runs: CPU time grows when processors are shared, so a case that timed out is
                repeated alone, and only that result counts
    near        a case that took between half and twice its time limit; the least time of several tries counts, since
                one that is only just late is late by chance

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
from kibitz.marking.cases.case import Answer, Case, OfValue
from kibitz.marking.results import Failing, FunctionOutcome, Marked
from kibitz.players.calls import quoted
from kibitz.players.files.sources import Sources, function_bodies, times_defined
from kibitz.players.isolation import wire
from kibitz.players.isolation.child import BLANK, EMPTY, Wanted
from kibitz.players.isolation.confined_process import SECOND, PlayerProcess
from kibitz.players.limits import Limits

OUT_OF_TIME = ("time", "idle")
NEAR_LIMIT_FACTOR = 2
"""A case is near the limit within this factor."""
CLOSE, TRIES = 1.25, 3
"""A case that is late by less than this factor is tried this often, alone."""
LONGEST_SHOWN, LONGEST_PRINTS = 2000, 600
"""Characters of a value or a traceback in a report, and of prints."""
MAX_SHOWN_FAILURES = 8
"""Failing cases of one function that are shown; for the others, only their edge cases are named."""
REPEATED_CALLS = 6
"""Calls that are made in one process to see whether a function keeps values between them."""

Stopped = Callable[[], bool]
Turn = Callable[[bool], AbstractContextManager[object]]
"""Waits until a case may run, either beside others or (if its argument is true) alone."""


class StoppedError(Exception):
    """The marking must stop."""


class Ready(NamedTuple):
    """A case with its arguments as they are sent."""

    case: Case
    sent: str
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
def ready(name: str, function: str, hidden: int, seed: int, bonus: bool) -> tuple[Ready, ...]:
    """The published cases of a function, and its hidden ones."""
    found = assignment(name)
    shown = tuple(case for case in found.published if case.function == function)
    drawn = found.hidden(function, hidden, seed, bonus=bonus)
    return tuple(Ready(case, sent(case), i < len(shown)) for i, case in enumerate((*shown, *drawn)))


def sent(case: Case) -> str:
    """The arguments of a case as they are sent; Python's own functions are sent by name."""
    return wire.packed(wire.interned([part.__name__.encode() if callable(part) else part for part in case.arguments]))


def at_once(_alone: bool) -> AbstractContextManager[object]:
    """The turn of a case when nothing else runs: at once."""
    return nullcontext()


def marked(
    found: Assignment,
    sources: Sources,
    plan: Plan,
    seed: int,
    stopped: Stopped = lambda: False,
    turn: Turn = at_once,
) -> Marked:
    """Run everything on a submission; StoppedError once ``stopped`` says so, MachineError if this machine fails."""
    if not sources.files[0][1].strip(BLANK):
        return Marked((), f"{EMPTY}.")
    asker = Asker(sources, stopped, turn)
    try:
        asker.check((), plan.functions[0].limits)
    except PlayerError as error:
        return Marked(
            (), error.sentence, shortened(error.detail), shortened(asker.heard, LONGEST_PRINTS), asker.seconds
        )
    prints = asker.heard
    outcomes = tuple(
        ask_function(
            asker,
            function,
            wanted_of(found, function.name),
            ready(found.name, function.name, function.hidden, seed, plan.bonus),
        )
        for function in plan.functions
    )
    return Marked(outcomes, "", "", shortened(prints, LONGEST_PRINTS), round(asker.seconds, 3))


def wanted_of(found: Assignment, name: str) -> Wanted:
    """The most arguments that a function is called with, and their names."""
    signature = next(one for one in found.signatures if one.name == name)
    return name, len(signature.parameters), ", ".join(parameter.name for parameter in signature.parameters)


class Asker:
    """Calls one submission's functions; has one process at most."""

    def __init__(self, sources: Sources, stopped: Stopped = lambda: False, turn: Turn = at_once) -> None:
        self.sources, self.stopped, self.turn = sources, stopped, turn
        self.process: PlayerProcess | None = None
        self.seconds, self.heard = 0.0, ""
        """CPU time of processes that have ended, and what the last one has printed while it was loaded."""

    def start(self, wanted: Sequence[Wanted], limits: Limits) -> None:
        """Start a process that has loaded the files; PlayerError if it can't load them."""
        if self.stopped():
            raise StoppedError
        self.process = PlayerProcess(limits)
        try:
            self.process.load(self.sources.main, self.sources, wanted, 0)
        finally:
            self.heard = self.process.said()

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

    def ask(self, wanted: Wanted, limits: Limits, one: Ready, *, alone: bool = False) -> Result:
        """The result of one case, in a fresh process."""
        with self.turn(alone):
            try:
                self.start([wanted], limits)
                return self.call(wanted[0], one)
            except PlayerError as error:
                return Result(error.kind, "", error.sentence, self.heard, shortened(error.detail))
            finally:
                self.end()

    def call(self, name: str, one: Ready) -> Result:
        """The result of one call."""
        assert self.process is not None
        left = one.case.in_place
        try:
            value = self.process.call(name, one.sent, "[]", bools=True, after=left)
        except PlayerError as error:
            return self.taken(Result(error.kind, "", error.sentence, self.said(), shortened(error.detail)))
        if left and not is_answer(value, len(one.case.arguments)):
            return self.taken(Result("protocol", "", "The file's process answered a question it wasn't asked."))
        answer = Answer(value[0], tuple(value[1])) if left else Answer(value, one.case.arguments)
        wrong = one.case.judge(answer)
        prints = self.said()
        return self.taken(Result("wrong", wrong, returned(answer, left=left), prints) if wrong else Result())

    def taken(self, result: Result) -> Result:
        """A result with the time that the call took."""
        assert self.process is not None
        cut_short = self.process.watch.cpu_seconds() if self.process.watch else 0.0
        return result._replace(cpu=max(self.process.slowest, cut_short), idle=self.process.idle_time.idled)

    def said(self) -> str:
        """What was printed since the last call of this."""
        assert self.process is not None
        return shortened(self.process.said(), LONGEST_PRINTS)

    def end(self) -> None:
        """End the process with everything that it has started."""
        if self.process is not None:
            with suppress(OSError):
                self.seconds += self.process.cpu() / SECOND
            self.process.end()
            self.process = None


def say_what_it_changed(asker: Asker, plan: FunctionPlan, wanted: Wanted, told: list[tuple[Ready, Result]]) -> None:
    """Add to the first wrong answer which arguments the function has changed, since that is often the mistake."""
    for place, (one, result) in enumerate(told):
        if result.kind == "wrong" and isinstance(one.case.judge, OfValue) and not one.case.judge.may_change:
            judge = partial(changes, str(wanted[-1]).split(", "), one.case)
            again = asker.ask(wanted, plan.limits, one._replace(case=one.case._replace(judge=judge)))
            if again.kind == "wrong":
                told[place] = (one, result._replace(got=f"{result.got}, and changed {again.expected}"))
            return


def slip(sources: Sources, name: str, results: Sequence[Result]) -> str:
    """A note on a wrong function that is defined more than once or has ``=+`` for ``+=``; empty for any other."""
    content = sources.files[0][1]
    if not any(result.kind for result in results):
        return ""
    if times_defined(content, name) > 1:
        return f"{name} is defined more than once: only the last definition counts."
    sets = re.search(r"\w *=\+", function_bodies(content).get(name, ""))
    return f"{name} has =+, which sets a value: += adds to it." if sets else ""


def kept_values(asker: Asker, plan: FunctionPlan, wanted: Wanted, told: Sequence[tuple[Ready, Result]]) -> str:
    """A note on a function that is right in fresh processes, but not after other calls; empty if it is right there."""
    right = [one for one, result in told if not result.kind and one.case.right and not one.case.in_place]
    with asker.turn(False), suppress(PlayerError):
        try:
            asker.start([wanted], plan.limits)
            for one in (right * 2)[:REPEATED_CALLS]:
                result = asker.call(plan.name, one)
                if result.kind == "wrong":  # hidden cases aren't shown here: Gradescope shows this at once
                    return (
                        f"Called several times in a row, {plan.name} returns other values than when it is called once: "
                        "something outside the function, such as a global variable, keeps values from call to call."
                    )
        finally:
            asker.end()
    return ""


def changes(names: Sequence[str], case: Case, answer: Answer) -> str:
    """The arguments that a function has changed, and what they are now; empty if there are none."""
    each = zip(names, case.arguments, answer.after, strict=False)
    now = [f"{name} (now {shortened(repr(now), 200)})" for name, was, now in each if now != was and not callable(was)]
    return listed(now) if now else ""


def is_answer(value: Any, arguments: int) -> bool:
    """Whether a reply has a value and this number of arguments; a process may send anything."""
    return type(value) is list and len(value) == 2 and type(value[1]) is list and len(value[1]) == arguments


def ask_function(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[Ready]) -> FunctionOutcome:
    """Run all cases of one function."""
    hidden = sum(not one.published for one in cases)
    try:
        asker.check([wanted], plan.limits)
    except PlayerError as error:
        return FunctionOutcome(plan.name, 0, hidden, 0, len(cases) - hidden, error.sentence)
    order = sorted(range(len(cases)), key=lambda i: (len(cases[i].sent), cases[i].sent))
    results = answers(asker, plan, wanted, [cases[i] for i in order])
    told = [(cases[i], result) for i, result in sorted(zip(order, results, strict=False), key=lambda pair: pair[0])]
    say_what_it_changed(asker, plan, wanted, told)
    return FunctionOutcome(
        plan.name,
        sum(not result.kind for one, result in told if not one.published),
        hidden,
        sum(not result.kind for one, result in told if one.published),
        len(cases) - hidden,
        unasked(plan, len(cases) - len(results))
        or slip(asker.sources, plan.name, results)
        or kept_values(asker, plan, wanted, told),
        *failings(told),
        near_limit_note(plan, results),
    )


def answers(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[Ready]) -> list[Result]:
    """The results of the cases, in their order, until their total time is used up."""
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
            if results[i].kind:  # one that is right took its time only because others ran beside it
                used += alone.cpu + alone.idle
    return results


def ask_alone(asker: Asker, plan: FunctionPlan, wanted: Wanted, one: Ready) -> Result:
    """The result of a case while nothing else runs: the quickest of several, if the first is only just late."""
    longer = replace(plan.limits, call=NEAR_LIMIT_FACTOR * plan.seconds)
    best = asker.ask(wanted, longer, one, alone=True)
    for _ in range(TRIES - 1):
        if plan.seconds < best.cpu < CLOSE * plan.seconds:
            best = min(best, asker.ask(wanted, longer, one, alone=True), key=lambda result: result.cpu)
    return best


def unasked(plan: FunctionPlan, cases: int) -> str:
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
    told = []
    if close:
        cases = f"{counted(len(close), 'case')}{f' ({late} of them out of time)' * bool(late)}"
        told.append(f"{plan.name} took {low:g} to {high:g} s in {cases}; the limit is {plan.seconds:g} s.")
    if once:
        told.append(
            f"{plan.name} was out of time in {counted(once, 'case')} that had no second try within {RETRY_SECONDS:g} s."
        )
    return " ".join(told)


def failings(told: Sequence[tuple[Ready, Result]]) -> tuple[tuple[Failing, ...], tuple[str, ...]]:
    """The first failing case of each kind, with how many there are; and the edge cases of kinds that are too many.

    Wrong answers of one edge case are one kind; other failures are one kind if they are the same failure.
    """
    found: dict[tuple[str, str], list[tuple[Ready, Result]]] = {}
    for one, result in told:
        if result.kind:
            same = one.case.edge_case if result.kind == "wrong" else result.got.partition(":")[0].removesuffix(".")
            found.setdefault((result.kind, same), []).append((one, result))
    kinds = list(found.values())
    rest = tuple(dict.fromkeys(those[0][0].case.edge_case for those in kinds[MAX_SHOWN_FAILURES:]))
    return tuple(failing(*those[0], len(those)) for those in kinds[:MAX_SHOWN_FAILURES]), rest


def failing(one: Ready, result: Result, times: int) -> Failing:
    """A failing case in the form that its author sees."""
    case = one.case
    unanswered = case.judge(Answer(None, case.arguments)) or "it should return None"
    expected = result.expected or unanswered.removesuffix(", not None")
    return Failing(
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


def digest_of(found: Assignment, plan: Plan, seed: int, version: str) -> bytes:
    """Everything except the submission that a result depends on, as bytes; weights don't matter."""
    asked_for = [(one.name, one.hidden, one.seconds) for one in plan.functions]
    return msgspec.json.encode([found.name, asked_for, plan.bonus, str(seed), version])


# One call of a submission, confined, as its author can repeat it at home.
#
# call        Python: a function of the assignment with plain values, such as ``score_hand([['hearts', 10]])``; a
#             function of Python's own may be passed by its name
# command     a line for a shell that makes it


MAX_COMMAND = 7000
"""The most characters of a command line that every system's shell takes."""
NAMED = ("abs", "len", "max", "min", "sum", "sorted", "str", "int", "repr")
"""Functions of Python's own that may be arguments of a call."""


def parse_call(found: Assignment, text: str) -> Case:
    """A call as a case without a judge; NotationError unless it is a call of one of the assignment's functions."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            raise ValueError
        name, arguments = tree.func.id, tuple(argument(part) for part in tree.args)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        example = "write one such as score_hand([['hearts', 10]])"
        raise NotationError(f"{shown(text)} isn't a call of a function with plain values: {example}.") from None
    if name not in found.functions:
        raise NotationError(
            f"{found.name} has no function called {shown(name)}; there are: {', '.join(found.functions)}."
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


class Tried(NamedTuple):
    """The result of a call: the value or the failure, the arguments if the function changed them, and the output."""

    ok: bool
    got: str
    after: str
    prints: str
    detail: str


def make_call(found: Assignment, sources: Sources, plan: Plan, call: Case) -> Tried:
    """Make one call."""
    function = next(one for one in plan.functions if one.name == call.function)
    wanted = wanted_of(found, call.function)
    result = Asker(sources).ask(wanted, function.limits, Ready(call, sent(call), published=False))
    before = repr([None if callable(part) else part for part in call.arguments])
    ok = result.kind == "wrong"
    after = result.expected if ok and result.expected != before else ""
    got = result.got.removesuffix(f", and left its arguments as {shortened(result.expected)}")
    return Tried(ok, sentence(got), after, result.prints, result.detail)


def command(assignment: str, file: str, call: str, plan: FunctionPlan) -> str:
    """A command line that makes a call of a file's function; empty if it would be too long for a shell."""
    allowed = [] if plan.seconds == usual_seconds(plan.name) else [f"--seconds {plan.seconds:g}"]
    found = " ".join(["kibitz mark", assignment, quoted(file), *allowed, "--call", quoted(call)])
    return found if len(found) <= MAX_COMMAND else ""
