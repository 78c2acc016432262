"""Asking one submission: every case of every function, each function in confined processes of its own.

    lasting     a process goes on after a call that has raised something, and is replaced after one that has ended it
    given up    a function that has been out of time, or has ended its process, too often is not asked again, and all
                cases that are left are wrong

Only a function's name and arguments ever go to a process; what would be right stays here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from kibitz.errors import PlayerError
from kibitz.marking.assignments import Assignment, assignment
from kibitz.marking.cases.case import Answer, Case
from kibitz.marking.plan import BANK, FunctionPlan, Plan
from kibitz.marking.results import Failing, FunctionOutcome, Marked
from kibitz.players import wire
from kibitz.players.child import Wanted
from kibitz.players.clocks import SECOND
from kibitz.players.limits import Limits
from kibitz.players.process import PlayerProcess
from kibitz.players.sources import Sources

OF_A_GAME = "that a player has for a game"
"""In a sentence about time that is used up, what is not so here."""
OUT_OF_TIME = ("time", "idle")
MOST_OUT_OF_TIME, MOST_ENDS = 3, 10
LONGEST_SHOWN, LONGEST_PRINTS = 2000, 600
"""Characters of a value or a traceback in a report, and of prints."""
ENOUGH = 8
"""Failing cases of one function that are shown; of all others only their corners are named."""

Stopped = Callable[[], bool]


class StoppedError(Exception):
    """The marking is to come to its end."""


class Ready(NamedTuple):
    """A case with its arguments as they are sent."""

    case: Case
    sent: str
    published: bool


class Result(NamedTuple):
    """What came of a case: nothing wrong if ``kind`` is empty."""

    kind: str = ""
    expected: str = ""
    got: str = ""
    prints: str = ""
    detail: str = ""


@lru_cache(maxsize=64)
def ready(name: str, function: str, hidden: int, seed: int) -> tuple[Ready, ...]:
    """The published cases of a function, and its hidden ones."""
    found = assignment(name)
    shown = tuple(case for case in found.published if case.function == function)
    drawn = found.hidden(function, hidden, seed)
    return tuple(Ready(case, sent(case), i < len(shown)) for i, case in enumerate((*shown, *drawn)))


def sent(case: Case) -> str:
    """The arguments of a case as they are sent; functions of Python's own go by their names."""
    return wire.packed(wire.interned([part.__name__.encode() if callable(part) else part for part in case.arguments]))


def marked(found: Assignment, sources: Sources, plan: Plan, seed: int, stopped: Stopped = lambda: False) -> Marked:
    """Ask a submission everything; StoppedError once ``stopped`` says so, MachineError if this machine fails."""
    asker = Asker(sources, stopped)
    try:
        asker.start((), plan.functions[0].limits)
    except PlayerError as error:
        return Marked((), error.sentence, cut(error.detail), cut(asker.heard, LONGEST_PRINTS), asker.seconds)
    finally:
        asker.end()
    prints = asker.heard
    outcomes = tuple(
        asked(asker, function, wanted_of(found, function.name), ready(found.name, function.name, function.hidden, seed))
        for function in plan.functions
    )
    return Marked(outcomes, "", "", cut(prints, LONGEST_PRINTS), round(asker.seconds, 3))


def wanted_of(found: Assignment, name: str) -> Wanted:
    """A function with the most arguments that it is given, and their names."""
    signature = next(one for one in found.signatures if one.name == name)
    return name, len(signature.parameters), ", ".join(parameter.name for parameter in signature.parameters)


class Asker:
    """Asks one submission's functions; has one process at most."""

    def __init__(self, sources: Sources, stopped: Stopped) -> None:
        self.sources, self.stopped = sources, stopped
        self.process: PlayerProcess | None = None
        self.seconds, self.heard = 0.0, ""
        """CPU time of processes that have ended, and what the last one has printed while it was loaded."""

    def start(self, wanted: Sequence[Wanted], limits: Limits) -> None:
        """A fresh process that has loaded the files; PlayerError if it cannot."""
        if self.stopped():
            raise StoppedError
        self.end()
        self.process = PlayerProcess(limits, lasting=True)
        try:
            self.process.load(self.sources.main, self.sources, wanted, 0)
        finally:
            self.heard = self.process.said()

    def call(self, name: str, one: Ready) -> Result:
        """What comes of one case."""
        assert self.process is not None
        left = one.case.in_place
        try:
            value = self.process.call(name, one.sent, "[]", bools=True, after=left)
        except PlayerError as error:
            told = error.sentence.replace(OF_A_GAME, "for all its cases")
            return Result(error.kind, "", told, self.said(), cut(error.detail))
        if left and not is_answer(value, len(one.case.arguments)):
            self.end()
            return Result("protocol", "", "The file's process answered something that it was not asked.")
        answer = Answer(value[0], tuple(value[1])) if left else Answer(value, one.case.arguments)
        wrong = one.case.judge(answer)
        prints = self.said()
        return Result("wrong", wrong, returned(answer, left=left), prints) if wrong else Result()

    def said(self) -> str:
        """What was printed since this was last asked."""
        assert self.process is not None
        return cut(self.process.said(), LONGEST_PRINTS)

    def ended(self) -> bool:
        """Whether the process is gone."""
        return self.process is None or self.process.status is not None

    def spent(self) -> float:
        """CPU time so far."""
        if self.process is None:
            return self.seconds
        return self.seconds + self.process.cpu() / SECOND

    def end(self) -> None:
        """End the process with everything that it has started."""
        if self.process is not None:
            with suppress(OSError):
                self.seconds += self.process.cpu() / SECOND
            self.process.end()
            self.process = None


