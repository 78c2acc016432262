"""A table on a server as its messages tell it, for one seat: pure, so any screen can show it.

hear        takes one message, in the order in which they come
query       what a line that is opened again says it knows already
about       the ``Hello`` of the table; ``state`` the latest state, which alone is true of the game
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
from kibitz.table.outcomes import ended

FINAL = (4001, 4003, 4004)
"""Codes with which a server closes a line that would be closed again in the same way."""
NEWER = "the server is newer than this Kibitz: update this one"
_decoder: Callable[[str | bytes], Any] = msgspec.json.Decoder(AnyMessage).decode


def rematch_told(message: Rematch) -> str:
    """What became of a rematch so far, in a sentence."""
    if message.declined:
        return f"{message.declined[-1]} has declined the rematch."
    return f"{message.by} wants a rematch."


class Followed:
    """One table, as one seat knows it.

    lines   what has happened, in sentences; an empty one where the result was told, which ``result`` tells the reader
    chats   what people have said
    next    the table of a rematch that somebody has asked for, and who that was
    """

    def __init__(self) -> None:
        self.about: Hello | None = None
        self.state: State | None = None
        self.lines: list[str] = []
        self.chats: list[str] = []
        self.next: Rematch | None = None
        self.epoch = -1
        self.known: Game | None = None
        self.kind: type[View] = View

    # ---------------------------------------------------------------- what is heard

    def hear(self, raw: str | bytes) -> AnyMessage:
        """Take a message; KibitzError for what no server says, or for a game that is not played here as it is there."""
        try:
            message: AnyMessage = _decoder(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise KibitzError(f"{NEWER} ({str(error)[:100]}).") from error
        match message:
            case Hello():
                self.greet(message)
            case State():
                self.state = message
            case Events(epoch=epoch, since=since, events=events):
                self.epoch = epoch
                self.lines[since:] = ["" if told.note == "over" else told.text for told in events]
            case Chat(name=name, text=text):
                self.chats.append(f"{name}: {text}")
            case Rematch():
                self.next = message
            case Done() | Refused() | Hint() | WhyNot():
                pass
        return message

    def greet(self, about: Hello) -> None:
        """Learn which game this is."""
        try:
            game = find_game(about.game)
        except NotationError as error:
            raise KibitzError(f"the table plays {about.title}, which isn't installed here: {error}") from error
        if about.rules != game.rules.VERSION:
            raise KibitzError(
                f"the table plays {about.title} by rules {about.rules}, but here they are {game.rules.VERSION}: update "
                "the older Kibitz."
            )
        self.about, self.known = about, game
        self.kind = type(game.view(game.deal(0), SPECTATOR))

    @property
    def query(self) -> str:
        """What of the log is known, for a line that is opened (again)."""
        known = {"epoch": self.epoch, "since": len(self.lines)} if self.epoch >= 0 else {}
        return urlencode({"exact": "true", **known})

    # ---------------------------------------------------------------- what is known

    @property
    def game(self) -> Game:
        """The game that is played."""
        assert self.known is not None
        return self.known

    @property
    def seat(self) -> int:
        """The person's seat; SPECTATOR without one."""
        return self.about.seat if self.about else SPECTATOR

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called."""
        return self.about.names if self.about else ()

    @property
    def mine(self) -> bool:
        """Whether the person is to choose."""
        return self.state is not None and self.state.mine

    @property
    def scene(self) -> Scene:
        """How the table looks now; what is one's own is called so, also in an end that is shown to all alike."""
        if not (self.state and self.state.scene):
            return Scene((), (), "")
        return replace(self.state.scene, zones=tuple(map(self.as_mine, self.state.scene.zones)))

    def as_mine(self, zone: Zone) -> Zone:
        """A zone with its title as the reader reads it: "Ben's hand" is Ben's "Your hand"."""
        if zone.seat < 0 or zone.seat != self.seat:
            return zone
        called = f"{self.names[self.seat]}'s "
        return replace(zone, title=f"Your {zone.title[len(called) :]}") if zone.title.startswith(called) else zone

    def view(self) -> View:
        """What the seat may know, as the game here has it; KibitzError where the server has not sent such a view."""
        try:
            return msgspec.convert(self.state.exact if self.state else None, self.kind)
        except msgspec.ValidationError as error:
            raise KibitzError(f"{NEWER} ({str(error)[:100]}).") from error

    @property
    def legal(self) -> list[int]:
        """What one may choose."""
        return [choice.action for choice in self.state.legal] if self.state else []

    def waits(self) -> str:
        """Whom or what the table waits for, as a sentence; empty where one is asked oneself."""
        state, about = self.state, self.about
        if state is None or about is None:
            return "Joining the table ..."
        if state.paused or state.over:
            return state.paused
        if not about.started:
            missing = sum(seat.kind == "open" for seat in about.seats)
            return f"Waiting for {missing} more to join." if missing else "The game begins."
        others = [self.names[seat] for seat in state.waiting if seat != self.seat]
        if state.held is not None:
            return f"You have chosen {' '.join(state.held.split())}. Waiting for {listed(others)}."
        if state.forced:
            return f"You have one choice, which is made for you: {state.legal[0].label}."
        return "" if state.mine else f"Waiting for {listed(others)}."

    def result(self) -> str:
        """How the game has ended; empty before."""
        outcome = self.state.outcome if self.state else None
        if outcome is None:
            return ""
        told = Outcome(outcome.reason, outcome.scores, outcome.winners)
        heard = next(filter(None, reversed(self.lines)), "")
        return ended(told, names_for(self.seat, self.names), heard)

    def act(self, action: int) -> dict[str, Any]:
        """The request that carries out a choice."""
        assert self.state is not None
        return asking("act", action=action, turn=self.state.turn)


def asking(kind: str, **more: Any) -> dict[str, Any]:
    """A request with a name of its own, under which it is answered, and carried out once however often it is sent."""
    return {"type": kind, "id": f"t{secrets.token_hex(8)}", **more}


def encoded(request: dict[str, Any] | Request) -> str:
    """A request as it is sent."""
    return msgspec.json.encode(request).decode()


def why_closed(code: int | None, reason: str) -> KibitzError | None:
    """Why a line is not to be opened again; None where it may be."""
    if code not in FINAL:
        return None
    return KibitzError((reason or "this table is not open to you.").strip())
