"""The screen on which a game is played: what keys and clicks do, from the deal to a rematch."""

from __future__ import annotations

from pathlib import Path

from textual import events

from kibitz.engine.events import SPECTATOR
from kibitz.engine.record import Record, commitment
from kibitz.engine.registry import options_told
from kibitz.engine.sentences import finished, listed
from kibitz.errors import KibitzError
from kibitz.table import Table
from kibitz.table.outcomes import result
from kibitz.table.saved import SUFFIX, file_stem
from kibitz.tui.board import Board
from kibitz.tui.dialogs import Asking, Choosing, Reading
from kibitz.tui.driving import PACES, in_thread
from kibitz.tui.helping import help_lines, in_words
from kibitz.tui.pointing import RANKS, SUITS, Pointing
from kibitz.tui.showing import LOOKING_ON, OVER, PLAYING, TableScreen

SPELT = {"♦": "d", "♣": "c", "♥": "h", "♠": "s"}
TYPING = 0.6
"""Seconds in which a suit may follow a digit; after them the digit is the number of a choice."""


class Sitting(TableScreen):
    """Plays one game; dismissed with what the person wants then."""

    def on_mount(self) -> None:
        """Begin to play."""
        self.run_worker(self.play(), exclusive=True)

    # ---------------------------------------------------------------- the game

    async def play(self) -> None:
        """From the deal to the result."""
        self.told = introduction(self.table, self.people)
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
        self.look(SPECTATOR if self.viewer is None else self.viewer)
        self.waits = result(record, SPECTATOR if self.viewer is None else self.viewer)
        self.told = f"The seed was {record.seed}, as promised at the deal."
        try:
            path = self.plan.store(record)
        except KibitzError as error:
            self.warn(str(error))
        else:
            self.keeping.drop()
            self.told += f" The record is saved in {path}." if path else ""
        self.redraw()

    def leave(self, what: str) -> None:
        """Get up; the game stays where it is kept."""
        self.keeping.close()
        self.dismiss(what)

    # ---------------------------------------------------------------- keys

    def on_key(self, event: events.Key) -> None:
        """What a key means now."""
        event.stop()
        event.prevent_default()
        key = event.character if event.character and event.is_printable else event.key
        key = SPELT.get(key, key)
        if self.entered is not None:
            if key == "enter" and not self.entered.done():
                self.entered.set_result(None)
            elif key == "escape":
                self.menu()
            return
        if self.pointing is not None:
            self.key_pointing(key, self.pointing)
        elif key in ("space", " ") and self.record is None:
            self.driver.hurry.set()
        elif key in ("+", "-"):
            self.change_pace(key)
        else:
            self.key_anytime(key)
        self.redraw()

    def key_pointing(self, key: str, pointing: Pointing) -> None:
        """A key while a person chooses."""
        self.told = ""
        if self.typed:
            before, self.typed = self.typed, ""
            if key in SUITS or (before == "1" and key == "0"):
                self.type_on(before, key, pointing)
                return
            if before.isdigit():
                self.done(pointing.number(int(before) or 10))
                if self.pointing is not pointing or (self.answer and self.answer.done()):
                    return
        match key:
            case "left" | "right" | "up" | "down" | "tab" | "shift+tab":
                right = {"left": -1, "right": 1, "tab": 1, "shift+tab": -1}.get(key, 0)
                pointing.move(self.board.canvas, right, {"up": -1, "down": 1}.get(key, 0))
            case "enter":
                self.done(pointing.enter())
            case "space" | " ":
                if pointing.cursor is not None:
                    pointing.take(pointing.cursor)
            case "backspace" if pointing.picking.chosen:
                pointing.take(pointing.picking.chosen[-1])
            case "escape" if pointing.put_back():
                pass
            case "u":
                self.undo(pointing)
            case "h":
                self.run_worker(self.hint(pointing))
            case ":" | "/":
                self.run_worker(self.write_out(pointing))
            case _ if pointing.amount is not None and key.isdigit():
                self.run_worker(self.ask_amount(pointing, key))
            case _ if key.lower() in RANKS or key.isdigit():
                self.type_on("", key.lower(), pointing)
            case _:
                self.key_anytime(key)

    def type_on(self, before: str, key: str, pointing: Pointing) -> None:
        """One more letter of a card."""
        self.typed = before + key
        if key in SUITS and before:
            self.typed = ""
            self.done(pointing.card(before + key))
        elif self.typed.isdigit():
            self.set_timer(TYPING, lambda typed=self.typed: self.digit_alone(typed))

    def digit_alone(self, typed: str = "") -> None:
        """No suit came after a digit: it is the number of a choice."""
        if self.pointing is not None and typed and self.typed == typed:
            self.typed = ""
            self.done(self.pointing.number(int(typed) or 10))
            self.redraw()

    def key_anytime(self, key: str) -> None:
        """A key that is the same whoever's turn it is."""
        match key:
            case "?":
                self.app.push_screen(Reading("Help", help_lines(self.table.game, self.pointing)))
            case "l":
                self.app.push_screen(Reading("What has happened", self.story or ["Nothing yet."], latest=True))
            case "s":
                self.app.push_screen(Reading("The table in words", in_words(self.frame())))
            case "escape" | "m" | "q":
                if self.record is not None:
                    self.leave("leave" if key == "q" else "menu")
                else:
                    self.menu()
            case "r" if self.record is not None:
                self.leave("rematch")
            case "v" if self.record is not None:
                self.app.show_record(self.record)  # type: ignore[attr-defined]
            case "w" if self.record is not None:
                self.run_worker(self.keep_record(self.record))
            case _:
                pass

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """A click takes what lies there; on a key at the bottom it presses it."""
        start, _, key = event.key.partition(":")
        if start == "key" and key in {key for key, _ in (*PLAYING, *LOOKING_ON, *OVER)}:
            pressed = {"Esc": "escape", "Enter": "enter", "Space": "space"}.get(key, key)
            self.on_key(events.Key(pressed, pressed if len(pressed) == 1 else None))
        elif self.pointing is not None:
            self.told = ""
            self.done(self.pointing.enter() if event.key == "ready" else self.pointing.point(event.key))
        self.redraw()

    # ---------------------------------------------------------------- what keys do

    def done(self, action: int | None) -> None:
        """Carry out a choice, if there is one."""
        if action is not None and self.answer is not None and not self.answer.done():
            self.answer.set_result(action)

    def undo(self, pointing: Pointing) -> None:
        """Take back the latest decision, if that is fair."""
        seat = pointing.view.seat
        if why := self.driver.why_no_undo(seat):
            self.told = why
            return
        self.driver.undo(seat)
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(None)

    async def hint(self, pointing: Pointing) -> None:
        """What the strongest player would do, and why; the record notes that it was asked for."""
        from kibitz.players.advice import hint

        self.driver.hinted(pointing.view.seat)
        self.told = "Looking for a hint ..."
        self.redraw()
        game, view, legal = self.table.game, pointing.view, pointing.legal
        found = await in_thread(lambda: hint(game, view, legal))
        if self.pointing is pointing:
            pointing.advise(found.action)
            self.told = f"Hint: {found.reason}"
            self.redraw()

    async def write_out(self, pointing: Pointing) -> None:
        """Let an action be written in the game's notation."""
        legal = pointing.legal
        examples = {self.table.game.text(pointing.view, action) for action in (legal[0], legal[-1])}
        below = f"In the game's notation, such as {' or '.join(sorted(examples))}. Esc leaves."
        typed = await self.app.push_screen_wait(Asking("What do you do?", below))
        if isinstance(typed, str) and typed and self.pointing is pointing:
            self.done(pointing.written(typed))
            self.redraw()

    async def ask_amount(self, pointing: Pointing, start: str) -> None:
        """Let an amount be typed."""
        part = pointing.amount
        assert part is not None
        below = f"A whole number from {part.least} to {part.most}. Esc leaves."
        typed = await self.app.push_screen_wait(Asking("How much?", below, start))
        if not isinstance(typed, str) or self.pointing is not pointing:
            return
        if typed.isascii() and typed.isdigit() and len(typed) < 13 and part.least <= int(typed) <= part.most:
            self.done(pointing.point(f"amount:{int(typed)}"))
        else:
            pointing.said = f"It must be a whole number from {part.least} to {part.most}."
        self.redraw()

    def change_pace(self, key: str) -> None:
        """Let the computer players play faster or slower."""
        at = min(range(len(PACES)), key=lambda i: abs(PACES[i] - self.driver.pace))
        at = min(max(at + (-1 if key == "+" else 1), 0), len(PACES) - 1)
        self.driver.pace = PACES[at]
        self.told = f"A computer player takes {PACES[at]:g} seconds at least."

    async def keep_record(self, record: Record) -> None:
        """Save the record where the person wants it."""
        from kibitz.engine.record import text
        from kibitz.engine.whole import write_whole

        ours = f"{file_stem(record)}{SUFFIX}"
        typed = await self.app.push_screen_wait(Asking("Save the record as:", "Esc leaves.", ours))
        if not isinstance(typed, str) or not typed:
            return
        try:
            write_whole(Path(typed), text(record), force=False)
        except FileExistsError:
            self.told = f"{typed} exists already: name another file."
        except (OSError, ValueError) as error:
            self.told = f"{typed} cannot be written: {str(getattr(error, 'strerror', None) or error).lower()}."
        else:
            self.told = f"The record is saved: 'kibitz verify {typed}' proves it."
        self.redraw()

    def menu(self) -> None:
        """What can be done besides playing."""
        self.run_worker(self.ask_menu())

    async def ask_menu(self) -> None:
        """Leave, or go on."""
        kept = self.keeping.kept
        then = "it is saved, and 'kibitz resume' goes on with it" if kept else "it is not saved"
        choices = ["Go on", f"Leave the game ({then})", f"Back to the menu ({then})", "The rules", "Help"]
        picked = await self.app.push_screen_wait(Choosing("Menu", choices))
        match picked:
            case 1:
                self.leave("leave")
            case 2:
                self.leave("menu")
            case 3:
                lines = self.table.game.rules_text.splitlines()
                self.app.push_screen(Reading(f"The rules of {self.table.game.title}", lines))
            case 4:
                self.app.push_screen(Reading("Help", help_lines(self.table.game, self.pointing)))


def introduction(table: Table, people: tuple[int, ...]) -> str:
    """Who plays what, and the proof that the deal is fixed."""
    game = table.game
    share = f"{listed([table.names[p] for p in people])} share this keyboard." if len(people) > 1 else ""
    proof = f"SHA-256 of the seed: {commitment(table.seed)}"
    return " ".join(filter(None, (*options_told(game), share, proof)))
