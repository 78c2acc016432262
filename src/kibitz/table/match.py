"""The referee: a loop around a table that asks players, from the deal to the result.

A player cannot stop the game: after an illegal action, an exception or an exceeded limit its seat forfeits, and the
rules' ``substitute`` plays on in its place so that the others can finish.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.forfeits import POSSIBLE, Forfeit, Moment
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name
from kibitz.engine.record import Record
from kibitz.engine.views.events import Event, Notice, Outcome, View, to_seat
from kibitz.errors import FailureKind, MachineError, PlayerError, RuleError, SeatError
from kibitz.table.table import Table


class Player(Protocol):
    """One seat's player for one game.  Any method may raise PlayerError: the seat then forfeits.

    A method ``explain() -> str`` is optional. If an action is illegal, the referee calls it to learn what led to that
    action; the text is for the player's owner.
    """

    name: str

    def start(self, game: Game, seat: int, seed: int) -> None:
        """The game begins; ``seed`` is for the player's own random choices and says nothing about the cards."""

    def observe(self, event: Event) -> None:
        """An event has happened that this seat can see; it may come from the seat's own action."""

    def act(self, view: View, legal: list[int]) -> int:
        """Choose an action; ``legal`` is never empty."""
        ...

    def end(self, outcome: Outcome | None) -> str:
        """The game is over, or was abandoned (None). Returns what the player printed, for its owner."""
        ...


# If the infrastructure fails, a game is played again from the deal. The failures of its players are kept:
#
#     past failure    a player's failure in an earlier attempt at the game, with the digest of the game before it
#     digest          a hash of the game, its seed and the actions so far; if two attempts have the same digest, a
#                     player is asked the same question in both
#
# A seat that failed in an earlier attempt fails again after the same actions. After other actions, its player is asked
# as usual.


MAX_DETAIL = 26_000
"""The maximum number of characters of a failure's detail: enough for a call, its answer and a traceback."""


class PastFailure(msgspec.Struct, frozen=True):
    """A player's failure after ``moves`` actions; ``detail`` is for the player's owner alone."""

    seat: int
    moves: int
    digest: str
    kind: FailureKind
    sentence: str
    detail: str


def history_digest(game: str, version: int, seed: int, actions: Sequence[int]) -> str:
    """The digest of everything that has happened in a game so far."""
    return hashlib.sha256(f"{game} {version} {seed:032x} {' '.join(map(str, actions))}".encode()).hexdigest()


class PastFailures:
    """The failures of all attempts at one game so far."""

    def __init__(self, failures: Iterable[PastFailure] = ()) -> None:
        self.failures = list(failures)

    def add(self, failure: PastFailure) -> None:
        """Add a failure, unless it is already there."""
        if failure not in self.failures:
            self.failures.append(failure)

    def at(self, moves: int) -> Iterator[PastFailure]:
        """The past failures that happened after ``moves`` moves."""
        return (past for past in self.failures if past.moves == moves)


Watcher = Callable[[list[Notice]], None]
ForfeitWatcher = Callable[[Forfeit], None]


@dataclass(frozen=True)
class Match:
    """A finished game: its record and, by seat, what the player printed and the detail of its failure (or "")."""

    record: Record
    prints: tuple[str, ...]
    details: tuple[str, ...]


def play_match(
    game: Game,
    players: Sequence[Player],
    seed: int,
    watch: Watcher | None = None,
    on_forfeit: ForfeitWatcher | None = None,
    past_failures: PastFailures | None = None,
) -> Match:
    """Play one game.

    ``watch`` is called with the notices of the deal and of every action, ``on_forfeit`` with each forfeit.
    ``past_failures`` are those of earlier attempts at this game: they are repeated after the same actions, and new ones
    are added. Raises SeatError unless there is one player for each seat.
    """
    return Referee(seated_table(game, players, seed), dict(enumerate(players)), watch, on_forfeit, past_failures).play()


def seated_table(game: Game, players: Sequence[Player], seed: int) -> Table:
    """A table with players at its seats, before the first is asked.

    Raises SeatError unless there is one for each seat.
    """
    if len(players) != game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, not {len(players)}.")
    return Table(game, seed, tuple(clean_name(player.name) for player in players))


def player_seed(seed: int, seat: int) -> int:
    """The seed for a player's own random choices, derived from the game's seed without revealing it."""
    return int.from_bytes(hashlib.sha256(f"kibitz player {seed:032x} {seat}".encode()).digest()[:8], "little")


def decision_seed(seed: int, seat: int, step: int) -> int:
    """The seed for the random choices of one decision, derived from the game's seed without revealing it."""
    return (player_seed(seed, seat) + step) & ((1 << 64) - 1)


