"""Cases: calls of functions, each with a judge of the result; hidden ones are drawn, or taken from games.

rng        the generator that draws one case
answer      what a call returned, and its arguments afterwards
judge       a function of an answer: a clause that says what would be right, or None if the answer is
draw        a function of a generator: the arguments of a case of one edge case, or the whole case
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import Notice, to_seat
from kibitz.engine.views.form import HISTORY, Example, exactly


class Answer(NamedTuple):
    """The outcome of a call."""

    value: Any
    after: tuple[Any, ...]
    """The arguments as the function has left them."""


class CaseRandom(Random):
    """The generator of one case; ``course`` is the seed of all cases of the course."""

    course: int = 0


Judge = Callable[[Answer], str | None]


class Case(NamedTuple):
    """One call with its judge; ``edge_case`` says what is hard about it."""

    function: str
    edge_case: str
    arguments: tuple[Any, ...]
    judge: Judge
    right: str = ""
    """A right answer as text, if there is one to show."""

    @property
    def in_place(self) -> bool:
        """Whether what the function leaves in its arguments is judged, too."""
        return not isinstance(self.judge, OfValue)


class EdgeCase(NamedTuple):
    """A kind of case: its name, and the function that draws one."""

    name: str
    draw: Callable[[CaseRandom], tuple[tuple[Any, ...], Judge, str]]


EdgeCases = Mapping[str, tuple[EdgeCase, ...]]


@dataclass(frozen=True)
class OfValue:
    """A judge that looks at the value alone."""

    judge: Callable[[Any], str | None]
    may_change: bool = False
    """Whether a right function may change its arguments."""

    def __call__(self, answer: Answer) -> str | None:
        """What would be right, or None if the value is right."""
        return self.judge(answer.value)


def of_value(judge: Callable[[Any], str | None]) -> Judge:
    """A judge that looks at the value alone."""
    return OfValue(judge)


def equal(expected: Any) -> Judge:
    """A judge that accepts only this value, of this exact type."""
    return of_value(exactly(expected))


def published(examples: tuple[Example, ...]) -> tuple[Case, ...]:
    """Published examples as cases."""
    return tuple(
        Case(example.function, "published example", example.arguments, of_value(example.judge)) for example in examples
    )


def answered_by(right: Callable[..., Any], **draws: Callable[[CaseRandom], tuple[Any, ...]]) -> tuple[EdgeCase, ...]:
    """Edge cases of a function with one right value, which ``right`` returns; names have ``_`` for spaces."""

    def edge_case(name: str, draw: Callable[[CaseRandom], tuple[Any, ...]]) -> EdgeCase:
        def drawn(rng: CaseRandom) -> tuple[tuple[Any, ...], Judge, str]:
            arguments = draw(rng)
            given = deepcopy(arguments)
            value = right(*given)
            return arguments, OfValue(exactly(value), may_change=given != arguments), repr(value)

        return EdgeCase(name.replace("_", " "), drawn)

    return tuple(edge_case(name, draw) for name, draw in draws.items())


def hidden(function: str, edge_cases: tuple[EdgeCase, ...], cases: int, seed: int) -> Iterator[Case]:
    """``cases`` cases of a function, its edge cases in turn; the same ones for the same seed on every machine."""
    for number in range(cases):
        edge_case = edge_cases[number % len(edge_cases)]
        rng = CaseRandom(f"{seed} {function} {number}")
        rng.course = seed
        arguments, judge, right = edge_case.draw(rng)
        yield Case(function, edge_case.name, arguments, judge, right)


# Calls of the functions that play games: the positions of one game between players that sometimes play well.


class Position(NamedTuple):
    """A position of a game and the call that asks its seat to move, with the whole history."""

    game: Game
    state: PlainState
    function: str
    arguments: tuple[Any, ...]


GAMES = 12
"""The number of games from which the positions of one seed are taken."""
GREEDY_SHARE = {"go": 0.03, "bo": 0.15}
"""How often the strategy ``greedy`` moves; other games are always random, since random play reaches corner cases."""


@lru_cache(maxsize=4 * GAMES)
def game_positions(name: str, seed: int, number: int) -> tuple[Position, ...]:
    """The positions of one of the games that a seed determines."""
    return tuple(positions(name, Random(f"{seed} {name} {number}"), GREEDY_SHARE.get(name, 1.0)))


def positions(name: str, random: Random, clever: float) -> Iterator[Position]:
    """The positions of one game; with chance ``clever`` the strategy ``greedy`` moves, else a random one."""
    game = find_game(name)
    form = game.form
    assert form is not None
    state = game.deal(random.getrandbits(64))
    histories: list[list[Any]] = [[] for _ in range(game.seats)]

    def tell(notices: list[Notice]) -> None:
        for seat, history in enumerate(histories):
            items = (form.history_item(event) for event in to_seat(notices, seat))
            history += [item for item in items if item is not None]

    tell(game.opening(state))
    while not state.over:
        seat, view, legal = state.player, game.view(state, state.player), game.legal(state)
        call = form.call(view)
        given = tuple(list(histories[seat]) if part is HISTORY else part for part in call.arguments)
        yield Position(game, state.copy(), call.function, given)
        greedy = random.random() < clever
        tell(game.advance(state, game.strategies["greedy"](view, legal, random) if greedy else random.choice(legal)))


def random_position(name: str, function: str, rng: CaseRandom) -> Position:
    """A position in which ``function`` is called."""
    found = [one for one in game_positions(name, rng.course, rng.randrange(GAMES)) if one.function == function]
    return rng.choice(found)


def arguments_of(name: str, function: str, rng: CaseRandom) -> tuple[Any, ...]:
    """The arguments of such a call, which the caller may change."""
    return deepcopy(random_position(name, function, rng).arguments)
