"""The screen of a table as it is shown: what there is to see at every moment.

reader      the seat whose eyes these are; SPECTATOR for everybody's
selection    the action that is being put together, while a person chooses
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.screen import Screen

from kibitz.engine.events import SPECTATOR, View
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import titled
from kibitz.engine.scene import Scene
from kibitz.engine.sentences import finished, names_for
from kibitz.tui.board import Board
from kibitz.tui.canvas import Canvas
from kibitz.tui.picture import Frame, picture
from kibitz.tui.selection import Selection

Keys = tuple[tuple[str, str], ...]
PLAYING: Keys = (
    ("?", "help"),
    ("h", "hint"),
    ("u", "undo"),
    ("l", "history"),
    (":", "write"),
    ("s", "in words"),
    ("Esc", "menu"),
)
LOOKING_ON: Keys = (("Space", "on to my turn"), ("+-", "pace"), ("l", "history"), ("?", "help"), ("Esc", "menu"))
OVER: Keys = (("r", "rematch"), ("v", "replay"), ("w", "save record"), ("l", "history"), ("m", "menu"), ("q", "leave"))


class TableScreen(Screen[str]):
    """Shows a table, and waits for what people choose; ``record`` is that of a game that is over."""

    DEFAULT_CSS = "TableScreen { overflow: hidden; }"

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        super().__init__()
        self.game, self.names = game, tuple(names)
        self.heading = titled(game)
        self.board = Board(self.draw)
        self.scene = Scene((), (), "")
        self.story: list[str] = []
        self.selection: Selection | None = None
        self.answer: asyncio.Future[int | None] | None = None
        self.told = self.waits = self.typed = ""
        self.record: Record | None = None

    @property
    def reader(self) -> int:
        """The seat whose eyes these are."""
        return SPECTATOR

    @property
    def keys(self) -> Keys:
        """The keys that there are now."""
        return OVER if self.record is not None else PLAYING if self.selection is not None else LOOKING_ON

    def compose(self) -> ComposeResult:
        """The board is all there is."""
        yield self.board

    def draw(self, width: int, height: int) -> Canvas:
        """The picture of this moment."""
        return picture(self.frame(), width, height)

    def frame(self) -> Frame:
        """What is to be seen now."""
        names, selection = names_for(self.reader, self.names), self.selection
        if selection is None:
            scene = Scene(self.scene.zones, self.scene.facts, self.waits or self.scene.prompt)
            told, story = self.told, self.story
            return Frame(self.heading, scene, names, self.reader, told=told, log=story, keys=self.keys)
        ready = selection.ready
        label = "" if ready is None else " ".join(self.game.words.label(selection.view, ready).split())
        cue = f"{self.typed} ..." if self.typed else selection.cue
        if self.typed == "q":
            cue += " d c h s takes that queen; q again leaves"
        return Frame(
            self.heading,
            selection.scene,
            names,
            self.reader,
            selection.marks,
            selection.buttons,
            label,
            cue,
            selection.said or self.told,
            self.story,
            self.keys,
        )

    def redraw(self) -> None:
        """Show what there is now."""
        if self.is_mounted:
            self.board.redraw()

    def warn(self, sentence: str) -> None:
        """Say something that is wrong, whoever is looking."""
        self.app.call_later(self.app.notify, finished(sentence), severity="warning", timeout=10)

    def point_out(self, view: View, legal: Sequence[int]) -> asyncio.Future[int | None]:
        """Let the person put one of the legal actions together: what they choose, None for what is theirs no more."""
        self.waits = self.told = self.typed = ""
        self.selection = Selection(self.game, view, legal, self.names)
        self.answer = asyncio.get_running_loop().create_future()
        self.redraw()
        return self.answer

    def put_away(self) -> None:
        """Nothing is being put together any more."""
        self.selection = self.answer = None
        self.told = self.typed = ""

    async def pointed(self, view: View, legal: Sequence[int]) -> int | None:
        """The same, waited for."""
        try:
            return await self.point_out(view, legal)
        finally:
            self.put_away()
