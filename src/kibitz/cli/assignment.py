"""``kibitz assignment``: what a lecturer hands out, as three files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter as Option

from kibitz.cli.files import ready, write
from kibitz.cli.options import Force
from kibitz.cli.screen import Screen
from kibitz.errors import KibitzError, cause

if TYPE_CHECKING:
    from kibitz.engine.value_types import Parameter
    from kibitz.marking.assignments import Assignment

STATEMENT, TESTS = "statement.md", "test_public.py"


def assignment(
    assignment: Annotated[str, Option(help="An assignment: go, bo, huxxy, cribbage-lab or poker.")],
    /,
    *,
    output: Annotated[Path, Option(name=["--output", "-o"], help="Write the files into this folder.")],
    marks: Annotated[Path | None, Option(help="The TOML file of 'kibitz mark', for weights and limits.")] = None,
    force: Force = False,
) -> None:
    """Write an assignment's handout: a statement, a file to begin with, and tests that run with plain Python."""
    from kibitz.marking.assignments import assignment as find_assignment
    from kibitz.marking.handout import public_tests, statement
    from kibitz.marking.plan import read_plan

    found = find_assignment(assignment)
    plan = read_plan(found, marks)
    file = f"my_{found.name.replace('-', '_')}.py"
    contents = {
        STATEMENT: statement(found, plan, file, TESTS),
        file: skeleton_of(found),
        TESTS: public_tests(found, plan, file, TESTS),
    }
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{output} cannot be made: {cause(error)}.") from error
    for called in contents:
        ready(output / called, force)
    for called, content in contents.items():
        write(output / called, content, force)
    Screen().line(f"Written to {output}: {', '.join(contents)}.")


def skeleton_of(found: Assignment) -> str:
    """A file to begin with, with every function of the assignment."""
    from kibitz.cli.form import assignment as described_by
    from kibitz.cli.form import skeleton
    from kibitz.marking.handout import PACKAGES
    from kibitz.players.samples import samples

    package = PACKAGES.get(found.name, found.name)
    described, games = described_by(package)
    text = skeleton(
        described, samples(described, [one for one in games if one.variant in ("standard", "bonus")]), package
    )
    for one in found.signatures:
        head = f"def {one.name}({', '.join(map(defined, one.parameters))}):"
        text, there = re.subn(rf"^def {one.name}\(.*\):", head, text, flags=re.MULTILINE)
        if not there:
            text += f"\n\n{head}\n    raise NotImplementedError\n"
    return text


def defined(parameter: Parameter) -> str:
    """A parameter as it is defined; a default that only the course's own files know is None."""
    known = parameter.default if parameter.default in ("True", "False") or parameter.default.isdigit() else "None"
    return f"{parameter.name}={known}" if parameter.default else parameter.name
