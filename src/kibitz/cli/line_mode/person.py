"""A person at a shared keyboard: what one of them sees is covered before the next one looks.

    holder      the seat of the person who may look at the screen now; None while it is covered
    news        by seat, sentences that its person has not read yet, because somebody else held the keyboard
    public      what everyone was told since a person last decided: for all to read once the game is over

A person alone holds the keyboard from beginning to end, and nothing is ever covered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from kibitz.cli.line_mode.decision import Answering
from kibitz.cli.line_mode.prompt import phrased
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.events import SPECTATOR, Event, NewDeal, Notice, Outcome, RoundOver, View, to_seat
from kibitz.engine.game import Game
from kibitz.engine.scene.text import drawn, standings
from kibitz.engine.sentences import names_for
from kibitz.table import Table
from kibitz.table.outcomes import telling
from kibitz.table.undo import Decision, is_last_word, why_no_undo


class Quit(BaseException):
    """The person leaves the table."""


class Keyboard:
    """Who may look, and what the others have to be told."""

    def __init__(self, screen: Screen, names: Sequence[str], people: Collection[int]) -> None:
        self.screen, self.names = screen, names
        self.shared = len(people) > 1
        self.holder: int | None = None if self.shared else next(iter(people))
        self.news: dict[int, list[str]] = {seat: [] for seat in people}
        self.public: list[str] = []
        self.kept = False
        """Whether the game is saved after every action, and can be resumed."""

    def hand_to(self, seat: int) -> None:
        """Cover what the holder sees and uncover the screen for ``seat`` once its person says so."""
        if self.holder == seat:
            return
        self.cover()
        name = self.names[seat]
        self.screen.line(f"{name}, it's your turn. Press Enter when nobody else can see the screen.", BOLD)
        self.wait()
        self.screen.clear()
        self.holder = seat
        self.screen.line(f"You are {name}.", BOLD)
        for line in self.news[seat]:
            self.screen.line(line)
        self.news[seat].clear()

    def cover(self) -> None:
        """Hide what the holder sees, once they have read it; before the first one there is nothing to hide."""
        if self.holder is None:
            return
        self.screen.line()
        self.screen.line("Press Enter to cover your cards.", BOLD)
        self.wait()
        self.holder = None
        self.screen.clear()

    def wait(self) -> None:
        """Until Enter is pressed; ``q`` leaves."""
        if self.screen.ask().lower() in ("q", "quit", "exit"):
            self.leave()

    def announce(self, sentence: str) -> None:
        """Tell everyone something that is public: the holder now, the others when they are at the keyboard."""
        if self.holder is not None:
            self.screen.line(sentence, BOLD)
        for seat, lines in self.news.items():
            if seat != self.holder:
                lines.append(sentence)

    def overhear(self, game: Game, notices: list[Notice]) -> None:
        """Keep what everyone hears."""
        self.public += [line for _, line in telling(game, to_seat(notices, SPECTATOR), SPECTATOR, self.names)]

    def close(self) -> None:
        """The game is over: cover the last hand, and tell all together how it ended."""
        if self.shared:
            self.cover()
            for line in self.public:
                self.screen.line(line)

    def leave(self) -> None:
        """Ask whether the person means to leave, and raise Quit if so."""
        then = "'kibitz resume' continues it" if self.kept else "It is not finished and will not be saved"
        self.screen.line(f"Leave the game? {then}. (y/n)", BOLD)
        if self.screen.ask().lower() in ("y", "yes"):
            raise Quit


# ---------------------------------------------------------------- the person


class Undo(BaseException):
    """A person takes back their latest decision; no player's failure, so the referee must not catch it."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class Escape(BaseException):
    """A failure in talking to the person that isn't a forfeit: no more input, a closed pipe, a fault of ours."""

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
    hinted      called with a seat that asks for a hint
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
            self.screen.line("Press Enter to continue.", DIM)
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
        """Tell the person in this seat at once what was done for them, since they had no choice."""
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
        label = self.game.words.short_label(view, found.action)  # which calls nobody by name
        reason = found.reason.replace(label, phrased(self.game, view, found.action, self.names), 1)
        self.screen.line(f"{reason} To do this, type {self.game.text(view, found.action)!r}.")

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
