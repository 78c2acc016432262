"""How a player file is asked: by the functions of an assignment, or by Kibitz's own, which every game has.

    own form    ``play(view, legal)``, and if the file has them ``start(game, seat, players)``, ``observe(event)`` and
                ``end(result)``; views and events are plain values (``kibitz.engine.plain``), actions are texts
    form        what turns a view into a call, a return value into actions, and an event into what the file learns

A file's form is found by what it defines once it is loaded: any of the assignment's functions, or else ``play``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Protocol

from kibitz.cards import shown
from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.form import Call
from kibitz.engine.game import Game
from kibitz.engine.plain import plain
from kibitz.errors import NotationError
from kibitz.players.child import OWN

RECENT = 64
"""So many events are remembered with what they add to a history, since every seat is told of each in turn."""
LONGEST_ACTION = 300
"""Characters of an action that are read at all."""


class Item:
    """Something that a file is told besides its call; seats that are told the same share it, so it is packed once."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any) -> None:
        self.value, self.text = value, ""


class Form(Protocol):
    """How one player of one game is asked."""

    def item(self, event: Event) -> Item | None:
        """What an event adds to what the file is told, if anything."""

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The question for the seat to move."""

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that an answer means, the first of them for now; NotationError if it means none."""


class AssignmentForm:
    """The functions of a game's assignment (``kibitz.engine.form``)."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def item(self, event: Event) -> Item | None:
        """What the history grows by."""
        return item_of(self.module, event)

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The call of the assignment."""
        found: Call = self.module.call(view)
        return found

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that the answer settles."""
        found: Sequence[int] = self.module.reply(view, value)
        return found


@lru_cache(maxsize=RECENT)
def item_of(module: ModuleType, event: Event) -> Item | None:
    """What an event adds to the history of an assignment; equal events that come soon after each other share it."""
    value = module.history_item(event)
    return None if value is None else Item(value)


class OwnForm:
    """Kibitz's own form, for one seat; ``defined`` are the functions of it that the file has."""

    def __init__(self, game: Game, seat: int, defined: Sequence[str]) -> None:
        self.game, self.seat, self.defined = game, seat, frozenset(defined)
        self.names = [f"seat {number}" for number in range(game.seats)]
        self.known: dict[str, int] = {}

    def item(self, event: Event) -> Item | None:
        """The event as the file's ``observe`` gets it; nothing where there is none."""
        return Item(self.told(event)) if "observe" in self.defined else None

    def told(self, event: Event) -> dict[str, Any]:
        """An event with its name and its sentence."""
        sentence = self.game.describe(event, self.seat, self.names)
        return {"kind": type(event).__name__, "text": sentence} | plain(event)

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The view, and the legal actions as texts."""
        self.known = {self.game.text(view, action): action for action in legal}
        return Call(OWN, (plain(view), list(self.known)))

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The action that a text means: one of the legal ones, or anything else that a person could have typed."""
        if type(value) is str and value in self.known:
            return (self.known[value],)
        if type(value) is not str:
            raise NotationError(
                f"play must return one of the legal actions as a text, such as {self.such()}, not {shown(value)}."
            )
        if len(value) > LONGEST_ACTION:
            raise NotationError(f"play returned a text of {len(value)} characters, and an action is a short one.")
        try:
            return (self.game.parse(view, value),)
        except NotationError as error:
            raise NotationError(f"play returned {shown(value)}, which is no action: {error}") from error

    def such(self) -> str:
        """A legal action, as an example."""
        return repr(next(iter(self.known)))

    def start(self) -> Call | None:
        """What the file is told before its first question, if it wants to know."""
        return Call("start", (self.game.name, self.seat, self.game.seats)) if "start" in self.defined else None

    def end(self, outcome: Outcome) -> Call | None:
        """What the file is told after the last, if it wants to know."""
        return Call("end", (plain(outcome),)) if "end" in self.defined else None
