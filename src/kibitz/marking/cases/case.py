"""Cases: calls of functions, each with a judge of the result. Hidden cases are drawn at random or taken from games.

rng         the random generator that draws one case
answer      what a call returned, and its arguments afterwards
judge       a function of an answer; it returns a clause that says what would be right, or None if the answer is right
draw        a function of ``rng``; it returns the arguments of one case, in an EdgeCase also its judge and right answer
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, TypeVar

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.assignment_interface import HISTORY, Example, exactly, quoted
from kibitz.engine.views.events import Notice, to_seat

T = TypeVar("T")


class Answer(NamedTuple):
    """What a call returned, and its arguments ``after`` the call."""

    value: Any
    after: tuple[Any, ...]


class CaseRandom(Random):
    """The random generator of one case; ``course_seed`` is the seed of all cases of the course."""

    course_seed: int = 0

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Items in another order."""
        return self.sample(list(items), len(items))


Judge = Callable[[Answer], str | None]
Draw = Callable[[CaseRandom], tuple[Any, ...]]
"""Draws the arguments of a case."""
DrawnCase = tuple[tuple[Any, ...], Judge, str]
"""The arguments of a case, its judge and a right answer."""


class Case(NamedTuple):
    """One call with its judge; ``edge_case`` names the kind of case."""

    function: str
    edge_case: str
    arguments: tuple[Any, ...]
    judge: Judge
    right: str = ""
    """A right answer as text, if there is one to show."""

    @property
    def in_place(self) -> bool:
        """Whether the judge also looks at the arguments after the call."""
        return not isinstance(self.judge, ValueJudge)


class EdgeCase(NamedTuple):
    """A kind of case: its name, and the function that draws one."""

    name: str
    draw: Callable[[CaseRandom], DrawnCase]


EdgeCases = Mapping[str, tuple[EdgeCase, ...]]


@dataclass(frozen=True)
class ValueJudge:
    """A judge of the returned value alone, which ignores the arguments after the call."""

    judge: Callable[[Any], str | None]
    may_change: bool = False
    """Whether a correct function may change its arguments."""

    def __call__(self, answer: Answer) -> str | None:
        """A clause that says what would be right, or None if the value is right."""
        return self.judge(answer.value)


@dataclass(frozen=True)
class UnchangedJudge:
    """A judge of a call that must not change its arguments."""

    judge: Callable[[Any], str | None]
    before: tuple[Any, ...]
    if_changed: str
    """What would be right, as a clause, for an answer that changed an argument."""

    def __call__(self, answer: Answer) -> str | None:
        """A clause that says what would be right, or None if the answer is right."""
        return self.if_changed if answer.after != self.before else self.judge(answer.value)


def equal(expected: Any) -> Judge:
    """A judge that accepts only a value equal to ``expected`` and of the same type."""
    return ValueJudge(exactly(expected))


def published(examples: tuple[Example, ...]) -> tuple[Case, ...]:
    """Published examples as cases."""
    return tuple(
        Case(example.function, "published example", example.arguments, ValueJudge(example.judge))
        for example in examples
    )


def one_argument(draws: Mapping[str, Callable[[CaseRandom], Any]]) -> dict[str, Draw]:
    """For each edge case, a draw of a function's arguments: a tuple with the one value that the given draw returns."""
    return {name: lambda rng, draw=draw: (draw(rng),) for name, draw in draws.items()}  # type: ignore[misc]


def valid_play_judge(is_valid: Callable[[Any], object]) -> Judge:
    """A judge that accepts any valid play."""
    return ValueJudge(
        lambda value: None if is_valid(value) else f"it should return a play that is valid there, not {quoted(value)}"
    )


def answered_by(solution: Callable[..., Any], draws: Mapping[str, Draw]) -> tuple[EdgeCase, ...]:
    """Edge cases of a function whose right value is what ``solution`` returns; ``draws`` are by edge case."""

    def edge_case(name: str, draw: Draw) -> EdgeCase:
        def draw_case(rng: CaseRandom) -> DrawnCase:
            arguments = draw(rng)
            after = deepcopy(arguments)
            value = solution(*after)
            return arguments, ValueJudge(exactly(value), may_change=after != arguments), repr(value)

        return EdgeCase(name, draw_case)

    return tuple(edge_case(name, draw) for name, draw in draws.items())


def hidden(function: str, edge_cases: tuple[EdgeCase, ...], count: int, seed: int) -> Iterator[Case]:
    """``count`` hidden cases of a function, drawn from its edge cases in turn; ``seed`` determines them."""
    for number in range(count):
        edge_case = edge_cases[number % len(edge_cases)]
        rng = CaseRandom(f"{seed} {function} {number}")
        rng.course_seed = seed
        arguments, judge, right = edge_case.draw(rng)
        yield Case(function, edge_case.name, arguments, judge, right)


# Cases of functions that choose actions are positions from games, in which some moves are those of ``greedy``.


class PositionCall(NamedTuple):
    """A position of a game, and the call that asks the seat to move; its arguments include the whole history."""

    game: Game
    state: PlainState
    function: str
    arguments: tuple[Any, ...]


GAMES = 12
"""The number of games from which the positions of one seed are taken."""
GREEDY_SHARE = {"go": 0.03, "bo": 0.15}
"""How often ``greedy`` chooses the move, by game; the other moves are random, to reach unusual positions."""


@lru_cache(maxsize=4 * GAMES)
def game_positions(name: str, seed: int, number: int) -> tuple[PositionCall, ...]:
    """The positions of game ``number`` of the ``GAMES`` that a seed determines."""
    return tuple(positions(name, Random(f"{seed} {name} {number}"), GREEDY_SHARE.get(name, 1.0)))


def positions(name: str, random: Random, greedy_share: float) -> Iterator[PositionCall]:
    """The positions of one random game, in which each move is ``greedy``'s with probability ``greedy_share``."""
    game = find_game(name)
    assignment = game.assignment
    assert assignment is not None
    state = game.deal(random.getrandbits(64))
    histories: list[list[Any]] = [[] for _ in range(game.seats)]

    def add_to_histories(notices: list[Notice]) -> None:
        for seat, history in enumerate(histories):
            items = (assignment.history_item(event) for event in to_seat(notices, seat))
            history += [item for item in items if item is not None]

    add_to_histories(game.opening(state))
    while not state.over:
        seat, view, legal = state.player, game.view(state, state.player), game.legal(state)
        call = assignment.call(view)
        arguments = tuple(list(histories[seat]) if argument is HISTORY else argument for argument in call.arguments)
        yield PositionCall(game, state.copy(), call.function, arguments)
        greedy = random.random() < greedy_share
        action = game.strategies["greedy"](view, legal, random) if greedy else random.choice(legal)
        add_to_histories(game.advance(state, action))


def random_position(name: str, function: str, rng: CaseRandom) -> PositionCall:
    """A random position of the game ``name`` in which ``function`` is called."""
    positions_of_game = game_positions(name, rng.course_seed, rng.randrange(GAMES))
    return rng.choice([position for position in positions_of_game if position.function == function])


def arguments_of(name: str, function: str, rng: CaseRandom) -> tuple[Any, ...]:
    """The arguments of a call of ``function`` in a random position, as a copy."""
    return deepcopy(random_position(name, function, rng).arguments)
