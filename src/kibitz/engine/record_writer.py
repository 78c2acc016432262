"""The lines of a record, made while its game is played.

A record is written with these lines, and verified by comparing its lines with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.forfeits import Forfeit, ForfeitTracker
from kibitz.engine.game import Game, choosing_seats, seed_words, with_mover
from kibitz.engine.player_names import why_invalid_name
from kibitz.engine.views.events import SPECTATOR, Notice, Outcome, to_seat
from kibitz.errors import RecordError

FIRST_LINE = "Kibitz record 1"
HEADER = ("game", "rules", "seats", "seed", "commitment")
UNFINISHED = "unfinished: "


class HeldChoice(msgspec.Struct, frozen=True):
    """A choice that waits for the simultaneous choices of other seats: an action, or a failure that leads to a forfeit.

    ``action`` is None if the seat has failed; ``kind`` and ``sentence`` then say how and why.
    """

    seat: int
    action: int | None
    kind: str = ""
    sentence: str = ""


def commitment(seed: int) -> str:
    """The SHA-256 of a seed: shown at the deal, so that the seed shown at the end can be checked."""
    seed_words(seed)
    return hashlib.sha256(f"kibitz seed {seed:032x}".encode()).hexdigest()


def header_lines(game: Game, seats: tuple[str, ...], seed: int) -> Iterator[str]:
    """The lines above the deal."""
    yield FIRST_LINE
    values = game.name, game.rules.VERSION, " | ".join(seats), seed, commitment(seed)
    yield from (f"{key}: {value}" for key, value in zip(HEADER, values, strict=True))
    yield ""


class RecordWriter:
    """Plays one game step by step; every step returns its line.

    Raises RecordError for anything that a referee couldn't have written: an illegal action, an impossible failure.
    """

    def __init__(self, game: Game, seats: tuple[str, ...], seed: int) -> None:
        self.game, self.seats = game, seats
        self.state = game.deal(seed)
        self.forfeit_tracker = ForfeitTracker(game)
        self.moves = 0

    def deal(self) -> str:
        """The line of the deal."""
        return "deal ; " + self.spectator_sentences(self.game.opening(self.state))

    def move(self, action: int) -> str:
        """Carry out an action, and return its line."""
        seat = self.state.player
        if sentence := self.game.why_not(self.state, action):
            raise RecordError(f"illegal: {sentence}")
        self.forfeit_tracker.move(self.state, action)
        text = self.game.text(self.game.view(self.state, seat), action)
        self.moves += 1
        return f"{self.moves}. {seat} {text} ; {self.spectator_sentences(self.game.advance(self.state, action))}"

    def forfeit(self, forfeit: Forfeit) -> str:
        """Take a seat out of the game, and return the line of its forfeit."""
        self.forfeit_tracker.forfeit(self.state, forfeit)
        return f"! {forfeit.seat} {forfeit.kind}: {forfeit.sentence}"

    def result(self) -> str:
        """The line of the result of a game that is over."""
        return f"result: {outcome_text(self.outcome())}"

    def outcome(self) -> Outcome:
        """How the game ended. Raises RecordError if it has not."""
        if not self.state.over:
            raise RecordError(f"the game is not over after {self.moves} moves.")
        return self.game.result(self.state, frozenset(self.forfeit_tracker.forfeited))

    def unfinished(self) -> str:
        """The line of an unfinished game. Raises RecordError if the game is over."""
        if self.state.over:
            raise RecordError(f"the game is over after {self.moves} moves.")
        return f"{UNFINISHED}seat {self.state.player} is to move"

    def held_line(self, held: HeldChoice, last_seat: int) -> str:
        """The line of a held choice; ``last_seat``, the seat of the line before it, must be lower (-1 for none)."""
        choosers = choosing_seats(self.game, self.state)[1:]
        if held.seat not in choosers or held.seat in self.forfeit_tracker.forfeited:
            raise RecordError(f"seat {held.seat} has no choice to make now.")
        if held.seat <= last_seat:
            raise RecordError("held choices must be in the order of their seats, each once.")
        if held.action is None:
            forfeit_tracker = ForfeitTracker(self.game, self.moves, self.forfeit_tracker.forfeited)
            forfeit_tracker.forfeit(
                with_mover(self.state, held.seat), Forfeit(self.moves, held.seat, held.kind, held.sentence)
            )
            return f"held: {held.seat} ! {held.kind}: {held.sentence}"
        state = with_mover(self.state, held.seat)
        if sentence := self.game.why_not(state, held.action):
            raise RecordError(f"illegal: {sentence}")
        return f"held: {held.seat} {self.game.text(self.game.view(state, held.seat), held.action)}"

    def spectator_sentences(self, notices: list[Notice]) -> str:
        """The sentences for a spectator, on one line."""
        events = to_seat(notices, SPECTATOR)
        return " ".join(self.game.describe(event, SPECTATOR, self.seats) for event in events)


def outcome_text(outcome: Outcome) -> str:
    """A result as text."""
    scores = " ".join(f"{score:g}" for score in outcome.scores)
    winners = " ".join(str(seat) for seat in outcome.winners) or "nobody"
    return f"{scores} | winners {winners} | {outcome.reason}"


def check_seat_names(game: Game, seats: tuple[str, ...]) -> None:
    """Raise RecordError unless these are players' names, one for each seat."""
    if len(seats) != game.seats:
        raise RecordError(f"{game.title} has {game.seats} seats, and the record names {len(seats)}.")
    for name in seats:
        if why := why_invalid_name(name):
            raise RecordError(f"{short_repr(name)} isn't a valid player name: {why}")