class Referee:
    """Asks the players of one game for actions, passes events to them, and makes a player that fails forfeit.

    ``play`` needs a player for every seat. Where people hold seats too, a front end calls ``ask`` when a computer
    player is to choose, and uses a ``Session`` for the people.
    """

    def __init__(
        self,
        table: Table,
        players: Mapping[int, Player],
        watch: Watcher | None = None,
        on_forfeit: ForfeitWatcher | None = None,
        past_failures: PastFailures | None = None,
    ) -> None:
        self.table, self.game, self.players = table, table.game, players
        self.watch, self.on_forfeit = watch, on_forfeit
        self.past_failures = PastFailures() if past_failures is None else past_failures
        self.playing = set(players) - table.forfeited
        self.details = dict.fromkeys(players, "")

    def play(self) -> Match:
        """Play the game from the deal to its end; return it with its record."""
        outcome = None
        try:
            self.begin()
            self.play_on()
            outcome = self.table.outcome
        finally:
            prints = self.end(outcome)
        record = self.table.record
        assert isinstance(record, Record)
        return Match(record, prints, tuple(self.details.values()))

    def begin(self) -> None:
        """Give every player its game, seat and seed, and the events of the deal."""
        for seat, player in self.players.items():
            self.repeat_failure(seat, "start")
            if seat not in self.playing:
                continue
            try:
                player.start(self.game, seat, player_seed(self.table.seed, seat))
            except Exception as error:
                self.fail(seat, error, "start")
        self.observe_step()

    def play_on(self) -> None:
        """Ask the players who are to move, step by step, until the game is over."""
        table = self.table
        while not table.over:
            seat = table.player
            self.repeat_failure(seat, "turn")
            if seat in self.playing:
                self.ask(seat)
            if seat not in self.playing:
                table.run_automatic_step()
            self.observe_step()

    def ask(self, seat: int) -> None:
        """Have a player choose; its seat forfeits if it fails or chooses an illegal action."""
        try:
            action = self.players[seat].act(self.table.view(seat), self.table.legal(seat))
            if type(action) is not int:
                raise self.illegal_action_error(seat, f"An action is a whole number, not {short_repr(action)}.")
        except Exception as error:
            self.fail(seat, error, "turn")
            return
        try:
            self.table.act_only(seat, action)
        except RuleError as error:
            self.fail(seat, self.illegal_action_error(seat, str(error)), "turn")

    def illegal_action_error(self, seat: int, sentence: str) -> Exception:
        """The error for a player's invalid or illegal action; if its ``explain`` raises, that exception instead."""
        try:
            explain = getattr(self.players[seat], "explain", str)  # without ``explain``, the detail is str(): empty
            return PlayerError("illegal", sentence, explain())
        except Exception as error:
            return error

    def end(self, outcome: Outcome | None) -> tuple[str, ...]:
        """End every player and return what each printed; a failure here isn't a forfeit."""
        prints = []
        for seat, player in self.players.items():
            try:
                prints.append(player.end(outcome))
            except MachineError:
                raise
            except Exception as error:
                prints.append("")
                self.details[seat] = self.details[seat] or traceback_of(error)
        return tuple(prints)

    def observe_step(self) -> None:
        """Pass the events of the latest step to every player whose seat sees them."""
        notices = self.table.latest_notices
        if self.watch:
            self.watch(notices)
        for seat in sorted(self.playing):
            self.repeat_failure(seat, "observe")
            if seat not in self.playing:
                continue
            try:
                for event in to_seat(notices, seat):
                    self.players[seat].observe(event)
            except Exception as error:
                self.fail(seat, error, "observe")

    def digest(self) -> str:
        """The digest of everything that has happened so far."""
        return history_digest(self.game.name, self.game.rules.VERSION, self.table.seed, self.table.actions)

    def repeat_failure(self, seat: int, moment: Moment) -> None:
        """Repeat a seat's failure in an earlier attempt, if it came after the same actions and is possible now.

        A failure is repeated at the first moment at which it is possible, so that failures keep their order.
        """
        for past in tuple(self.past_failures.at(self.table.step)) if self.past_failures.failures else ():
            possible_now = past.seat == seat and seat in self.playing and past.kind in POSSIBLE[moment]
            if possible_now and past.digest == self.digest():
                self.forfeit(past.seat, PlayerError(past.kind, past.sentence, past.detail))

    def fail(self, seat: int, error: Exception, moment: Moment) -> None:
        """Have a seat forfeit because of its player's exception; a MachineError is raised again."""
        self.forfeit(seat, as_player_error(error, moment))

    def forfeit(self, seat: int, error: PlayerError) -> None:
        """Take a seat out of the game, unless it is out already."""
        if seat in self.playing:
            self.playing.discard(seat)
            self.table.forfeit_only(seat, error.kind, error.sentence)
            forfeit = self.table.forfeits[-1]
            self.details[seat] = error.detail
            past = PastFailure(
                seat, forfeit.moves, self.digest(), error.kind, forfeit.sentence, error.detail[-MAX_DETAIL:]
            )
            self.past_failures.add(past)
            if self.on_forfeit:
                self.on_forfeit(forfeit)


def as_player_error(error: Exception, moment: Moment) -> PlayerError:
    """Convert a player's exception to the PlayerError of a forfeit; a MachineError is raised again.

    A PlayerError of a kind that is impossible at this moment becomes one of kind "exception", because a record with the
    impossible kind would not verify.
    """
    if isinstance(error, MachineError):
        raise error
    if isinstance(error, PlayerError):
        return error if error.kind in POSSIBLE[moment] else PlayerError("exception", error.sentence, error.detail)
    sentence = f"The player raised {type(error).__name__}: {error}"[:200]
    return PlayerError("exception", sentence, traceback_of(error))


def traceback_of(error: Exception) -> str:
    """The traceback of an error as text."""
    return "".join(traceback.format_exception(error))
