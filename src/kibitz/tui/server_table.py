"""The screen of a table on a server, with the keys of a local table, and the questions asked before joining a table."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

from textual.app import App

from kibitz.engine.record import Record, parse
from kibitz.engine.sentences import as_sentence
from kibitz.errors import KibitzError
from kibitz.remote.client import RECONNECTING, Address, Connection, ServerClient, join, server_address, tables_at
from kibitz.remote.messages import AnyMessage, Chat, Done, Hint, Pace, Refused, Rematch, State
from kibitz.remote.server_table import RemoteTable, new_request, rematch_sentence
from kibitz.tui.dialogs import ChoiceWindow, InputWindow
from kibitz.tui.selection import Selection
from kibitz.tui.table_screen import GAME_OVER_KEYS, PLAYING_KEYS, Keys, TableScreen, opening_sentences
from kibitz.tui.threads import in_thread

CHAT_KEY = ("c", "say")
SEATED_KEYS: Keys = (*PLAYING_KEYS[:5], CHAT_KEY, *PLAYING_KEYS[5:])
WAITING_KEYS: Keys = (
    ("Space", "skip ahead"),
    ("+-", "pace"),
    ("u", "undo"),
    CHAT_KEY,
    ("l", "history"),
    ("Esc", "menu"),
)
SPECTATOR_KEYS: Keys = (("l", "history"), ("s", "in words"), ("?", "help"), ("Esc", "menu"))


class ServerTable(TableScreen):
    """A table on a server; dismissed with the person's next choice, or ``table:ID`` to go to another table there."""

    def __init__(self, client: ServerClient, table: RemoteTable) -> None:
        super().__init__(table.game, table.names)
        self.client, self.table = client, table
        self.connection = Connection(client, table, self.show_status)
        self.pace: Pace = "usual"
        self.is_record_requested = False
        self.unanswered_id = ""
        """The id of the request with the person's latest choice, until the server answers it; then ""."""

    @property
    def viewer(self) -> int:
        """The person's seat."""
        return self.table.seat

    @property
    def keys(self) -> Keys:
        """The keys that work now."""
        if self.record is not None:
            return GAME_OVER_KEYS
        return SPECTATOR_KEYS if self.viewer < 0 else SEATED_KEYS if self.selection is not None else WAITING_KEYS

    def on_mount(self) -> None:
        """Begin to handle the server's messages."""
        self.status = self.table.waiting_sentence()
        self.run_worker(self.follow(), exclusive=True)

    async def follow(self) -> None:
        """Handle messages until the connection ends."""
        try:
            async with aclosing(self.connection.messages()) as messages:
                async for message in messages:
                    self.handle(message)
                    self.names, self.history = self.table.names, self.history_so_far()
                    self.redraw()
        except KibitzError as error:
            self.dismiss(as_sentence(str(error)))

    def history_so_far(self) -> list[str]:
        """The log so far, which begins with the commitment to the seed."""
        hello = self.table.hello
        start = [opening_sentences(self.table.game, hello.commitment)] if hello else []
        return [*start, *filter(None, self.table.lines)]

    def handle(self, message: AnyMessage) -> None:
        """Update the screen for a message."""
        match message:
            case State():
                self.show_state()
            case Refused(id=id, sentence=sentence):
                self.handle_refusal(id, sentence)
            case Done(id=id) if id == self.unanswered_id:
                self.unanswered_id = ""
            case Hint():
                self.show_hint(message)
            case Chat(name=name, text=text):
                self.app.notify(as_sentence(f"{name}: {text}"), timeout=8)
            case Rematch():
                self.feedback = rematch_sentence(message)
            case _:
                pass

    def show_status(self, sentence: str) -> None:
        """Show a sentence on a lost connection; "" once the connection is back."""
        if sentence or self.status == RECONNECTING:
            self.status = sentence or self.table.waiting_sentence()
            self.redraw()

    # ---------------------------------------------------------------- messages

    def show_state(self) -> None:
        """Show the table's new state, and begin or end the person's choice."""
        table, state = self.table, self.table.state
        assert state is not None
        self.scene = table.scene
        self.status = table.result() or table.waiting_sentence()
        must_choose = state.is_my_turn and not state.forced and not self.unanswered_id
        if (chosen := self.selection) is not None:
            is_for_this_choice = chosen.view == table.view() and chosen.legal == table.legal
            if not (must_choose and is_for_this_choice):
                self.end_choice()
        if must_choose and self.selection is None:
            self.begin_choice(table.view(), table.legal).add_done_callback(self.send_choice)
        if state.over and not self.is_record_requested:
            self.is_record_requested = True
            self.run_worker(self.fetch_record())

    def send_choice(self, answer: asyncio.Future[int | None]) -> None:
        """Send the person's action to the server, unless ``answer`` belongs to an earlier choice or has no action."""
        action = None if answer.cancelled() or answer is not self.answer else answer.result()
        if action is not None:
            self.end_choice()
            self.status = "..."
            request = self.table.act_request(action)
            self.unanswered_id = request["id"]
            self.run_worker(self.connection.send(request))
            self.redraw()

    def handle_refusal(self, id: str, sentence: str) -> None:
        """Show the server's refusal of a request; if it was the person's choice, ask for the choice again."""
        if id == self.unanswered_id:
            self.unanswered_id = ""
            self.show_state()
        self.call_later(self.show_feedback, as_sentence(sentence))

    def show_feedback(self, sentence: str) -> None:
        """Show a sentence as feedback."""
        self.feedback = sentence
        self.redraw()

    def show_hint(self, hint: Hint) -> None:
        """Mark the action of a hint, and show its reason."""
        if self.selection is not None:
            self.selection.mark_hint(hint.action)
        self.feedback = hint.reason

    async def fetch_record(self) -> None:
        """Fetch the record of the finished game, so that it can be replayed and saved."""
        outcome = self.table.state.outcome if self.table.state else None
        if outcome is None:
            return
        try:
            text = await in_thread(lambda: self.client.record(outcome.game))
            record = await in_thread(lambda: parse(text))
        except KibitzError as error:
            self.warn(str(error))
            return
        self.record = record if isinstance(record, Record) else None
        self.feedback = f"The seed was {outcome.seed}. Its SHA-256 is the one shown at the deal."
        self.redraw()

    # ---------------------------------------------------------------- what keys do

    def press_anytime(self, key: str) -> None:
        """Handle a key that works in anybody's turn."""
        if key == "c" and self.viewer >= 0 and self.record is None:
            self.run_worker(self.ask_message())
        elif key == "u" and self.viewer >= 0 and self.record is None:
            self.run_worker(self.connection.send(new_request("undo")))
        else:
            super().press_anytime(key)

    async def ask_message(self) -> None:
        """Ask for a message to the people at the table, and send it."""
        phrases = self.table.hello.phrases if self.table.hello else ()
        numbered = "  ".join(f"{number} {phrase}" for number, phrase in enumerate(phrases, 1))
        typed = await self.app.push_screen_wait(
            InputWindow("Your message:", f"{numbered}  Type a number or your own message.")
        )
        if not isinstance(typed, str) or not typed:
            return
        number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 3 else 0
        message = {"phrase": number - 1} if 0 < number <= len(phrases) else {"text": typed[:200]}
        await self.connection.send(new_request("say", **message))

    def undo(self, selection: Selection) -> None:
        """Undo the latest choice, if the server allows it."""
        self.run_worker(self.connection.send(new_request("undo")))

    async def hint(self, selection: Selection) -> None:
        """Ask the server for a hint; everybody sees that, and the game is unrated."""
        self.feedback = "Looking for a hint ..."
        await self.connection.send(new_request("hint"))

    def skip_ahead(self) -> None:
        """Skip to the person's next turn."""
        self.run_worker(self.connection.send(new_request("pace", pace="skip")))

    def change_pace(self, key: str) -> None:
        """Let computer players play as fast as possible, or at a normal pace."""
        self.pace = "faster" if key == "+" else "usual"
        pace = "as fast as possible" if key == "+" else "at a normal pace"
        self.feedback = f"Computer players play {pace}."
        self.run_worker(self.connection.send(new_request("pace", pace=self.pace)))

    def rematch(self) -> None:
        """Ask for a rematch."""
        self.run_worker(self.ask_rematch())

    async def ask_rematch(self) -> None:
        """Ask the server for a rematch, and go to its table."""
        await self.connection.send(new_request("rematch"))
        for _ in range(100):
            if self.table.rematch is not None:
                self.dismiss(f"table:{self.table.rematch.table}")
                return
            await asyncio.sleep(0.05)

    def leave_choices(self) -> list[tuple[str, str]]:
        """The ways to leave the table: a text, and the argument for ``leave``; the person's seat is kept."""
        host = urlsplit(self.client.address.server).netloc
        if self.viewer < 0:
            return [(f"Leave the table ({host})", "leave"), ("To the menu", "menu")]
        consequence = "your seat stays yours: 'kibitz join' takes it again"
        return [(f"Leave the table ({consequence})", "leave"), (f"To the menu ({consequence})", "menu")]


