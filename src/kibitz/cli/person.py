"""A person at the table, in line mode: one sentence for what happens, numbered choices for what to do.

undo        taking back the latest decision (``kibitz.table.undoing``)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from kibitz.cli.keyboard import Keyboard
from kibitz.cli.prompting import HANG, Prompt
from kibitz.cli.refusals import finished
from kibitz.cli.screen import DIM, picked
from kibitz.cli.steps import Steps, phrased
from kibitz.engine.events import Event, NewDeal, Outcome, RoundOver, View
from kibitz.engine.game import Game
from kibitz.engine.scene.drawing import drawn, standings
from kibitz.engine.sentences import names_for
from kibitz.errors import KibitzError, NotationError
from kibitz.table import Table
from kibitz.table.undoing import Decision, why_no_undo

HELP = (
    ("1, 2, ...", "take the choice of that number"),
    ("{example}", "the same as the action itself, in any notation; a card alone takes that card"),
    ("b", "put back what you have taken last"),
    ("u", "undo your last choice, while it has shown you nothing new"),
    ("h", "hear what a strong player would do, and why"),
    ("s", "see the table and the choices again"),
    ("score", "hear how everybody stands"),
    ("a", "see all choices, however many there are"),
    ("l", "hear everything that has happened so far"),
    ("r", "read the rules"),
    ("q", "leave; the game is saved, and 'kibitz resume' goes on with it"),
)


class Undo(BaseException):
    """A person takes back their latest decision; no player's failure, so the referee must not catch it."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class Escape(BaseException):
    """What went wrong in talking to the person, and is no forfeit: no more input, a closed pipe, a fault of ours."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


@contextmanager
def no_forfeit() -> Iterator[None]:
    """Let errors pass the referee, who would take them for a player's."""
    try:
        yield
    except Exception as error:
        raise Escape(error) from error


