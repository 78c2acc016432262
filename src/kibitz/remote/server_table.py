"""A table on a server as its messages describe it, for one seat.

It has no input or output, so any screen can show it. Messages must be received in the order in which they arrive.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.engine.scene import Scene, Zone
from kibitz.engine.sentences import listed, names_for
from kibitz.engine.views.events import SPECTATOR, Outcome, View
from kibitz.errors import KibitzError, NotationError
from kibitz.remote.messages import (
    AnyMessage,
    Chat,
    Done,
    Events,
    Hello,
    Hint,
    Refused,
    Rematch,
    Request,
    State,
    WhyNot,
)
from kibitz.table.outcomes import outcome_sentence

FINAL_CODES = (4001, 4003, 4004)
"""Close codes after which reconnecting would fail in the same way."""
NEWER_SERVER = "the server is newer than this Kibitz: update this one"
_decoder: Callable[[str | bytes], Any] = msgspec.json.Decoder(AnyMessage).decode


def rematch_sentence(message: Rematch) -> str:
    """Who wants a rematch, or who has declined it last, in a sentence."""
    if message.declined:
        return f"{message.declined[-1]} has declined the rematch."
    return f"{message.by} wants a rematch."


class RemoteTable:
    """One table, as one seat sees it.

    hello    the latest ``Hello``, with what doesn't change during the game
    state    the latest ``State``, which is complete by itself
    lines    the log, in sentences; the line for the end of the game is empty, since ``result`` describes it
    chats    the messages of the chat
    rematch  the latest message about a rematch
    """

    def __init__(self) -> None:
        self.hello: Hello | None = None
        self.state: State | None = None
        self.lines: list[str] = []
        self.chats: list[str] = []
        self.rematch: Rematch | None = None
        self.epoch = -1
        self._game: Game | None = None
        self.view_type: type[View] = View

    # ---------------------------------------------------------------- messages

    def receive(self, raw: str | bytes) -> AnyMessage:
        """Handle a message. Raises KibitzError for an invalid one, or for a game whose rules differ here."""
        try:
            message: AnyMessage = _decoder(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise KibitzError(f"{NEWER_SERVER} ({str(error)[:100]}).") from error
        match message:
            case Hello():
                self.handle_hello(message)
            case State():
                self.state = message
            case Events(epoch=epoch, since=since, events=events):
                self.epoch = epoch
                self.lines[since:] = ["" if line.note == "over" else line.text for line in events]
            case Chat(name=name, text=text):
                self.chats.append(f"{name}: {text}")
            case Rematch():
                self.rematch = message
            case Done() | Refused() | Hint() | WhyNot():
                pass
        return message

    def handle_hello(self, hello: Hello) -> None:
        """Handle the message that names the game.

        Raises KibitzError if this Kibitz doesn't have the game with these rules.
        """
        if hello.removed and not hello.started:
            raise KibitzError("the table's host has removed you: ask for a new invitation.")
        if hello.removed and self.seat != SPECTATOR:
            raise KibitzError("the table's host has removed you, and the computer plays on for you.")
        try:
            game = find_game(hello.game)
        except NotationError as error:
            raise KibitzError(f"the table plays {hello.title}, which isn't installed here: {error}") from error
        if hello.rules != game.rules.VERSION:
            raise KibitzError(
                f"the table plays version {hello.rules} of the rules of {hello.title}, and this Kibitz version"
                f" {game.rules.VERSION}: update the older Kibitz."
            )
        self.hello, self._game = hello, game
        self.view_type = type(game.view(game.deal(0), SPECTATOR))

    @property
    def query(self) -> str:
        """The URL query of a new connection: which lines of the log are known, and a request for views as structs."""
        known_lines = {"epoch": self.epoch, "since": len(self.lines)} if self.epoch >= 0 else {}
        return urlencode({"exact": "true", **known_lines})

    # ---------------------------------------------------------------- the state

    @property
    def game(self) -> Game:
        """The table's game, which is known once the ``Hello`` has been received."""
        assert self._game is not None
        return self._game

    @property
    def seat(self) -> int:
        """The person's seat; SPECTATOR without one."""
        return self.hello.seat if self.hello else SPECTATOR

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return self.hello.names if self.hello else ()

    @property
    def is_my_turn(self) -> bool:
        """Whether the person must choose now."""
        return self.state is not None and self.state.is_my_turn

    @property
    def scene(self) -> Scene:
        """The scene of the table; empty if there is none yet.

        The person's own zones are titled "Your ...", even after the game, when everybody gets the same scene.
        """
        if not (self.state and self.state.scene):
            return Scene((), (), "")
        return replace(self.state.scene, zones=tuple(map(self.with_own_title, self.state.scene.zones)))

    def with_own_title(self, zone: Zone) -> Zone:
        """A zone with its title for the person: Ben reads "Your hand" instead of "Ben's hand"."""
        if zone.seat < 0 or zone.seat != self.seat:
            return zone
        own_name = f"{self.names[self.seat]}'s "
        return replace(zone, title=f"Your {zone.title[len(own_name) :]}") if zone.title.startswith(own_name) else zone

    def view(self) -> View:
        """The seat's view as a struct of the game. Raises KibitzError if the server's data doesn't fit the struct."""
        try:
            return msgspec.convert(self.state.exact if self.state else None, self.view_type)
        except msgspec.ValidationError as error:
            raise KibitzError(f"{NEWER_SERVER} ({str(error)[:100]}).") from error

    @property
    def legal(self) -> list[int]:
        """The person's legal actions."""
        return [choice.action for choice in self.state.legal] if self.state else []

    def waiting_sentence(self) -> str:
        """A sentence that says whom the table waits for; empty if it waits for the person."""
        state, hello = self.state, self.hello
        if state is None or hello is None:
            return "Joining the table ..."
        if state.paused or state.over:
            return state.paused
        if not hello.started:
            missing = sum(seat.kind == "open" for seat in hello.seats)
            return f"Waiting for {missing} more to join." if missing else "The game begins."
        others = [self.names[seat] for seat in state.waiting if seat != self.seat]
        if state.hidden_choice is not None:
            return f"You have chosen {' '.join(state.hidden_choice.split())}. Waiting for {listed(others)}."
        if state.forced:
            return f"You have one choice, which is made for you: {state.legal[0].label}."
        return "" if state.is_my_turn else f"Waiting for {listed(others)}."

    def result(self) -> str:
        """How the game has ended, in words; empty while it is being played."""
        outcome = self.state.outcome if self.state else None
        if outcome is None:
            return ""
        last_line = next(filter(None, reversed(self.lines)), "")
        names = names_for(self.seat, self.names)
        return outcome_sentence(Outcome(outcome.reason, outcome.scores, outcome.winners), names, last_line)

    def act_request(self, action: int) -> dict[str, Any]:
        """The request that plays an action."""
        assert self.state is not None
        return new_request("act", action=action, turn=self.state.turn)


def new_request(kind: str, **fields: Any) -> dict[str, Any]:
    """A request with a new id, which its answer repeats; the server carries out only one request with this id."""
    return {"type": kind, "id": f"t{secrets.token_hex(8)}", **fields}


def encoded(request: dict[str, Any] | Request) -> str:
    """A request as JSON."""
    return msgspec.json.encode(request).decode()


def why_closed(code: int | None, reason: str) -> KibitzError | None:
    """Why a closed connection should not be reopened; None if it may be."""
    if code not in FINAL_CODES:
        return None
    return KibitzError((reason or "this table is not open to you.").strip())
