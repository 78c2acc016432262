"""A game in line mode: people may share a keyboard, take decisions back, leave and go on later."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kibitz.cli.keyboard import Keyboard
from kibitz.cli.person import Escape, Person, Undo
from kibitz.cli.screen import DIM, Screen
from kibitz.cli.steps import phrased
from kibitz.engine.events import SPECTATOR, Notice
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.players.company import Company, Keep
from kibitz.players.opponent import Maker
from kibitz.table import Match, Table
from kibitz.table.chapters import telling
from kibitz.table.outcomes import out


class Session(Company):
    """The referee where people play in line mode: it takes decisions back."""

    def __init__(
        self,
        table: Table,
        makers: Mapping[int, Maker],
        people: Collection[int],
        screen: Screen,
        keep: Keep = lambda table: False,
    ) -> None:
        self.screen = screen
        self.keyboard = Keyboard(screen, table.names, people)
        self.people = {seat: Person(self.keyboard, table, seat, self.hinted) for seat in people}
        super().__init__(table, makers, self.people, screen.waiting, keep, self.overhear, self.tell_forfeit)

    def begin(self) -> None:
        """Let everybody sit down; who returns to a game is told what happened since their latest decision."""
        super().begin()
        if self.table.step:
            self.remember()
            for forfeit in self.table.forfeits:
                self.keyboard.announce(out(forfeit, self.table.names))

    def remember(self) -> None:
        """What people have decided and been told, from the game itself."""
        public = 0
        for past in self.table.again():
            if past.step < self.table.step and past.player in self.people and past.player not in past.out:
                self.people[past.player].remember(past, self.table.actions[past.step])
                public = len(past.events(SPECTATOR))
        heard = self.table.events(SPECTATOR, public)
        self.keyboard.public += [line for _, line in telling(self.game, heard, SPECTATOR, self.table.names)]

    def play_on(self) -> None:
        """Ask whoever is to move until the game is over, and once more whoever takes a decision back."""
        while True:
            try:
                super().play_on()
            except Undo as undo:
                person = self.people[undo.seat]
                taken = person.decisions.pop()
                person.told = taken.told
                self.table.undo(taken.step)
                self.save()
                said = phrased(self.game, taken.view, taken.action, person.names)
                self.screen.line(f"You take back: {said}.", DIM)
            else:
                self.keyboard.close()
                return

    def overhear(self, notices: list[Notice]) -> None:
        """A step has been carried out: keep it, and what everybody is told."""
        self.save()
        self.keyboard.overhear(self.game, notices)

    def tell_forfeit(self, forfeit: Forfeit) -> None:
        """A seat is out."""
        self.save()
        self.keyboard.announce(out(forfeit, self.table.names))

    def save(self) -> bool:
        """Keep the game as it is."""
        self.keyboard.kept = super().save()
        return self.keyboard.kept


def play_with_people(
    game: Game,
    makers: Mapping[int, Maker],
    names: Sequence[str],
    people: Collection[int],
    seed: int,
    screen: Screen,
) -> Match:
    """Play one game to its end; ``people`` are the seats of persons, ``makers`` by seat make the other players.

    Raises what a person leaves with.
    """
    return played_on(Table.deal(game, seed, names), makers, people, screen)


def played_on(
    table: Table,
    makers: Mapping[int, Maker],
    people: Collection[int],
    screen: Screen,
    keep: Keep = lambda table: False,
) -> Match:
    """Play a game to its end from where it is; ``keep`` is called after every step."""
    try:
        return Session(table, makers, people, screen, keep).play()
    except Escape as escape:
        raise escape.error from None
