"""A table on a server, in line mode: sentences are printed as they arrive, and choices when it is the person's turn.

Between the person's turns it waits for messages; while the person types, messages wait.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import aclosing
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from kibitz.cli.line_mode.decision import Questioner, TableChanged
from kibitz.cli.line_mode.person import Quit, pick
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.registry import option_sentences
from kibitz.engine.scene import Scene
from kibitz.engine.sentences import as_sentence, names_for
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError
from kibitz.remote.client import Address, Connection, ServerClient, join, tables_at
from kibitz.remote.messages import AnyMessage, Chat, Done, Hint, Refused, Rematch
from kibitz.remote.server_table import RemoteTable, new_request, rematch_sentence

T = TypeVar("T")
REQUEST_TIMEOUT = 60.0
"""Seconds within which a server must answer a request."""


def play_at_server(screen: Screen, address: Address, name: str | None) -> int | None:
    """Play at tables of a server until the person leaves; returns the exit status."""
    client = ServerClient(address)
    client.sign_in()
    try:
        takes_seat = False
        if not address.table:
            tables = tables_at(client)
            chosen = tables[pick(screen, "Which table?", [table.description for table in tables])]
            address, takes_seat = address._replace(table=chosen.table), chosen.has_open_seat
        while True:
            table = join(client, address, name, takes_seat=takes_seat)
            next_table = ServerGame(screen, client, table).play()
            if not next_table:
                return None
            address, takes_seat = Address(address.server, next_table), False
    except (Quit, EOFError):
        screen.line()
        screen.line(f"Goodbye: 'kibitz join {client.address.page_url}' takes you back.")
    except KeyboardInterrupt:
        screen.line()
        screen.line(f"Interrupted: 'kibitz join {client.address.page_url}' takes you back.")
        return 130
    return None


class ConnectionThread:
    """The connection to a table, with a thread of its own that receives messages and sends requests."""

    def __init__(self, client: ServerClient, table: RemoteTable) -> None:
        self.messages: SimpleQueue[AnyMessage | KibitzError | str] = SimpleQueue()
        self.connection = Connection(client, table, self.messages.put)
        self.task: asyncio.Task[None] | None = None
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Listen until the connection ends for good."""
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self.listen())
        except asyncio.CancelledError:
            pass
        finally:
            self.loop.close()

    async def listen(self) -> None:
        """Put the server's messages into the queue."""
        self.task = asyncio.current_task()
        try:
            async with aclosing(self.connection.messages()) as messages:
                async for message in messages:
                    self.messages.put(message)
        except KibitzError as error:
            self.messages.put(error)

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine in the thread, and return a future for its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def next_message(self, timeout: float | None = None) -> AnyMessage | str:
        """The next message, or a sentence about the connection.

        Raises KibitzError if it has ended or takes too long.
        """
        try:
            message = self.messages.get(timeout=timeout)
        except Empty:
            raise KibitzError("the server doesn't answer. Is it still running?") from None
        if isinstance(message, KibitzError):
            raise message
        return message

    def close(self) -> None:
        """Close the connection."""
        if self.task is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.task.cancel)
        self.thread.join(5)


