"""The assignments that can be marked: their functions, what is published of them, and what is hidden.

>>> assignment("cribbage-lab").functions
('generate_deck', 'shuffle', 'deal_card', 'score_hand', 'play')
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module

import msgspec

from kibitz.cards import shown
from kibitz.engine.value_types import Function
from kibitz.errors import NotationError
from kibitz.games.published import ASSIGNMENTS
from kibitz.marking.cases.case import Case, EdgeCases, hidden

MODULES = {"go": "go", "bo": "bo", "huxxy": "huxxy", "aps106": "cribbage_lab", "cs212": "poker"}
"""By the course's name in the table of published functions, the module with its cases."""

TITLES = {
    "go": "COMP10001-Go",
    "bo": "COMP10001-Bo",
    "huxxy": "COMP10001-Huxxy",
    "cribbage-lab": "APS106, the cribbage lab",
    "poker": "CS212, poker",
}
"""What the assignments are called by people."""


class Assignment(msgspec.Struct, frozen=True):
    """What a course asks for; ``course`` is its row in the table of published functions.

    ``bonus`` has the edge cases that only its bonus rules know, and those of the functions that belong to them.
    """

    name: str
    course: str
    published: tuple[Case, ...]
    edge_cases: EdgeCases
    bonus: EdgeCases

    @property
    def title(self) -> str:
        """What it is called in a heading."""
        return TITLES[self.name]

    @property
    def signatures(self) -> tuple[Function, ...]:
        """The functions with their published types."""
        return ASSIGNMENTS[self.course]

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions, in the assignment's order."""
        return tuple(function.name for function in self.signatures)

    def hidden(self, function: str, cases: int, seed: int, *, bonus: bool = False) -> tuple[Case, ...]:
        """So many hidden cases of a function, its edge cases in turn; a seed fixes them."""
        edge_cases = self.edge_cases.get(function, ())
        if bonus or not edge_cases:
            edge_cases += self.bonus.get(function, ())
        return tuple(hidden(function, edge_cases, cases, seed))


def name_of(course: str) -> str:
    """How an assignment is called on the command line."""
    return MODULES[course].replace("_", "-")


def names() -> tuple[str, ...]:
    """The names of all assignments."""
    return tuple(map(name_of, ASSIGNMENTS))


@cache
def assignment(name: str) -> Assignment:
    """The assignment called ``name``; NotationError with the names there are if there is none."""
    for course in ASSIGNMENTS:
        if name_of(course) == name:
            cases = import_module(f"kibitz.marking.cases.{MODULES[course]}")
            return Assignment(name, course, cases.PUBLISHED, cases.HIDDEN, getattr(cases, "BONUS", {}))
    close = difflib.get_close_matches(name, names(), 1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names())}."
    raise NotationError(f"there is no assignment called {shown(name)}; {hint}")
