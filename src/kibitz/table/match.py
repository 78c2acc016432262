"""The referee: a loop around a table that asks players, from the deal to the result.

A player cannot stop the game: an illegal action, an exception or a broken limit makes its seat forfeit, and the rules'
``substitute`` plays on in its place so that the others can finish.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from kibitz.cards import shown
from kibitz.engine.forfeits import POSSIBLE, Forfeit, Moment
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name
from kibitz.engine.record import Record
from kibitz.engine.views.events import Event, Notice, Outcome, View, to_seat
from kibitz.errors import FailureKind, MachineError, PlayerError, RuleError, SeatError
from kibitz.table.table import Table


class Player(Protocol):
    """One seat's player for one game.  Any method may raise PlayerError: the seat then forfeits.

    A method ``explain() -> str`` is optional: it says what led to the last action, for the owner of a player whose
    action is illegal.
    """

    name: str

    def start(self, game: Game, seat: int, seed: int) -> None:
        """The game begins; ``seed`` is for the player's own random choices and says nothing about the cards."""

    def observe(self, event: Event) -> None:
        """Something has happened that this seat can see, which may be its own action."""

    def act(self, view: View, legal: list[int]) -> int:
        """Choose an action; ``legal`` is never empty."""
        ...

    def end(self, outcome: Outcome | None) -> str:
        """The game is over, or was abandoned (None). Returns what the player printed, for its owner."""
        ...


# Failures that are kept when the infrastructure fails and a game is replayed.
#
#     failure     a seat's failure, with the digest of all that had happened in the game before it
#     digest      a hash of the game, its seed and the actions so far; equal ones mean that a seat is asked the same
#
# A seat that failed fails again when the game is replayed, but only after the same actions: after other actions, it is
# asked as usual.


MAX_DETAIL = 26_000
"""Characters of a failure's detail that are kept: enough for a call, its answer and a traceback."""


class PastFailure(msgspec.Struct, frozen=True):
    """One failure; ``detail`` is for the owner alone."""

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
    """The failures of all attempts so far."""

    def __init__(self, known: Iterable[PastFailure] = ()) -> None:
        self.known = list(known)

    def add(self, failure: PastFailure) -> None:
        """Add a failure, unless it is already there."""
        if failure not in self.known:
            self.known.append(failure)

    def at(self, moves: int) -> Iterator[PastFailure]:
        """The past failures that happened after ``moves`` moves."""
        return (past for past in self.known if past.moves == moves)


Watcher = Callable[[list[Notice]], None]
ForfeitWatcher = Callable[[Forfeit], None]


@dataclass(frozen=True)
class Match:
    """A finished game: its record, and by seat what the player printed and the detail of its failure."""

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
    """Play one game; ``watch`` is called with the notices of the deal and every action, ``on_forfeit`` with forfeits.

    ``past_failures`` are failures in earlier attempts at this game, which happen again in the same place; new failures
    are added. SeatError unless there is one player for each seat.
    """
    return Referee(seated_table(game, players, seed), dict(enumerate(players)), watch, on_forfeit, past_failures).play()


def seated_table(game: Game, players: Sequence[Player], seed: int) -> Table:
    """A table with players at its seats, before the first is asked; SeatError unless there is one for each seat."""
    if len(players) != game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, not {len(players)}.")
    return Table(game, seed, tuple(clean_name(player.name) for player in players))


def player_seed(seed: int, seat: int) -> int:
    """The seed for a player's own choices; it follows from the game's seed, which it doesn't help to guess."""
    return int.from_bytes(hashlib.sha256(f"kibitz player {seed:032x} {seat}".encode()).digest()[:8], "little")


def decision_seed(seed: int, seat: int, step: int) -> int:
    """The seed for one decision; it follows from the game's seed, the seat and the step, and reveals none of them."""
    return (player_seed(seed, seat) + step) & ((1 << 64) - 1)


class Referee:
    """Asks the players of one game, tells them what happens, and takes out those that fail.

    ``play`` needs a player for every seat; where people have seats, a front end drives a ``Session`` beside it.
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
        """Begin, play to the end and close the record."""
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
        """Tell every player its game, seat and seed, and the events of the deal."""
        for seat, player in self.players.items():
            self.recall(seat, "start")
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
            self.recall(seat, "turn")
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
                raise self.illegal(seat, f"An action is a whole number, not {shown(action)}.")
        except Exception as error:
            self.fail(seat, error, "turn")
            return
        try:
            self.table.choose(seat, action)
        except RuleError as error:
            self.fail(seat, self.illegal(seat, str(error)), "turn")

    def illegal(self, seat: int, sentence: str) -> Exception:
        """The failure of a player whose action is invalid or illegal; its own error if it can't explain the action."""
        try:
            return PlayerError("illegal", sentence, getattr(self.players[seat], "explain", str)())
        except Exception as error:
            return error

    def end(self, outcome: Outcome | None) -> tuple[str, ...]:
        """End every player, whatever happened, and collect what they printed; a failure here isn't a forfeit."""
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
        """Let every seat observe its events of the latest step."""
        notices = self.table.latest
        if self.watch:
            self.watch(notices)
        for seat in sorted(self.playing):
            self.recall(seat, "observe")
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

    def recall(self, seat: int, moment: Moment) -> None:
        """Take out a seat that failed here in an earlier attempt with the same history.

        That happens at the first moment at which such a failure is possible, so that failures keep their order.
        """
        for past in tuple(self.past_failures.at(self.table.step)) if self.past_failures.known else ():
            here = past.seat == seat and seat in self.playing and past.kind in POSSIBLE[moment]
            if here and past.digest == self.digest():
                self.forfeit(past.seat, PlayerError(past.kind, past.sentence, past.detail))

    def fail(self, seat: int, error: Exception, moment: Moment) -> None:
        """Take a seat out of the game because of its player's exception; a failure of the machine is raised again."""
        self.forfeit(seat, failure(error, moment))

    def forfeit(self, seat: int, error: PlayerError) -> None:
        """Take a seat out of the game, once."""
        if seat in self.playing:
            self.playing.discard(seat)
            self.table.forfeit_now(seat, error.kind, error.sentence)
            forfeit = self.table.forfeits[-1]
            self.details[seat] = error.detail
            past = PastFailure(
                seat, forfeit.moves, self.digest(), error.kind, forfeit.sentence, error.detail[-MAX_DETAIL:]
            )
            self.past_failures.add(past)
            if self.on_forfeit:
                self.on_forfeit(forfeit)


def failure(error: Exception, moment: Moment) -> PlayerError:
    """The failure that a player's exception means; a failure of the machine is raised again.

    A kind that is impossible at this moment counts as a plain exception, so that every record can be verified.
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
