"""Players whose functions return their choices: an assignment's, or those of Kibitz's own form, which every game has.

    own form    ``play(view, legal)``, and optionally ``start(game, seat, players)``, ``observe(event)`` and
                ``end(result)``; views and events are plain values (``kibitz.engine.views.plain``), actions are texts
    form        turns a view into a call, a return value into actions, and an event into what the file gets
    plan        further actions that an answer has settled; they are played when the seat is next to move
    asked       the last call with its full arguments, and what was returned

A file's form follows from what it defines once it is loaded: any of the assignment's functions, otherwise ``play``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.engine.views.form import HISTORY, Call, package_of, published
from kibitz.engine.views.plain import plain
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.files.sources import Source, sources_of
from kibitz.players.isolation.child import PLAY, Wanted
from kibitz.players.isolation.wire import View as ViewObject
from kibitz.players.isolation.wire import as_object

RECENT = 64
"""How many events are cached with their history items, since every seat gets each in turn."""
LONGEST_ACTION = 300
"""The most characters of an action's text."""


class Item:
    """An item sent to a file before its call; seats that get the same share it, so it is packed once."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any) -> None:
        self.value, self.text = value, ""


class Form(Protocol):
    """How one player of one game is called."""

    def item(self, event: Event) -> Item | None:
        """The item that an event adds, if any."""

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The call for the seat to move."""

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that an answer means, the first of them for now; NotationError if it means none."""


class AssignmentForm:
    """The functions of a game's assignment (``kibitz.engine.views.form``)."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def item(self, event: Event) -> Item | None:
        """The item that an event adds to the history."""
        return item_of(self.module, event)

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The call of the assignment."""
        result: Call = self.module.call(view)
        return result

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The actions that the answer settles."""
        result: Sequence[int] = self.module.reply(view, value)
        return result


@lru_cache(maxsize=RECENT)
def item_of(module: ModuleType, event: Event) -> Item | None:
    """The item that an event adds to an assignment's history; recent equal events share it."""
    value = module.history_item(event)
    return None if value is None else Item(value)


class OwnForm:
    """Kibitz's own form, for one seat; ``defined`` are the functions of it that the file has."""

    def __init__(self, game: Game, seat: int, defined: Sequence[str]) -> None:
        self.game, self.seat, self.defined = game, seat, frozenset(defined)
        self.names = [f"seat {number}" for number in range(game.seats)]
        self.known: dict[str, int] = {}

    def item(self, event: Event) -> Item | None:
        """The event as the file's ``observe`` gets it; None if the file has no ``observe``."""
        return Item(self.event_item(event)) if "observe" in self.defined else None

    def event_item(self, event: Event) -> dict[str, Any]:
        """An event with its name and its sentence."""
        sentence = self.game.describe(event, self.seat, self.names)
        return {"kind": type(event).__name__, "text": sentence} | plain(event)

    def call(self, view: View, legal: Sequence[int]) -> Call:
        """The view, and the legal actions as texts."""
        self.known = {self.game.text(view, action): action for action in legal}
        return Call(PLAY, (plain(view), list(self.known)))

    def reply(self, view: View, value: Any) -> Sequence[int]:
        """The action that a text means: a legal one, or any other that a person could type."""
        if type(value) is str and value in self.known:
            return (self.known[value],)
        if type(value) is not str:
            raise NotationError(
                f"play must return one of the legal actions as a text, such as {self.example()}, not {shown(value)}."
            )
        if len(value) > LONGEST_ACTION:
            raise NotationError(f"play returned a text of {len(value)} characters; actions are shorter.")
        try:
            return (self.game.parse(view, value),)
        except NotationError as error:
            raise NotationError(f"play returned {shown(value)}, which isn't an action: {error}") from error

    def example(self) -> str:
        """A legal action, as an example."""
        return repr(next(iter(self.known)))

    def start(self) -> Call | None:
        """The call of the file's ``start``, if it has one."""
        return Call("start", (self.game.name, self.seat, self.game.seats)) if "start" in self.defined else None

    def end(self, outcome: Outcome) -> Call | None:
        """The call of the file's ``end``, if it has one."""
        return Call("end", (plain(outcome),)) if "end" in self.defined else None


LONGEST_CALL = 20_000


class Asked(NamedTuple):
    """A call that was made, history included, and its result as text; ``returned`` is empty if there was none."""

    function: str
    arguments: tuple[Any, ...]
    returned: str

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


