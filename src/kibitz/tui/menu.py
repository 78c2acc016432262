"""The menu: games by family, saved games, records, the table of a season; and the ways from each to a screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Label, OptionList

from kibitz.engine.game import Game
from kibitz.engine.record import read_any
from kibitz.engine.registry import Family, families
from kibitz.engine.sentences import finished
from kibitz.errors import KibitzError
from kibitz.players.built_in import best_known
from kibitz.players.going_on import take_up
from kibitz.players.processes import unconfined
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.table.saved import saved_games, told
from kibitz.tui.asking import as_usual, asked
from kibitz.tui.canvas import shortened
from kibitz.tui.dialogs import Asking, Choices, Choosing, Reading
from kibitz.tui.laddering import climb
from kibitz.tui.plans import Find, new_plan
from kibitz.tui.visiting import ask_where

if TYPE_CHECKING:
    from kibitz.tui.app import KibitzApp

TITLE = "Kibitz: card games, played, judged and studied"


class Line(NamedTuple):
    """A line of the menu: what it stands for, and its words; without a key it is a heading."""

    key: str
    words: str


class Menu(Screen[str]):
    """Where everything begins; dismissed with the key of a line, "" to leave."""

    DEFAULT_CSS = """
    Menu { align: center top; }
    Menu > Vertical { width: 100%; max-width: 96; height: 100%; padding: 0 1; }
    Menu .title { text-style: bold; padding: 1 0 0 1; }
    Menu OptionList, Menu OptionList:focus { height: 1fr; border: round $primary; background: $background; }
    Menu .below { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Leave")]

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__()
        self.lines = lines

    def compose(self) -> ComposeResult:
        """The title, the lines, the keys."""
        with Vertical():
            yield Label(TITLE, classes="title", markup=False)
            words = [shortened(line.words, min(self.app.size.width, 96) - 12) for line in self.lines]
            headings = [number for number, line in enumerate(self.lines) if not line.key]
            yield Choices(words, headings)
            yield Label("↑ ↓ move   Enter chooses   Esc leaves", classes="below", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen."""
        self.dismiss(self.lines[event.option_index].key)

    def action_leave(self) -> None:
        """Leave Kibitz."""
        self.dismiss("")


def menu_lines() -> list[Line]:
    """Everything that can be chosen now."""
    saved = saved_games()
    lines = [Line("", "Play")]
    lines += [Line(f"play:{family.name}", f"{family.title:<16} {family.summary}") for family in families()]
    if saved:
        lines += [Line("", "Go on")]
        lines += [Line(f"resume:{path}", told(path)) for path in saved[:9]]
    lines += [Line("", "Elsewhere"), Line("join", "Sit down at a table of a server ...")]
    lines += [Line("", "Look"), Line("replay", "Replay a record ..."), Line("arena", "The tables of the season")]
    lines += [Line("ladder", "The ladder: how strong the computer players are")]
    return [*lines, Line("leave", "Leave")]


async def menu(app: KibitzApp) -> str:
    """Show the menu and go where it leads, until the person leaves; what is to be said then."""
    while True:
        chosen = await app.push_screen_wait(Menu(menu_lines())) or "leave"
        word, _, rest = chosen.partition(":")
        try:
            match word:
                case "leave":
                    return "Goodbye."
                case "play":
                    said = await play(app, next(family for family in families() if family.name == rest))
                case "resume":
                    said = await app.go_on(take_up(Path(rest)), finding(app))
                case "replay":
                    said = await replay(app)
                case "join":
                    said = await ask_where(app)
                case "ladder":
                    said = await climb(app)
                case _:
                    said = await season(app)
        except KibitzError as error:
            app.notify(finished(str(error)), severity="warning", timeout=10)
            said = ""
        if said:
            return said


async def play(app: KibitzApp, family: Family) -> str:
    """Choose a game of a family and who plays, then play."""
    game = family.games[0]
    if len(family.games) > 1:
        asks = "Which variant?" if len(family.titles) == 1 else f"{family.title}: which game?"
        words = [f"{each.name}: {each.summary}" for each in family.games]
        number = await app.push_screen_wait(Choosing(asks, words))
        if not isinstance(number, int):
            return ""
        game = family.games[number]
    others = game.seats - 1
    usual = f"Play: you against {best_known(game)}" + f", {others} times" * (others > 1)
    choices = [usual, "Choose the players and the options first", f"Read the rules of {game.title}"]
    while True:
        match await app.push_screen_wait(Choosing(f"{game.title} ({game.name})", choices)):
            case 0:
                return await app.table(new_plan(as_usual(game), finding(app)))
            case 1:
                if done := await asked(app, game):
                    return await app.table(new_plan(done, finding(app)))
            case 2:
                await app.push_screen_wait(Reading(f"The rules of {game.title}", game.rules_text.splitlines()))
            case _:
                return ""


def finding(app: KibitzApp) -> Find:
    """Finds players, with a warning where files among them are not confined."""

    def find(game: Game, words: list[str], own: bool) -> list[PlayerSpec]:
        specs = [find_player(game, word, own=own) for word in words]
        if own and any(spec.is_file for spec in specs) and (why := unconfined()):
            app.notify(f"Warning: {why}", severity="warning", timeout=15)
        return specs

    return find


async def replay(app: KibitzApp) -> str:
    """Choose a record and look at it."""
    from kibitz.tui.replaying import Film, Replaying

    here = sorted(Path.cwd().glob("*.game"))[:12]
    path: object = None
    if here:
        number = await app.push_screen_wait(
            Choosing("Which record?", [*(file.name for file in here), "Another file ..."])
        )
        if not isinstance(number, int):
            return ""
        path = str(here[number]) if number < len(here) else None
    if path is None:
        path = await app.push_screen_wait(
            Asking("Which record?", "The path of a file, such as match.game. Esc leaves.")
        )
    if isinstance(path, str) and path:
        await app.push_screen_wait(Replaying(Film(read_any(Path(path).expanduser()))))
    return ""


async def season(app: KibitzApp) -> str:
    """The tables of the season that is kept on this machine."""
    from kibitz import arena

    with arena.open(create=False) as opened:
        names = [one.name for one in opened.tournaments() if one.kind != "custom"]
        lines: list[str] = []
        for name in names:
            found = opened.table(name)
            lines += [f"{name} ({found.stage}, {found.rounds} rounds)", *found.plain.splitlines(), ""]
    await app.push_screen_wait(Reading("The tables of the season", lines or ["There is no tournament yet."]))
    return ""
