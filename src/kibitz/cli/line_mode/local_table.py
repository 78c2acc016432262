"""A game in line mode from start to end: people can share a keyboard, undo decisions, leave and resume.

commitment    the SHA-256 of the seed, shown before the first card; the seed is shown at the end
player_specs  by seat, the name or file of its computer player; None for a person
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kibitz.cli.files import write
from kibitz.cli.line_mode.person import HumanPlayer, Keyboard, Quit
from kibitz.cli.player_lookup import find_players
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import Record, commitment, text
from kibitz.engine.registry import option_sentences
from kibitz.engine.sentences import as_sentence, listed
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import KibitzError
from kibitz.players.compiling import compile_notice
from kibitz.players.opponents import OpponentsReferee, PlayerFactory, seat_players
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.outcomes import forfeit_sentence, latest_sentence, result_text
from kibitz.table.saved import SUFFIX, AutoSaver, SavedGame, file_stem
from kibitz.table.session import AskPerson, AskPlayer, ForcedAction, Session

PlayerSpecs = Sequence[str | None]


class GameFiles(NamedTuple):
    """What a command says about files: whether player files are trusted, and where the record is written."""

    trusted: bool = False
    output: Path | None = None
    force: bool = False

    def find(self, game: Game, players: Sequence[str], own_files: bool) -> list[PlayerSpec]:
        """Find players; if files are the user's own, warn when they won't be confined."""
        return find_players(game, players, self.trusted, warning=own_files, own_files=own_files)

    def store(self, record: Record, *, rescue: bool = False) -> Path | None:
        """Write a record to ``output``, and return the path; without ``output``, do nothing."""
        if self.output is not None:
            write(self.output, text(record), self.force, rescue=rescue)
        return self.output


@dataclass
class CommandExit:
    """How a command ends: its exit status, and whether the game is saved, so that it can be resumed."""

    status: int | None = None
    saved: bool = False

    def sentence(self, word: str) -> str:
        """The sentence for a person who leaves; it begins with ``word``, such as "Goodbye"."""
        if self.saved:
            return f"{word}: the game is saved; 'kibitz resume' continues it."
        return f"{word}: the game has ended, and nothing is saved."


@contextmanager
def graceful_exit(screen: Screen) -> Iterator[CommandExit]:
    """A context in which a person may leave a game, or the questions before it, at any point.

    It prints a last sentence, and sets the exit status.
    """
    command_exit = CommandExit()
    try:
        yield command_exit
    except (Quit, EOFError):
        screen.line()
        screen.line(command_exit.sentence("Goodbye"))
    except KeyboardInterrupt:
        screen.line()
        screen.line(command_exit.sentence("Interrupted"))
        command_exit.status = 130


def play_game(
    screen: Screen,
    table: Table,
    player_specs: PlayerSpecs,
    command_exit: CommandExit,
    files: GameFiles,
    saved: SavedGame | None = None,
    *,
    own_files: bool = True,
) -> Record:
    """Play a game to its end and return its record; ``saved`` is its file (default: a new file).

    ``own_files``: False if the paths of the player files come from a file that somebody else may have written, such as
    a saved game.
    """
    people, factories, chairs = seat_players(
        player_specs, lambda named: files.find(table.game, named, own_files), own_files=own_files
    )
    autosaver = AutoSaver(chairs, lambda sentence: screen.line(as_sentence(sentence)), saved)

    def save_table(table: Table) -> bool:
        command_exit.saved = autosaver.save(table)
        return command_exit.saved

    introduce(screen, table, people)
    if notice := compile_notice(table.game, [spec for spec in player_specs if spec]):
        screen.line(notice)
    try:
        record = LineModeGame(table, factories, people, screen, save_table).play()
        command_exit.saved = False
        finish(screen, record, files, people, table)
        autosaver.delete()
        return record
    finally:
        autosaver.close()


def introduce(screen: Screen, table: Table, people: Sequence[int]) -> None:
    """Print the game, who sits where, and the commitment to the seed."""
    game, names = table.game, table.names
    screen.line(f"{game.title} ({game.name})", BOLD)
    only_person = people[0] if len(people) == 1 else None
    if options := option_sentences(game):
        screen.line(" ".join(options))
    seats = ", ".join(f"{seat} {'you' if seat == only_person else name}" for seat, name in enumerate(names))
    screen.line(f"Seats: {seats}.")
    if only_person is None:
        screen.line(f"{listed([names[seat] for seat in people])} share this keyboard; hands are hidden between turns.")
    screen.line("SHA-256 of the seed, which is shown at the end:")
    screen.line(commitment(table.seed), DIM, indent="")
    if table.step:
        screen.line(f"The game continues after move {table.step}.")
    screen.line()


def finish(
    screen: Screen, record: Record, files: GameFiles, people: Sequence[int] = (), table: Table | None = None
) -> None:
    """Print the result and the seed, and save the record; a single person in ``people`` is called "You".

    ``table`` is the table of the game, if it has just ended.
    """
    viewer = people[0] if len(people) == 1 else SPECTATOR
    screen.line()
    screen.line(result_text(record, viewer, latest_sentence(table, viewer) if table is not None else ""), BOLD)
    screen.line(
        f"The seed was {record.seed}. Its SHA-256 is the one shown at the deal; a saved record lets anyone check it.",
        indent="",
    )
    if path := files.store(record, rescue=True):
        screen.line(f"The record is saved in {path}.")
    else:
        offer_to_save(screen, record, files.force)


def offer_to_save(screen: Screen, record: Record, force: bool) -> None:
    """Ask where to save the record until it is saved or declined."""
    default_name = f"{file_stem(record)}{SUFFIX}"
    screen.line(
        f"Save the record? y for {default_name}, or type another name that ends in {SUFFIX}, or press Enter for no.",
        BOLD,
    )
    while True:
        try:
            typed = screen.ask()
        except (EOFError, KeyboardInterrupt):
            return
        if typed.lower() in ("", "n", "no", "q"):
            return
        name = default_name if typed.lower() in ("y", "yes") else typed
        if not name.endswith(SUFFIX):  # a command for the game, such as 'undo', is not a file name
            screen.line(f"The game is over: type y, a name that ends in {SUFFIX}, or press Enter.")
            continue
        path = Path(name)
        try:
            write(path, text(record), force, rescue=False)
        except KibitzError as error:
            screen.line(as_sentence(str(error)))
        else:
            screen.line(f"Record saved. 'kibitz verify {path}' checks it; 'kibitz show {path}' replays it.")
            return


# ---------------------------------------------------------------- the game


class LineModeGame:
    """A game that people play in line mode.

    ``save_table`` is called after every step, and returns whether the game is saved.
    """

    def __init__(
        self,
        table: Table,
        factories: Mapping[int, PlayerFactory],
        people: Collection[int],
        screen: Screen,
        save_table: Callable[[Table], bool] = lambda table: False,
    ) -> None:
        self.table, self.session, self.save_table = table, Session(table, people), save_table
        self.keyboard = Keyboard(screen, table, people)
        self.people = {seat: HumanPlayer(self.keyboard, self.session, seat, self.save) for seat in people}
        self.referee = OpponentsReferee(table, factories, screen.waiting, self.report_forfeit)

    def play(self) -> Record:
        """Play to the end; returns the record. Raises Quit if a person leaves."""
        table = self.table
        try:
            self.save()
            for forfeit in table.forfeits:
                self.report_forfeit(forfeit)
            self.referee.begin()
            self.print_new_lines()
            while not table.over:
                self.step()
                self.save()
                self.print_new_lines()
            for person in self.people.values():
                person.print_guidance()
            self.keyboard.close()
        finally:
            self.referee.end(table.outcome)
        record = table.record
        assert isinstance(record, Record)
        return record

    def step(self) -> None:
        """Carry out the next step."""
        match self.session.next:
            case AskPlayer(seat):
                self.referee.ask(seat)
            case ForcedAction(seat, action):
                self.people[seat].report_forced()
                self.session.act(seat, action)
            case AskPerson(seat):
                self.people[seat].choose()

    def print_new_lines(self) -> None:
        """Print the sentences that are new for the person at the keyboard."""
        if self.keyboard.holder is not None:
            self.people[self.keyboard.holder].catch_up()

    def report_forfeit(self, forfeit: Forfeit) -> None:
        """Report a forfeit."""
        self.save()
        self.keyboard.announce(forfeit_sentence(forfeit, self.table.names))

    def save(self) -> None:
        """Save the game as it is now."""
        self.keyboard.is_saved = self.save_table(self.table)
