"""A game from sitting down to getting up: played, kept after every step, left and gone on with.

commitment      the SHA-256 of the seed, shown before the first card; the seed itself is shown at the end
words           by seat what names a computer player; None for a person
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kibitz.cli.files import write
from kibitz.cli.keyboard import Quit
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.cli.seating import find_players
from kibitz.cli.shared_table import played_on
from kibitz.engine.events import SPECTATOR
from kibitz.engine.record import Record, commitment, text
from kibitz.engine.registry import options_told
from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError
from kibitz.players.opponent import seated
from kibitz.table import Table
from kibitz.table.keeping import Keeping
from kibitz.table.outcomes import latest, result
from kibitz.table.saved import SUFFIX, SavedGame, file_stem

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
) -> Record:
    """Play a game from where it is to its record; ``saved`` is the file that it comes from, a new one otherwise.

    The files of players are one's ``own`` unless they were named by a file that somebody else may have written.
    """
    people, makers, chairs = seated(
        words, lambda named: find_players(table.game, named, trusted, warning=own, own=own), own=own
    )
    keeping = Keeping(chairs, lambda sentence: screen.line(finished(sentence)), saved)

    def keep(table: Table) -> bool:
        leaving.kept = keeping.keep(table)
        return leaving.kept

    introduce(screen, table, people)
    try:
        match = played_on(table, makers, people, screen, keep)
        leaving.kept = False
        close(screen, match.record, output, force, people, table)
        keeping.drop()
        return match.record
    finally:
        keeping.close()


def introduce(screen: Screen, table: Table, people: Sequence[int]) -> None:
    """Who plays what, and the proof that the deal is fixed."""
    game, names = table.game, table.names
    screen.line(f"{game.title} ({game.name})", BOLD)
    alone = people[0] if len(people) == 1 else None
    if options := options_told(game):
        screen.line(" ".join(options))
    seats = ", ".join(f"{p} {'you' if p == alone else name}" for p, name in enumerate(names))
    screen.line(f"Seats: {seats}.")
    if alone is None:
        screen.line(f"{listed([names[p] for p in people])} share this keyboard; hands are covered between their turns.")
    screen.line("SHA-256 of the seed, which is shown at the end:")
    screen.line(commitment(table.seed), DIM, hang="")
    if table.step:
        screen.line(f"The game goes on after move {table.step}.")
    screen.line()


def close(
    screen: Screen,
    record: Record,
    output: Path | None,
    force: bool,
    people: Sequence[int] = (),
    table: Table | None = None,
) -> None:
    """Show the result and the seed, and save the record; whoever alone is a person here is called "You".

    The ``table`` is the one at which the game has just ended, if it was played here and now.
    """
    reader = people[0] if len(people) == 1 else SPECTATOR
    screen.line()
    screen.line(result(record, reader, latest(table, reader) if table is not None else ""), BOLD)
    screen.line(f"The seed was {record.seed}, as promised at the deal; a saved record proves it.", hang="")
    if output is not None:
        write(output, text(record), force)
        screen.line(f"The record is saved in {output}.")
        return
    offer(screen, record, force)


def offer(screen: Screen, record: Record, force: bool) -> None:
    """Ask where to save the record until it is saved or not wanted."""
    ours = f"{file_stem(record)}{SUFFIX}"
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
            screen.line(f"The record is saved: 'kibitz verify {path}' proves it, and 'kibitz show {path}' tells it.")
            return
