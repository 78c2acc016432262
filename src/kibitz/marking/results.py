"""The results of marking: raw results, which are saved and reused for identical files, and marks.

failing case    the first failing case of a kind, with everything that the student needs to see
outcome     the results of all cases of one function
result      the outcomes of one submission; ``why`` says why a submission could not be run at all
marks       what the outcomes earn by a plan
"""

from __future__ import annotations

import msgspec

from kibitz.marking.assignments import FunctionPlan, Plan


class FailingCase(msgspec.Struct, frozen=True):
    """The first failing case of a kind; ``times`` is the number of cases that fail in the same way.

    ``kind`` is "wrong" or the kind of a PlayerError, ``call`` is Python, ``expected`` and ``got`` are sentences,
    ``right`` is a right answer as text (empty if there is none to show), ``prints`` is what the call printed, and
    ``detail`` is a traceback.
    """

    edge_case: str = msgspec.field(name="corner")
    kind: str
    call: str
    expected: str
    got: str
    right: str = ""
    prints: str = ""
    detail: str = ""
    times: int = 1
    published: bool = False


class FunctionOutcome(msgspec.Struct, frozen=True):
    """The results of a function's cases: how many of its hidden cases are ``right``, and the same for published ones.

    ``why`` says why cases were not run, or notes a common mistake. Saved results have other names for some fields.
    """

    name: str
    right: int
    cases: int
    """The number of hidden cases."""
    published_right: int = msgspec.field(name="shown_right")
    published: int = msgspec.field(name="shown")
    """The number of published cases, which are reported but earn nothing."""
    why: str = ""
    failing_cases: tuple[FailingCase, ...] = msgspec.field(default=(), name="failings")
    unshown_edge_cases: tuple[str, ...] = msgspec.field(default=(), name="more")
    """The edge cases of further failures, which aren't in ``failing_cases``."""
    near_limit_note: str = msgspec.field(default="", name="near")
    """A note for the lecturer on cases whose time was near the limit."""


class SubmissionResult(msgspec.Struct, frozen=True):
    """The results of one submission; ``why`` says why it could not be run, and ``detail`` is the traceback."""

    outcomes: tuple[FunctionOutcome, ...] = ()
    why: str = ""
    detail: str = ""
    prints: str = ""
    """What the files printed while they were loaded."""
    seconds: float = 0.0
    """CPU seconds of all processes, which differ from run to run."""


class Mark(msgspec.Struct, frozen=True):
    """The marks that one function has earned, and the most that it can earn (``worth``), both to two decimals."""

    name: str
    earned: float
    worth: float
    right: int
    cases: int
    why: str


def marks(plan: Plan, result: SubmissionResult) -> tuple[Mark, ...]:
    """The marks of every function of a plan."""
    outcomes = {outcome.name: outcome for outcome in result.outcomes}
    return tuple(mark_of(plan, function, outcomes.get(function.name), result.why) for function in plan.functions)


def mark_of(plan: Plan, function: FunctionPlan, outcome: FunctionOutcome | None, why: str) -> Mark:
    """The marks of one function; without an outcome it was not run, and has earned nothing."""
    worth = plan.worth(function.name)
    if outcome is None:
        return Mark(function.name, 0.0, worth, 0, function.hidden, why)
    share = outcome.right / outcome.cases
    if not function.partial:
        share = float(outcome.right == outcome.cases)
    return Mark(function.name, round(worth * share, 2), worth, outcome.right, outcome.cases, outcome.why)


def total(plan: Plan, result: SubmissionResult) -> float:
    """The mark of a submission: the sum of its functions' marks, which have the two decimals that platforms accept."""
    return round(sum(mark.earned for mark in marks(plan, result)), 2)
