"""The puzzles of the day for the browser.

The browser gets only what the seat to move sees; the best choice is sent only with the judgement of an answer.
"""

from __future__ import annotations

import asyncio
from functools import cache

import msgspec
from msgspec.structs import replace

from kibitz.arena.puzzles import Answer, Puzzle, judge, puzzles, todays_numbers
from kibitz.engine.registry import family_of, option_sentences
from kibitz.engine.registry import game as find_game
from kibitz.remote.messages import Hello, LogLine, Number, PublicSeat, Settings, State
from kibitz.web.api.operation import Call, Router
from kibitz.web.live_tables.seat_view import Log, TableFacts, state_for
from kibitz.web.problems import missing

router = Router()


class PuzzleOfTheDay(msgspec.Struct, frozen=True):
    """The number of today's puzzle of a game."""

    game: str
    family: str
    title: str
    number: int


class PuzzlesOfTheDay(msgspec.Struct, frozen=True):
    """The puzzles of today (UTC), one for each game that has puzzles."""

    puzzles: tuple[PuzzleOfTheDay, ...]


class ShownPuzzle(msgspec.Struct, frozen=True):
    """A puzzle: the first messages of a table and the log's lines, as the seat to move gets them."""

    number: int
    hello: Hello
    state: State
    lines: tuple[LogLine, ...]


class AnswerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a puzzle: the action that the caller thinks is best."""

    action: Number


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
    return await asyncio.to_thread(shown_puzzle, name, todays_numbers()[name])


def puzzle_of(call: Call) -> Puzzle:
    """The puzzle that a path names; ApiError 404 if there is none."""
    puzzles_of_game, number = puzzles().get(call.path["game"], ()), call.path["number"]
    if number not in map(str, range(len(puzzles_of_game))):
        raise missing("puzzle")
    return puzzles_of_game[int(number)]


@router.operation("GET", "/api/puzzles/{game}/{number}", query=AnswerQuery, refuses=(409,))
async def check_answer(call: Call) -> Answer:
    """The cost of a choice in a puzzle, and the best choice."""
    return await asyncio.to_thread(judge, puzzle_of(call), call.query.action)


@cache
def shown_puzzle(name: str, number: int) -> ShownPuzzle:
    """A puzzle of the game called ``name``, without the seed, which would reveal the hidden cards."""
    puzzle = puzzles()[name][number]
    table = puzzle.table()
    game, seat_to_move = table.game, table.player
    hello = Hello(
        table=f"puzzle.{name}.{number}",
        game=game.name,
        family=family_of(game),
        title=game.title,
        options=tuple(option_sentences(game)),
        seat=seat_to_move,
        names=table.names,
        commitment="",
        rules=puzzle.rules,
        seats=tuple(PublicSeat(seat, name, "computer") for seat, name in enumerate(table.names)),
        settings=Settings(),
        is_host=False,
        started=True,
    )
    facts = replace(TableFacts.of(game.seats), hints=False)
    lines = tuple(Log(table).lines(seat_to_move))
    state = state_for(table, seat_to_move, facts, len(lines), None, view=False, undo=False, forced=False)
    return ShownPuzzle(number, hello, state, lines)
