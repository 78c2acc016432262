"""The keyboard that the people at a table share: what one of them sees is covered before the next one looks.

    holder      the seat of the person who may look at the screen now; None while it is covered
    news        by seat, sentences that its person has not read yet, because another one held the keyboard
    public      what everyone was told since a person last decided: for all to read once the game is over

One person alone holds the keyboard from the beginning to the end, and nothing is ever covered.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kibitz.cli.screen import BOLD, Screen
from kibitz.engine.events import SPECTATOR, Notice, to_seat
from kibitz.engine.game import Game
from kibitz.table.chapters import telling


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
        """Whether the game is saved after every action, and can be gone on with."""

    def hand_to(self, seat: int) -> None:
        """Cover what the holder sees and uncover the screen for ``seat`` once its person says so."""
        if self.holder == seat:
            return
        self.cover()
        name = self.names[seat]
        self.screen.line(f"{name}, it is your turn. Press Enter when nobody else looks at the screen.", BOLD)
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
        """Keep what everyone is told."""
        self.public += [line for _, line in telling(game, to_seat(notices, SPECTATOR), SPECTATOR, self.names)]

    def close(self) -> None:
        """The game is over: cover the last hand, and tell all together how it ended."""
        if self.shared:
            self.cover()
            for line in self.public:
                self.screen.line(line)

    def leave(self) -> None:
        """Ask whether the person means to leave, and raise Quit if so."""
        then = "'kibitz resume' goes on with it" if self.kept else "It is not finished and will not be saved"
        self.screen.line(f"Leave the game? {then}. (y/n)", BOLD)
        if self.screen.ask().lower() in ("y", "yes"):
            raise Quit
