"""Records: a finished game as text that people read and ``verify`` proves.

    header      ``key: value`` lines: the game, its rules version, the seats, the seed and its commitment
    move        ``12. 3 4S h1>b2 ; sentence``: number, seat, action, what a spectator is told
    forfeit     ``! 3 time: sentence``: the seat that forfeits before the next move, the kind of failure, why
    result      the scores, the winners and the reason

The seed fixes every card, so a record needs no cards of its own; they are told in the sentences, and each line
must come out the same when the game is replayed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from kibitz.cards import shown
from kibitz.engine.events import SPECTATOR, Notice, Outcome, to_seat
from kibitz.engine.forfeits import Attendance, Forfeit
from kibitz.engine.game import Game, seed_words
from kibitz.engine.layout import PlainState
from kibitz.engine.names import why_no_name
from kibitz.engine.registry import game
from kibitz.errors import KibitzError, NotationError, RecordError

T = TypeVar("T")

FIRST_LINE = "Kibitz record 1"
HEADER = ("game", "rules", "seats", "seed", "commitment")
LARGEST_FILE = 16 << 20


class Record(msgspec.Struct, frozen=True):
    """One finished game."""

    game: str
    rules: int
    seats: tuple[str, ...]
    seed: int
    actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]
    outcome: Outcome


def commitment(seed: int) -> str:
    """The SHA-256 of a seed: shown at the deal, so that the seed shown at the end can be checked."""
    seed_words(seed)
    return hashlib.sha256(f"kibitz seed {seed:032x}".encode()).hexdigest()


def lines(record: Record) -> Iterator[str]:
    """The record as lines of text; RecordError if its moves are illegal or its result is not theirs."""
    played = game(record.game)
    if len(record.seats) != played.seats:
        raise RecordError(f"{played.title} has {played.seats} seats, and the record names {len(record.seats)}.")
    for name in record.seats:
        refuse_no_name(name)
    if record.rules != played.rules.VERSION:
        raise RecordError(f"these are rules {record.rules} of {played.title}, and this is {played.rules.VERSION}.")
    yield FIRST_LINE
    values = record.game, record.rules, " | ".join(record.seats), record.seed, commitment(record.seed)
    yield from (f"{key}: {value}" for key, value in zip(HEADER, values, strict=True))
    yield ""
    state = played.deal(record.seed)
    yield "deal ; " + told(played, played.opening(state), record.seats)
    forfeits, attendance = list(record.forfeits), Attendance(played)
    for number, action in enumerate(record.actions):
        while forfeits and forfeits[0].moves == number:
            attendance.forfeit(state, forfeits[0])
            yield forfeit_line(forfeits.pop(0))
        yield f"{number + 1}. " + move(played, state, action, record.seats, attendance)
    for forfeit in forfeits:
        attendance.forfeit(state, forfeit)
        yield forfeit_line(forfeit)
    yield ""
    yield result_line(played, state, record)


def refuse_no_name(name: str, file: str = "", line: int = 0) -> None:
    """RecordError unless this is a player's name."""
    if why := why_no_name(name):
        raise RecordError(f"{shown(name)} is no player's name: {why}", file, line)


def move(played: Game, state: PlainState, action: int, seats: tuple[str, ...], attendance: Attendance) -> str:
    """Carry out an action and give its line, without the number."""
    seat = state.player
    if sentence := played.why_not(state, action):
        raise RecordError(f"illegal: {sentence}")
    attendance.move(state, action)
    text = played.text(played.view(state, seat), action)
    return f"{seat} {text} ; {told(played, played.play(state, action), seats)}"


def told(played: Game, notices: list[Notice], seats: tuple[str, ...]) -> str:
    """What a spectator is told, on one line."""
    return " ".join(played.describe(event, SPECTATOR, seats) for event in to_seat(notices, SPECTATOR))


def forfeit_line(forfeit: Forfeit) -> str:
    """A forfeit as text."""
    return f"! {forfeit.seat} {forfeit.kind}: {forfeit.sentence}"


def result_line(played: Game, state: PlainState, record: Record) -> str:
    """The result as text; RecordError unless it is the one that the moves give."""
    if not state.over:
        raise RecordError(f"the game is not over after {len(record.actions)} moves.")
    outcome = played.result(state, frozenset(forfeit.seat for forfeit in record.forfeits))
    if outcome != record.outcome:
        raise RecordError(f"the moves give the result '{outcome_text(outcome)}'.")
    return f"result: {outcome_text(outcome)}"


def outcome_text(outcome: Outcome) -> str:
    """A result as text."""
    scores = " ".join(f"{score:g}" for score in outcome.scores)
    winners = " ".join(str(seat) for seat in outcome.winners) or "nobody"
    return f"{scores} | winners {winners} | {outcome.reason}"


def text(record: Record) -> str:
    """The record as text."""
    return "\n".join(lines(record)) + "\n"


def read_file(path: str | Path) -> Record:
    """Read a record and check every line of it; RecordError with file and line where it is not true."""
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise RecordError(f"a record is smaller than {LARGEST_FILE >> 20} MiB.", str(file))
        content = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError("this is no record: it is not UTF-8 text.", str(file)) from error
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror or error}.", str(file)) from error
    return parse(content, str(file))


