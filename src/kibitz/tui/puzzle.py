"""The screen of a puzzle of the day, and the question of which puzzle to solve."""

from __future__ import annotations

from textual.app import App

from kibitz.arena.puzzles import Puzzle, judge, puzzles, todays_numbers
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import option_sentences
from kibitz.engine.sentences import names_for
from kibitz.table.outcomes import event_sentences
from kibitz.tui.dialogs import ChoiceWindow, TextWindow
from kibitz.tui.selection import Selection
from kibitz.tui.table_screen import PLAYING_KEYS, Keys, TableScreen


class PuzzleScreen(TableScreen):
    """A position with one choice to make; dismissed with "menu" or "leave" once the person has seen the answer."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.table = puzzle, puzzle.table()
        super().__init__(self.table.game, self.table.names)
        self.heading = f"Puzzle of the day: {self.heading}"
        names = names_for(self.viewer, self.names)
        events = event_sentences(self.game, self.table.events(self.viewer), self.viewer, names)
        self.history = [*option_sentences(self.game), *(sentence for _, sentence in events)]

    @property
    def viewer(self) -> int:
        """The seat that is to choose."""
        return self.table.player

    @property
    def keys(self) -> Keys:
        """The keys that work now: all but hints and undo."""
        return tuple(key for key in PLAYING_KEYS if key[0] not in ("h", "u"))

    def on_mount(self) -> None:
        """Ask for the choice."""
        self.run_worker(self.solve(), exclusive=True)

    async def solve(self) -> None:
        """Ask for the choice, and show whether it is best."""
        choice = self.begin_choice(self.table.view(self.viewer), self.table.legal(self.viewer))
        self.feedback = "Which choice is best?"
        action = await choice
        assert action is not None
        verdict, *reasons = judge(self.puzzle, action).sentences
        await self.app.push_screen_wait(TextWindow(verdict, reasons))
        self.dismiss("menu")

    def undo(self, selection: Selection) -> None:
        """Say that there is nothing to undo."""
        self.feedback = "There is nothing to undo: a puzzle has one choice."

    async def hint(self, selection: Selection) -> None:
        """Give no hint, since it would be the answer."""
        self.feedback = "A puzzle has no hints."
        self.redraw()

    def leave_choices(self) -> list[tuple[str, str]]:
        """The ways to leave the puzzle: a text, and the argument for ``leave``."""
        return [("Back to the menu", "menu"), ("Leave Kibitz", "leave")]


async def solve_puzzle(app: App[str]) -> str:
    """Ask which puzzle of the day to solve, and show it; returns a farewell, or "" for the menu."""
    games = list(puzzles())
    number = await app.push_screen_wait(ChoiceWindow("Which puzzle?", [find_game(game).title for game in games]))
    if not isinstance(number, int):
        return ""
    puzzle = puzzles()[games[number]][todays_numbers()[games[number]]]
    return "Goodbye." if await app.push_screen_wait(PuzzleScreen(puzzle)) == "leave" else ""
