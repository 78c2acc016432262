"""What all players by return values of functions share: the history, the question, the answer, the plan.

plan        actions that an answer has settled beyond the first; they are played when the seat is next to move
asked       the last call with its full arguments, and what was returned
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.form import HISTORY, Call, package_of, published
from kibitz.engine.game import Game
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.child import OWN, Wanted
from kibitz.players.forms import AssignmentForm, Form, Item, OwnForm
from kibitz.players.objects import View as ViewObject
from kibitz.players.objects import as_object
from kibitz.players.sources import Source, sources_of

LONGEST_CALL = 20_000


class Asked(NamedTuple):
    """A call that was made, history included, and its result as text; ``returned`` is empty if there was none."""

    function: str
    arguments: tuple[Any, ...]
    returned: str

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


class FormPlayer(ABC):
    """A player whose answers are return values of functions: the assignment's, or those of the own form."""

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
        defined = self.load(wanted_of(game), seed, own=True)
        if game.form is not None and not defined:
            self.form = AssignmentForm(game.form)
            return
        self.form = OwnForm(game, seat, defined)
        if call := self.form.start():
            self.ask(call)

    def observe(self, event: Event) -> None:
        """Let the history grow."""
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
        """Tell a file in the own form how the game ended; the game is over, so what goes wrong changes nothing."""
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
        """The last call, for whoever has to explain what went wrong."""
        if self.call is None:
            return None
        history = [item.value for item in self.history[: self.sent]]
        given = tuple(history if part is HISTORY else as_object(ViewObject, part) for part in self.call.arguments)
        return Asked(self.call.function, given, repr(self.value) if self.answered else "")

    def detail(self, more: str) -> str:
        """The last call as it can be pasted, what it returned, and more."""
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
    def load(self, wanted: tuple[Wanted, ...], seed: int, *, own: bool = False) -> list[str]:
        """Load the file; it must define the functions ``wanted``, each with its number of arguments.

        With ``own`` it may define ``play`` instead: what it then has of the own form is returned.
        """

    @abstractmethod
    def answer(self, call: Call, new: list[Item]) -> Any:
        """What the file's function returns; ``new`` is what the history has grown by."""

    @abstractmethod
    def end(self, outcome: Outcome | None) -> str:
        """The game is over; what the player printed."""


def functions(game: Game) -> tuple[str, ...]:
    """The assignment's functions that a file must define for this game, if it is in the assignment's form."""
    return () if game.form is None else tuple(game.form.called(game.options))


def sought(game: Game) -> tuple[str, ...]:
    """The functions by which a player's main file is found: the assignment's, and that of the own form."""
    return (*functions(game), OWN)


def wanted_of(game: Game) -> tuple[Wanted, ...]:
    """The same functions, each with the number and the names of its arguments, as the assignment publishes them."""
    if game.form is None:
        return ()
    described = published(package_of(game.form))
    assert described is not None, f"{package_of(game.form)} has a form, and no PUBLISHED that describes it"
    known = {function.name: function for function in described.PUBLISHED}
    return tuple((name, len(known[name].parameters), known[name].names) for name in functions(game))
