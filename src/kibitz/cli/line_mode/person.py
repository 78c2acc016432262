"""People at a shared keyboard: what one person sees is covered before the next person looks.

    holder              the seat of the person who may look at the screen now; None while it is covered
    unread              by seat, public sentences that the person hasn't read yet because somebody else had the keyboard
    events_at_decision  the number of public events when a person was last asked; later events are shown to everybody
                        at the end

A single person has the keyboard from beginning to end, and nothing is ever covered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

from kibitz.cli.line_mode.decision import Questioner, TableChanged
from kibitz.cli.line_mode.prompt import action_in_words
from kibitz.cli.screen import BOLD, DIM, Screen, read_number
from kibitz.engine.scene import Scene
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import SPECTATOR, Event, NewDeal, RoundOver, View
from kibitz.table import Table
from kibitz.table.outcomes import event_sentences
from kibitz.table.session import Session


class Quit(BaseException):
    """Raised when a person leaves; not an Exception, so that nothing on the way catches it."""


def pick(screen: Screen, heading: str, lines: Sequence[str]) -> int:
    """Ask for one of several things, of which Enter picks the first; returns its index. Raises Quit on q."""
    print_numbered(screen, heading, lines)
    while True:
        typed = screen.ask().lower() or "1"
        if number := read_number(typed, len(lines)):
            return number - 1
        if typed in ("q", "quit", "exit"):
            raise Quit
        screen.line(f"Type a number from 1 to {len(lines)}, Enter for the first, or q to leave.")


def print_numbered(screen: Screen, heading: str, lines: Iterable[str]) -> None:
    """Print lines with their numbers, below a heading."""
    screen.line(heading, BOLD)
    for number, line in enumerate(lines, 1):
        screen.line(f"{number:>2}) {line}", indent="    ")


class Keyboard:
    """Who may look at the screen, and what the others haven't read yet."""

    def __init__(self, screen: Screen, table: Table, people: Collection[int]) -> None:
        self.screen, self.table, self.names = screen, table, table.names
        self.is_shared = len(people) > 1
        self.holder: int | None = None if self.is_shared else next(iter(people))
        self.unread: dict[int, list[str]] = {seat: [] for seat in people}
        self.events_at_decision = 0
        self.is_saved = False
        """Whether the game is saved after every action, and can be resumed."""

    def hand_to(self, seat: int) -> None:
        """Cover the holder's view, and uncover the screen for ``seat`` once its person is ready."""
        if self.holder == seat:
            return
        self.cover()
        name = self.names[seat]
        self.screen.line(f"{name}, it's your turn. Press Enter when nobody else can see the screen.", BOLD)
        self.wait_for_enter()
        self.screen.clear()
        self.holder = seat
        self.screen.line(f"You are {name}.", BOLD)
        for line in self.unread[seat]:
            self.screen.line(line)
        self.unread[seat].clear()

    def cover(self) -> None:
        """Hide what the holder sees, once they have read it; does nothing while the screen is covered."""
        if self.holder is None:
            return
        self.screen.line()
        self.screen.line("Press Enter to cover your cards.", BOLD)
        self.wait_for_enter()
        self.holder = None
        self.screen.clear()

    def wait_for_enter(self) -> None:
        """Wait for Enter; ``q`` leaves."""
        if self.screen.ask().lower() in ("q", "quit", "exit"):
            self.leave()

    def announce(self, sentence: str) -> None:
        """Print a public sentence: for the holder now, for the others when they get the keyboard."""
        if self.holder is not None:
            self.screen.line(sentence, BOLD)
        for seat, lines in self.unread.items():
            if seat != self.holder:
                lines.append(sentence)

    def close(self) -> None:
        """At the end of the game, cover the last hand, and show everybody how the game ended."""
        if self.is_shared:
            self.cover()
            closing_events = self.table.events(SPECTATOR, self.events_at_decision)
            for _, line in event_sentences(self.table.game, closing_events, SPECTATOR, self.names):
                self.screen.line(line)

    def leave(self) -> None:
        """Ask whether the person wants to leave, and raise Quit if so."""
        consequence = "'kibitz resume' continues it" if self.is_saved else "It is not finished and will not be saved"
        self.screen.line(f"Leave the game? {consequence}. (y/n)", BOLD)
        if self.screen.ask().lower() in ("y", "yes"):
            raise Quit


