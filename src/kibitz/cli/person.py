"""A person at the table, in line mode: one sentence for what happens, numbered choices for what to do.

undo        taking back the latest decision (``kibitz.table.undoing``)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.cli.choices import SPARE, numbered
from kibitz.cli.keyboard import Keyboard
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, picked
from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.game import Game
from kibitz.engine.sentences import names_for
from kibitz.errors import KibitzError
from kibitz.table import Table
from kibitz.table.undoing import Decision, taught_nothing

HELP = (
    ("1, 2, ...", "take the choice of that number"),
    ("{example}", "the same as the action itself, in any notation"),
    ("u", "undo your last choice, while it has shown you nothing new"),
    ("s", "see the table and the choices again"),
    ("a", "see all choices, however many there are"),
    ("l", "hear again what has happened since your last choice"),
    ("r", "read the rules"),
    ("q", "quit"),
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
    """

    def __init__(self, keyboard: Keyboard, table: Table, seat: int) -> None:
        self.keyboard, self.screen = keyboard, keyboard.screen
        self.table, self.seat, self.game = table, seat, table.game
        self.name, self.names = table.names[seat], names_for(seat, table.names)
        self.decisions: list[Decision] = []
        self.told = 0
        self.offered: list[int] = []

    @property
    def events(self) -> list[Event]:
        """All that the seat has been told."""
        return self.table.events(self.seat)

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Sit down."""

    def remember(self, past: Table, action: int) -> None:
        """A decision of this seat in a game that was left: the person was told all until then."""
        self.told = len(past.events(self.seat))
        self.decisions.append(Decision(past.step, past.view(self.seat), action, self.told))

    def observe(self, event: Event) -> None:
        """Tell the person, unless they heard it before they undid something, or once the keyboard is theirs."""
        if self.keyboard.holder == self.seat:
            with no_forfeit():
                self.catch_up()

    def catch_up(self) -> None:
        """Tell the person what they have not been told yet."""
        for event in self.table.events(self.seat, self.told):
            self.told += 1
            self.screen.line(self.game.describe(event, self.seat, self.names))

    def act(self, view: View, legal: list[int]) -> int:
        """Ask the person."""
        self.keyboard.public.clear()
        with no_forfeit():
            self.keyboard.hand_to(self.seat)
            self.catch_up()
            self.offered = self.promising(view, legal)
            self.show(view, legal)
            action = self.answer(view, legal)
        self.decisions.append(Decision(self.table.step, view, action, self.told))
        return action

    def end(self, outcome: Outcome | None) -> str:
        """Get up; a person prints nothing."""
        return ""

    def promising(self, view: View, legal: list[int]) -> list[int]:
        """The actions worth numbering: those that lead somewhere, where the game can tell; all where none does."""
        return self.game.words.leading(view, legal) or legal

    def show(self, view: View, legal: list[int], everything: bool = False) -> None:
        """The table, the question and the choices."""
        screen = self.screen
        if everything:
            self.offered = legal
        screen.line()
        for line in self.game.words.table(view, self.names):
            screen.line(line)
        screen.line()
        screen.line(self.game.words.prompt(view), BOLD)
        lines = numbered(self.game, view, self.offered, screen.width, screen.plain)
        shown = lines if everything or screen.plain or len(lines) <= SPARE + 3 else lines[:SPARE]
        for line in shown:
            screen.line(line, hang="    ")
        if len(shown) < len(lines):
            example = self.game.text(view, legal[-1])
            screen.line(f"There are {len(legal)} choices: 'a' shows all, or write one, such as '{example}'.", DIM)
        if len(self.offered) < len(legal):
            screen.line("Choices that lead nowhere are left out: 'a' shows all.", DIM)
        if len(legal) == 1:
            screen.line("Press Enter: there is no other choice.", DIM)
        elif not self.decisions:
            screen.line("Type a number, or ? for help.", DIM)

    def answer(self, view: View, legal: list[int]) -> int:
        """The choice, once there is one."""
        while True:
            typed = self.screen.ask()
            if typed == "" and len(legal) == 1:
                return legal[0]
            if not self.obeyed(typed.lower(), view, legal):
                try:
                    return self.choice(typed, view, legal)
                except KibitzError as error:
                    self.screen.line(finished(str(error)))

    def choice(self, typed: str, view: View, legal: list[int]) -> int:
        """The action that was typed; KibitzError with the reason if it is none or forbidden."""
        if number := picked(typed, len(self.offered)):
            return self.numbered(number, view)
        if typed == "" or (typed.isdigit() and self.game.amounts == self.game.actions):
            raise KibitzError(f"Type a number from 1 to {len(self.offered)}, or ? for help.")
        action = self.game.parse(view, typed)
        if action not in legal and (sentence := self.game.why_not(self.game.imagine(view, 0), action)):
            raise KibitzError(sentence)
        return action

    def numbered(self, number: int, view: View) -> int:
        """The choice of a number; KibitzError if it is an amount that could be meant as well."""
        action, amount = self.offered[number - 1], self.game.amounts + number
        is_amount = amount < self.game.actions and amount != action
        if is_amount and self.game.why_not(self.game.imagine(view, 0), amount) is None:
            either = f"write {self.game.text(view, action)!r} or {self.game.text(view, amount)!r}."
            raise KibitzError(f"{number} could be choice {number} or an amount: {either}")
        return action

    def obeyed(self, word: str, view: View, legal: list[int]) -> bool:
        """Carry out a command, if it is one."""
        match word:
            case "?" | "help":
                self.help(view, legal)
            case "u" | "undo":
                self.undo()
            case "s" | "state" | "a" | "all":
                self.show(view, legal, word[0] == "a")
            case "l" | "last":
                for event in self.events[self.decisions[-1].told if self.decisions else 0 :]:
                    self.screen.line(self.game.describe(event, self.seat, self.names))
            case "r" | "rules":
                from kibitz.cli.rules import show_rules

                show_rules(self.game, self.screen)
            case "q" | "quit" | "exit":
                self.keyboard.leave()
            case _:
                return False
        return True

    def help(self, view: View, legal: list[int]) -> None:
        """What can be typed."""
        example = min((self.game.text(view, action) for action in legal), key=len)
        rows = [(key.format(example=example), meaning) for key, meaning in HELP]
        rows[2:2] = self.game.words.HELP
        width = max(len(key) for key, _ in rows)
        for key, meaning in rows:
            self.screen.line(f"{key:<{width}}  {meaning}", hang=" " * (width + 2))

    def undo(self) -> None:
        """Take back the latest decision, if that is fair."""
        if not self.decisions:
            self.screen.line("There is nothing to undo yet.")
        elif not taught_nothing(self.game, self.decisions[-1], self.events[self.decisions[-1].told :]):
            self.screen.line("Your last choice stands: you have seen something new since.")
        else:
            raise Undo(self.seat)
