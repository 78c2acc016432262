"""The results of marking: raw results, which are saved and used again for equal files, and marks.

failing     the first case of a kind that went wrong, with everything that the student needs to see
outcome     the results of all cases of one function
result      the outcomes of one submission; ``why`` says why a submission could not be run at all
marks       what the outcomes earn by a plan
"""

from __future__ import annotations

import msgspec

from kibitz.marking.assignments import FunctionPlan, Plan


class FailingCase(msgspec.Struct, frozen=True):
    """The first case of a kind that went wrong; ``times`` counts all cases that went wrong in this way.

    ``corner`` is the edge case, ``kind`` is "wrong" or the kind of a PlayerError, ``call`` is Python, ``expected`` and
    ``got`` are sentences, ``right`` is a right answer if there is one to show, and ``detail`` is a traceback.
    """

    corner: str
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
    """All cases of one function; ``why`` says why cases were not run, or notes a mistake."""

    name: str
    right: int
    cases: int
    shown_right: int
    shown: int
    """Published cases, which are reported but not marked."""
    why: str = ""
    failings: tuple[FailingCase, ...] = ()
    more: tuple[str, ...] = ()
    """Edge cases of further failures, which aren't in ``failings``."""
    near: str = ""
    """A note for the lecturer on cases that took almost as long as allowed."""


class SubmissionResult(msgspec.Struct, frozen=True):
    """The results of one submission."""

    outcomes: tuple[FunctionOutcome, ...] = ()
    why: str = ""
    detail: str = ""
    prints: str = ""
    """What the files printed while they were loaded."""
    seconds: float = 0.0
    """CPU time of all calls, which differs from one run to the next."""


class Mark(msgspec.Struct, frozen=True):
    """The marks that one function has earned, and the most that it can earn (``worth``)."""

    name: str
    earned: float
    worth: float
    right: int
    cases: int
    why: str


def marks(plan: Plan, result: SubmissionResult) -> tuple[Mark, ...]:
    """The marks of every function of a plan."""
    outcomes = {outcome.name: outcome for outcome in result.outcomes}
    return tuple(one_mark(plan, function, outcomes.get(function.name), result.why) for function in plan.functions)


def one_mark(plan: Plan, function: FunctionPlan, outcome: FunctionOutcome | None, why: str) -> Mark:
    """The marks of one function; without an outcome it was not run, and has earned nothing."""
    worth = plan.worth(function.name)
    if outcome is None:
        return Mark(function.name, 0.0, worth, 0, function.hidden, why)
    share = outcome.right / outcome.cases
    if not function.partial:
        share = float(outcome.right == outcome.cases)
    return Mark(function.name, worth * share, worth, outcome.right, outcome.cases, outcome.why)


def total(plan: Plan, result: SubmissionResult) -> float:
    """The mark of a submission, rounded to the two decimals that platforms accept."""
    return round(sum(mark.earned for mark in marks(plan, result)), 2)