# ---------------------------------------------------------------- getting to a table

GOODBYE = "Goodbye: the game continues at {}"


async def ask_address(app: App[Any]) -> str:
    """Ask for an address, and play at its server; returns a farewell, or "" for the menu."""
    typed = await app.push_screen_wait(
        InputWindow("Which table?", "The link of a table or of an invitation, or a server's address. Esc leaves.")
    )
    return await visit_server(app, server_address(typed), None) if isinstance(typed, str) and typed else ""


async def visit_server(app: App[Any], address: Address, name: str | None) -> str:
    """Play at tables on a server until the person leaves; returns a farewell, or "" for the menu."""
    client, takes_seat = ServerClient(address), False
    account_name = await in_thread(client.sign_in)
    if not address.table:
        tables = await in_thread(lambda: tables_at(client))
        number = await app.push_screen_wait(ChoiceWindow("Which table?", [table.description for table in tables]))
        if not isinstance(number, int):
            return ""
        address, takes_seat = address._replace(table=tables[number].table), tables[number].has_open_seat
    if (address.invite or takes_seat) and name is None and not client.token:
        window = InputWindow("Your name at the table:", "Enter takes a seat.", account_name)
        typed_name = await app.push_screen_wait(window)
        if not isinstance(typed_name, str):
            return ""
        name = typed_name or None
    while True:
        table = await in_thread(lambda address=address, sit=takes_seat: join(client, address, name, takes_seat=sit))  # type: ignore[misc]
        choice = await app.push_screen_wait(ServerTable(client, table))
        if choice == "menu":
            return ""
        if choice == "leave":
            over = table.state is not None and table.state.over
            return "Goodbye." if over or table.seat < 0 else GOODBYE.format(address.page_url)
        if not choice.startswith("table:"):
            return f"Goodbye: {choice}"
        address, takes_seat = Address(address.server, choice.partition(":")[2]), False
