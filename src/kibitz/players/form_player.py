"""What all players in the assignment's form share: the history, the question, the answer, the plan.

plan        actions that an answer has settled beyond the first; they are played when the seat is next to move
asked       the last call with its full arguments, and what was returned
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.form import HISTORY, Call, package_of, published
from kibitz.engine.game import Game
from kibitz.errors import NotationError, PlayerError
from kibitz.players.child import Wanted
from kibitz.players.sources import Source, sources_of

ARGUMENTS: dict[str, tuple[tuple[str, int], ...]] = {}
LONGEST_CALL = 20_000
RECENT = 64


class Asked(NamedTuple):
    """A call that was made, history included, and its result as text; ``returned`` is empty if there was none."""

    function: str
    arguments: tuple[Any, ...]
    returned: str

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


class Item:
    """An item of the history; all seats that saw its event share it, so it is packed once."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any) -> None:
        self.value, self.text = value, ""


class FormPlayer(ABC):
    """A player whose answers are return values of the assignment's functions."""

    recent: ClassVar[dict[int, tuple[Event, Item | None]]] = {}
    """What the latest events have added to the history, by identity: every seat is told of them in turn."""

    def __init__(self, name: str, file: str, source: Source) -> None:
        self.name, self.file, self.sources = name, file, sources_of(file, source)
        self.form: ModuleType | None = None
        self.history: list[Item] = []
        self.plan: list[int] = []
        self.sent = 0
        self.call: Call | None = None
        self.value: Any = None
        self.answered = False

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Load the file afresh; PlayerError if it cannot be loaded."""
        self.form = form_of(game)
        self.history, self.plan, self.sent = [], [], 0
        self.call, self.answered = None, False
        self.load(wanted_of(game), seed)

    def observe(self, event: Event) -> None:
        """Let the history grow."""
        found = self.recent.get(id(event))
        if found is None or found[0] is not event:
            assert self.form is not None
            value = self.form.history_item(event)
            found = event, None if value is None else Item(value)
            if len(self.recent) >= RECENT:
                self.recent.clear()
            self.recent[id(event)] = found
        if found[1] is not None:
            self.history.append(found[1])

    def act(self, view: View, legal: list[int]) -> int:
        """The planned action if there is one, else the file's answer."""
        if self.plan:
            return self.plan.pop(0)
        assert self.form is not None
        call, self.answered = self.form.call(view), False
        self.call = call
        new = self.history[self.sent :]
        self.sent = len(self.history)
        try:
            self.value = self.answer(call, new)
            self.answered = True
            first, *self.plan = self.form.reply(view, self.value)
        except PlayerError as error:
            raise PlayerError(error.kind, error.sentence, self.detail(error.detail)) from error
        except NotationError as error:
            raise PlayerError("invalid", str(error), self.detail("")) from error
        return int(first)

    def asked(self) -> Asked | None:
        """The last call, for whoever has to explain what went wrong."""
        if self.call is None:
            return None
        history = [item.value for item in self.history[: self.sent]]
        given = tuple(history if part is HISTORY else part for part in self.call.arguments)
        return Asked(self.call.function, given, repr(self.value) if self.answered else "")

    def detail(self, more: str) -> str:
        """The last call as it can be pasted, what it returned, and more."""
        asked = self.asked()
        parts = [
            str(asked)[:LONGEST_CALL],
            f"returned {asked.returned[:1000]}" if asked and asked.returned else "",
            more,
        ]
        return "\n".join(part for part in parts if part)

    def explain(self) -> str:
        """The last call and its answer, for the owner of a file whose answer the rules forbid."""
        return self.detail("")

    @abstractmethod
    def load(self, wanted: tuple[Wanted, ...], seed: int) -> None:
        """Load the file; it must define the functions ``wanted``, each with its number of arguments."""

    @abstractmethod
    def answer(self, call: Call, new: list[Item]) -> Any:
        """What the file's function returns; ``new`` is what the history has grown by."""

    @abstractmethod
    def end(self, outcome: Outcome | None) -> str:
        """The game is over; what the player printed."""


def form_of(game: Game) -> ModuleType:
    """The game's assignment form; NotationError if it has none."""
    if game.form is None:
        raise NotationError(f"{game.title} has no player files: no form for them is known.")
    return game.form


def functions(game: Game) -> tuple[str, ...]:
    """The functions that a file must define for this game."""
    return tuple(name for name, _ in arguments(game))


def wanted_of(game: Game) -> tuple[Wanted, ...]:
    """The functions that a file must define for this game, with the number and the names of their arguments."""
    described = published(package_of(form_of(game)))
    names = {function.name: function.names for function in described.PUBLISHED} if described else {}
    return tuple((name, arity, names.get(name, "")) for name, arity in arguments(game))


def arguments(game: Game) -> tuple[tuple[str, int], ...]:
    """The functions that a file must define for this game, with their numbers of arguments.

    A game is played until each function has been called, or to its end: what it never calls, nobody need define.
    """
    if game.name not in ARGUMENTS:
        form, state = form_of(game), game.deal(0)
        found: dict[str, int] = {}
        while not state.over and len(found) < len(form.FUNCTIONS):
            call = form.call(game.view(state, state.player))
            found.setdefault(call.function, len(call.arguments))
            game.rules.apply(state, game.legal(state)[0])
        ARGUMENTS[game.name] = tuple(found.items())
    return ARGUMENTS[game.name]