def is_answer(value: Any, arguments: int) -> bool:
    """Whether a reply has a value and so many arguments; a process may send anything."""
    return type(value) is list and len(value) == 2 and type(value[1]) is list and len(value[1]) == arguments


def asked(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[Ready]) -> FunctionOutcome:
    """All cases of one function."""
    hidden = sum(not one.published for one in cases)
    try:
        asker.start([wanted], plan.limits)
        results, why = answers(asker, plan, wanted, cases)
    except PlayerError as error:
        return FunctionOutcome(plan.name, 0, hidden, 0, len(cases) - hidden, error.sentence)
    finally:
        asker.end()
    told = list(zip(cases, results, strict=False))
    return FunctionOutcome(
        plan.name,
        sum(not result.kind for one, result in told if not one.published),
        hidden,
        sum(not result.kind for one, result in told if one.published),
        len(cases) - hidden,
        why,
        *failings(told),
    )


def answers(asker: Asker, plan: FunctionPlan, wanted: Wanted, cases: Sequence[Ready]) -> tuple[list[Result], str]:
    """What comes of the cases, one after the other, and why the rest was not asked."""
    results: list[Result] = []
    begun, late, ends = asker.spent(), 0, 0
    for one in cases:
        if asker.stopped():
            raise StoppedError
        if asker.ended():
            left = BANK - (asker.spent() - begun)
            if why := given_up(plan, late, ends, left, len(cases) - len(results)):
                return results, why
            asker.start([wanted], replace(plan.limits, bank=left))
        results.append(asker.call(plan.name, one))
        late += results[-1].kind in OUT_OF_TIME
        ends += asker.ended()
    return results, ""


def given_up(plan: FunctionPlan, late: int, ends: int, left: float, cases: int) -> str:
    """Why a function is not asked again; empty if it is."""
    rest = (
        f"so it was not asked the other {cases} cases, which count as wrong."
        if cases > 1
        else ("so it was not asked the last case, which counts as wrong.")
    )
    if late >= MOST_OUT_OF_TIME:
        return f"{plan.name} was out of time in {late} cases, {rest}"
    if left <= 0:
        return f"{plan.name} used up the {BANK:g} s of CPU time for all its cases, {rest}"
    if ends >= MOST_ENDS:
        return f"{plan.name} ended its process {ends} times, {rest}"
    return ""


def failings(told: Sequence[tuple[Ready, Result]]) -> tuple[tuple[Failing, ...], tuple[str, ...]]:
    """The first failing case of each kind, with how many there are; and the corners of kinds that are too many.

    Wrong answers are of one kind in one corner, other failures where the same has happened in any.
    """
    found: dict[tuple[str, str], list[tuple[Ready, Result]]] = {}
    for one, result in told:
        if result.kind:
            same = one.case.corner if result.kind == "wrong" else result.got.partition(":")[0]
            found.setdefault((result.kind, same), []).append((one, result))
    kinds = list(found.values())
    rest = tuple(dict.fromkeys(those[0][0].case.corner for those in kinds[ENOUGH:]))
    return tuple(failing(*those[0], len(those)) for those in kinds[:ENOUGH]), rest


def failing(one: Ready, result: Result, times: int) -> Failing:
    """A case that went wrong, as its author should see it."""
    case = one.case
    unanswered = case.judge(Answer(None, case.arguments)) or "it should return None"
    expected = result.expected or unanswered.removesuffix(", not None")
    return Failing(
        case.corner,
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
    return f"{function}({', '.join(written(part) for part in arguments)})"


def written(part: Any) -> str:
    """An argument as Python."""
    return part.__name__ if callable(part) else repr(part)


def returned(answer: Answer, *, left: bool) -> str:
    """What a function has returned, and what it has left of its arguments."""
    value = f"it returned {cut(repr(answer.value))}"
    return f"{value}, and left its arguments as {cut(repr(list(answer.after)))}" if left else value


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    text = clause[:1].upper() + clause[1:] if clause.startswith("it ") else clause
    return text if text.endswith((".", "!", "?")) else f"{text}."


def cut(text: str, most: int = LONGEST_SHOWN) -> str:
    """A text of readable length: its beginning and its end, in whole lines where it has several."""
    if len(text) <= most:
        return text
    head, tail = text[: most // 2], text[-most // 2 :]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    gone = len(text) - len(head) - len(tail)
    between = f"[... {gone} characters are left out here ...]"
    return f"{head.rstrip(chr(10))}\n{between}\n{tail}" if "\n" in text else f"{head} {between} {tail}"


def digest_of(found: Assignment, plan: Plan, seed: int, version: str) -> bytes:
    """What a result depends on besides the submission, as bytes; weights are none of it."""
    asked_for = [(one.name, one.hidden, one.seconds) for one in plan.functions]
    return msgspec.json.encode([found.name, asked_for, str(seed), version])
