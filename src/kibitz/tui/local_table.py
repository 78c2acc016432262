"""The screen of a game that is played in this program, from the deal to a rematch.

viewer      the seat whose person may look now; None while the keyboard goes from one person to another
snapshot    the scene and the log at the last stable moment: while a computer player thinks, the screen is drawn from
            them and the table is left alone
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from kibitz.engine.record import Record, commitment
from kibitz.engine.scene import Scene
from kibitz.engine.scene.text import standings
from kibitz.engine.sentences import finished, listed, names_for
from kibitz.engine.views.events import SPECTATOR, RoundOver, to_seat
from kibitz.errors import KibitzError
from kibitz.players.compiling import compile_notice
from kibitz.players.opponents import OpponentsReferee
from kibitz.table.outcomes import chapter_steps, closing_events, result_text
from kibitz.table.saved import AutoSaver
from kibitz.table.session import MOMENT, AskPlayer, ForcedAction, Next, Session
from kibitz.tui.board import Frame
from kibitz.tui.dialogs import Reading
from kibitz.tui.plan import EventLog, Plan, in_thread, opening
from kibitz.tui.selection import Selection
from kibitz.tui.table_screen import Keys, TableController, no_key

PACES = (0.0, 0.2, 0.4, 0.6, 0.9, 1.5, 3.0)
USUAL_PACE = 0.6
WAITED_FOR: Keys = (("Enter", "continue"), ("Esc", "menu"))


class LocalScreen(TableController):
    """Drives a game and shows it.

    pace        the least number of seconds that a computer player's action takes, so that people can follow
    hurried     set to skip ahead until a person has to choose
    """

    def __init__(self, plan: Plan, *, pace: float) -> None:
        super().__init__(plan.table.game, plan.table.names)
        self.plan, self.table, self.people = plan, plan.table, plan.seated.people
        self.keeping = AutoSaver(plan.seated.chairs, self.warn, plan.saved)
        self.session, self.pace = Session(self.table, self.people), pace
        self.company = OpponentsReferee(self.table, plan.seated.factories, self.saying)
        self.hurried = asyncio.Event()
        self.shared = len(self.people) > 1
        self.viewer: int | None = None if self.shared else (self.people[0] if self.people else SPECTATOR)
        weaker = compile_notice(self.game, [words for words in plan.seated.chairs if words])
        self.opening = " ".join(filter(None, (weaker, opening(self.game, commitment(self.table.seed)))))
        self.tellings: dict[int, EventLog] = {}
        self.entered: asyncio.Future[None] | None = None

    @property
    def reader(self) -> int:
        """The seat whose person may look."""
        return SPECTATOR if self.viewer is None else self.viewer

    @property
    def keys(self) -> Keys:
        """The keys that work now: hardly any while the keyboard passes from one person to another."""
        return WAITED_FOR if self.entered is not None else super().keys

    def frame(self) -> Frame:
        """The content of the screen now: nothing while the keyboard passes from one person to another."""
        if self.viewer is None and self.shared and self.record is None:
            covered = Scene((), (), self.waits)
            return Frame(self.heading, covered, self.names, SPECTATOR, told=self.told, keys=self.keys)
        return super().frame()

    # ---------------------------------------------------------------- driving

    async def drive(self) -> Record:
        """Play from the current position to the end; returns the record."""
        table = self.table
        try:
            self.keeping.save(table)
            await in_thread(self.company.begin)
            self.changed()
            while not table.over:
                since = table.step
                await self.step(self.session.next)
                self.keeping.save(table)
                self.changed()
                await self.between(since)
        finally:  # runs in a thread that nobody waits for
            threading.Thread(target=self.company.end, args=(table.outcome,), daemon=True).start()
        record = table.record
        assert isinstance(record, Record)
        return record

    async def step(self, one: Next) -> None:
        """Carry out the next step. While a computer player thinks in a thread, nothing else uses the table."""
        begun = time.monotonic()
        if isinstance(one, AskPlayer):
            self.say(f"{self.table.names[one.seat]} is thinking ...")
            await in_thread(lambda: self.company.ask(one.seat))
            await self.rest(begun, self.pace)
            return
        self.hurried.clear()
        if isinstance(one, ForcedAction):
            await self.rest(begun, MOMENT if self.pace else 0.0)
            self.session.act(one.seat, one.action)
        elif (action := await self.choose(one.seat)) is not None:
            self.session.act(one.seat, action)

    async def rest(self, begun: float, seconds: float) -> None:
        """Wait until ``seconds`` have passed since ``begun``, or the person wants to skip."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.hurried.wait(), max(0.0, seconds - (time.monotonic() - begun)))

    def changed(self) -> None:
        """Take a snapshot of the table, which is stable now."""
        if self.viewer is not None:
            self.look(self.viewer)
        self.waits = ""
        self.redraw()

    def look(self, seat: int) -> None:
        """Take a snapshot for a seat."""
        game, names = self.table.game, names_for(seat, self.table.names)
        self.scene = game.scene(self.table.view(seat), names)
        telling = self.tellings.setdefault(seat, EventLog(self.table, seat))
        self.story = [self.opening, *telling.catch_up()]

    @contextmanager
    def saying(self, sentence: str) -> Iterator[None]:
        """A block in which a computer player thinks in a thread, with a message if that is slow."""
        again = "again" in sentence
        if again:
            self.app.call_from_thread(self.say, sentence)
        yield
        if again:
            self.app.call_from_thread(self.say, "")

    def say(self, sentence: str) -> None:
        """Show a sentence in place of the prompt."""
        self.waits = sentence
        self.redraw()

    async def between(self, since: int) -> None:
        """After some steps: if a hand or round has ended, show its summary until it is read."""
        table = self.table
        ended = [] if table.over else list(chapter_steps(table, since))
        if not ended:
            return
        seat = SPECTATOR if self.shared else self.people[0]
        names = names_for(seat, table.names)
        told = closing_events(to_seat(table.notices(ended[-1]), seat))
        lines = [table.game.describe(event, seat, names) for event in told]
        if not any(isinstance(event, RoundOver) for event in told):
            lines += ["", *standings(table.game.scene(table.view(seat), names), names)]
        await self.app.push_screen_wait(Reading("Press Enter to continue.", lines, latest=True))

    async def choose(self, seat: int) -> int | None:
        """The choice of a seat's person; None if they undid their latest decision."""
        if self.viewer != seat:
            await self.hand_over(seat)
        self.look(seat)
        answer = self.point_out(self.table.view(seat), self.table.legal(seat))
        self.guide(seat)
        try:
            return await answer
        finally:
            self.put_away()
            self.caption = ""

    def guide(self, seat: int) -> None:
        """Show the captions of a guided first hand that are due, and mark what they point at."""
        found = self.session.guidance(seat)
        self.caption = found.says if found else ""
        if found and found.action is not None and self.selection is not None:
            self.selection.advise(found.action)
        self.redraw()

    async def hand_over(self, seat: int) -> None:
        """Cover one person's view before the next one looks."""
        name = self.table.names[seat]
        if self.viewer is not None:
            self.waits = f"Press Enter to cover your cards: it is {name}'s turn."
            await self.enter()
        self.viewer = None
        self.waits = f"{name}, it's your turn. Press Enter when nobody else can see the screen."
        await self.enter()
        self.viewer = seat

    async def enter(self) -> None:
        """Wait until Enter is pressed."""
        self.entered = asyncio.get_running_loop().create_future()
        self.redraw()
        await self.entered
        self.entered, self.told = None, ""


