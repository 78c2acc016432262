"""The ladder in the application: the computer players of a game against each other, rated while one looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Label, ProgressBar, Static

from kibitz.engine.game import Game
from kibitz.engine.registry import families
from kibitz.errors import KibitzError
from kibitz.tui.dialogs import CLOSING, Choosing, Reading, Window
from kibitz.tui.driving import in_thread

if TYPE_CHECKING:
    from kibitz.arena.ladder import Ladder
    from kibitz.tui.app import KibitzApp

DEALS = 20
ABOUT = (
    "1500 points are the average, 400 points more are ten times the odds; ± is half of a 95 % interval.",
    "'kibitz ladder GAME --deals 200' plays more deals, for closer figures.",
)


class Stopped(Exception):
    """Nobody looks any more."""


class Climbing(Window):
    """Games are played, and a bar says how many; dismissed with the ladder, None where it is left."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSING

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        """What is played, how far that is, how to leave."""
        with Vertical():
            title = f"{self.game.title}: {DEALS} deals, each in every seat"
            yield Label(title, classes="asks", markup=False)
            yield ProgressBar(total=DEALS * self.game.seats, show_eta=False)
            yield Static(Text("Esc stops it."), classes="below")

    def on_mount(self) -> None:
        """Begin."""
        self.run_worker(self.climb(), exclusive=True)

    async def climb(self) -> None:
        """Play, and go with what comes of it."""
        from kibitz.arena.ladder import ladder

        def told(done: int, of: int) -> None:
            if not self.is_attached:
                raise Stopped
            self.app.call_from_thread(self.query_one(ProgressBar).update, total=of, progress=done)

        try:
            self.dismiss(await in_thread(lambda: ladder(self.game, DEALS, workers=1, progress=told)))
        except Stopped:
            return
        except KibitzError as error:
            self.dismiss(error)


async def climb(app: KibitzApp) -> str:
    """Choose a game, let its players play, and show the ladder."""
    found = [family.games[0] for family in families()]
    number = await app.push_screen_wait(Choosing("The ladder of which game?", [game.title for game in found]))
    if not isinstance(number, int):
        return ""
    result = await app.push_screen_wait(Climbing(found[number]))
    if isinstance(result, KibitzError):
        raise result
    if result is not None:
        made: Ladder = result  # type: ignore[assignment]
        from kibitz.arena.ladder import rows

        title = f"The ladder of {found[number].title}, {made.games} games"
        await app.push_screen_wait(Reading(title, [*rows(made), "", *ABOUT]))
    return ""
