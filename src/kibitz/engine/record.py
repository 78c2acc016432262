"""Records: a game as text that people can read and ``kibitz verify`` can prove.

    header      ``key: value`` lines: the game, its rules version, the seats, the seed and its commitment
    move        ``12. 3 4S h1>b2 ; sentence``: number, seat, action, what a spectator sees
    forfeit     ``! 3 time: sentence``: the seat that forfeits before the next move, the kind of failure, the reason
    result      the scores, the winners and the reason
    note        ``note: after move 12: ...``: a fact outside the rules, for example that a hint was given; the record's
                writer vouches for it, and nothing proves it; notes come last

The seed fixes every card, so a record has no list of cards.  The sentences mention them, and every line must come out
the same when the game is replayed.

An unfinished game can have a record, too (decision 39).  Instead of the result it ends with

    unfinished  ``unfinished: seat 0 is to move``
    held        ``held: 2 10S``: a seat's choice that isn't carried out before lower seats have made theirs, in a game
                with simultaneous choices
    chairs      who plays on, by seat, as a JSON list: null for a person, otherwise the text that names a player

Only ``parse_any`` and ``read_any`` take such a record; functions that need a game's result refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

import msgspec

from kibitz.cards import short_repr
from kibitz.engine import file_io
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import SEED_LIMIT, Game, seed_words, with_mover
from kibitz.engine.record_writer import (
    FIRST_LINE,
    HEADER,
    UNFINISHED,
    HeldChoice,
    RecordWriter,
    check_seat_names,
    commitment,
    header_lines,
    outcome_text,
)
from kibitz.engine.registry import game
from kibitz.engine.views.events import Outcome
from kibitz.errors import KibitzError, NotationError, RecordError, cause

__all__ = [
    "AnyRecord",
    "HeldChoice",
    "Record",
    "UnfinishedRecord",
    "commitment",
    "lines",
    "parse",
    "parse_any",
    "read_any",
    "read_file",
    "text",
]

P = ParamSpec("P")
T = TypeVar("T")
LARGEST_FILE = 16 << 20
LONGEST_SEED = len(str(SEED_LIMIT - 1))
CHAIRS, NOTE, LONGEST_NOTE = "chairs: ", "note: ", 300


class RecordBase(msgspec.Struct, frozen=True):
    """The common content of all records.

    game        its name, with its options
    rules       the version of its rules
    seats       the players' names by seat
    seed        fixes every card
    actions     all actions, including the rules' choices for seats that had forfeited
    forfeits    in the order in which they happened
    """

    game: str
    rules: int
    seats: tuple[str, ...]
    seed: int
    actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]


class Record(RecordBase, frozen=True):
    """One finished game; ``notes`` are sentences by the record's writer."""

    outcome: Outcome
    notes: tuple[str, ...] = ()


