"""A puzzle a day for some games: a position from a game between computer players in which one choice is clearly best.

``python -m tools.puzzles`` finds puzzles. A puzzle is stored as the actions that lead to its position. People who solve
it see only what the seat to move sees.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import msgspec

from kibitz.arena.reviews import choice_text
from kibitz.engine.record import UnfinishedRecord
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import as_sentence
from kibitz.errors import RuleError
from kibitz.table import Table

FILE = Path(__file__).with_name("puzzles.json")


class Cost(msgspec.Struct, frozen=True):
    """The cost of a choice that isn't the best: ``chance``, the loss in winning chance, ± ``error`` (95 %)."""

    action: int
    chance: float
    error: float


class Puzzle(msgspec.Struct, frozen=True):
    """A position and its best choice; ``costs`` are the costs of all other choices, lowest first.

    ``rules`` is the version of the game's rules with which the puzzle was found.
    """

    game: str
    rules: int
    seed: int
    actions: tuple[int, ...]
    best: int
    costs: tuple[Cost, ...]

    def table(self) -> Table:
        """A table at the puzzle's position. Raises RecordError if the actions don't lead to a position of the game."""
        names = tuple(f"Player {seat + 1}" for seat in range(find_game(self.game).seats))
        return Table.resume(UnfinishedRecord(self.game, self.rules, names, self.seed, self.actions, ()))


@cache
def puzzles() -> dict[str, tuple[Puzzle, ...]]:
    """All puzzles by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[Puzzle, ...]])


def number_on(day: date, game: str) -> int:
    """The number of a game's puzzle on a day; each day has the next puzzle."""
    return day.toordinal() % len(puzzles()[game])


def todays_numbers() -> dict[str, int]:
    """The number of today's puzzle of each game."""
    today = datetime.now(UTC).date()
    return {game: number_on(today, game) for game in puzzles()}


class AssessedChoice(msgspec.Struct, frozen=True):
    """A choice in words, what it does, and its ``cost`` in winning chance, ± ``error`` (95 %)."""

    label: str
    why: str
    cost: float = 0.0
    error: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """Whether a choice was ``right``, and the best choice with the number of its ``action``.

    ``other`` is the choice that was made; if it was the best, ``other`` is the next best.
    """

    right: bool
    action: int
    best: AssessedChoice
    other: AssessedChoice

    @property
    def sentences(self) -> list[str]:
        """Whether the choice was best, the best choice, and what another choice costs, each with the reason."""
        verdict = "Correct." if self.right else "Not the best choice."
        best = f"Best: {as_sentence(self.best.label)} {self.best.why}".rstrip()
        subject = f"The next best, {self.other.label}," if self.right else self.other.label
        cost = f"lowers your chance of winning by about {100 * self.other.cost:.0f} percentage points."
        return [verdict, best, f"{subject} {cost} {self.other.why}".rstrip()]


def judge(puzzle: Puzzle, action: int) -> Answer:
    """Judge a choice. Raises RuleError if it isn't one of the choices."""
    table = puzzle.table()
    view, costs = table.view(table.player), {cost.action: cost for cost in puzzle.costs}
    right = action == puzzle.best
    other = puzzle.costs[0] if right else costs.get(action)
    if other is None:
        raise RuleError(f"Action {action} isn't one of the choices here.")

    why, other_why = (table.game.words.explain(view, choice) for choice in (puzzle.best, other.action))
    best_choice = AssessedChoice(choice_text(table.game, view, puzzle.best), why)
    other_choice = AssessedChoice(choice_text(table.game, view, other.action), other_why, other.chance, other.error)
    return Answer(right, puzzle.best, best_choice, other_choice)