class ServerGame(Questioner):
    """One game at a table on a server, from the person's arrival to its end."""

    def __init__(self, screen: Screen, client: ServerClient, table: RemoteTable) -> None:
        super().__init__(screen, table.game, [])
        self.client, self.table, self.lines_printed, self.decisions = client, table, 0, 0
        self.last_status = ""

    def play(self) -> str:
        """Play to the end of the game; returns the id of a rematch's table, or "" if there is none."""
        self.connection_thread = ConnectionThread(self.client, self.table)
        try:
            self.introduce()
            while not (self.table.state and self.table.state.over):
                self.wait()
                if self.table.is_my_turn and not self.is_forced:
                    self.choose()
            self.print_new_lines()  # the connection may end before its messages have been read
            return self.finish()
        finally:
            self.connection_thread.close()

    @property
    def is_forced(self) -> bool:
        """Whether the person has only one action, which the server plays for them."""
        return self.table.state is not None and self.table.state.forced

    @property
    def is_newcomer(self) -> bool:
        """Whether the person has not made a decision at this table yet."""
        return not self.decisions

    def introduce(self) -> None:
        """Print the game, its seats, and the commitment to the seed."""
        hello, game = self.table.hello, self.table.game
        assert hello is not None
        self.screen.line(f"{game.title} ({game.name}) at {self.client.address.server}", BOLD)
        if options := option_sentences(game):
            self.screen.line(" ".join(options))
        self.print_seats()
        self.screen.line("SHA-256 of the seed, which is shown at the end:")
        self.screen.line(hello.commitment, DIM, indent="")
        self.screen.line()

    def print_seats(self) -> None:
        """Print who sits where."""
        self.names = names_for(self.table.seat, self.table.names)
        seats = ", ".join(
            f"{seat} {'you' if seat == self.table.seat else name}" for seat, name in enumerate(self.table.names)
        )
        self.screen.line(f"Seats: {seats}." + (" You are watching." if self.table.seat < 0 else ""))

    # ---------------------------------------------------------------- messages

    def wait(self) -> None:
        """Wait for the next message, and print it and all others that have arrived."""
        self.print_message(self.connection_thread.next_message())
        while not self.connection_thread.messages.empty():
            self.print_message(self.connection_thread.next_message())

    def print_message(self, message: AnyMessage | str) -> None:
        """Print the new lines of the log, and a chat message or a sentence on the connection or a rematch."""
        if isinstance(message, str):
            if message and message != self.last_status:
                self.screen.line(message, DIM)
            self.last_status = message
            return
        self.print_new_lines()
        if isinstance(message, Chat):
            self.screen.line(f"{message.name}: {message.text}")
        elif isinstance(message, Rematch):
            if (sentence := rematch_sentence(message)) != self.last_status:
                self.screen.line(sentence)
            self.last_status = sentence
        status = self.table.waiting_sentence()
        if (
            status.startswith("Waiting for")
            and status != self.last_status
            and not (self.table.hello and self.table.hello.started)
        ):
            self.screen.line(status, DIM)
            self.last_status = status

    def print_new_lines(self) -> None:
        """Print what is new: people who have sat down, and the lines of the log."""
        if self.table.names and names_for(self.table.seat, self.table.names) != self.names:
            self.print_seats()
        self.lines_printed = min(self.lines_printed, len(self.table.lines))
        for sentence in filter(None, self.table.lines[self.lines_printed :]):
            self.screen.line(sentence)
        self.lines_printed = len(self.table.lines)

    def request_answer(self, kind: str, **more: Any) -> AnyMessage:
        """Send a request, and print messages until the answer arrives; returns the answer."""
        request = new_request(kind, **more)
        self.connection_thread.submit(self.connection_thread.connection.send(request)).result(REQUEST_TIMEOUT)
        while True:
            message = self.connection_thread.next_message(REQUEST_TIMEOUT)
            self.print_message(message)
            if isinstance(message, Done | Refused | Hint) and message.id == request["id"]:
                return message

    # ---------------------------------------------------------------- choices

    def choose(self) -> None:
        """Ask the person, and send their choice."""
        state = self.table.state
        assert state is not None
        try:
            action = self.decide(self.table.view(), self.table.legal)
        except TableChanged:
            return
        answer = self.request_answer("act", action=action, turn=state.turn)
        if isinstance(answer, Refused):
            self.screen.line(as_sentence(answer.sentence))
            return
        self.decisions += 1
        while self.table.state is state:  # print the result before asking anything else
            self.print_message(self.connection_thread.next_message(REQUEST_TIMEOUT))

    def undo(self) -> None:
        """Undo the latest choice, if the server allows it."""
        answer = self.request_answer("undo")
        if isinstance(answer, Refused):
            self.screen.line(as_sentence(answer.sentence))
        else:
            raise TableChanged

    def hint(self, view: View, legal: list[int]) -> None:
        """Print a strong player's choice, and why; everybody sees that somebody has asked."""
        answer = self.request_answer("hint")
        if isinstance(answer, Hint):
            self.print_hint(view, answer.action, answer.reason)
        elif isinstance(answer, Refused):
            self.screen.line(as_sentence(answer.sentence))

    @property
    def scene(self) -> Scene:
        """The table as the person sees it now."""
        return self.table.scene

    def print_history(self) -> None:
        """Print everything that has happened so far, as the person saw it."""
        for sentence in filter(None, self.table.lines):
            self.screen.line(sentence)

    def leave(self) -> None:
        """Ask whether the person wants to leave."""
        self.screen.line("Leave the table? Your seat stays yours; 'kibitz join' takes you back. (y/n)", BOLD)
        if self.screen.ask().lower() in ("y", "yes"):
            raise Quit

    # ---------------------------------------------------------------- the end

    def finish(self) -> str:
        """Print the result, and ask what next; returns the id of a rematch's table, or ""."""
        outcome = self.table.state.outcome if self.table.state else None
        assert outcome is not None
        self.screen.line()
        self.screen.line(self.table.result(), BOLD)
        self.screen.line(f"The seed was {outcome.seed}. Its SHA-256 is the one shown at the deal.", indent="")
        self.screen.line(f"The replay is at {self.client.address.server}/games/{outcome.game}.", indent="")
        if self.table.seat < 0:
            return ""
        self.screen.line("Rematch with the same people? y, or press Enter for no.", BOLD)
        try:
            accepts = self.screen.ask().lower() in ("y", "yes")
        except EOFError:
            return ""
        if not accepts:
            if self.table.rematch is not None:
                self.request_answer("decline_rematch")
            return ""
        answer = self.request_answer("rematch")
        if isinstance(answer, Refused) or self.table.rematch is None:
            raise KibitzError(answer.sentence if isinstance(answer, Refused) else "No rematch was made.")
        return self.table.rematch.table