class FormPlayer(ABC):
    """A player whose answers are return values of functions: the assignment's, or those of Kibitz's own form."""

    def __init__(self, name: str, file: str, source: Source) -> None:
        self.name, self.file, self.sources = name, file, sources_of(file, source)
        self.form: Form | None = None
        self.history: list[Item] = []
        self.plan: list[int] = []
        self.sent = 0
        self.call: Call | None = None
        self.value: Any = None
        self.answered = False
        self.after: PlayerError | MachineError | None = None
        """What went wrong when the file was told how the game ended."""

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Load the file afresh; PlayerError if it cannot be loaded."""
        self.form = None
        self.history, self.plan, self.sent = [], [], 0
        self.call, self.answered, self.after = None, False, None
        defined = self.load(wanted_of(game), seed, allow_play=True)
        if game.form is not None and not defined:
            self.form = AssignmentForm(game.form)
            return
        self.form = OwnForm(game, seat, defined)
        if call := self.form.start():
            self.ask(call)

    def observe(self, event: Event) -> None:
        """Add an event to the history."""
        assert self.form is not None
        if item := self.form.item(event):
            self.history.append(item)

    def act(self, view: View, legal: list[int]) -> int:
        """The planned action if there is one, else the file's answer."""
        if self.plan:
            return self.plan.pop(0)
        assert self.form is not None
        self.ask(self.form.call(view, legal))
        try:
            first, *self.plan = self.form.reply(view, self.value)
        except NotationError as error:
            raise PlayerError("invalid", str(error), self.detail("")) from error
        return int(first)

    def ask(self, call: Call) -> None:
        """Make a call; PlayerError, with the call, if it fails."""
        self.call, self.answered = call, False
        new = self.history[self.sent :]
        self.sent = len(self.history)
        try:
            self.value = self.answer(call, new)
        except PlayerError as error:
            raise PlayerError(error.kind, error.sentence, self.detail(error.detail)) from error
        self.answered = True

    def take_leave(self, outcome: Outcome | None) -> None:
        """Tell a file in Kibitz's own form how the game ended; failures no longer matter."""
        if outcome is None or not isinstance(self.form, OwnForm) or not (call := self.form.end(outcome)):
            return
        before = self.call, self.answered
        self.call, self.answered = call, False
        try:
            self.answer(call, self.history[self.sent :])
        except (PlayerError, MachineError) as error:
            self.after = error
        self.call, self.answered = before

    def asked(self) -> Asked | None:
        """The last call, to explain what went wrong."""
        if self.call is None:
            return None
        history = [item.value for item in self.history[: self.sent]]
        given = tuple(history if part is HISTORY else as_object(ViewObject, part) for part in self.call.arguments)
        return Asked(self.call.function, given, repr(self.value) if self.answered else "")

    def detail(self, more: str) -> str:
        """The last call in a form that can be pasted, what it returned, and more."""
        asked = self.asked()
        parts = [
            str(asked)[:LONGEST_CALL] if asked else "",
            f"returned {asked.returned[:1000]}" if asked and asked.returned else "",
            more,
        ]
        return "\n".join(part for part in parts if part)

    def explain(self) -> str:
        """The last call and its answer, for the owner of a file whose answer the rules forbid."""
        return self.detail("")

    @abstractmethod
    def load(self, wanted: tuple[Wanted, ...], seed: int, *, allow_play: bool = False) -> list[str]:
        """Load the file; it must define the functions ``wanted``, each with its number of arguments.

        With ``allow_play`` it may define ``play`` instead; the functions of Kibitz's own form that it has are returned.
        """

    @abstractmethod
    def answer(self, call: Call, new: list[Item]) -> Any:
        """The result of the file's function; ``new`` has the new items of the history."""

    @abstractmethod
    def end(self, outcome: Outcome | None) -> str:
        """The game is over; return what the player printed."""


def functions(game: Game) -> tuple[str, ...]:
    """The assignment's functions that a file must define for this game, if it is in the assignment's form."""
    return () if game.form is None else tuple(game.form.called(game.options))


def main_functions(game: Game) -> tuple[str, ...]:
    """The functions by which a player's main file is found: the assignment's, and that of Kibitz's own form."""
    return (*functions(game), PLAY)


def wanted_of(game: Game) -> tuple[Wanted, ...]:
    """The assignment's functions, each with the number and the names of its arguments."""
    if game.form is None:
        return ()
    described = published(package_of(game.form))
    assert described is not None, f"{package_of(game.form)} has a form but no PUBLISHED to describe it"
    known = {function.name: function for function in described.PUBLISHED}
    return tuple((name, len(known[name].parameters), known[name].names) for name in functions(game))
