"""Players whose functions return their choices: an assignment's functions, or those of the play interface.

    play interface  ``play(view, legal)``, and optionally ``start(game, seat, players)``, ``observe(event)`` and
                ``end(result)``; views and events are plain values (``kibitz.engine.views.plain``), actions are texts
    interface   turns a view into a call, a return value into actions, and an event into an item of the file's history
    plan        actions that an earlier answer has already decided; they are played without asking the file again
    past call   a call with its full arguments, and its return value

What a file defines once it is loaded decides which interface it has: any of the assignment's functions, otherwise
``play``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.views.assignment_interface import HISTORY, Call, assignment_of_package, package_of
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.engine.views.plain import plain
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.files.sources import Source, sources_of
from kibitz.players.isolation.child import PLAY, RequiredFunction
from kibitz.players.isolation.wire import View as ViewObject
from kibitz.players.isolation.wire import as_object

MAX_CACHED_ITEMS = 64
"""The number of events whose history items are cached, because every seat gets the same items."""
MAX_ACTION_LENGTH = 300
"""The maximum number of characters of an action's text."""


class HistoryItem:
    """An item of the history, sent to a file with its next call; ``text`` is it packed, shared by all seats."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any) -> None:
        self.value, self.text = value, ""


class Interface(Protocol):
    """How a file's functions are called in one game, for one seat."""

    def item(self, event: Event) -> HistoryItem | None:
        """The item that an event adds to the history; None if it adds none."""

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The call for the seat to move."""

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that a return value means; the first is played now. Raises NotationError if it means none."""


class AssignmentInterface:
    """The functions of a game's assignment (``kibitz.engine.views.assignment_interface``)."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def item(self, event: Event) -> HistoryItem | None:
        """The item that an event adds to the history."""
        return item_of(self.module, event)

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The call of the assignment."""
        result: Call = self.module.call(view)
        return result

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that the return value means."""
        result: Sequence[int] = self.module.reply(view, value)
        return result


@lru_cache(maxsize=MAX_CACHED_ITEMS)
def item_of(module: ModuleType, event: Event) -> HistoryItem | None:
    """The item that an event adds to an assignment's history, cached because every seat sees the event."""
    value = module.history_item(event)
    return None if value is None else HistoryItem(value)


class PlayInterface:
    """The play interface, for one seat; ``defined`` are those of its functions that the file defines."""

    def __init__(self, game: Game, seat: int, defined: Sequence[str]) -> None:
        self.game, self.seat, self.defined = game, seat, frozenset(defined)
        self.names = [f"seat {number}" for number in range(game.seats)]
        self.legal_by_text: dict[str, int] = {}

    def item(self, event: Event) -> HistoryItem | None:
        """The event as the file's ``observe`` gets it; None if the file has no ``observe``."""
        if "observe" not in self.defined:
            return None
        sentence = self.game.describe(event, self.seat, self.names)
        return HistoryItem({"kind": type(event).__name__, "text": sentence} | plain(event))

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The view, and the legal actions as texts."""
        self.legal_by_text = {self.game.text(view, action): action for action in legal}
        return Call(PLAY, (plain(view), list(self.legal_by_text)))

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The action that a text means: a legal one, or any other that a person could type."""
        if type(value) is str and value in self.legal_by_text:
            return (self.legal_by_text[value],)
        if type(value) is not str:
            raise NotationError(
                f"play must return one of the legal actions as a text, such as {self.example()}, not"
                f" {short_repr(value)}."
            )
        if len(value) > MAX_ACTION_LENGTH:
            raise NotationError(f"play returned a text of {len(value)} characters; actions are shorter.")
        try:
            return (self.game.parse(view, value),)
        except NotationError as error:
            raise NotationError(f"play returned {short_repr(value)}, which isn't an action: {error}") from error

    def example(self) -> str:
        """A legal action, as an example."""
        return repr(next(iter(self.legal_by_text)))

    def start(self) -> Call | None:
        """The call of the file's ``start``, if it has one."""
        return Call("start", (self.game.name, self.seat, self.game.seats)) if "start" in self.defined else None

    def end(self, outcome: Outcome) -> Call | None:
        """The call of the file's ``end``, if it has one."""
        return Call("end", (plain(outcome),)) if "end" in self.defined else None


MAX_CALL_LENGTH = 20_000
"""The maximum number of characters of a call in an error's detail."""


class PastCall(NamedTuple):
    """A call that was made, with its full history; ``returned`` is its value as Python source, empty if it has none."""

    function: str
    arguments: tuple[Any, ...]
    returned: str

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


