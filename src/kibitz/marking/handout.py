"""The handout of an assignment: a statement in Kibitz's own words, and public tests that need only Python.

statement       what to hand in, every function with its types, how marks are given, and the rules
public tests    a file that makes the published calls; students run it with Python alone or with pytest
workflow        a workflow of GitHub Actions that runs the public tests at each push and shows their output as a summary
"""

from __future__ import annotations

import pprint
from collections.abc import Iterator
from copy import deepcopy
from importlib.resources import files
from inspect import getsource
from typing import Any

from kibitz.engine.registry import game as find_game
from kibitz.engine.views.assignment_interface import Function
from kibitz.engine.views.value_types import Signature, named_types
from kibitz.marking.assignments import WITHOUT_GAME, Assignment, Plan
from kibitz.marking.feedback import mark_text
from kibitz.players.files import notebooks

WILD_HAND = ["TD", "TC", "5H", "5C", "7C", "?R", "?B"]
FUNCTIONS_WITHOUT_GAME = {
    "poker": (
        Function(
            "replacement",
            "lists the cards that a card can stand for",
            (("card", "a card, or a joker: ?B or ?R"),),
            "a list, in any order: for a black joker the 26 spades and clubs, for a red one the 26 hearts and diamonds,"
            " for any other card that card alone",
            ("?B",),
        ),
        Function(
            "best_wild_hand_peter",
            "the same, but a joker may also stand for a card that is in the hand already",
            (("hand", "seven cards, which may include a black joker, ?B, and a red one, ?R"),),
            "a tuple of five cards, none of them a joker; a card may be in it twice",
            (WILD_HAND,),
        ),
    )
}
"""Functions of an assignment that no game's package describes."""
LENIENT_COMPARISONS = {
    "comp10001go_group": "covers",
    "comp10001go_best_partitions": "same_partitions",
    "comp10001huxxy_play": "like_a_play",
    "best_wild_hand": "same_cards",
}
"""Functions with more than one right answer, and the comparison in the public tests that accepts all of them."""

HEADER = '''"""Public tests of {title}: run them beside your file, which is called {file} unless you name another.

    python {tests} {file}
    python -m pytest {tests}

Your marks come from other calls as well, so think of cases that are not here.  Your file runs here without the
sandbox: test only your own file with this, nobody else's.
"""

import copy
import json
import re
import sys
import types


def loaded(path):
    """Your file as a module."""
    module = types.ModuleType("submission")
    module.__file__ = path
    with open(path, "rb") as file:
        source = file.read()
    if path.endswith(".ipynb"):
        source = code_of(json.loads(source)["cells"])
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def code_of(cells):
    """The code cells of a notebook, without the lines that only Jupyter understands."""
    return "\\n".join(without_magics("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code")


def equal(answer, right):
    """Whether the answer is equal to the right one and has the same type."""
    return type(answer) is type(right) and answer == right
'''
NOTEBOOK_FUNCTIONS = f"""

PYTHON_MAGICS = {notebooks.PYTHON_MAGICS!r}
LEFT_OUT = {notebooks.LEFT_OUT!r}
MAGIC = re.compile({notebooks.MAGIC.pattern!r})
TOKEN = re.compile({notebooks.TOKEN.pattern!r})


{getsource(notebooks.without_magics)}

{getsource(notebooks.replacement_line)}"""
"""The functions with which ``kibitz mark`` reads a notebook, so that the public tests read it in the same way."""
COMPARISONS = {
    "covers": '''
def covers(answer, right):
    """Whether the groups have all the cards, each once; check for yourself that every group is valid."""
    return sorted(card for group in answer for card in group) == sorted(card for group in right for card in group)
''',
    "same_partitions": '''
def same_partitions(answer, right):
    """Whether these are the same partitions; the order of partitions, groups and cards doesn't matter."""
    return as_sets(answer) == as_sets(right) and len(answer) == len(right)


def as_sets(partitions):
    return {frozenset(frozenset(group) for group in partition) for partition in partitions}
''',
    "like_a_play": '''
def like_a_play(answer, right):
    """Whether this looks like a play of the right player; any valid play is right."""
    return type(answer) is tuple and len(answer) == 3 and answer[0] == right[0] and answer[1] in (0, 1, 2, 3)
''',
    "same_cards": '''
def same_cards(answer, right):
    """Whether these are the same cards, in any order."""
    return sorted(answer) == sorted(right)
''',
}
CHECK = '''

FILE = sys.argv[1] if __name__ == "__main__" and len(sys.argv) > 1 else "{file}"
MODULE = loaded(FILE)


def check(name):
    """Make all published calls of a function. Raises AssertionError for the first wrong answer."""
    for arguments, compare, right in CALLS[name]:
        answer = getattr(MODULE, name)(*copy.deepcopy(arguments))
        call = name + "(" + ", ".join(map(repr, arguments)) + ")"
        assert compare(answer, right), call + " returned " + repr(answer) + "; right would be " + repr(right)

'''
MAIN = """

if __name__ == "__main__":
    failed = 0
    for name in CALLS:
        try:
            check(name)
        except Exception as error:
            failed += 1
            print("wrong   ", name, "-", ": ".join(filter(None, (type(error).__name__, str(error)))))
        else:
            print("ok      ", name)
    sys.exit(1 if failed else 0)
"""

WORKFLOW = """# Runs the public tests at each push, and shows their output as the run's summary.
# Marks come from other calls, which aren't in this repository.
name: Public tests
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  public-tests:
    if: github.actor != 'github-classroom[bot]'
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - name: Run the public tests
        shell: bash
        run: |
          said() { tee -a "$GITHUB_STEP_SUMMARY"; }
          status=0
          echo "~~~~" >> "$GITHUB_STEP_SUMMARY"
          timeout 120 python -u {tests} {file} 2>&1 | said || status=$?
          if [ $status = 124 ]; then
            echo "Stopped after 120 s: the function after the last one above doesn't end." | said
          fi
          echo "~~~~" >> "$GITHUB_STEP_SUMMARY"
          exit $status
"""


