"""``kibitz puzzle``: the puzzle of the day, one choice to make in line mode."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from kibitz.arena.puzzles import judge, puzzles, todays_numbers
from kibitz.cli.line_mode.decision import HELP, Questioner
from kibitz.cli.line_mode.person import Quit, pick
from kibitz.cli.options import Ascii, Plain
from kibitz.cli.screen import BOLD, Screen
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import option_sentences
from kibitz.engine.scene import Scene
from kibitz.engine.sentences import listed, names_for
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError
from kibitz.table import Table
from kibitz.table.outcomes import event_sentences


def puzzle(
    game: Annotated[str | None, Parameter(help="A game that has puzzles. Default: a menu.")] = None,
    /,
    *,
    plain: Plain = False,
    ascii: Ascii = False,
) -> None:
    """Solve today's puzzle: a position from a game between computer players in which one choice is clearly best.

    Every game with puzzles has a new one each day (UTC), the same as in the browser.
    """
    if game is not None and game not in puzzles():
        raise KibitzError(f"there are no puzzles for {game!r}, only for {listed(list(puzzles()))}.")
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    try:
        solve_puzzle(screen, game)
    except (Quit, EOFError):
        screen.line()
        screen.line("Goodbye.")


def solve_puzzle(screen: Screen, game: str | None = None) -> None:
    """Ask for the choice in today's puzzle of a game, and print whether it is best; without a game, a menu comes first.

    Raises Quit or EOFError if the person leaves.
    """
    names = list(puzzles())
    name = game or names[pick(screen, "Which puzzle?", [find_game(name).title for name in names])]
    puzzle = puzzles()[name][todays_numbers()[name]]
    verdict, *reasons = judge(puzzle, PuzzleQuestioner(screen, puzzle.table()).ask()).sentences
    screen.line()
    screen.line(verdict, BOLD)
    for sentence in reasons:
        screen.line(sentence)


class PuzzleQuestioner(Questioner):
    """Asks a person for the one choice in a puzzle."""

    commands = (*(row for row in HELP if row[0] not in ("u", "h", "q")), ("q", "leave"))

    def __init__(self, screen: Screen, table: Table) -> None:
        self.table, self.seat = table, table.player
        super().__init__(screen, table.game, names_for(self.seat, table.names))

    def ask(self) -> int:
        """Show the position and ask; returns the action that the person chose."""
        self.screen.line(f"Puzzle of the day: {self.game.title} ({self.game.name})", BOLD)
        if options := option_sentences(self.game):
            self.screen.line(" ".join(options))
        self.screen.line("Which choice is best? Type l to read what has happened so far, r for the rules.")
        return self.decide(self.view, self.table.legal(self.seat))

    @property
    def view(self) -> View:
        """What the seat to move sees."""
        return self.table.view(self.seat)

    def undo(self) -> None:
        """Say that there is nothing to undo."""
        self.screen.line("There is nothing to undo: a puzzle has one choice.")

    def hint(self, view: View, legal: list[int]) -> None:
        """Give no hint, since it would be the answer."""
        self.screen.line("A puzzle has no hints.")

    @property
    def scene(self) -> Scene:
        """The position of the puzzle."""
        return self.game.scene(self.view, self.names)

    def print_history(self) -> None:
        """Print all sentences that the seat has seen."""
        for _, sentence in event_sentences(self.game, self.table.events(self.seat), self.seat, self.names):
            self.screen.line(sentence)

    def leave(self) -> None:
        """Leave without an answer."""
        raise Quit