def parse(content: str, file: str = "") -> Record:
    """Read a record from text and check every line; RecordError where it is damaged or untrue."""
    found = content.split("\n")
    header = parse_header(found, file)
    try:
        played = game(header["game"])
        if header["game"] != played.name:
            raise RecordError(f"the game is called {played.name!r}.", file, 2)
        seed = int(header["seed"]) if header["seed"].isascii() and header["seed"].isdigit() else -1
        seed_words(seed)
        if header["seed"] != str(seed):
            raise RecordError(f"the seed is written {seed}.", file, 5)
    except RecordError:
        raise
    except KibitzError as error:
        raise RecordError(str(error), file, 2 if "game" in str(error) else 5) from error
    seats = tuple(header["seats"].split(" | "))
    if len(seats) != played.seats:
        raise RecordError(f"{played.title} has {played.seats} seats, and this names {len(seats)}.", file, 4)
    for name in seats:
        refuse_no_name(name, file, 4)
    if header["rules"] != str(played.rules.VERSION):
        raise RecordError(f"this is written for rules {header['rules']}; these are {played.rules.VERSION}.", file, 3)
    if header["commitment"] != commitment(seed):
        raise RecordError(f"the commitment to this seed is {commitment(seed)}.", file, 6)
    return Replay(played, seed, seats, found, file).record()


def parse_header(found: list[str], file: str) -> dict[str, str]:
    """The header lines as a mapping."""
    if found[0] != FIRST_LINE:
        raise RecordError(f"this is no record: it should begin with {FIRST_LINE!r}.", file, 1)
    header = {}
    for number, key in enumerate(HEADER, start=2):
        line = found[number - 1] if number <= len(found) else ""
        if not line.startswith(f"{key}: "):
            raise RecordError(f"this line should be '{key}: ...'.", file, number)
        header[key] = line.removeprefix(f"{key}: ")
    return header


class Replay:
    """Plays a record's lines again; each must come out as it stands there."""

    def __init__(self, played: Game, seed: int, seats: tuple[str, ...], found: list[str], file: str) -> None:
        self.played, self.seed, self.seats, self.found, self.file = played, seed, seats, found, file
        self.at = len(HEADER) + 1

    def record(self) -> Record:
        """Replay everything."""
        state = self.played.deal(self.seed)
        self.expect("")
        self.expect("deal ; " + told(self.played, self.played.opening(state), self.seats))
        actions: list[int] = []
        forfeits: list[Forfeit] = []
        attendance = Attendance(self.played)
        while not state.over or self.line().startswith("! "):
            line = self.line()
            if line.startswith("! "):
                forfeits.append(self.forfeit(line, len(actions)))
                self.guard(attendance.forfeit, state, forfeits[-1])
                self.at += 1
                continue
            actions.append(self.action(state, line, len(actions) + 1))
            told_now = self.guard(move, self.played, state, actions[-1], self.seats, attendance)
            self.expect(f"{len(actions)}. {told_now}")
        outcome = self.played.result(state, frozenset(forfeit.seat for forfeit in forfeits))
        self.expect("")
        self.expect(f"result: {outcome_text(outcome)}")
        if self.found[self.at :] not in ([], [""]):
            raise RecordError("the record should end here.", self.file, self.at + 1)
        return Record(
            self.played.name,
            self.played.rules.VERSION,
            self.seats,
            self.seed,
            tuple(actions),
            tuple(forfeits),
            outcome,
        )

    def line(self) -> str:
        """The line to read next."""
        if self.at >= len(self.found):
            raise RecordError("the record breaks off here.", self.file, len(self.found))
        return self.found[self.at]

    def expect(self, line: str) -> None:
        """Read a line that must be this one."""
        found = self.line()
        if found != line:
            missing = "the record breaks off here; " if not found and self.at + 1 >= len(self.found) else ""
            raise RecordError(f"{missing}this line should be {line!r}.", self.file, self.at + 1)
        self.at += 1

    def action(self, state: PlainState, line: str, number: int) -> int:
        """The action of a move line."""
        start = f"{number}. {state.player} "
        body, separator, _ = line.removeprefix(start).partition(" ; ")
        if not line.startswith(start) or not separator:
            missing = "the record breaks off here; " if not line and self.at + 1 >= len(self.found) else ""
            raise RecordError(f"{missing}this should be move {number} by seat {state.player}.", self.file, self.at + 1)
        view = self.played.view(state, state.player)
        return int(self.guard(self.played.parse, view, body))

    def forfeit(self, line: str, moves: int) -> Forfeit:
        """A forfeit line."""
        words = line.removeprefix("! ").split(" ", 2)
        if len(words) != 3 or words[0] not in map(str, range(self.played.seats)) or not words[1].endswith(":"):
            raise RecordError("a forfeit should read '! seat kind: sentence'.", self.file, self.at + 1)
        return Forfeit(moves, int(words[0]), words[1][:-1], words[2])

    def guard(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a function; what it refuses is an error of this line."""
        try:
            return function(*arguments)
        except RecordError as error:
            raise RecordError(error.sentence, self.file, self.at + 1) from error
        except NotationError as error:
            raise RecordError(str(error), self.file, self.at + 1) from error
