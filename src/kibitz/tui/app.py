"""The application: it goes from the menu to a table, to a replay, and back.

``running`` is the one way in: it shows a first screen, and returns what is to be said once the terminal is as it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record
from kibitz.errors import KibitzError
from kibitz.players.going_on import TakenUp, take_up
from kibitz.players.setup import SetUp
from kibitz.table.saved import told
from kibitz.tui.asking import asked
from kibitz.tui.dialogs import Choosing
from kibitz.tui.driving import USUAL_PACE
from kibitz.tui.lettering import Letters
from kibitz.tui.local_table import LocalTable
from kibitz.tui.plans import Find, Plan, Store, nowhere, plan_on
from kibitz.tui.replaying import Film, Replaying

Route = Callable[["KibitzApp"], Awaitable[str]]
"""From a first screen to what is to be said in the end."""
LETTERS = Letters()
SAVED = "Goodbye: the game is saved, and 'kibitz resume' goes on with it."


class KibitzApp(App[str]):
    """Kibitz on a terminal."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Kibitz"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave_at_once", "Leave", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", "Suspend", priority=True, show=False),
    ]

    def __init__(self, route: Route, *, ascii: bool = False, pace: float = USUAL_PACE) -> None:
        super().__init__()
        self.route, self.ascii, self.pace = route, ascii, pace
        self.failure: Exception | None = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line goes through before it is drawn."""
        return [*super().get_line_filters(), LETTERS] if self.ascii else super().get_line_filters()

    async def on_mount(self) -> None:
        """Begin."""
        # After Ctrl+Z and ``fg`` the terminal is empty, but Textual draws only what has changed since.
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh())
        self.run_worker(self.follow(), exclusive=True)

    async def follow(self) -> None:
        """Go the way, and end with what is to be said."""
        try:
            self.exit(await self.route(self))
        except KibitzError as error:
            self.failure = error
            self.exit("")

    def action_leave_at_once(self) -> None:
        """Leave from wherever one is: a game is kept after every action."""
        kept = any(
            isinstance(screen, LocalTable) and screen.keeping.kept and not screen.record for screen in self.screen_stack
        )
        for screen in self.screen_stack:
            if isinstance(screen, LocalTable):
                screen.keeping.close()
        self.exit(SAVED if kept else "Goodbye.")

    def show_record(self, record: AnyRecord, look: int | None = None) -> None:
        """Show a record over what is on the screen."""
        self.push_screen(Replaying(Film(record), look=look))

    def _fatal_error(self) -> None:
        """A fault of ours: it is told by the command line, not by a traceback on the screen."""
        self._close_messages_no_wait()

    async def table(self, plan: Plan) -> str:
        """Play a game, and again as long as that is wanted; "menu", or "leave" with what is to be said."""
        while True:
            screen = LocalTable(plan, pace=self.pace)
            what = await self.push_screen_wait(screen)
            self.pace = screen.driver.pace
            if what == "rematch":
                plan = plan.again()
            elif what == "leave":
                return SAVED if screen.keeping.kept and screen.record is None else "Goodbye."
            elif what == "menu":
                return ""
            else:
                raise KibitzError(str(what))

    async def go_on(self, left: TakenUp, find: Find, store: Store = nowhere) -> str:
        """Go on with a game that was left; one that is over already is shown, and kept no longer."""
        if not isinstance(left.record, Record):
            return await self.table(plan_on(left, find, store))
        film = Film(left.record)
        await self.push_screen_wait(Replaying(film, step=film.last))
        store(left.record)
        left.saved.drop()
        return ""


def running(route: Route, *, ascii: bool = False) -> str:
    """Run the application; what is to be said in the end.  Whatever goes wrong is raised once the terminal is free."""
    app = KibitzApp(route, ascii=ascii)
    said = app.run()
    failure = app.failure or app._exception
    if failure is not None:
        raise failure
    return said or ""


def play_at(plan: Plan) -> Route:
    """The way straight to a table; the menu comes after it only if it is asked for."""

    async def route(app: KibitzApp) -> str:
        return await app.table(plan) or await menu_first(app)

    return route


async def menu_first(app: KibitzApp) -> str:
    """The way from the menu."""
    from kibitz.tui.menu import menu

    return await menu(app)


def set_up_first(game: Game, planned: Callable[[SetUp], Plan]) -> Route:
    """The way to a table from the questions about a game."""

    async def route(app: KibitzApp) -> str:
        done = await asked(app, game)
        return await play_at(planned(done))(app) if done else "Goodbye."

    return route


def go_on_with(paths: Sequence[Path], find: Find, store: Store) -> Route:
    """The way to a game that was left; the person picks it where there are several."""

    async def route(app: KibitzApp) -> str:
        picked: object = 0
        if len(paths) > 1:
            picked = await app.push_screen_wait(Choosing("Which game?", [told(path) for path in paths]))
        if not isinstance(picked, int):
            return "Goodbye."
        return await app.go_on(take_up(paths[picked]), find, store) or await menu_first(app)

    return route


def replay_of(record: AnyRecord, look: int | None) -> Route:
    """The way to a replay."""

    async def route(app: KibitzApp) -> str:
        await app.push_screen_wait(Replaying(Film(record), look=look))
        return ""

    return route
