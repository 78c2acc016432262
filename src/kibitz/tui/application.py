"""The application and its menu, which leads to tables and replays, and back.

``run_application`` follows a ``Route``, which begins at one of the screens, and returns a farewell to print once the
terminal is restored.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets import Label, OptionList

from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, read_any
from kibitz.engine.registry import Family, families
from kibitz.engine.sentences import as_sentence
from kibitz.errors import KibitzError
from kibitz.players.isolation.process import why_no_sandbox
from kibitz.players.setup import ResumedGame, SetUp, resume_saved, start_choices
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.remote.client import Address
from kibitz.table.saved import saved_game_line, saved_games
from kibitz.tui.board import AsciiFilter
from kibitz.tui.canvas import shortened
from kibitz.tui.dialogs import ChoiceList, ChoiceWindow, InputWindow, TextWindow, ask_setup, show_ladder
from kibitz.tui.local_table import (
    USUAL_PACE,
    FindPlayers,
    LocalGame,
    LocalTable,
    StoreRecord,
    new_game,
    resumed_game,
    store_nowhere,
)
from kibitz.tui.replay import Replay, ReplayScreen
from kibitz.tui.server_table import ask_address, visit_server

Route = Callable[["KibitzApp"], Awaitable[str]]
"""A function that shows one screen after another, and returns a farewell."""
ASCII_FILTER = AsciiFilter()
SAVED = "Goodbye: the game is saved; 'kibitz resume' continues it."


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
        """The filters that every line passes before it is drawn."""
        return [*super().get_line_filters(), ASCII_FILTER] if self.ascii else super().get_line_filters()

    async def on_mount(self) -> None:
        """Begin to follow the route."""
        # After Ctrl+Z and ``fg`` the terminal is empty, but Textual draws only changes.
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh())
        self.run_worker(self.follow(), exclusive=True)

    async def follow(self) -> None:
        """Follow the route to its end, and exit with its farewell."""
        try:
            self.exit(await self.route(self))
        except KibitzError as error:
            self.failure = error
            self.exit("")

    def action_leave_at_once(self) -> None:
        """Leave from any screen; games are saved after every action."""
        is_saved = any(
            isinstance(screen, LocalTable) and screen.saver.is_saved and not screen.record
            for screen in self.screen_stack
        )
        for screen in self.screen_stack:
            if isinstance(screen, LocalTable):
                screen.saver.close()
        self.exit(SAVED if is_saved else "Goodbye.")

    def show_record(self, record: AnyRecord, *, with_review: bool = False) -> None:
        """Show a record over the current screen, and begin its review at once if ``with_review``."""
        self.push_screen(ReplayScreen(Replay(record), with_review=with_review))

    def _fatal_error(self) -> None:
        """Close without a traceback on the screen: the command line reports the bug."""
        self._close_messages_no_wait()

    async def play_game(self, local_game: LocalGame) -> str:
        """Play a game, and rematches; returns a farewell, or "" if the person wants the menu."""
        while True:
            screen = LocalTable(local_game, pace=self.pace)
            choice = await self.push_screen_wait(screen)
            self.pace = screen.pace
            if choice == "rematch":
                local_game = local_game.rematch()
            elif choice == "leave":
                return SAVED if screen.saver.is_saved and screen.record is None else "Goodbye."
            elif choice == "menu":
                return ""
            else:
                raise KibitzError(str(choice))

    async def resume(self, resumed: ResumedGame, find: FindPlayers, store: StoreRecord = store_nowhere) -> str:
        """Resume a saved game; a finished game is shown, and then its file is deleted."""
        if not isinstance(resumed.record, Record):
            return await self.play_game(resumed_game(resumed, find, store))
        replay = Replay(resumed.record)
        await self.push_screen_wait(ReplayScreen(replay, step=replay.last))
        store(resumed.record)
        resumed.saved.delete()
        return ""


def run_application(route: Route, *, ascii: bool = False) -> str:
    """Run the application and return its farewell. Errors are raised once the terminal is restored."""
    app = KibitzApp(route, ascii=ascii)
    farewell = app.run()
    failure = app.failure or app._exception
    if failure is not None:
        raise failure
    return farewell or ""


def table_route(local_game: LocalGame) -> Route:
    """A route to a local table."""
    return then_menu(lambda app: app.play_game(local_game))


def then_menu(route: Route) -> Route:
    """A route after which the menu is shown if the person asks for it."""

    async def longer_route(app: KibitzApp) -> str:
        return await route(app) or await menu_route(app)

    return longer_route


def setup_route(
    ask: Callable[[KibitzApp, Game], Awaitable[SetUp | None]], game: Game, make_game: Callable[[SetUp], LocalGame]
) -> Route:
    """A route that asks for a game's settings, and then plays it with them."""

    async def route(app: KibitzApp) -> str:
        setup = await ask(app, game)
        return await table_route(make_game(setup))(app) if setup else "Goodbye."

    return route


