"""Which failures make a seat forfeit, and when each of them can happen.

    kind        what went wrong: one of ``errors.FailureKind``
    moment      when the player was called: at the ``start``, before the first move; to ``observe`` a move; or on its
                ``turn``

Each step goes through the moments in this order, and through the seats in order at ``start`` and ``observe``.  A seat
forfeits once; from then on the rules' ``substitute`` chooses for it.  Failures after the end of a game don't count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import FailureKind, RecordError

Moment = Literal["start", "observe", "turn"]

KINDS: tuple[FailureKind, ...] = get_args(FailureKind)
WHILE_RUNNING = frozenset(KINDS) - {"load", "illegal"}
POSSIBLE: Mapping[Moment, frozenset[str]] = {
    "start": WHILE_RUNNING | {"load"},
    "observe": frozenset({"exception"}),
    "turn": WHILE_RUNNING | {"illegal"},
}
"""By moment, the possible kinds of failure: only loading can fail by ``load``, only an action can be illegal."""
MAX_REASON = 500
"""The maximum number of characters of the sentence that says why a seat forfeits."""


class Forfeit(msgspec.Struct, frozen=True):
    """A seat's forfeit after ``moves`` moves: the kind of failure, and a sentence that says why."""

    moves: int
    seat: int
    kind: str
    sentence: str


def one_line(sentence: str) -> str:
    """A sentence about a failure as a record holds it: on one line, printable, and never empty."""
    line = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in sentence).split())
    return line[:MAX_REASON].rstrip() or "?"


class ForfeitTracker:
    """Follows a game and tracks forfeits. Raises RecordError for anything that a referee could not have written.

    ``forfeited`` holds the seats that have forfeited. ``moment`` is the current moment, as an index into ``POSSIBLE``,
    and ``last_seat`` the last seat that failed at this moment, or -1.
    """

    def __init__(self, game: Game, moves: int = 0, forfeited: Iterable[int] = ()) -> None:
        self.game = game
        self.forfeited = set(forfeited)
        self.moves, self.moment, self.last_seat = moves, 0, -1

    def forfeit(self, state: PlainState, forfeit: Forfeit) -> None:
        """Take a seat out of the game. Raises RecordError if it cannot fail in this way here."""
        seat, kind = forfeit.seat, forfeit.kind
        if not 0 <= seat < self.game.seats:
            raise RecordError(f"{self.game.title} has no seat {seat}.")
        if kind not in KINDS:
            raise RecordError(f"unknown failure {one_line(kind)[:40]!r}; known kinds of failure: {', '.join(KINDS)}.")
        if seat in self.forfeited:
            raise RecordError(f"seat {seat} has already forfeited.")
        if forfeit.sentence != one_line(forfeit.sentence):
            raise RecordError("the reason for a forfeit must be a printable sentence of at most 500 characters.")
        while not self.is_possible(state, forfeit):
            self.moment, self.last_seat = self.moment + 1, -1
            if self.moment == len(POSSIBLE):
                raise RecordError(f"seat {seat} cannot forfeit here by {kind}: {self.when_possible(state, kind)}.")
        self.last_seat = seat
        self.forfeited.add(seat)

    def is_possible(self, state: PlainState, forfeit: Forfeit) -> bool:
        """Whether a seat can fail in this way at the present moment."""
        moment = tuple(POSSIBLE)[self.moment]
        if forfeit.moves != self.moves or forfeit.kind not in POSSIBLE[moment] or forfeit.seat <= self.last_seat:
            return False
        if moment == "turn":
            return not state.over and state.player == forfeit.seat
        return moment == "observe" or not self.moves

    def when_possible(self, state: PlainState, kind: str) -> str:
        """When a failure of this kind is possible, as a sentence."""
        if kind == "load":
            return "files are loaded before the first move, seat after seat"
        if kind == "exception":
            return "seats that see a move fail in the order of their seats, before the player to move"
        start = "" if kind == "illegal" or self.moves else "files are loaded seat after seat, and then "
        return start + ("the game is over" if state.over else f"it is the turn of seat {state.player}")

    def move(self, state: PlainState, action: int) -> None:
        """Go on to the next step.

        Raises RecordError if a seat that has forfeited acts differently from the rules' choice.
        """
        if state.player in self.forfeited and action != (substitute := int(self.game.rules.substitute(state))):
            text = self.game.text(self.game.view(state, state.player), substitute)
            raise RecordError(f"seat {state.player} is out of the game, and the computer plays {text!r} for it.")
        self.moves, self.moment, self.last_seat = self.moves + 1, 0, -1
