"""One call of a submission, confined, as its author can make it at home.

call        Python: a function of the assignment with plain values, such as ``score_hand([['hearts', 10]])``; a
            function of Python's own may be passed by its name
command     a line for a shell that makes it
"""

from __future__ import annotations

import ast
import builtins
from typing import Any, NamedTuple

from kibitz.cards import shown
from kibitz.errors import NotationError
from kibitz.marking.asking import Asker, Ready, cut, sent, sentence, wanted_of
from kibitz.marking.assignments import Assignment, FunctionPlan, Plan, usual_seconds
from kibitz.marking.cases.case import Answer, Case
from kibitz.players.calls import quoted
from kibitz.players.sources import Sources

LONGEST = 7000
"""Characters of a command line that every system's shell takes."""
NAMED = ("abs", "len", "max", "min", "sum", "sorted", "str", "int", "repr")
"""Functions of Python's own that a call may pass on."""


def parse_call(found: Assignment, text: str) -> Case:
    """A call as a case without a judge; NotationError if it is none, or of no function of the assignment."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            raise ValueError
        name, arguments = tree.func.id, tuple(argument(part) for part in tree.args)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        example = "write one such as score_hand([['hearts', 10]])"
        raise NotationError(f"{shown(text)} is no call of a function with plain values: {example}.") from None
    if name not in found.functions:
        raise NotationError(
            f"{found.name} has no function called {shown(name)}; there are: {', '.join(found.functions)}."
        )
    return Case(name, "", arguments, anything)


def argument(part: ast.expr) -> Any:
    """An argument of a call: a plain value, or a function of Python's own."""
    if isinstance(part, ast.Name) and part.id in NAMED:
        return getattr(builtins, part.id)
    return ast.literal_eval(part)


def anything(answer: Answer) -> str:
    """A judge that has everything told."""
    return repr(list(answer.after))


class Tried(NamedTuple):
    """What came of a call: what it returned or why it failed, its arguments if it has changed them, and the rest."""

    ok: bool
    got: str
    after: str
    prints: str
    detail: str


def tried(found: Assignment, sources: Sources, plan: Plan, call: Case) -> Tried:
    """Make one call."""
    function = next(one for one in plan.functions if one.name == call.function)
    wanted = wanted_of(found, call.function)
    result = Asker(sources).ask(wanted, function.limits, Ready(call, sent(call), published=False))
    before = repr([None if callable(part) else part for part in call.arguments])
    ok = result.kind == "wrong"
    after = result.expected if ok and result.expected != before else ""
    got = result.got.removesuffix(f", and left its arguments as {cut(result.expected)}")
    return Tried(ok, sentence(got), after, result.prints, result.detail)


def command(assignment: str, file: str, call: str, plan: FunctionPlan) -> str:
    """A command line that makes a call of a file's function; empty if it would be too long for a shell."""
    allowed = [] if plan.seconds == usual_seconds(plan.name) else [f"--seconds {plan.seconds:g}"]
    found = " ".join(["kibitz mark", assignment, quoted(file), *allowed, "--call", quoted(call)])
    return found if len(found) <= LONGEST else ""
