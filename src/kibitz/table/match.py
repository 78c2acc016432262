"""The referee: one game from the deal to the result.

A player can do nothing that stops the game: an illegal action, an exception or a broken limit makes its seat
forfeit, and the rules' ``substitute`` plays on in its place so that the others can finish.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from kibitz.cards import shown
from kibitz.engine.events import Notice, Outcome, to_seat
from kibitz.engine.forfeits import POSSIBLE, Forfeit, Moment, told
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.record import Record
from kibitz.errors import MachineError, PlayerError, SeatError
from kibitz.table.lapses import DETAIL, Lapse, Lapses, digest
from kibitz.table.names import clean_name
from kibitz.table.player import Player

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
    lapses: Lapses | None = None,
) -> Match:
    """Play one game; ``watch`` is called with the notices of the deal and of every action, ``on_forfeit`` at once.

    ``lapses``: the failures of earlier attempts at this game, which stand where they happened; new ones are added.
    SeatError unless there is one player for each seat.
    """
    if len(players) != game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats, and there are {len(players)} players.")
    return Referee(game, players, seed, watch, on_forfeit, lapses).play()


def player_seed(seed: int, seat: int) -> int:
    """The seed for a player's own choices: fixed by the game's seed, and no help in guessing it."""
    return int.from_bytes(hashlib.sha256(f"kibitz player {seed:032x} {seat}".encode()).digest()[:8], "little")


class Referee:
    """Runs one game and keeps what its record needs."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        seed: int,
        watch: Watcher | None,
        on_forfeit: ForfeitWatcher | None,
        lapses: Lapses | None,
    ) -> None:
        self.game, self.players, self.seed = game, players, seed
        self.watch, self.on_forfeit = watch, on_forfeit
        self.lapses = Lapses() if lapses is None else lapses
        self.actions: list[int] = []
        self.forfeits: list[Forfeit] = []
        self.standing = set(range(game.seats))
        self.details = [""] * game.seats

    def play(self) -> Match:
        """Deal, play to the end and close the record."""
        outcome = None
        try:
            state = self.game.deal(self.seed)
            self.start()
            self.tell(self.game.opening(state))
            while not state.over:
                if self.lapses.known and self.actions:
                    self.recall(self.standing)
                action = self.choose(state)
                self.actions.append(action)
                self.tell(self.game.advance(state, action))
            outcome = self.game.result(state, frozenset(range(self.game.seats)) - self.standing)
        finally:
            forfeits = tuple(self.forfeits)
            prints = self.end(outcome)
        names = tuple(clean_name(player.name) for player in self.players)
        version = self.game.rules.VERSION
        record = Record(self.game.name, version, names, self.seed, tuple(self.actions), forfeits, outcome)
        return Match(record, prints, tuple(self.details))

    def start(self) -> None:
        """Let every player know its game, seat and seed."""
        for seat, player in enumerate(self.players):
            self.recall({seat})
            if seat not in self.standing:
                continue
            try:
                player.start(self.game, seat, player_seed(self.seed, seat))
            except Exception as error:
                self.failed(seat, error, "start")

    def end(self, outcome: Outcome | None) -> tuple[str, ...]:
        """Let every player go, whatever happened, and collect what they printed; failing here costs nothing."""
        prints = []
        for seat, player in enumerate(self.players):
            try:
                prints.append(player.end(outcome))
            except MachineError:
                raise
            except Exception as error:
                prints.append("")
                self.details[seat] = self.details[seat] or traceback_of(error)
        return tuple(prints)

    def tell(self, notices: list[Notice]) -> None:
        """Let every seat observe what it can see."""
        if self.watch:
            self.watch(notices)
        for seat in sorted(self.standing):
            try:
                for event in to_seat(notices, seat):
                    self.players[seat].observe(event)
            except Exception as error:
                self.failed(seat, error, "observe")

    def digest(self) -> str:
        """What stands for all that has happened so far."""
        return digest(self.game.name, self.game.rules.VERSION, self.seed, self.actions)

    def recall(self, seats: Set[int]) -> None:
        """Take out who of some seats failed here in an earlier attempt, in which everything before was the same.

        Before the first move that is at the start, seat by seat, since files are loaded in this order.
        """
        for lapse in tuple(self.lapses.at(len(self.actions))):
            if lapse.seat in seats & self.standing and lapse.digest == self.digest():
                self.forfeit(lapse.seat, PlayerError(lapse.kind, lapse.sentence, lapse.detail))

    def choose(self, state: PlainState) -> int:
        """The action of the seat to move: its player's, or the substitute's once it has forfeited."""
        seat = state.player
        if seat in self.standing:
            legal = self.game.legal(state)
            try:
                action = self.players[seat].act(self.game.view(state, seat), legal)
                sentence = self.game.why_not(state, action) if type(action) is int else None
                if type(action) is int and sentence is None:
                    return action
                explain = getattr(self.players[seat], "explain", str)
                raise PlayerError(
                    "illegal", sentence or f"An action is a whole number, not {shown(action)}.", explain()
                )
            except Exception as error:
                self.failed(seat, error, "turn")
        return int(self.game.rules.substitute(state))

    def failed(self, seat: int, error: Exception, moment: Moment) -> None:
        """Take a seat out of the game because of what its player raised; a failure of the machine is raised on.

        What cannot be at this moment is an exception like any other, so that every record can be verified.
        """
        if isinstance(error, MachineError):
            raise error
        if isinstance(error, PlayerError):
            possible = error.kind in POSSIBLE[moment]
            self.forfeit(seat, error if possible else PlayerError("exception", error.sentence, error.detail))
        else:
            sentence = f"The player raised {type(error).__name__}: {error}"[:200]
            self.forfeit(seat, PlayerError("exception", sentence, traceback_of(error)))

    def forfeit(self, seat: int, error: PlayerError) -> None:
        """Take a seat out of the game, once."""
        if seat in self.standing:
            self.standing.discard(seat)
            moves, sentence = len(self.actions), told(error.sentence)
            self.forfeits.append(Forfeit(moves, seat, error.kind, sentence))
            self.details[seat] = error.detail
            self.lapses.add(Lapse(seat, moves, self.digest(), error.kind, sentence, error.detail[-DETAIL:]))
            if self.on_forfeit:
                self.on_forfeit(self.forfeits[-1])


def traceback_of(error: Exception) -> str:
    """The traceback of an error as text."""
    return "".join(traceback.format_exception(error))