class UnfinishedRecord(RecordBase, frozen=True):
    """An unfinished game.

    held        choices that wait for the simultaneous choices of lower seats
    chairs      who plays on: by seat None for a person, otherwise the text that names a player; empty if unknown
    notes       sentences by the record's writer
    """

    held: tuple[HeldChoice, ...] = ()
    chairs: tuple[str | None, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> None:
        """None: an unfinished game has no outcome yet."""
        return None


AnyRecord: TypeAlias = Record | UnfinishedRecord


def lines(record: AnyRecord) -> Iterator[str]:
    """The record as lines of text. Raises RecordError if its moves are illegal or don't lead to its result."""
    record_game = game(record.game)
    check_seat_names(record_game, record.seats)
    if record.rules != record_game.rules.VERSION:
        raise RecordError(
            f"the record follows version {record.rules} of the rules of {record_game.title}; this Kibitz has version"
            f" {record_game.rules.VERSION}."
        )
    yield from header_lines(record_game, record.seats, record.seed)
    writer = RecordWriter(record_game, record.seats, record.seed)
    yield writer.deal()
    forfeits = list(record.forfeits)
    for number, action in enumerate(record.actions):
        while forfeits and forfeits[0].moves == number:
            yield writer.forfeit(forfeits.pop(0))
        yield writer.move(action)
    for forfeit in forfeits:
        yield writer.forfeit(forfeit)
    yield ""
    yield from closing_lines(writer, record)


def closing_lines(writer: RecordWriter, record: AnyRecord) -> Iterator[str]:
    """The lines below the moves. Raises RecordError unless they follow from the moves."""
    if isinstance(record, Record):
        outcome = writer.outcome()
        if outcome != record.outcome:
            raise RecordError(f"the moves give the result '{outcome_text(outcome)}'.")
        yield writer.result()
    else:
        yield from unfinished_lines(writer, record)
    for note in record.notes:
        if not is_note(note):
            raise RecordError(f"a note is one line of {LONGEST_NOTE} characters at most, not {short_repr(note)}.")
        yield NOTE + note


def unfinished_lines(writer: RecordWriter, record: UnfinishedRecord) -> Iterator[str]:
    """The lines of an unfinished game's state. Raises RecordError unless they follow from the moves."""
    yield writer.unfinished()
    last_seat = -1
    for held in record.held:
        yield writer.held_line(held, last_seat)
        last_seat = held.seat
    if record.chairs:
        if len(record.chairs) != len(record.seats):
            raise RecordError(f"there are {len(record.seats)} seats and {len(record.chairs)} chairs.")
        yield CHAIRS + msgspec.json.encode(record.chairs).decode()


def is_note(text: object) -> bool:
    """Whether a text can be a note: one printable line."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST_NOTE and text.isprintable() and text == text.strip()


def text(record: AnyRecord) -> str:
    """The record as text."""
    return "\n".join(lines(record)) + "\n"


def read_file(path: str | Path) -> Record:
    """Read the record of a finished game and check every line.

    Raises RecordError with file and line if one is wrong.
    """
    return parse(record_text(path), str(path))


def read_any(path: str | Path) -> AnyRecord:
    """Read the record of a game that may be unfinished, and check every line; else as ``read_file``."""
    return parse_any(record_text(path), str(path))


def record_text(path: str | Path) -> str:
    """The text of a file. Raises RecordError if it cannot be read, NotationError if no file can have this path."""
    if not file_io.can_be_file(path):
        raise NotationError(f"path must be that of a file, such as 'match.game', not {short_repr(path)}.")
    file = Path(path)
    try:
        return file_io.read_text(file, LARGEST_FILE)
    except UnicodeDecodeError as error:
        raise RecordError("this is not a record: it is not UTF-8 text.", str(file)) from error
    except OSError as error:
        raise RecordError(f"cannot be read: {cause(error)}.", str(file)) from error


def parse(content: str, file: str = "") -> Record:
    """Read a finished game from text and check every line. Raises RecordError if one is wrong or it is unfinished."""
    record = parse_any(content, file)
    if isinstance(record, Record):
        return record
    raise RecordError("the game is not finished, so there is no result yet.", file)


def parse_any(content: str, file: str = "") -> AnyRecord:
    """Read a record from text, finished or not. Raises RecordError if a line is wrong."""
    record_lines = content.split("\n")
    values = parse_header(record_lines, file)
    try:
        record_game = game(values["game"])
        if values["game"] != record_game.name:
            raise RecordError(f"the game is called {record_game.name!r}.", file, 2)
        seed_text = values["seed"]
        if not (seed_text.isascii() and seed_text.isdigit() and len(seed_text) <= LONGEST_SEED):
            raise RecordError(f"a seed is a whole number from 0 to 2**128 - 1, not {short_repr(seed_text)}.", file, 5)
        seed = int(seed_text)
        seed_words(seed)
        if seed_text != str(seed):
            raise RecordError(f"the seed is written {seed}.", file, 5)
    except RecordError:
        raise
    except KibitzError as error:
        raise RecordError(str(error), file, 2 if "game" in str(error) else 5) from error
    seats = tuple(values["seats"].split(" | "))
    try:
        check_seat_names(record_game, seats)
    except RecordError as error:
        raise RecordError(error.sentence, file, 4) from error
    if values["rules"] != str(record_game.rules.VERSION):
        version = values["rules"][:20]
        raise RecordError(f"this is written for rules {version}; these are {record_game.rules.VERSION}.", file, 3)
    if values["commitment"] != commitment(seed):
        raise RecordError(f"the commitment to this seed is {commitment(seed)}.", file, 6)
    return RecordVerifier(record_game, seed, seats, record_lines, file).record()


def parse_header(record_lines: list[str], file: str) -> dict[str, str]:
    """The values of the header lines, by key. Raises RecordError if a line is missing."""
    if record_lines[0] != FIRST_LINE:
        raise RecordError(f"this is not a record: it should begin with {FIRST_LINE!r}.", file, 1)
    values = {}
    for number, key in enumerate(HEADER, start=2):
        line = record_lines[number - 1] if number <= len(record_lines) else ""
        if not line.startswith(f"{key}: "):
            raise RecordError(f"this line should be '{key}: ...'.", file, number)
        values[key] = line.removeprefix(f"{key}: ")
    return values


class RecordVerifier:
    """Replays a record and checks that every line comes out the same."""

    def __init__(
        self, record_game: Game, seed: int, seats: tuple[str, ...], record_lines: list[str], file: str
    ) -> None:
        self.record_game, self.seed, self.seats = record_game, seed, seats
        self.record_lines, self.file = record_lines, file
        self.writer = RecordWriter(record_game, seats, seed)
        self.line_index = len(HEADER) + 1

    def record(self) -> AnyRecord:
        """The record; RecordError at the first line that differs from the replay."""
        writer = self.writer
        self.expect("")
        self.expect(writer.deal())
        actions: list[int] = []
        forfeits: list[Forfeit] = []
        while (not writer.state.over and not self.is_unfinished()) or self.line().startswith("! "):
            line = self.line()
            if line.startswith("! "):
                forfeits.append(self.forfeit(line.removeprefix("! "), len(actions)))
                self.guarded(writer.forfeit, forfeits[-1])
                self.line_index += 1
                continue
            actions.append(self.action(line, len(actions) + 1))
            self.expect(self.guarded(writer.move, actions[-1]))
        self.expect("")
        moves = (
            self.record_game.name,
            self.record_game.rules.VERSION,
            self.seats,
            self.seed,
            tuple(actions),
            tuple(forfeits),
        )
        record: AnyRecord
        if writer.state.over:
            self.expect(writer.result())
            record = Record(*moves, writer.outcome(), self.notes())
        else:
            self.expect(writer.unfinished())
            record = UnfinishedRecord(*moves, *self.read_waiting(len(actions)), self.notes())
        if self.record_lines[self.line_index :] not in ([], [""]):
            raise RecordError("the record should end here.", self.file, self.line_index + 1)
        return record

    def notes(self) -> tuple[str, ...]:
        """Read the notes, which end a record."""
        result: list[str] = []
        while self.line_or_empty().startswith(NOTE):
            result.append(self.line_or_empty().removeprefix(NOTE))
            if not is_note(result[-1]):
                raise RecordError(
                    f"a note is one line of {LONGEST_NOTE} characters at most.", self.file, self.line_index + 1
                )
            self.line_index += 1
        return tuple(result)

    def is_unfinished(self) -> bool:
        """Whether the moves end here and the record says that the game is unfinished."""
        blank, *lines_below = self.record_lines[self.line_index : self.line_index + 2] or ["..."]
        return not blank and any(line.startswith(UNFINISHED) for line in lines_below)

    def read_waiting(self, moves: int) -> tuple[tuple[HeldChoice, ...], tuple[str | None, ...]]:
        """Read the held choices and the chairs: who plays on."""
        held: list[HeldChoice] = []
        while self.line_or_empty().startswith("held: "):
            held.append(self.parse_held(self.line_or_empty().removeprefix("held: "), moves))
            self.expect(self.guarded(self.writer.held_line, held[-1], held[-2].seat if len(held) > 1 else -1))
        if not self.line_or_empty().startswith(CHAIRS):
            return tuple(held), ()
        try:
            chairs = msgspec.json.decode(self.line_or_empty().removeprefix(CHAIRS), type=tuple[str | None, ...])
        except msgspec.DecodeError:
            chairs = ()
        if len(chairs) != self.record_game.seats:
            raise RecordError(
                f"this should be a list of {self.record_game.seats} players.", self.file, self.line_index + 1
            )
        self.expect(CHAIRS + msgspec.json.encode(chairs).decode())
        return tuple(held), chairs

    def line(self) -> str:
        """The line to read next; RecordError at the end of the text."""
        if self.line_index >= len(self.record_lines):
            raise RecordError("the record ends too early.", self.file, len(self.record_lines))
        return self.record_lines[self.line_index]

    def line_or_empty(self) -> str:
        """The line to read next, empty at the end."""
        return self.record_lines[self.line_index] if self.line_index < len(self.record_lines) else ""

    def expect(self, line: str) -> None:
        """Read a line and check that it equals ``line``."""
        actual = self.line()
        if actual != line:
            missing = (
                "the record ends too early; " if not actual and self.line_index + 1 >= len(self.record_lines) else ""
            )
            raise RecordError(f"{missing}this line should be {line!r}.", self.file, self.line_index + 1)
        self.line_index += 1

    def action(self, line: str, number: int) -> int:
        """The action of a move line."""
        seat = self.writer.state.player
        start = f"{number}. {seat} "
        body, separator, _ = line.removeprefix(start).partition(" ; ")
        if not line.startswith(start) or not separator:
            missing = (
                "the record ends too early; " if not line and self.line_index + 1 >= len(self.record_lines) else ""
            )
            raise RecordError(f"{missing}this should be move {number} by seat {seat}.", self.file, self.line_index + 1)
        return self.read_action(seat, body)

    def read_action(self, seat: int, words: str) -> int:
        """The action that a seat's text means."""
        view = self.record_game.view(with_mover(self.writer.state, seat), seat)
        return self.guarded(self.record_game.parse, view, words)

    def forfeit(self, words: str, moves: int) -> Forfeit:
        """The forfeit on a line."""
        parts = words.split(" ", 2)
        if len(parts) != 3 or parts[0] not in map(str, range(self.record_game.seats)) or not parts[1].endswith(":"):
            raise RecordError("a forfeit should read '! seat kind: sentence'.", self.file, self.line_index + 1)
        return Forfeit(moves, int(parts[0]), parts[1][:-1], parts[2])

    def parse_held(self, words: str, moves: int) -> HeldChoice:
        """The held choice on a line."""
        seat, _, choice = words.partition(" ")
        if seat not in map(str, range(self.record_game.seats)) or not choice:
            raise RecordError("a choice that waits should read 'held: seat action'.", self.file, self.line_index + 1)
        if not choice.startswith("! "):
            return HeldChoice(int(seat), self.read_action(int(seat), choice))
        forfeit = self.forfeit(f"{seat} {choice.removeprefix('! ')}", moves)
        return HeldChoice(forfeit.seat, None, forfeit.kind, forfeit.sentence)

    def guarded(self, function: Callable[P, T], *arguments: P.args, **keyword_arguments: P.kwargs) -> T:
        """The result of a function; its RecordError or NotationError becomes a RecordError with the line's number."""
        try:
            return function(*arguments, **keyword_arguments)
        except RecordError as error:
            raise RecordError(error.sentence, self.file, self.line_index + 1) from error
        except NotationError as error:
            raise RecordError(str(error), self.file, self.line_index + 1) from error
