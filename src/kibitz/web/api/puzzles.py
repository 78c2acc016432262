"""A puzzle a day for each game: a position from a game between computer players in which one choice is clearly best.

``python -m tools.puzzles`` finds them. A puzzle holds the actions up to its position, which a table replays. Somebody
who solves one is sent only the view of the seat to move; the best choice comes with the judgement of an answer.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from kibitz.arena.reviews import choice_text
from kibitz.engine.record import Unfinished
from kibitz.engine.registry import family_of, option_sentences
from kibitz.engine.registry import game as find_game
from kibitz.errors import RuleError
from kibitz.remote.messages import Hello, LogLine, Number, Settings, ShownSeat, State
from kibitz.table import Table
from kibitz.web.api.operation import Call, Router
from kibitz.web.live_tables.seat_view import Log, TableFacts, state_for
from kibitz.web.problems import missing

FILE = Path(__file__).parents[1] / "puzzles.json"


class Cost(msgspec.Struct, frozen=True):
    """What another choice costs: ``chance``, a share of the chances to win, ± ``error`` (95 %)."""

    action: int
    chance: float
    error: float


class Puzzle(msgspec.Struct, frozen=True):
    """A position and its best choice; ``costs`` are the costs of all other choices, lowest first.

    ``rules`` is the version of the game's rules with which it was found.
    """

    game: str
    rules: int
    seed: int
    actions: tuple[int, ...]
    best: int
    costs: tuple[Cost, ...]

    def table(self) -> Table:
        """The table at the position; RecordError if it is not one of the game's."""
        names = tuple(f"Player {seat + 1}" for seat in range(find_game(self.game).seats))
        return Table.resume(Unfinished(self.game, self.rules, names, self.seed, self.actions, ()))


@cache
def puzzles() -> dict[str, tuple[Puzzle, ...]]:
    """All puzzles by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[Puzzle, ...]])


def number_on(day: date, game: str) -> int:
    """The number of a game's puzzle on a day: each in turn."""
    return day.toordinal() % len(puzzles()[game])


# The operations.


router = Router()


class PuzzleOfTheDay(msgspec.Struct, frozen=True):
    """Today's puzzle of a game, by its number."""

    game: str
    family: str
    title: str
    number: int


class PuzzlesOfTheDay(msgspec.Struct, frozen=True):
    """The puzzles of today (UTC), one for each game that has some."""

    puzzles: tuple[PuzzleOfTheDay, ...]


class ShownPuzzle(msgspec.Struct, frozen=True):
    """A puzzle: the messages that a table's page begins with, and the log, all for the seat to move."""

    number: int
    hello: Hello
    state: State
    lines: tuple[LogLine, ...]


class AnswerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choice that somebody thinks is best."""

    action: Number


class AssessedChoice(msgspec.Struct, frozen=True):
    """A choice in words, what it does, and what share of the chances it costs, ± ``error`` (95 %)."""

    label: str
    why: str
    cost: float = 0.0
    error: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """The best choice and its number; ``other`` is the choice that was made or, if that was best, the next best."""

    right: bool
    action: int
    best: AssessedChoice
    other: AssessedChoice


def todays_numbers() -> dict[str, int]:
    """The number of today's puzzle of each game."""
    today = datetime.now(UTC).date()
    return {game: number_on(today, game) for game in puzzles()}


@router.operation("GET", "/api/puzzles")
async def list_puzzles(call: Call) -> PuzzlesOfTheDay:
    """The puzzles of today."""
    games = ((find_game(name), number) for name, number in todays_numbers().items())
    return PuzzlesOfTheDay(
        tuple(PuzzleOfTheDay(game.name, family_of(game), game.title, number) for game, number in games)
    )


@router.operation("GET", "/api/puzzles/{game}")
async def get_puzzle(call: Call) -> ShownPuzzle:
    """Today's puzzle of a game."""
    name = call.path["game"]
    if name not in puzzles():
        raise missing("puzzle")
    return await asyncio.to_thread(shown, name, todays_numbers()[name])


def puzzle_of(call: Call) -> Puzzle:
    """The puzzle of a path."""
    some, number = puzzles().get(call.path["game"], ()), call.path["number"]
    if number not in map(str, range(len(some))):
        raise missing("puzzle")
    return some[int(number)]


@router.operation("GET", "/api/puzzles/{game}/{number}", query=AnswerQuery, refuses=(409,))
async def check_answer(call: Call) -> Answer:
    """What a choice in a puzzle costs, and the best one."""
    return await asyncio.to_thread(judged, puzzle_of(call), call.query.action)


@cache
def shown(name: str, number: int) -> ShownPuzzle:
    """A puzzle as it is shown: nothing in it tells the seed, which fixes the hidden cards."""
    puzzle = puzzles()[name][number]
    table = puzzle.table()
    game, me = table.game, table.player
    hello = Hello(
        table=f"puzzle.{name}.{number}",
        game=game.name,
        family=family_of(game),
        title=game.title,
        options=tuple(option_sentences(game)),
        seat=me,
        names=table.names,
        commitment="",
        rules=puzzle.rules,
        seats=tuple(ShownSeat(seat, name, "computer") for seat, name in enumerate(table.names)),
        settings=Settings(),
        mine=False,
        started=True,
    )
    facts = replace(TableFacts.of(game.seats), hints=False)
    lines = tuple(Log(table).lines(me))
    state = state_for(table, me, facts, len(lines), None, view=False, undo=False, forced=False)
    return ShownPuzzle(number, hello, state, lines)


def judged(puzzle: Puzzle, action: int) -> Answer:
    """An answer, judged; RuleError if it isn't one of the choices."""
    table = puzzle.table()
    view, costs = table.view(table.player), {cost.action: cost for cost in puzzle.costs}
    right = action == puzzle.best
    other = puzzle.costs[0] if right else costs.get(action)
    if other is None:
        raise RuleError(f"Action {action} isn't one of the choices here.")

    def assessed(action: int, cost: float = 0.0, error: float = 0.0) -> AssessedChoice:
        label, why = choice_text(table.game, view, action), table.game.words.explain(view, action)
        return AssessedChoice(label, why, cost, error)

    return Answer(right, puzzle.best, assessed(puzzle.best), assessed(other.action, other.chance, other.error))
