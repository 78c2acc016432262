"""A person at the table, in line mode: one sentence for what happens, numbered choices for what to do.

undo        taking back the latest decision (``kibitz.table.undoing``)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kibitz.cli.answering import Answering
from kibitz.cli.keyboard import Keyboard
from kibitz.cli.screen import DIM
from kibitz.cli.steps import phrased
from kibitz.engine.events import Event, NewDeal, Outcome, RoundOver, View
from kibitz.engine.game import Game
from kibitz.engine.scene.text import drawn, standings
from kibitz.engine.sentences import names_for
from kibitz.table import Table
from kibitz.table.chapters import telling
from kibitz.table.undoing import Decision, is_last_word, why_no_undo


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


class Person(Answering):
    """The player that asks a person.

    decisions   what the person has decided so far
    told        how many of the seat's events they have been told
    dealt       whether the first deal was among them
    hinted      is told of a seat that asks for a hint
    """

    def __init__(self, keyboard: Keyboard, table: Table, seat: int, hinted: Callable[[int], None]) -> None:
        super().__init__(keyboard.screen, table.game, names_for(seat, table.names))
        self.keyboard, self.table, self.seat, self.hinted = keyboard, table, seat, hinted
        self.name = table.names[seat]
        self.decisions: list[Decision] = []
        self.told = 0
        self.dealt = False

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
        events = self.table.events(self.seat, self.told)
        self.told += len(events)
        for event, sentence in telling(self.game, events, self.seat, self.names):
            if isinstance(event, NewDeal):
                if self.dealt:
                    self.pause(latest)
                self.dealt = True
            self.screen.line(sentence)
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
            if len(legal) == 1 and not is_last_word(self.table, self.decisions, view, legal):
                self.tell_forced()
                return legal[0]
            self.keyboard.public.clear()
            self.keyboard.hand_to(self.seat)
            self.catch_up()
            action = self.decide(view, legal)
        self.decisions.append(Decision(self.table.step, view, action, self.told))
        return action

    def tell_forced(self) -> None:
        """Say to whoever sits there that nothing is asked: what is done is told at once, as everything that happens."""
        if self.keyboard.holder == self.seat:
            self.catch_up()
            self.screen.line("You have no other choice.", DIM)

    def end(self, outcome: Outcome | None) -> str:
        """Get up; a person prints nothing."""
        return ""

    @property
    def newcomer(self) -> bool:
        """Whether the person has decided nothing yet."""
        return not self.decisions

    def leave(self) -> None:
        """Ask whether the person means to leave, and get up if so."""
        self.keyboard.leave()

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
        for _, sentence in telling(self.game, self.events[: self.told], self.seat, self.names):
            self.screen.line(sentence)

    def undo(self) -> None:
        """Take back the latest decision, if that is fair."""
        if sentence := why_no_undo(self.table, self.decisions):
            self.screen.line(sentence)
        else:
            raise Undo(self.seat)