# ---------------------------------------------------------------- playing


class LocalTable(LocalScreen):
    """Plays one game; dismissed with what the person wants next."""

    def on_mount(self) -> None:
        """Begin to play."""
        self.run_worker(self.play(), exclusive=True)

    async def play(self) -> None:
        """From the deal to the result."""
        if self.shared:  # hides everything until the first person looks
            self.told = f"{listed([self.names[p] for p in self.people])} share this keyboard. {self.opening}"
        try:
            record = await self.drive()
        except KibitzError as error:
            self.keeping.close()
            self.dismiss(finished(str(error)))
            return
        self.record = record
        if self.shared:
            self.waits = "The game is over. Press Enter to cover your cards and see how it ended."
            await self.enter()
            self.viewer = SPECTATOR
        self.look(self.reader)
        if not self.shared:
            self.guide(self.reader)
        self.waits = result_text(record, self.reader, self.story[-1] if self.story else "")
        self.told = f"The seed was {record.seed}. Its SHA-256 is the one shown at the deal."
        try:
            path = self.plan.store(record)
        except KibitzError as error:
            self.warn(str(error))
        else:
            self.keeping.drop()
            self.told += f" The record is saved in {path}." if path else ""
        self.redraw()

    def quit(self) -> None:
        """Leave at once; if the game could not be saved, ask first."""
        if self.keeping.broken and self.record is None:
            self.menu()
        else:
            super().quit()

    def leave(self, what: str) -> None:
        """Leave the table; the game stays saved."""
        self.keeping.close()
        self.dismiss(what)

    # ---------------------------------------------------------------- what keys do

    def press(self, key: str) -> None:
        """Handle a key: only Enter works while the keyboard passes from one person to another."""
        if self.entered is None:
            super().press(key)
        elif key == "enter" and not self.entered.done():
            self.entered.set_result(None)
        elif key in ("escape", "q"):
            self.key_anytime(key)
        else:
            self.told = no_key(key, self.keys)

    def hurry(self) -> None:
        """Skip to the next person's turn."""
        self.hurried.set()

    def undo(self, selection: Selection) -> None:
        """Undo the latest decision, if that is fair."""
        seat = selection.view.seat
        if why := self.session.why_no_undo(seat):
            self.told = why
        elif self.answer is not None and not self.answer.done():
            self.session.undo(self.session.decisions[seat][-1].step)
            self.answer.set_result(None)

    async def hint(self, selection: Selection) -> None:
        """Show the strongest player's choice, and why; the record notes the request."""
        from kibitz.players.advice import hint

        self.session.hint(selection.view.seat)
        self.keeping.save(self.table)
        self.told = "Looking for a hint ..."
        self.redraw()
        game, view, legal = self.table.game, selection.view, selection.legal
        found = await in_thread(lambda: hint(game, view, legal))
        if self.selection is selection:
            selection.advise(found.action)
            self.told = found.reason
            self.redraw()

    def change_pace(self, key: str) -> None:
        """Make the computer players faster or slower."""
        at = min(range(len(PACES)), key=lambda i: abs(PACES[i] - self.pace))
        at = min(max(at + (-1 if key == "+" else 1), 0), len(PACES) - 1)
        self.pace = PACES[at]
        self.told = f"Computer players take at least {PACES[at]:g} seconds."

    def ways(self) -> list[tuple[str, str]]:
        """Leaving the game."""
        then = "it is saved, and 'kibitz resume' continues it" if self.keeping.is_saved else "it is not saved"
        return [(f"Leave the game ({then})", "leave"), (f"Back to the menu ({then})", "menu")]