# ---------------------------------------------------------------- the person


class HumanPlayer(Questioner):
    """The person in a seat.

    events_printed  how many of the seat's events have been printed
    save            a function that saves the game as it is
    """

    def __init__(self, keyboard: Keyboard, session: Session, seat: int, save: Callable[[], None]) -> None:
        super().__init__(keyboard.screen, session.table.game, names_for(seat, session.table.names))
        self.keyboard, self.session, self.table, self.seat = keyboard, session, session.table, seat
        self.save = save
        decisions = session.decisions[seat]
        self.events_printed = decisions[-1].events_seen if decisions else 0

    def choose(self) -> None:
        """Let the person choose an action, or undo their latest choice."""
        self.keyboard.events_at_decision = len(self.table.events(SPECTATOR))
        self.keyboard.hand_to(self.seat)
        self.catch_up()
        with suppress(TableChanged):
            self.session.act(self.seat, self.decide(self.table.view(self.seat), self.table.legal(self.seat)))

    def catch_up(self) -> None:
        """Print what has happened since the person last read; before a new deal, wait until they have read it."""
        latest: Event | None = None
        events, has_seen_deal = self.table.events(self.seat, self.events_printed), self.events_printed > 0
        self.events_printed += len(events)
        for event, sentence in event_sentences(self.game, events, self.seat, self.names):
            if isinstance(event, NewDeal):
                if has_seen_deal:
                    self.pause(latest)
                has_seen_deal = True
            self.screen.line(sentence)
            latest = event

    def pause(self, latest: Event | None) -> None:
        """Print the score, unless the latest sentence was the score, and wait until the person has read it."""
        if not isinstance(latest, RoundOver):
            self.print_score()
        if self.screen.is_watched:
            self.screen.line("Press Enter to continue.", DIM)
            self.keyboard.wait_for_enter()
        self.screen.line()

    def show(self, *, page: int = 0) -> None:
        """Print the table, the question and the choices; in a guided first hand, also what to do."""
        super().show(page=page)
        if not self.steps.selected:
            self.print_guidance()

    def print_guidance(self) -> None:
        """Print the caption of a guided first hand for this decision, if there is one."""
        if (caption := self.session.guidance(self.seat)) is None:
            return
        self.screen.line(f"Tip: {caption.says}", BOLD)
        if caption.action is not None:
            self.screen.line(
                f"To do this, type {self.game.words.typed_text(self.table.view(self.seat), caption.action)!r}."
            )

    def report_forced(self) -> None:
        """Say that the person has no choice, before a forced action is played for them."""
        if self.keyboard.holder == self.seat:
            self.catch_up()
            self.screen.line("You have no other choice.", DIM)

    @property
    def is_newcomer(self) -> bool:
        """Whether the person has made no decision yet."""
        return not self.session.decisions[self.seat]

    def leave(self) -> None:
        """Ask whether the person wants to leave, and leave if so."""
        self.keyboard.leave()

    def hint(self, view: View, legal: list[int]) -> None:
        """Print the strongest player's choice, and why; the record notes the request."""
        from kibitz.players.advice import hint

        self.session.note_hint(self.seat)
        self.save()
        with self.screen.waiting("A strong player is thinking ..."):
            advice = hint(self.game, view, legal)
        self.print_hint(view, advice.action, advice.reason)

    @property
    def scene(self) -> Scene:
        """The table as the person sees it now."""
        return self.game.scene(self.table.view(self.seat), self.names)

    def print_history(self) -> None:
        """Print everything that has happened so far, as the person saw it."""
        for _, sentence in event_sentences(
            self.game, self.table.events(self.seat)[: self.events_printed], self.seat, self.names
        ):
            self.screen.line(sentence)

    def undo(self) -> None:
        """Undo the person's latest choice, if it has shown them nothing new."""
        if sentence := self.session.why_no_undo(self.seat):
            self.screen.line(sentence)
            return
        decision = self.session.decisions[self.seat][-1]
        self.session.undo(decision.step)
        self.events_printed = decision.events_seen
        self.save()
        self.screen.line(
            f"You take back: {action_in_words(self.game, decision.view, decision.action, self.names)}.", DIM
        )
        raise TableChanged