def workflow(file: str, tests: str) -> str:
    """A GitHub Actions workflow for a repository with these files at its top."""
    return WORKFLOW.replace("{tests}", tests).replace("{file}", file)


def statement(assignment: Assignment, plan: Plan, file: str, tests: str) -> str:
    """The statement, as Markdown; ``file`` is the name of the starter file, ``tests`` of the public tests."""
    return "\n".join(paragraphs(assignment, plan, file, tests)) + "\n"


def paragraphs(assignment: Assignment, plan: Plan, file: str, tests: str) -> Iterator[str]:
    """The statement, paragraph by paragraph."""
    yield f"# {assignment.title}\n"
    yield (
        "Hand in one Python file or notebook that defines the functions below, or a folder or ZIP archive in which one"
        f" file defines them and imports the others. `{file}` is a starter file. `{tests}` makes the published"
        f" calls: `python {tests} {file}`.\n"
    )
    yield "## Functions\n"
    purposes = descriptions(assignment)
    for function in plan.functions:
        signature = next(known for known in assignment.signatures if known.name == function.name)
        yield from describe_function(signature, purposes[function.name])
    published_types = [
        value_type
        for known in assignment.signatures
        for value_type in (known.returns, *(parameter.type for parameter in known.parameters))
    ]
    types = list(named_types(*published_types))
    if types:
        yield "What the types mean:\n"
        for named in types:
            yield f"* `{named.name}` is {named.of}: {named.meaning}"
        yield ""
    yield "## Marks\n"
    yield (
        "Every function is called in cases that are not published here: ordinary and odd ones, of every kind that the"
        " rules mention. Its mark is the share of these cases that are right, or nothing unless all are right where"
        ' the table says "all or nothing".\n'
    )
    yield "| function | marks | seconds for one call | |"
    yield "|---|---|---|---|"
    for function in plan.functions:
        note = "" if function.partial else "all or nothing"
        yield f"| `{function.name}` | {mark_text(plan.worth(function.name))} | {function.seconds:g} | {note} |"
    yield ""
    if plan.rubric:
        criteria = ", ".join(f"{name} (up to {mark_text(points)})" for name, points in plan.rubric.items())
        yield f"A person gives additional marks for {criteria}.\n"
    yield (
        "Seconds are seconds of computing time. A file may use 512 MiB of memory; it can't read or write files, or"
        " start threads or programs. What it prints does not count. Each call is made in a new process that has just"
        " loaded the file: nothing is kept from one call to the next.\n"
    )
    if assignment.bonus and not plan.bonus:
        yield "The bonus game is not marked.\n"
    yield "## Rules\n"
    yield rules_of(assignment)


def describe_function(signature: Signature, purpose: Function) -> Iterator[str]:
    """The description of one function, as lines of Markdown."""
    yield f"### `{signature.name}({', '.join(map(str, signature.parameters))})`\n"
    yield f"{purpose.summary[:1].upper()}{purpose.summary[1:]}.\n"
    for name, meaning in purpose.parameters:
        yield f"* `{name}`: {meaning}"
    yield f"* returns {purpose.returns}\n"


def descriptions(assignment: Assignment) -> dict[str, Function]:
    """By function, its purpose, parameters and result in words."""
    described = (*assignment.module.PUBLISHED, *FUNCTIONS_WITHOUT_GAME.get(assignment.name, ()))
    return {description.name: description for description in described}


def rules_page(assignment: Assignment) -> str:
    """The rules of an assignment, as Markdown with a title."""
    if assignment.name not in WITHOUT_GAME:
        return find_game(assignment.name).rules_text
    text = files("kibitz.marking.statements").joinpath(f"{assignment.name}.md").read_text(encoding="utf-8")
    return f"# {assignment.title}\n\n{text}"


def rules_of(assignment: Assignment) -> str:
    """The rules of an assignment as Markdown, without the title and with all other headings one level lower."""
    lines = [line for line in rules_page(assignment).strip().splitlines() if not line.startswith("# ")]
    return "\n".join(f"#{line}" if line.startswith("#") else line for line in lines).strip()


def public_tests(assignment: Assignment, plan: Plan, file: str, tests: str) -> str:
    """The published calls as a file of tests."""
    names = [
        function.name
        for function in plan.functions
        if any(case.function == function.name for case in assignment.published)
    ]
    comparisons = sorted({LENIENT_COMPARISONS[name] for name in names if name in LENIENT_COMPARISONS})
    parts = [HEADER.format(title=assignment.title, file=file, tests=tests), NOTEBOOK_FUNCTIONS]
    parts += [f"\n{COMPARISONS[name]}" for name in comparisons]
    parts.append("\n\nCALLS = {\n")
    for name in names:
        parts.append(f'    "{name}": [\n')
        for case in assignment.published:
            if case.function == name:
                right = getattr(assignment.solutions, name)(*deepcopy(case.arguments))
                arguments, expected = literals(case.arguments), literals(right)
                parts.append(f"        ({arguments}, {LENIENT_COMPARISONS.get(name, 'equal')}, {expected}),\n")
        parts.append("    ],\n")
    parts += ["}", CHECK.format(file=file)]
    parts += [f"\ndef test_{name}():\n    check({name!r})\n" for name in names]
    return "".join([*parts, MAIN])


def literals(value: Any) -> str:
    """A value as Python source, in lines of readable length."""
    text = pprint.pformat(value, width=100, compact=True)
    return text.replace("\n", "\n         ")