def resume_route(paths: Sequence[Path], find: FindPlayers, store: StoreRecord) -> Route:
    """A route that resumes a saved game; if there are several, the person picks one."""

    async def route(app: KibitzApp) -> str:
        number: object = 0
        if len(paths) > 1:
            number = await app.push_screen_wait(ChoiceWindow("Which game?", [saved_game_line(path) for path in paths]))
        if not isinstance(number, int):
            return "Goodbye."
        return await app.resume(resume_saved(paths[number]), find, store)

    return then_menu(route)


def replay_route(record: AnyRecord, viewpoint: int | None) -> Route:
    """A route that shows a replay."""

    async def route(app: KibitzApp) -> str:
        await app.push_screen_wait(ReplayScreen(Replay(record), viewpoint=viewpoint))
        return ""

    return route


def server_route(address: Address, name: str | None) -> Route:
    """A route to a table on a server."""
    return then_menu(lambda app: visit_server(app, address, name))


# ---------------------------------------------------------------- the menu

TITLE = "Kibitz: play, review and study card games"


class MenuLine(NamedTuple):
    """A line of the menu: what it leads to (see ``menu_lines``), and its text; a heading has an empty key."""

    key: str
    text: str


class Menu(Screen[str]):
    """The menu; dismissed with the key of the chosen line, or "" to leave."""

    DEFAULT_CSS = """
    Menu { align: center top; }
    Menu > Vertical { width: 100%; max-width: 96; height: 100%; padding: 0 1; }
    Menu .title { text-style: bold; padding: 1 0 0 1; }
    Menu OptionList, Menu OptionList:focus { height: 1fr; border: round $primary; background: $background; }
    Menu .footnote { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Leave")]

    def __init__(self, lines: Sequence[MenuLine]) -> None:
        super().__init__()
        self.lines = lines

    def compose(self) -> ComposeResult:
        """The title, the menu's lines, and a line about keys."""
        with Vertical():
            yield Label(TITLE, classes="title", markup=False)
            texts = [shortened(line.text, min(self.app.size.width, 96) - 12) for line in self.lines]
            headings = [number for number, line in enumerate(self.lines) if not line.key]
            yield ChoiceList(texts, headings)
            yield Label("↑ ↓ move   Enter chooses   Esc leaves", classes="footnote", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen."""
        self.dismiss(self.lines[event.option_index].key)

    def action_leave(self) -> None:
        """Leave Kibitz."""
        self.dismiss("")


def menu_lines() -> list[MenuLine]:
    """The current lines of the menu; keys are words such as "join", or words with an argument: "play:FAMILY"."""
    saved = [MenuLine(f"resume:{path}", saved_game_line(path)) for path in saved_games()[:9]]
    return [
        MenuLine("", "Play"),
        *(MenuLine(f"play:{family.name}", f"{family.title:<16} {family.summary}") for family in families()),
        MenuLine("puzzle", f"{'Puzzles':<16} Find the best choice: a new puzzle every day."),
        *([MenuLine("", "Continue"), *saved] if saved else ()),
        MenuLine("", "On a server"),
        MenuLine("join", "Join a table on a server ..."),
        MenuLine("", "Replays and rankings"),
        MenuLine("replay", "Replay a record ..."),
        MenuLine("arena", "Rankings of tournaments"),
        MenuLine("ladder", "Ladder: ratings of the computer players"),
        MenuLine("leave", "Leave"),
    ]


async def menu_route(app: KibitzApp) -> str:
    """Show the menu and the screens it leads to, until the person leaves; returns a farewell."""
    while True:
        key = await app.push_screen_wait(Menu(menu_lines())) or "leave"
        word, _, rest = key.partition(":")
        try:
            match word:
                case "leave":
                    return "Goodbye."
                case "play":
                    farewell = await choose_game(app, next(family for family in families() if family.name == rest))
                case "resume":
                    farewell = await app.resume(resume_saved(Path(rest)), player_finder(app))
                case "puzzle":
                    from kibitz.tui.puzzle import solve_puzzle

                    farewell = await solve_puzzle(app)
                case "replay":
                    farewell = await show_replay(app)
                case "join":
                    farewell = await ask_address(app)
                case "ladder":
                    farewell = await show_ladder(app)
                case _:
                    farewell = await show_season(app)
        except KibitzError as error:
            app.notify(as_sentence(str(error)), severity="warning", timeout=10)
            farewell = ""
        if farewell:
            return farewell


async def choose_game(app: KibitzApp, family: Family) -> str:
    """Ask for a game of a family and its players, then play it; returns a farewell, or "" for the menu."""
    game = family.games[0]
    if len(family.games) > 1:
        heading = "Which variant?" if len(family.titles) == 1 else f"{family.title}: which game?"
        choices = [f"{variant.name}: {variant.summary}" for variant in family.games]
        number = await app.push_screen_wait(ChoiceWindow(heading, choices))
        if not isinstance(number, int):
            return ""
        game = family.games[number]
    setup = await choose_start(app, game)
    return await app.play_game(new_game(setup, player_finder(app))) if setup else ""


async def choose_start(app: KibitzApp, game: Game) -> SetUp | None:
    """Ask how to begin, and return the set-up; None if the person leaves. The rules can be read first."""
    ways = start_choices(game)  # each a set-up, or None to ask for every setting; and its text
    choices = [*(text for _, text in ways), f"Read the rules of {game.title}"]
    while True:
        number = await app.push_screen_wait(ChoiceWindow(f"{game.title} ({game.name})", choices))
        if not isinstance(number, int):
            return None
        if number == len(ways):
            await app.push_screen_wait(TextWindow(f"The rules of {game.title}", game.rules_text.splitlines()))
        elif setup := ways[number][0] or await ask_setup(app, game):
            return setup


def player_finder(app: KibitzApp) -> FindPlayers:
    """A function that finds players, and shows a warning if there are player files that won't be confined."""

    def find(game: Game, words: list[str], own_files: bool) -> list[PlayerSpec]:
        specs = [find_player(game, word, own_file=own_files) for word in words]
        if own_files and any(spec.is_file for spec in specs) and (why := why_no_sandbox()):
            app.notify(f"Warning: {why}", severity="warning", timeout=15)
        return specs

    return find


async def show_replay(app: KibitzApp) -> str:
    """Ask for a record, and show it."""
    files = sorted(Path.cwd().glob("*.game"))[:12]
    path: object = None
    if files:
        number = await app.push_screen_wait(
            ChoiceWindow("Which record?", [*(file.name for file in files), "Another file ..."])
        )
        if not isinstance(number, int):
            return ""
        path = str(files[number]) if number < len(files) else None
    if path is None:
        path = await app.push_screen_wait(
            InputWindow("Which record?", "The path of a file, such as match.game. Esc leaves.")
        )
    if isinstance(path, str) and path:
        await app.push_screen_wait(ReplayScreen(Replay(read_any(Path(path).expanduser()))))
    return ""


async def show_season(app: KibitzApp) -> str:
    """Show the rankings of the season in this machine's arena store."""
    from kibitz import arena

    with arena.open(create=False) as season:
        names = [tournament.name for tournament in season.tournaments() if tournament.kind != "custom"]
        lines: list[str] = []
        for name in names:
            ranking = season.ranking(name)
            lines += [f"{name} ({ranking.rounds_text})", *ranking.text.splitlines(), ""]
    await app.push_screen_wait(TextWindow("Rankings of tournaments", lines or ["There is no tournament yet."]))
    return ""
