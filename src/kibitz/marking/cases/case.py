"""What a case is, and how hidden ones are drawn.

luck        the generator that draws one case
answer      what a call gave back, and its arguments as they were afterwards
judge       a function of an answer: a clause that says what would be right, or None if the answer is
draw        a function of a generator: the arguments of a case of one corner, or the whole case
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from kibitz.engine.form import Example, exactly


class Answer(NamedTuple):
    """What came of a call."""

    value: Any
    after: tuple[Any, ...]
    """The arguments as the function has left them."""


class Luck(Random):
    """The generator of one case; ``course`` is the seed of all cases of the course."""

    course: int = 0


Judge = Callable[[Answer], str | None]


class Case(NamedTuple):
    """One call with what would be right; ``edge_case`` says what is hard about it."""

    function: str
    edge_case: str
    arguments: tuple[Any, ...]
    judge: Judge
    right: str = ""
    """A right answer as it is written, where there is one to show."""

    @property
    def in_place(self) -> bool:
        """Whether what the function leaves in its arguments is judged, too."""
        return not isinstance(self.judge, OfValue)


class EdgeCase(NamedTuple):
    """A kind of case: its name, and what draws one."""

    name: str
    draw: Callable[[Luck], tuple[tuple[Any, ...], Judge, str]]


EdgeCases = Mapping[str, tuple[EdgeCase, ...]]


@dataclass(frozen=True)
class OfValue:
    """A judge that looks at the value alone."""

    judge: Callable[[Any], str | None]

    def __call__(self, answer: Answer) -> str | None:
        """What would be right, or None if the value is."""
        return self.judge(answer.value)


def of_value(judge: Callable[[Any], str | None]) -> Judge:
    """A judge that looks at the value alone."""
    return OfValue(judge)


def equal(expected: Any) -> Judge:
    """A judge that wants this very value, of the very type."""
    return of_value(exactly(expected))


def published(examples: tuple[Example, ...]) -> tuple[Case, ...]:
    """Published examples as cases."""
    return tuple(
        Case(example.function, "published example", example.arguments, of_value(example.judge)) for example in examples
    )


def answered_by(right: Callable[..., Any], **draws: Callable[[Luck], tuple[Any, ...]]) -> tuple[EdgeCase, ...]:
    """Edge cases of a function with one right value, which ``right`` gives; the names have ``_`` for spaces."""

    def edge_case(name: str, draw: Callable[[Luck], tuple[Any, ...]]) -> EdgeCase:
        def drawn(luck: Luck) -> tuple[tuple[Any, ...], Judge, str]:
            arguments = draw(luck)
            value = right(*deepcopy(arguments))
            return arguments, equal(value), repr(value)

        return EdgeCase(name.replace("_", " "), drawn)

    return tuple(edge_case(name, draw) for name, draw in draws.items())


def hidden(function: str, edge_cases: tuple[EdgeCase, ...], cases: int, seed: int) -> Iterator[Case]:
    """So many cases of a function, its edge cases in turn; the same ones for the same seed on every machine."""
    for number in range(cases):
        edge_case = edge_cases[number % len(edge_cases)]
        luck = Luck(f"{seed} {function} {number}")
        luck.course = seed
        arguments, judge, right = edge_case.draw(luck)
        yield Case(function, edge_case.name, arguments, judge, right)
