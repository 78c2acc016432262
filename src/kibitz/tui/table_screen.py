"""The screen of a table, for local games and games on a server: what it shows, and what keys and clicks do.

    viewer      the seat whose view is shown, or SPECTATOR
    selection   the action that a person is composing; None while nobody at this screen has to choose
    answer      a future for that action
    typed       the first letters of a card that the person is typing
    status      a sentence in place of the prompt, such as who is thinking; "" while a person chooses
    feedback    a refusal, a hint or another answer to the latest key
    caption     the current tip of a guided first hand

``TableScreen`` doesn't know where the game is played: local and server tables override ``undo``, ``hint``,
``skip_ahead``, ``change_pace``, ``rematch``, ``leave`` and ``leave_choices``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import full_title, option_sentences
from kibitz.engine.scene import Scene
from kibitz.engine.scene.text import table_lines
from kibitz.engine.sentences import as_sentence, names_for
from kibitz.engine.views.events import SPECTATOR, View
from kibitz.errors import cause
from kibitz.table.saved import SUFFIX, file_stem
from kibitz.tui.board import Board, Frame, picture
from kibitz.tui.canvas import Canvas
from kibitz.tui.dialogs import ChoiceWindow, InputWindow, TextWindow
from kibitz.tui.selection import RANKS, SUITS, Selection

Keys = tuple[tuple[str, str], ...]
PLAYING_KEYS: Keys = (
    ("?", "help"),
    ("h", "hint"),
    ("u", "undo"),
    ("l", "history"),
    (":", "type"),
    ("s", "in words"),
    ("Esc", "menu"),
)
OTHERS_TURN_KEYS: Keys = (("Space", "skip ahead"), ("+-", "pace"), ("l", "history"), ("?", "help"), ("Esc", "menu"))
GAME_OVER_KEYS: Keys = (
    ("r", "rematch"),
    ("v", "replay"),
    ("e", "review"),
    ("w", "save record"),
    ("l", "history"),
    ("m", "menu"),
    ("q", "leave"),
)


SUIT_KEYS = {"♦": "d", "♣": "c", "♥": "h", "♠": "s"}
KEY_NAMES = {"Esc": "escape", "Enter": "enter", "Space": "space"}
"""Textual's names for the keys on the screen."""
TYPING_SECONDS = 0.6
"""Seconds within which a suit may follow a digit; after that, the digit is the number of a choice."""


