"""The screen of a table as it is shown: what there is to see at every moment, and who may see it.

viewer      the seat whose person may look now; None while the keyboard goes from one person to another
snapshot    the scene and the sentences as they were when the table stood still: while a computer player
thinks, the screen is drawn from them and the table is not touched
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from textual.app import ComposeResult
from textual.screen import Screen

from kibitz.engine.events import SPECTATOR, RoundOver, to_seat
from kibitz.engine.record import Record
from kibitz.engine.scene import Scene
from kibitz.engine.scene.drawing import said
from kibitz.engine.sentences import finished, names_for
from kibitz.table import Table
from kibitz.table.chapters import closing, ends_chapter
from kibitz.table.keeping import Keeping
from kibitz.tui.board import Board
from kibitz.tui.canvas import Canvas
from kibitz.tui.dialogs import Reading
from kibitz.tui.driving import Driver
from kibitz.tui.picture import Frame, picture
from kibitz.tui.plans import Plan
from kibitz.tui.pointing import Pointing
from kibitz.tui.telling import Telling

PLAYING = (
    ("?", "help"),
    ("h", "hint"),
    ("u", "undo"),
    ("l", "history"),
    (":", "write"),
    ("s", "in words"),
    ("Esc", "menu"),
)
LOOKING_ON = (("Space", "on to my turn"), ("+-", "pace"), ("l", "history"), ("?", "help"), ("Esc", "menu"))
OVER = (("r", "rematch"), ("v", "replay"), ("w", "save record"), ("l", "history"), ("m", "menu"), ("q", "leave"))


class TableScreen(Screen[str]):
    """Shows one game and waits for what people choose; ``Sitting`` is played on it."""

    DEFAULT_CSS = "TableScreen { overflow: hidden; }"

    def __init__(self, plan: Plan, *, pace: float, ascii: bool = False) -> None:
        super().__init__()
        self.plan, self.table, self.people = plan, plan.table, plan.seated.people
        self.keeping = Keeping(plan.seated.chairs, self.warn, plan.saved)
        self.driver = Driver(self.table, plan.seated, self, self.keeping.keep, pace)
        self.shared = len(self.people) > 1
        self.viewer: int | None = None if self.shared else (self.people[0] if self.people else SPECTATOR)
        self.board = Board(self.draw, ascii=ascii)
        self.tellings: dict[int, Telling] = {}
        self.scene = Scene((), (), "")
        self.story: list[str] = []
        self.pointing: Pointing | None = None
        self.answer: asyncio.Future[int | None] | None = None
        self.entered: asyncio.Future[None] | None = None
        self.told = self.waits = self.typed = ""
        self.record: Record | None = None

    # ---------------------------------------------------------------- shown

    def compose(self) -> ComposeResult:
        """The board is all there is."""
        yield self.board

    def draw(self, width: int, height: int) -> Canvas:
        """The picture of this moment."""
        return picture(self.frame(), width, height)

    def frame(self) -> Frame:
        """What is to be seen now."""
        game, seat = self.table.game, SPECTATOR if self.viewer is None else self.viewer
        title = game.title
        if self.viewer is None and self.shared and self.record is None:
            return Frame(title, Scene((), (), self.waits), self.table.names, seat, keys=(("Enter", "go on"),))
        names = names_for(seat, self.table.names)
        if self.pointing is None:
            scene = Scene(self.scene.zones, self.scene.facts, self.waits or self.scene.prompt)
            keys = OVER if self.record else LOOKING_ON
            return Frame(title, scene, names, seat, told=self.told, log=self.story, keys=keys)
        pointing = self.pointing
        ready = pointing.ready
        label = "" if ready is None else " ".join(game.words.label(pointing.view, ready).split())
        cue = f"{self.typed} ..." if self.typed else pointing.cue
        return Frame(
            title,
            pointing.scene,
            names,
            seat,
            pointing.marks,
            pointing.buttons,
            label,
            cue,
            pointing.said or self.told,
            self.story,
            PLAYING,
        )

    def redraw(self) -> None:
        """Show what there is now."""
        if self.is_mounted:
            self.board.redraw()

    def warn(self, sentence: str) -> None:
        """Say something that is wrong, whoever is looking."""
        self.app.call_later(self.app.notify, finished(sentence), severity="warning", timeout=10)

    # ---------------------------------------------------------------- the front of the driver

    def changed(self) -> None:
        """The table stands still: remember how it looks."""
        if self.viewer is not None:
            self.look(self.viewer)
        self.waits = ""
        self.redraw()

    def look(self, seat: int) -> None:
        """Remember what a seat sees and has been told."""
        game, names = self.table.game, names_for(seat, self.table.names)
        self.scene = game.scene(self.table.view(seat), names)
        telling = self.tellings.setdefault(seat, Telling(self.table, seat))
        self.story = list(telling.catch_up())

    def thinking(self, seat: int) -> None:
        """A computer player begins to think."""
        self.waits = f"{self.table.names[seat]} is thinking ..."
        self.redraw()

    @contextmanager
    def saying(self, sentence: str) -> Iterator[None]:
        """Something takes long."""
        self.app.call_from_thread(self.say, sentence)
        yield
        self.app.call_from_thread(self.say, "")

    def say(self, sentence: str) -> None:
        """Put a sentence in the prompt's place."""
        self.waits = sentence
        self.redraw()

    async def between(self) -> None:
        """After a step: where a hand or round has ended, tell how, and wait until it is read."""
        table = self.table
        if table.over or not table.step or not ends_chapter(table.latest):
            return
        seat = SPECTATOR if self.shared else self.people[0]
        names = names_for(seat, table.names)
        told = closing(to_seat(table.latest, seat))
        lines = [table.game.describe(event, seat, names) for event in told]
        if not any(isinstance(event, RoundOver) for event in told):
            lines += ["", *standings(table, seat)]
        await self.app.push_screen_wait(Reading("Press Enter to go on.", lines, latest=True))

    async def choose(self, seat: int) -> int | None:
        """Ask a person."""
        if self.viewer != seat:
            await self.hand_over(seat)
        table = self.table
        self.look(seat)
        self.waits = self.told = ""
        self.pointing = Pointing(table.game, table.view(seat), table.legal(seat), table.names)
        self.answer = asyncio.get_running_loop().create_future()
        self.redraw()
        try:
            return await self.answer
        finally:
            self.pointing = self.answer = None
            self.told = self.typed = ""

    async def hand_over(self, seat: int) -> None:
        """Cover what one person sees before the next one looks."""
        name = self.table.names[seat]
        if self.viewer is not None:
            self.waits = f"Press Enter to cover your cards: it is {name}'s turn."
            await self.enter()
        self.viewer = None
        self.waits = f"{name}, it is your turn. Press Enter when nobody else looks at the screen."
        await self.enter()
        self.viewer = seat

    async def enter(self) -> None:
        """Wait until Enter is pressed."""
        self.entered = asyncio.get_running_loop().create_future()
        self.redraw()
        await self.entered
        self.entered = None


def standings(table: Table, seat: int) -> list[str]:
    """How the seats stand, a line each."""
    names = names_for(seat, table.names)
    facts = table.game.scene(table.view(seat), names).facts
    return [
        f"{name}: {', '.join(said(fact) for fact in facts if fact.seat == p)}"
        for p, name in enumerate(names)
        if any(fact.seat == p for fact in facts)
    ]
