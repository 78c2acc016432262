"""The screen on which a game is played in this program: from the deal to a rematch."""

from __future__ import annotations

from kibitz.engine.events import SPECTATOR
from kibitz.engine.sentences import finished, listed
from kibitz.errors import KibitzError
from kibitz.table.outcomes import result
from kibitz.tui.controller import no_key
from kibitz.tui.driving import PACES, in_thread
from kibitz.tui.local_screen import LocalScreen
from kibitz.tui.selection import Selection


class LocalTable(LocalScreen):
    """Plays one game; dismissed with what the person wants then."""

    def on_mount(self) -> None:
        """Begin to play."""
        self.run_worker(self.play(), exclusive=True)

    async def play(self) -> None:
        """From the deal to the result."""
        if self.shared:  # nothing but this is seen until the first person looks
            self.told = f"{listed([self.names[p] for p in self.people])} share this keyboard. {self.opening}"
        try:
            record = await self.driver.drive()
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
        self.waits = result(record, self.reader, self.story[-1] if self.story else "")
        self.told = f"The seed was {record.seed}, as promised at the deal."
        try:
            path = self.plan.store(record)
        except KibitzError as error:
            self.warn(str(error))
        else:
            self.keeping.drop()
            self.told += f" The record is saved in {path}." if path else ""
        self.redraw()

    def quit(self) -> None:
        """Leave at once; a game that could not be saved asks first."""
        if self.keeping.broken and self.record is None:
            self.menu()
        else:
            super().quit()

    def leave(self, what: str) -> None:
        """Get up; the game stays where it is kept."""
        self.keeping.close()
        self.dismiss(what)

    # ---------------------------------------------------------------- what keys do

    def press(self, key: str) -> None:
        """What a key means now: only Enter goes on while the keyboard goes from one person to another."""
        if self.entered is None:
            super().press(key)
        elif key == "enter" and not self.entered.done():
            self.entered.set_result(None)
        elif key in ("escape", "q"):
            self.key_anytime(key)
        else:
            self.told = no_key(key, self.keys)

    def hurry(self) -> None:
        """On to the next person's turn."""
        self.driver.hurry.set()

    def undo(self, selection: Selection) -> None:
        """Take back the latest decision, if that is fair."""
        seat = selection.view.seat
        if why := self.driver.why_no_undo(seat):
            self.told = why
        elif self.answer is not None and not self.answer.done():
            self.driver.undo(seat)
            self.answer.set_result(None)

    async def hint(self, selection: Selection) -> None:
        """What the strongest player would do, and why; the record notes that it was asked for."""
        from kibitz.players.advice import hint

        self.driver.hinted(selection.view.seat)
        self.told = "Looking for a hint ..."
        self.redraw()
        game, view, legal = self.table.game, selection.view, selection.legal
        found = await in_thread(lambda: hint(game, view, legal))
        if self.selection is selection:
            selection.advise(found.action)
            self.told = f"Hint: {found.reason}"
            self.redraw()

    def change_pace(self, key: str) -> None:
        """Let the computer players play faster or slower."""
        at = min(range(len(PACES)), key=lambda i: abs(PACES[i] - self.driver.pace))
        at = min(max(at + (-1 if key == "+" else 1), 0), len(PACES) - 1)
        self.driver.pace = PACES[at]
        self.told = f"A computer player takes {PACES[at]:g} seconds at least."

    def ways(self) -> list[tuple[str, str]]:
        """Leaving the game."""
        then = "it is saved, and 'kibitz resume' goes on with it" if self.keeping.kept else "it is not saved"
        return [(f"Leave the game ({then})", "leave"), (f"Back to the menu ({then})", "menu")]
