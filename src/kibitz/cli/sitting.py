"""A game from sitting down to getting up: played, kept after every step, left and gone on with.

commitment      the SHA-256 of the seed, shown before the first card; the seed itself is shown at the end
words           by seat what names a computer player; None for a person
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kibitz.cli.files import write
from kibitz.cli.keyboard import Quit
from kibitz.cli.outcomes import result
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.cli.seating import find_players
from kibitz.cli.session import played_on
from kibitz.engine.record import Record, Unfinished, commitment, text
from kibitz.engine.registry import parse_options
from kibitz.engine.sentences import listed
from kibitz.engine.settings import described
from kibitz.errors import ConfinementError, KibitzError
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.table import Table
from kibitz.table.saved import SavedGame

Words = Sequence[str | None]


@dataclass
class Leaving:
    """How a command is left: its status, and the game that can be gone on with."""

    status: int | None = None
    kept: bool = False

    def sentence(self, word: str) -> str:
        """What is said to who leaves."""
        if self.kept:
            return f"{word}: the game is saved, and 'kibitz resume' goes on with it."
        return f"{word}: the game is broken off, and nothing is saved."


@contextmanager
def left_politely(screen: Screen) -> Iterator[Leaving]:
    """Let a person leave a game, or the questions before it, at any point."""
    leaving = Leaving()
    try:
        yield leaving
    except (Quit, EOFError):
        screen.line()
        screen.line(leaving.sentence("Goodbye"))
    except KeyboardInterrupt:
        screen.line()
        screen.line(leaving.sentence("Interrupted"))
        leaving.status = 130


def sit_down(
    screen: Screen,
    table: Table,
    words: Words,
    leaving: Leaving,
    *,
    trusted: bool = False,
    output: Path | None = None,
    force: bool = False,
    saved: SavedGame | None = None,
    own: bool = True,
) -> None:
    """Play a game from where it is to its record; ``saved`` is the file that it comes from, a new one otherwise.

    The files of players are one's ``own`` unless they were named by a file that somebody else may have written.
    """
    people = [seat for seat, word in enumerate(words) if word is None]
    others = {seat: word for seat, word in enumerate(words) if word is not None}
    specs = find_players(table.game, list(others.values()), trusted, warning=own, own=own)
    if not own and any(spec.is_file for spec in specs) and unconfined():
        raise ConfinementError(f"the game names player files and may be somebody else's. {STRANGERS}")
    makers = {seat: spec.make for seat, spec in zip(others, specs, strict=True)}
    places = {seat: os.path.abspath(spec.words) for seat, spec in zip(others, specs, strict=True) if spec.is_file}
    chairs = tuple(places.get(seat, word) for seat, word in enumerate(words))
    keeping = Keeping(screen, chairs, leaving, saved)
    introduce(screen, table, people)
    try:
        match = played_on(table, makers, people, screen, keeping.keep)
        leaving.kept = False
        close(screen, match.record, output, force)
        keeping.drop()
    finally:
        keeping.close()


class Keeping:
    """Keeps a game in its file; where that cannot be, it says so once and lets the game go on."""

    def __init__(
        self, screen: Screen, chairs: tuple[str | None, ...], leaving: Leaving, saved: SavedGame | None
    ) -> None:
        self.screen, self.chairs, self.leaving, self.saved = screen, chairs, leaving, saved
        self.broken = False

    def keep(self, table: Table) -> bool:
        """Write the game down as it is now; whether that went well."""
        record = table.record
        if isinstance(record, Unfinished):
            record = msgspec.structs.replace(record, chairs=self.chairs)
        try:
            if self.saved is None and not self.broken:
                self.saved = SavedGame.new(record)
            elif self.saved is not None:
                self.saved.write(record)
        except KibitzError as error:
            if not self.broken:
                self.screen.line(finished(f"The game cannot be saved as it goes on: {error}"))
            self.broken = True
        self.leaving.kept = self.saved is not None and not self.broken
        return self.leaving.kept

    def drop(self) -> None:
        """The game is over: keep nothing more of it."""
        if self.saved is not None:
            self.saved.drop()

    def close(self) -> None:
        """Leave the file to whoever goes on with it."""
        if self.saved is not None:
            self.saved.close()


def introduce(screen: Screen, table: Table, people: Sequence[int]) -> None:
    """Who plays what, and the proof that the deal is fixed."""
    game, names = table.game, table.names
    screen.line(f"{game.title} ({game.name})", BOLD)
    alone = people[0] if len(people) == 1 else None
    if chosen := parse_options(game.name.partition(":")[2]) if ":" in game.name else {}:
        screen.line(" ".join(described(game.words.OPTIONS, chosen)))
    seats = ", ".join(f"{p} {'you' if p == alone else name}" for p, name in enumerate(names))
    screen.line(f"Seats: {seats}.")
    if alone is None:
        screen.line(f"{listed([names[p] for p in people])} share this keyboard; hands are covered between their turns.")
    screen.line("SHA-256 of the seed, which is shown at the end:")
    screen.line(commitment(table.seed), DIM, hang="")
    if table.step:
        screen.line(f"The game goes on after move {table.step}.")
    screen.line()


def close(screen: Screen, record: Record, output: Path | None, force: bool) -> None:
    """Show the result and the seed, and save the record."""
    screen.line()
    screen.line(result(record), BOLD)
    screen.line(f"The seed was {record.seed}, as promised at the deal; a saved record proves it.", hang="")
    if output is not None:
        write(output, text(record), force)
        screen.line(f"The record is saved in {output}.")
        return
    offer(screen, record, force)


def offer(screen: Screen, record: Record, force: bool) -> None:
    """Ask where to save the record until it is saved or not wanted."""
    ours = f"{record.game.partition(':')[0]}-{commitment(record.seed)[:8]}.game"
    screen.line(f"Save the record? y for {ours}, or type another file name, or press Enter for no.", BOLD)
    while True:
        try:
            typed = screen.ask()
        except (EOFError, KeyboardInterrupt):
            return
        if typed.lower() in ("", "n", "no", "q"):
            return
        if typed.isdigit():
            screen.line("The game is over: type y, a file name, or Enter.")
            continue
        path = Path(ours if typed.lower() in ("y", "yes") else typed)
        try:
            write(path, text(record), force, rescue=False)
        except KibitzError as error:
            screen.line(finished(str(error)))
        else:
            screen.line(f"The record is saved: 'kibitz verify {path}' proves it.")
            return