class FunctionPlayer(ABC):
    """A player whose choices are return values of a file's functions."""

    def __init__(self, name: str, file: str, source: Source) -> None:
        self.name, self.file, self.sources = name, file, sources_of(file, source)
        self.interface: Interface | None = None
        self.history: list[HistoryItem] = []
        self.plan: list[int] = []
        self.sent = 0
        self.call: Call | None = None
        self.value: Any = None
        self.has_answered = False
        self.end_error: PlayerError | MachineError | None = None
        """The error that the file's ``end`` raised."""

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Load the file afresh. Raises PlayerError if it cannot be loaded."""
        self.interface = None
        self.history, self.plan, self.sent = [], [], 0
        self.call, self.has_answered, self.end_error = None, False, None
        defined = self.load(required_functions(game), seed, allow_play=True)
        if game.assignment is not None and not defined:
            self.interface = AssignmentInterface(game.assignment)
            return
        self.interface = PlayInterface(game, seat, defined)
        if call := self.interface.start():
            self.ask(call)

    def observe(self, event: Event) -> None:
        """Add an event to the history."""
        assert self.interface is not None
        if item := self.interface.item(event):
            self.history.append(item)

    def act(self, view: View, legal: list[int]) -> int:
        """The next planned action if there is one, otherwise the file's answer."""
        if self.plan:
            return self.plan.pop(0)
        assert self.interface is not None
        self.ask(self.interface.call(view, legal))
        try:
            first, *self.plan = self.interface.reply(view, self.value)
        except NotationError as error:
            raise PlayerError("invalid", str(error), self.detail("")) from error
        return int(first)

    def ask(self, call: Call) -> None:
        """Make a call and keep its value. Raises PlayerError, with the call in its detail, if it fails."""
        self.call, self.has_answered = call, False
        new_items = self.history[self.sent :]
        self.sent = len(self.history)
        try:
            self.value = self.answer(call, new_items)
        except PlayerError as error:
            raise PlayerError(error.kind, error.sentence, self.detail(error.detail)) from error
        self.has_answered = True

    def report_outcome(self, outcome: Outcome | None) -> None:
        """Tell a file with the play interface how the game ended; an error is kept in ``end_error``, but not raised."""
        if outcome is None or not isinstance(self.interface, PlayInterface):
            return
        if (call := self.interface.end(outcome)) is None:
            return
        last_call = self.call, self.has_answered
        self.call, self.has_answered = call, False
        try:
            self.answer(call, self.history[self.sent :])
        except (PlayerError, MachineError) as error:
            self.end_error = error
        self.call, self.has_answered = last_call

    def past_call(self) -> PastCall | None:
        """The last call, to explain what went wrong; None if there was none."""
        if self.call is None:
            return None
        history = [item.value for item in self.history[: self.sent]]
        arguments = tuple(
            history if argument is HISTORY else as_object(ViewObject, argument) for argument in self.call.arguments
        )
        return PastCall(self.call.function, arguments, repr(self.value) if self.has_answered else "")

    def detail(self, more: str) -> str:
        """The last call as Python source, what it returned, and the text ``more``."""
        past_call = self.past_call()
        parts = [
            str(past_call)[:MAX_CALL_LENGTH] if past_call else "",
            f"returned {past_call.returned[:1000]}" if past_call and past_call.returned else "",
            more,
        ]
        return "\n".join(part for part in parts if part)

    def explain(self) -> str:
        """The last call and what it returned, for the owner of a file whose action was illegal."""
        return self.detail("")

    @abstractmethod
    def load(self, required: tuple[RequiredFunction, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Load the file, which must define the functions ``required`` or, with ``allow_play``, ``play`` instead.

        Returns the functions of the play interface that the file defines; empty if games call those ``required``.
        """

    @abstractmethod
    def answer(self, call: Call, new_items: list[HistoryItem]) -> Any:
        """Call the file's function and return its value; ``new_items`` are the new items of the history."""

    @abstractmethod
    def end(self, outcome: Outcome | None) -> str:
        """Do what is needed after the game; return what the player printed."""


def assignment_functions(game: Game) -> tuple[str, ...]:
    """The assignment's functions that this game calls; none if the game has no assignment."""
    return () if game.assignment is None else tuple(game.assignment.called_functions(game.options))


def main_functions(game: Game) -> tuple[str, ...]:
    """The functions by which a player's main file is found: the assignment's, and ``play``."""
    return (*assignment_functions(game), PLAY)


def required_functions(game: Game) -> tuple[RequiredFunction, ...]:
    """The assignment's functions, each with the number and the names of its arguments."""
    if game.assignment is None:
        return ()
    assignment_module = assignment_of_package(package_of(game.assignment))
    assert assignment_module is not None, f"{package_of(game.assignment)} has ``call`` but no PUBLISHED to describe it"
    by_name = {function.name: function for function in assignment_module.PUBLISHED}
    return tuple((name, len(by_name[name].parameters), by_name[name].names) for name in assignment_functions(game))