class TableScreen(Screen[str]):
    """Shows a table and waits for a person's choices; ``record`` is the record once the game is finished."""

    DEFAULT_CSS = "TableScreen { overflow: hidden; }"

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        super().__init__()
        self.game, self.names = game, tuple(names)
        self.heading = full_title(game)
        self.board = Board(self.draw)
        self.scene = Scene((), (), "")
        self.history: list[str] = []
        self.selection: Selection | None = None
        self.answer: asyncio.Future[int | None] | None = None
        self.feedback = self.status = self.typed = self.caption = ""
        self.record: Record | None = None

    @property
    def viewer(self) -> int:
        """The seat whose view is shown."""
        return SPECTATOR

    @property
    def keys(self) -> Keys:
        """The keys that work now."""
        if self.record is not None:
            return GAME_OVER_KEYS
        return PLAYING_KEYS if self.selection is not None else OTHERS_TURN_KEYS

    def compose(self) -> ComposeResult:
        """The board is the only widget."""
        yield self.board

    def draw(self, width: int, height: int) -> Canvas:
        """The picture of the screen now."""
        return picture(self.frame(), width, height)

    def frame(self) -> Frame:
        """The content of the screen now."""
        selection = self.selection
        frame = Frame(
            self.heading,
            Scene(self.scene.zones, self.scene.facts, self.status or self.scene.prompt),
            names_for(self.viewer, self.names),
            self.viewer,
            feedback=self.feedback,
            history=self.history,
            keys=self.keys,
            caption=self.caption,
        )
        if selection is None:
            return frame
        ready = selection.ready_action
        label = "" if ready is None else " ".join(self.game.words.label(selection.view, ready).split())
        cursor_text = f"{self.typed} ..." if self.typed else selection.cursor_text
        if self.typed == "q":
            cursor_text += " d c h s selects that queen; q again leaves"
        return replace(
            frame,
            scene=selection.scene,
            marks=selection.marks,
            buttons=selection.buttons,
            ready_text=label,
            cursor_text=cursor_text,
            feedback=selection.refusal or self.feedback,
        )

    def redraw(self) -> None:
        """Redraw the screen."""
        if self.is_mounted:
            self.board.redraw()

    def warn(self, sentence: str) -> None:
        """Show a warning over the screen for some seconds."""
        self.app.call_later(self.app.notify, as_sentence(sentence), severity="warning", timeout=10)

    def begin_choice(self, view: View, legal: Sequence[int]) -> asyncio.Future[int | None]:
        """Let the person choose; returns a future for the action, which is None if the person undid a decision."""
        self.status = self.feedback = self.typed = ""
        self.selection = Selection(self.game, view, legal, self.names)
        self.answer = asyncio.get_running_loop().create_future()
        self.redraw()
        return self.answer

    def end_choice(self) -> None:
        """End the person's choice, and show the table again."""
        self.selection = self.answer = None
        self.feedback = self.typed = ""

    # ---------------------------------------------------------------- for derived classes

    def undo(self, selection: Selection) -> None:
        """Undo the latest decision, if that is allowed."""
        raise NotImplementedError

    async def hint(self, selection: Selection) -> None:
        """Show a hint from the strongest player, with its reason."""
        raise NotImplementedError

    def skip_ahead(self) -> None:
        """Skip to the viewer's turn."""

    def change_pace(self, key: str) -> None:
        """Make the computer players faster or slower."""

    def rematch(self) -> None:
        """Leave a finished game for a rematch."""
        self.leave("rematch")

    def quit(self) -> None:
        """Leave Kibitz."""
        self.leave("leave")

    def leave(self, next_choice: str) -> None:
        """Leave the table; the person's next choice is "menu", "leave" (to leave Kibitz) or "rematch"."""
        self.dismiss(next_choice)

    def leave_choices(self) -> list[tuple[str, str]]:
        """The ways to leave the table: a text for the menu, and the argument for ``leave``."""
        raise NotImplementedError

    # ---------------------------------------------------------------- keys

    def on_key(self, event: events.Key) -> None:
        """Handle a key event."""
        event.stop()
        event.prevent_default()
        key = event.character if event.character and event.is_printable else event.key
        self.press(SUIT_KEYS.get(key, key))
        self.redraw()

    def press(self, key: str) -> None:
        """Handle a key, named as in Textual ("escape") or by the character that it types."""
        if self.selection is not None:
            self.press_while_choosing(key, self.selection)
        elif key in ("space", " ") and self.record is None:
            self.skip_ahead()
        elif key in ("+", "-"):
            self.change_pace(key)
        else:
            self.feedback = "" if self.record is None else self.feedback
            self.press_anytime(key)

    def press_while_choosing(self, key: str, selection: Selection) -> None:
        """Handle a key while a person chooses; a card is typed with two or three keys, such as k h or 1 0 h."""
        self.feedback = ""
        if self.typed:
            rank, self.typed = self.typed, ""
            if rank == key == "q":  # a single q may begin a queen
                self.quit()
                return
            if key in SUITS or (rank == "1" and key == "0"):
                self.type_letter(rank, key, selection)
                return
            if rank.isdigit():
                self.finish_choice(selection.select_number(int(rank)))
                if self.selection is not selection or (self.answer and self.answer.done()):
                    return
        match key:
            case "left" | "right" | "up" | "down" | "tab" | "shift+tab":
                right = {"left": -1, "right": 1, "tab": 1, "shift+tab": -1}.get(key, 0)
                selection.move(self.board.canvas, right, {"up": -1, "down": 1}.get(key, 0))
            case "enter":
                self.finish_choice(selection.enter())
            case "space" | " ":
                if selection.cursor is not None:
                    selection.select(selection.cursor)
            case "backspace" if selection.picking.chosen:
                selection.select(selection.picking.chosen[-1])
            case "escape" if selection.deselect():
                pass
            case "u":
                self.undo(selection)
            case "h":
                self.run_worker(self.hint(selection))
            case ":" | "/":
                self.run_worker(self.ask_action(selection))
            case _ if selection.amount is not None and key.isdigit():
                self.run_worker(self.ask_amount(selection, key))
            case "q" if not selection.shows_rank("q"):
                self.quit()
            case _ if key.lower() in RANKS or key.isdigit():
                self.type_letter("", key.lower(), selection)
            case "+" | "-":
                self.change_pace(key)
            case _:
                self.press_anytime(key)

    def type_letter(self, rank: str, key: str, selection: Selection) -> None:
        """Handle a letter of a typed card; ``rank`` are the letters before it ("" if ``key`` is the first)."""
        self.typed = rank + key
        if key in SUITS and rank:
            self.typed = ""
            self.finish_choice(selection.select_card(rank + key))
        elif self.typed.isdigit():
            self.set_timer(TYPING_SECONDS, lambda typed=self.typed: self.select_typed_number(typed))

    def select_typed_number(self, typed: str = "") -> None:
        """Select the choice with a typed number, unless a suit has followed and made it a card."""
        if self.selection is not None and typed and self.typed == typed:
            self.typed = ""
            self.finish_choice(self.selection.select_number(int(typed)))
            self.redraw()

    def press_anytime(self, key: str) -> None:
        """Handle a key that works in anybody's turn."""
        match key:
            case "?":
                self.app.push_screen(TextWindow("Help", help_lines(self.game, self.selection)))
            case "l":
                self.app.push_screen(TextWindow("History", self.history or ["Nothing yet."], at_end=True))
            case "s":
                self.app.push_screen(TextWindow("The table in words", table_text(self.frame())))
            case "q":
                self.quit()
            case "escape" | "m":
                if self.record is not None:
                    self.leave("menu")
                else:
                    self.menu()
            case "r" if self.record is not None:
                self.rematch()
            case "v" if self.record is not None:
                self.app.show_record(self.record)  # type: ignore[attr-defined]
            case "e" if self.record is not None:
                self.app.show_record(self.record, with_review=True)  # type: ignore[attr-defined]
            case "w" if self.record is not None:
                self.run_worker(self.save_record(self.record))
            case _:
                self.feedback = unknown_key_message(key, self.keys)

    def on_board_clicked(self, event: Board.Clicked) -> None:
        """Handle a click: it selects a thing, or acts as one of the keys at the bottom."""
        kind, _, key = event.key.partition(":")
        if kind == "key" and key in {key for key, _ in self.keys}:
            key_name = KEY_NAMES.get(key, key)
            self.on_key(events.Key(key_name, key_name if len(key_name) == 1 else None))
        elif self.selection is not None:
            self.feedback = ""
            self.finish_choice(self.selection.enter() if event.key == "ready" else self.selection.click(event.key))
        self.redraw()

    # ---------------------------------------------------------------- what keys and clicks do

    def finish_choice(self, action: int | None) -> None:
        """Resolve the person's choice with ``action``; if that is None, the action isn't complete yet."""
        if action is not None and self.answer is not None and not self.answer.done():
            self.answer.set_result(action)

    async def ask_action(self, selection: Selection) -> None:
        """Ask for an action in the game's notation."""
        legal = selection.legal
        examples = {self.game.words.typed_text(selection.view, action) for action in (legal[0], legal[-1])}
        explanation = f"In the game's notation, such as {' or '.join(sorted(examples))}. Esc leaves."
        typed = await self.app.push_screen_wait(InputWindow("What do you play?", explanation))
        if isinstance(typed, str) and typed and self.selection is selection:
            self.finish_choice(selection.read_action(typed))
            self.redraw()

    async def ask_amount(self, selection: Selection, start: str) -> None:
        """Ask for an amount, and choose it; ``start`` is the digit typed so far."""
        part = selection.amount
        assert part is not None
        explanation = f"A whole number from {part.least} to {part.most}. Esc leaves."
        typed = await self.app.push_screen_wait(InputWindow("How much?", explanation, start))
        if not isinstance(typed, str) or self.selection is not selection:
            return
        if typed.isascii() and typed.isdigit() and len(typed) < 13 and part.least <= int(typed) <= part.most:
            self.finish_choice(selection.click(f"amount:{int(typed)}"))
        else:
            selection.refusal = f"Type a whole number from {part.least} to {part.most}."
        self.redraw()

    async def save_record(self, record: Record) -> None:
        """Ask where to save the record, and save it."""
        from kibitz.engine.file_io import write_atomically
        from kibitz.engine.record import text

        default_name = f"{file_stem(record)}{SUFFIX}"
        typed = await self.app.push_screen_wait(InputWindow("Save the record as:", "Esc leaves.", default_name))
        if not isinstance(typed, str) or not typed:
            return
        try:
            write_atomically(Path(typed), text(record), force=False)
        except FileExistsError:
            self.feedback = f"{typed} already exists: name another file."
        except (OSError, ValueError) as error:
            self.feedback = f"{typed} cannot be written: {cause(error)}."
        else:
            self.feedback = f"Record saved. 'kibitz verify {typed}' checks it."
        self.redraw()

    def menu(self) -> None:
        """Open the menu."""
        self.run_worker(self.ask_menu())

    async def ask_menu(self) -> None:
        """Show the menu, and do what the person chooses."""
        leave_choices = self.leave_choices()
        choices = ["Continue", *(text for text, _ in leave_choices), "The rules", "Help"]
        chosen = await self.app.push_screen_wait(ChoiceWindow("Menu", choices))
        number = chosen if isinstance(chosen, int) else 0
        if 0 < number <= len(leave_choices):
            self.leave(leave_choices[number - 1][1])
        elif number == len(leave_choices) + 1:
            self.app.push_screen(TextWindow(f"The rules of {self.game.title}", self.game.rules_text.splitlines()))
        elif number > len(leave_choices) + 1:
            self.app.push_screen(TextWindow("Help", help_lines(self.game, self.selection)))