class Person:
    """The player that asks a person.

    decisions   what the person has decided so far
    told        how many of the seat's events they have been told
    dealt       whether the first deal was among them
    hinted      is told of a seat that asks for a hint
    """

    def __init__(self, keyboard: Keyboard, table: Table, seat: int, hinted: Callable[[int], None]) -> None:
        self.keyboard, self.screen = keyboard, keyboard.screen
        self.table, self.seat, self.game, self.hinted = table, seat, table.game, hinted
        self.name, self.names = table.names[seat], names_for(seat, table.names)
        self.decisions: list[Decision] = []
        self.told = 0
        self.page, self.dealt = 0, False
        self.steps: Steps

    @property
    def events(self) -> list[Event]:
        """All that the seat has been told."""
        return self.table.events(self.seat)

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Sit down."""

    def remember(self, past: Table, action: int) -> None:
        """A decision of this seat in a game that was left: the person was told all until then."""
        self.told, self.dealt = len(past.events(self.seat)), True
        if len(past.legal(self.seat)) > 1:
            self.decisions.append(Decision(past.step, past.view(self.seat), action, self.told))

    def observe(self, event: Event) -> None:
        """Tell the person, unless they heard it before they undid something, or once the keyboard is theirs."""
        if self.keyboard.holder == self.seat:
            with no_forfeit():
                self.catch_up()

    def catch_up(self) -> None:
        """Tell the person what they have not been told yet; before a new deal they may read what was."""
        latest: Event | None = None
        for event in self.table.events(self.seat, self.told):
            if isinstance(event, NewDeal):
                if self.dealt:
                    self.pause(latest)
                self.dealt = True
            self.told += 1
            self.screen.line(self.game.describe(event, self.seat, self.names))
            latest = event

    def pause(self, latest: Event | None) -> None:
        """Say the score, unless the latest sentence has said it, and wait until the person has read it."""
        if not isinstance(latest, RoundOver):
            self.tell_score()
        if self.screen.watched:
            self.screen.line("Press Enter to go on.", DIM)
            self.keyboard.wait()
        self.screen.line()

    def act(self, view: View, legal: list[int]) -> int:
        """Ask the person, if there is anything to ask."""
        with no_forfeit():
            if len(legal) == 1:
                self.tell_forced(view, legal[0])
                return legal[0]
            self.keyboard.public.clear()
            self.keyboard.hand_to(self.seat)
            self.catch_up()
            self.steps = Steps(self.game, view, legal, self.promising(view, legal), self.names)
            self.show()
            action = self.answer(view, legal)
        self.decisions.append(Decision(self.table.step, view, action, self.told))
        return action

    def tell_forced(self, view: View, action: int) -> None:
        """Say what alone can be done, to whoever sits there; others hear of it with what else has happened."""
        if self.keyboard.holder == self.seat:
            self.catch_up()
            self.screen.line(f"You have no other choice: {phrased(self.game, view, action, self.names)}.", DIM)

    def end(self, outcome: Outcome | None) -> str:
        """Get up; a person prints nothing."""
        return ""

    def promising(self, view: View, legal: list[int]) -> list[int]:
        """The actions worth numbering: those that lead somewhere, where the game can tell; all where none does."""
        return self.game.words.leading(view, legal) or legal

    def show(self, *, page: int = 0) -> None:
        """The table, the question and the choices."""
        self.page = page
        newcomer = not self.decisions and not self.steps.taken
        prompt = Prompt(self.steps, self.names, self.screen.width, plain=self.screen.plain, newcomer=newcomer)
        for text, style in prompt.lines(page):
            self.screen.line(text, style, hang=HANG)

    def answer(self, view: View, legal: list[int]) -> int:
        """The choice, once there is one."""
        while True:
            typed = self.screen.ask()
            try:
                if self.obeyed(typed.lower(), view, legal):
                    continue
                action = self.choice(typed, view, legal)
            except KibitzError as error:
                self.screen.line(finished(str(error)))
                self.screen.line(self.what_can_be_typed(view))
                continue
            if action is not None:
                return action
            self.show()

    def what_can_be_typed(self, view: View) -> str:
        """What the choices are, for who has typed something else."""
        many, example = len(self.steps.choices), self.example(view)
        return f"Type a number from 1 to {many}, an action such as {example!r}, or ? for help."

    def example(self, view: View) -> str:
        """The shortest of the actions, as it is typed."""
        return min((self.game.text(view, action) for action in self.steps.picking.candidates), key=len)

    def choice(self, typed: str, view: View, legal: list[int]) -> int | None:
        """The action that was typed, None if it is a step towards one; KibitzError with the reason if it is neither."""
        if number := picked(typed, len(self.steps.choices)):
            return self.numbered(number, view)
        if typed == "" and self.steps.taken and (done := self.steps.picking.complete) is not None:
            return done
        if typed == "" or (typed.isdigit() and self.game.amounts == self.game.actions):
            raise KibitzError(f"There is no choice {typed}" if typed else "Nothing is chosen yet")
        key = self.steps.card_meant(typed)
        try:
            action = self.game.parse(view, typed)
            sentence = None if action in legal else self.game.why_not(self.game.imagine(view, 0), action)
        except NotationError as error:
            if key is not None:
                return self.steps.take(key)
            return self.continued(typed, view, error)
        if sentence and key is not None:
            return self.steps.take(key)
        if sentence:
            raise KibitzError(sentence)
        return action

    def continued(self, typed: str, view: View, error: NotationError) -> int:
        """The action that typed words make with the cards taken so far; else the error that they are."""
        if self.steps.taken:
            with suppress(NotationError):
                action = self.game.parse(view, f"{self.steps.so_far} {typed}")
                if action in self.steps.picking.candidates:
                    return action
        raise error

    def numbered(self, number: int, view: View) -> int | None:
        """The choice of a number; KibitzError if it is an amount that could be meant as well."""
        choice = self.steps.choices[number - 1]
        amount = self.game.amounts + number
        is_amount = self.steps.has_amounts and amount < self.game.actions and amount != choice.action
        if is_amount and self.game.why_not(self.game.imagine(view, 0), amount) is None:
            chosen = repr(self.game.text(view, choice.action)) if choice.action is not None else choice.label
            either = f"write {chosen} or {self.game.text(view, amount)!r}"
            raise KibitzError(f"{number} could be choice {number} or an amount: {either}")
        return self.steps.take(choice.key) if choice.action is None else choice.action

    def obeyed(self, word: str, view: View, legal: list[int]) -> bool:
        """Carry out a command, if it is one."""
        match word:
            case "?" | "help":
                self.help(view)
            case "u" | "undo" if not self.steps.taken:
                self.undo()
            case "b" | "back" | "u" | "undo":
                self.put_back()
            case "h" | "hint":
                self.hint(view, legal)
            case "s" | "state":
                self.show_all()
            case "a" | "all":
                self.steps.see_all()
                self.show()
            case "m" | "more":
                self.show(page=self.page + 1)
            case "score":
                self.tell_score()
            case "l" | "log" | "history":
                self.tell_history()
            case "r" | "rules":
                from kibitz.cli.rules import show_rules

                show_rules(self.game, self.screen)
            case "q" | "quit" | "exit":
                self.keyboard.leave()
            case _:
                return False
        return True

    def put_back(self) -> None:
        """Put back what was taken last."""
        if self.steps.back():
            self.show()
        else:
            self.screen.line("You have taken nothing that could be put back.")

    def show_all(self) -> None:
        """The whole table, and the choices."""
        for line in drawn(self.steps.picking.scene, self.names, self.screen.width):
            self.screen.line(line)
        self.show()

    def hint(self, view: View, legal: list[int]) -> None:
        """What the strongest player would do, and why; the record notes that it was asked for."""
        from kibitz.players.advice import hint

        self.hinted(self.seat)
        with self.screen.waiting("A strong player is thinking ..."):
            found = hint(self.game, view, legal)
        said, label = phrased(self.game, view, found.action, self.names), self.game.words.label(view, found.action)
        reason = found.reason.replace(" ".join(label.split()), said)  # which calls nobody by name
        self.screen.line(f"{reason} To do so type {self.game.text(view, found.action)!r}.")

    def tell_score(self) -> None:
        """How everybody stands, as far as it can be told in words; the table where there is no score."""
        scene = self.game.scene(self.table.view(self.seat), self.names)
        for line in standings(scene, self.names) or drawn(scene, self.names, self.screen.width):
            self.screen.line(line)

    def tell_history(self) -> None:
        """Everything that the person has been told."""
        for event in self.events[: self.told]:
            self.screen.line(self.game.describe(event, self.seat, self.names))

    def help(self, view: View) -> None:
        """What can be typed."""
        rows = [(key.format(example=self.example(view)), meaning) for key, meaning in HELP]
        rows[2:2] = self.game.words.HELP
        width = max(len(key) for key, _ in rows)
        for key, meaning in rows:
            self.screen.line(f"{key:<{width}}  {meaning}", hang=" " * (width + 2))

    def undo(self) -> None:
        """Take back the latest decision, if that is fair."""
        if sentence := why_no_undo(self.table, self.decisions):
            self.screen.line(sentence)
        else:
            raise Undo(self.seat)