def unknown_key_message(key: str, keys: Keys) -> str:
    """The message about a key that does nothing now; "" for key combinations and codes that terminals send.

    >>> unknown_key_message("x", (("h", "hint"), ("Esc", "menu")))
    "'x' isn't a key here: h hint, Esc menu; ? shows them all."
    """
    others = ", ".join(f"{name} {meaning}" for name, meaning in keys if name != "?")
    if len(key) == 1 and key.isprintable():
        return f"{key!r} isn't a key here: {others}; ? shows them all."
    return (
        ""
        if "+" in key or key.startswith("<")
        else f"{key.capitalize()} does nothing here: {others}; ? shows them all."
    )


# ---------------------------------------------------------------- texts


def opening_sentences(game: Game, commitment: str) -> str:
    """The first sentences of a game: the chosen options, and the commitment to the seed."""
    return " ".join((*option_sentences(game), f"SHA-256 of the seed, which is shown at the end: {commitment}"))


KEY_HELP = (
    ("← → ↑ ↓", "move the cursor among the choices, which are marked, and numbered where there is room"),
    ("Enter", "play your selection, or select at the cursor"),
    ("Space", "select or deselect at the cursor, for an action with several parts"),
    ("1 … 9 0", "choose that number"),
    ("k h", "select a card by letters: value, then suit (d c h s); ten is 0, t or 10"),
    (":", "type an action in the game's notation"),
    ("Esc", "deselect; if nothing is selected, open the menu, from which you can leave"),
    ("q", "leave; the game is saved. If a queen is visible, press it twice"),
    ("h", "a hint with its reason"),
    ("u", "undo your last choice, unless it showed you something new"),
    ("l", "the history so far"),
    ("s", "the table in words"),
    ("+ -", "make the computer players faster or slower"),
    ("Space", "while others play: skip to your turn"),
    ("mouse", "click to select; what you can add is highlighted"),
)
MARK_HELP = (
    ("‹K♠›", "can be selected"),
    ("[K♠]", "selected"),
    ("▸", "the cursor"),
    ("+3", "number of cards below"),
    ("░×5", "number of cards face down"),
)


def help_lines(game: Game, selection: Selection | None) -> list[str]:
    """The help: what can be selected now, the keys, and the marks."""
    lines = []
    if selection is not None:
        lines += [selection.scene.prompt, *(f"  {part.label}" for part in list(selection.offered.values())[:12]), ""]
        if len(selection.offered) > 12:
            lines.insert(-1, f"  and {len(selection.offered) - 12} more")
    lines += [f"{key:<9} {meaning}" for key, meaning in KEY_HELP]
    lines += ["", *(f"{mark:<9} {meaning}" for mark, meaning in MARK_HELP)]
    if game.words.HELP:
        lines += ["", *(f"{notation}  {meaning}" for notation, meaning in game.words.HELP)]
    return lines


def table_text(frame: Frame) -> list[str]:
    """A table in words, as line mode draws it, and the prompt."""
    return [*table_lines(frame.scene, frame.names, 76), "", frame.scene.prompt]
