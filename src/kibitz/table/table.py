"""One game in play: it applies the rules and keeps what was played, and does no input or output.

    seat            0, 1, ...; SPECTATOR (-1) sees what everybody may see, and can't act
    waiting         the seats that are to choose: one, or several in games with simultaneous choices
    held choice     a simultaneous choice, kept until all lower-numbered seats have chosen
    forfeited       the seats that have forfeited; the rules' ``substitute`` chooses their actions
    step            the number of actions carried out since the deal; step 0 is the deal

To run a game, write a loop around a table: see which seat is ``waiting``, show it its ``view``, carry out its choice
with ``act``, and pass ``events`` on to the seats.

>>> table = Table.deal("go-mini", seed=1, names=["Ann", "Ben"])
>>> table.waiting
(0, 1)
>>> table.act(1, table.legal(1)[0])  # both choose at once, so Ben may be first
>>> table.waiting
(0,)
>>> while not table.over:
...     seat = table.waiting[0]
...     table.act(seat, table.legal(seat)[0])
>>> table.outcome.scores
(-9.0, -9.0)
>>> past = table.at(step=3)
>>> past.waiting, Table.resume(past.record).events(1) == past.events(1)
((1,), True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import get_args

from kibitz.cards import short_repr
from kibitz.engine.forfeits import Forfeit, ForfeitTracker, one_line
from kibitz.engine.game import Game, choosing_seats, fresh_seed, with_mover
from kibitz.engine.layout import PlainState
from kibitz.engine.player_names import clean_name
from kibitz.engine.record import AnyRecord, HeldChoice, Record, UnfinishedRecord, is_note
from kibitz.engine.record_writer import check_seat_names
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number, check_seat, unchecked
from kibitz.engine.views.events import SPECTATOR, Event, Notice, Outcome, View, to_seat
from kibitz.errors import FailureKind, NotationError, RecordError, RuleError, SeatError

# Notes in a record: facts outside the rules, such as that a hint was given.
#
# note        a sentence and the step after which it was made, as text in the form that ``note_after`` returns


NOTE_SENTENCES: Mapping[str, str] = {
    "caretaker": "A caretaker plays for {} from here on.",
    "back": "{} is back.",
    "undo": "{} takes a choice back.",
    "hint": "{} has asked for a hint.",
    "played_on": "{} plays on from here: the game is unrated.",
    "removed": "The host has removed {}. The computer plays on for them: the game is unrated.",
}
"""By kind of note, its sentence, with {} for the name of a seat."""

NOTE_POSITION = re.compile(r"after move ([0-9]+): ")


def note_after(step: int, sentence: str) -> str:
    """A sentence as a note of a record.

    >>> note_after(12, NOTE_SENTENCES["hint"].format("Ann"))
    'after move 12: Ann has asked for a hint.'
    """
    return f"after move {step}: {sentence}"


def note_after_undo(note: str, step: int) -> str:
    """A note after an undo to ``step``: a note on a later step moves to that step.

    >>> note_after_undo("after move 12: Ann is back.", 10), note_after_undo("after move 3: Ann is back.", 10)
    ('after move 10: Ann is back.', 'after move 3: Ann is back.')
    """
    match = NOTE_POSITION.match(note)
    return note_after(step, note[match.end() :]) if match and int(match[1]) > step else note


def notes_by_step(notes: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Notes as pairs of step and sentence, in order of steps; a note that names no move belongs to the deal.

    >>> list(notes_by_step(["after move 12: Ann is back.", "Played at home."]))
    [(0, 'Played at home.'), (12, 'Ann is back.')]
    """
    pairs = [
        (int(match[1]), note[match.end() :]) if (match := NOTE_POSITION.match(note)) else (0, note) for note in notes
    ]
    return iter(sorted(pairs, key=itemgetter(0)))


class Table:
    """One game, from the deal to the result; create it with ``Table.deal`` or ``Table.resume``.

    seed                    fixes every card of the game
    names                   the names of the seats
    actions, forfeits       all that has happened, in order
    notes                   facts outside the rules, in the form that ``note_after`` returns
    """

    def __init__(self, game: Game, seed: int, names: Sequence[str]) -> None:
        self.game, self.seed, self.names = game, seed, tuple(names)
        self.actions: list[int] = []
        self.forfeits: list[Forfeit] = []
        self.notes: list[str] = []
        self._state = game.deal(seed)
        self._notices: list[list[Notice]] = [game.opening(self._state)]
        self._events_cache: dict[int, tuple[int, list[Event]]] = {}  # by seat: the steps included, and its events
        self._held: dict[int, HeldChoice] = {}
        self._forfeit_tracker = ForfeitTracker(game)
        self._simultaneous = hasattr(game.rules, "simultaneous")
        self._view: Callable[[PlainState, int], View] = unchecked(game.view)
        self._observers, self._max_legal = range(SPECTATOR, game.seats), game.max_legal

    # ---------------------------------------------------------------- beginning

    @classmethod
    def deal(cls, game: Game | str, seed: int | None = None, names: Sequence[str] | None = None) -> Table:
        """Begin a game (default: a secret random seed, and the names P0, P1, ...).

        Raises NotationError if there is no such game or seed, SeatError unless there is one name for each seat.
        """
        game = game_of(game)
        if names is None:
            names = [f"P{seat}" for seat in range(game.seats)]
        is_list = isinstance(names, Sequence) and not isinstance(names, str)
        if not is_list or not all(isinstance(name, str) for name in names):
            raise NotationError(f"names must be a list of strings, not {short_repr(names)}.")
        if len(names) != game.seats:
            raise SeatError(f"{game.title} has {game.seats} seats, not {len(names)}.")
        return cls(game, fresh_seed() if seed is None else seed, tuple(map(clean_name, names)))

    @classmethod
    def resume(cls, record: AnyRecord) -> Table:
        """Resume a game from its record, with the same hidden cards.

        Raises RecordError if the recorded game is impossible.
        """
        if not isinstance(record, Record | UnfinishedRecord):
            raise NotationError(f"record must be a Record, such as table.record, not {short_repr(record)}.")
        game = game_of(record.game)
        if record.rules != game.rules.VERSION:
            raise RecordError(
                f"the record follows version {record.rules} of the rules of {game.title}; this Kibitz has version"
                f" {game.rules.VERSION}."
            )
        check_seat_names(game, record.seats)
        table = cls(game, record.seed, record.seats)
        table._replay(record.actions, record.forfeits)
        for held in record.held if isinstance(record, UnfinishedRecord) else ():
            table._hold(held)
        table.run_automatic_steps()
        table.notes += record.notes
        if isinstance(record, Record) and table.outcome != record.outcome:
            raise RecordError("the moves give a different result from the record.")
        return table

    def _replay(self, actions: Sequence[int], forfeits: Sequence[Forfeit]) -> None:
        """Replay the recorded actions and forfeits from the deal."""
        remaining = list(forfeits)
        for step, action in enumerate((*actions, None)):
            while remaining and remaining[0].moves == step:
                self._take_out(remaining.pop(0))
            if action is not None:
                if sentence := self.game.why_not(self._state, action):
                    raise RecordError(f"move {step + 1} is illegal: {sentence}")
                self._forfeit_tracker.move(self._state, action)
                self._carry_out(action)
        if remaining:
            raise RecordError(f"seat {remaining[0].seat} forfeits after the last move of the record.")

    def _hold(self, held: HeldChoice) -> None:
        """Restore a held choice from the record."""
        if held.seat not in self.waiting[1:]:
            raise RecordError(f"seat {held.seat} has no choice to make now.")
        if held.action is not None and (sentence := self.why_not(held.seat, held.action)):
            raise RecordError(f"the choice that seat {held.seat} holds is illegal: {sentence}")
        self._held[held.seat] = held

    # ---------------------------------------------------------------- looking

    @property
    def step(self) -> int:
        """How many actions have been carried out."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.over)

    @property
    def player(self) -> int:
        """The seat to move: the lowest of those that choose at the same time."""
        return int(self._state.player)

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that have forfeited."""
        return frozenset(self._forfeit_tracker.forfeited)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are to choose, the lowest first; none once the game is over."""
        if not self._simultaneous:
            nobody_waits = self.over or self.player in self._forfeit_tracker.forfeited
            return () if nobody_waits else (self.player,)
        choosers = choosing_seats(self.game, self._state)
        return tuple(
            seat for seat in choosers if seat not in self._held and seat not in self._forfeit_tracker.forfeited
        )

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is in progress."""
        return self.game.result(self._state, self.forfeited) if self.over else None

    def view(self, seat: int) -> View:
        """What a seat may know now. A ``waiting`` seat's view has it as the seat to move, even before its turn."""
        if type(seat) is not int or seat not in self._observers:
            check_seat(self.game, seat, spectator=True)
        state = self._state
        if self._simultaneous and seat != state.player:
            state = self._state_for(seat)
        return self._view(state, seat)

    def legal(self, seat: int | None = None) -> list[int]:
        """The legal actions of a waiting seat (default: the lowest). Raises SeatError if the seat isn't waiting."""
        if seat is None:
            seat = min(self.waiting, default=self.player)
        state, actions = self._state, [0] * self._max_legal
        if type(seat) is not int or seat != state.player or state.over or seat in self._forfeit_tracker.forfeited:
            state = self._state_for(self._check_waiting(seat))
        return actions[: self.game.rules.legal(state, actions)]  # ``legal`` fills the list and returns its length

    def why_not(self, seat: int, action: int) -> str | None:
        """The sentence that forbids a waiting seat's action, or None if it is legal."""
        return self.game.why_not(self._state_for(self._check_waiting(seat)), action)

    def events(self, seat: int, since: int = 0) -> list[Event]:
        """The events that a seat has seen, without the first ``since`` of them."""
        check_seat(self.game, seat, spectator=True)
        start = check_number("since", since)
        if start < 0:
            raise NotationError(f"since must be 0 or more, not {short_repr(since)}.")
        steps, events = self._events_cache.get(seat, (0, []))
        for notices in self._notices[steps:]:
            events += to_seat(notices, seat)
        self._events_cache[seat] = len(self._notices), events
        return events[start:]

    def notices(self, step: int) -> list[Notice]:
        """The notices of one step: its events, each with the seats that see it."""
        return self._notices[self._check_step(step)]

    @property
    def latest_notices(self) -> list[Notice]:
        """The notices of the latest step."""
        return self._notices[-1]

    def held_action(self, seat: int) -> int | None:
        """The action of a seat's held choice, or None; no other seat may see it."""
        check_seat(self.game, seat, spectator=True)
        held = self._held.get(seat)
        return held.action if held else None

    def state(self) -> PlainState:
        """A copy of the whole position with all hidden cards, for code that may see them: solvers, reviews, tests."""
        return self._state.copy()

    # ---------------------------------------------------------------- acting

    def act(self, seat: int, action: int) -> None:
        """Carry out a seat's choice, and then all steps that need no player's choice.

        Raises SeatError if the seat is not to move, RuleError if the action is illegal or the game is over. In
        simultaneous choices, a seat's action is held until all lower seats have chosen.
        """
        self.act_only(seat, action)
        self.run_automatic_steps()

    def forfeit(self, seat: int, kind: FailureKind, sentence: str) -> None:
        """Take a seat out of the game, and carry out the substitute actions that follow.

        Raises SeatError if there is no such seat or it has already forfeited. Raises RuleError if this kind of failure
        is impossible now: some kinds occur only while the seat is to choose. In simultaneous choices, a seat is out
        once all lower seats have chosen.
        """
        check_seat(self.game, seat)
        if seat != self.player and seat in self.waiting:
            check_failure(kind, sentence)
            self._held[seat] = HeldChoice(seat, None, kind, one_line(sentence))
        else:
            self.forfeit_only(seat, kind, sentence)
        self.run_automatic_steps()

    def act_only(self, seat: int, action: int) -> None:
        """``act`` without the automatic steps, for a loop that does something after every step, such as the referee."""
        state = self._state
        if type(seat) is not int or seat != state.player or state.over or seat in self._forfeit_tracker.forfeited:
            state = self._state_for(self._check_waiting(seat))
        if type(action) is not int:
            action = check_number("action", action)
        if self.game.rules.refusal(state, action):
            raise RuleError(str(self.game.why_not(state, action)))
        if state is self._state:
            self._carry_out(action)
        else:
            self._held[seat] = HeldChoice(seat, action)

    def forfeit_only(self, seat: int, kind: FailureKind, sentence: str) -> None:
        """``forfeit`` at once, without the automatic steps."""
        check_seat(self.game, seat)
        check_failure(kind, sentence)
        if seat in self._forfeit_tracker.forfeited:
            raise SeatError(f"{self.names[seat]} (seat {seat}) has already forfeited.")
        try:
            self._take_out(Forfeit(self.step, seat, kind, one_line(sentence)))
        except RecordError as error:
            raise RuleError(error.sentence) from None

    def run_automatic_steps(self) -> None:
        """Carry out all steps that need no player's choice."""
        while self.run_automatic_step():
            pass

    def run_automatic_step(self) -> bool:
        """Carry out one step that needs no player's choice: a held choice, or the substitute for a seat that is out.

        Return False and change nothing if a seat is to choose or the game is over.
        """
        state = self._state
        if state.over:
            return False
        held = self._held.pop(state.player, None)
        if held is not None and held.action is None:
            self._take_out(Forfeit(self.step, held.seat, held.kind, held.sentence))
        elif held is not None and held.action is not None:
            self._carry_out(held.action)
        elif state.player in self._forfeit_tracker.forfeited:
            self._carry_out(int(self.game.rules.substitute(state)))
        else:
            return False
        return True

    def _carry_out(self, action: int) -> None:
        """Carry out a legal action of the seat to move."""
        self._notices.append(self.game.advance(self._state, action))
        self.actions.append(action)

    def _take_out(self, forfeit: Forfeit) -> None:
        """Take a seat out. Raises RecordError if it can't forfeit at this point."""
        if self._forfeit_tracker.moves != self.step:
            self._forfeit_tracker = ForfeitTracker(self.game, self.step, self._forfeit_tracker.forfeited)
        self._forfeit_tracker.forfeit(self._state, forfeit)
        self.forfeits.append(forfeit)

    def note(self, sentence: str) -> None:
        """Add a note on a fact outside the rules, after the current step.

        Raises NotationError unless the sentence is one printable line, and not too long.
        """
        note = note_after(self.step, sentence)
        if not isinstance(sentence, str) or not is_note(note):
            raise NotationError(f"sentence must be one line of text, not {short_repr(sentence)}.")
        self.notes.append(note)

    # ---------------------------------------------------------------- going back, and the record

    def at(self, step: int) -> Table:
        """The game as it was after ``step`` steps, as a separate table, which can also be played on."""
        step = self._check_step(step)
        past = Table(self.game, self.seed, self.names)
        past._replay(self.actions[:step], [forfeit for forfeit in self.forfeits if forfeit.moves <= step])
        return past

    def replay(self) -> Iterator[Table]:
        """Replay the game from the deal: yield one table again and again, at step 0, 1, ... up to the current step."""
        past = Table(self.game, self.seed, self.names)
        remaining = list(self.forfeits)
        for step in range(self.step + 1):
            if step:
                past._carry_out(self.actions[step - 1])
            while remaining and remaining[0].moves == step:
                past._take_out(remaining.pop(0))
            yield past

    def undo(self, step: int) -> None:
        """Go back to an earlier step, with the forfeits up to it. The caller decides whether that is fair."""
        past = self.at(step)
        self.actions, self.forfeits, self._state = past.actions, past.forfeits, past._state
        self._notices, self._forfeit_tracker = past._notices, past._forfeit_tracker
        self._held, self._events_cache = {}, {}
        self.notes = [note_after_undo(note, step) for note in self.notes]

    @property
    def record(self) -> AnyRecord:
        """The record of the game so far: a ``Record`` if it is over, else an ``UnfinishedRecord``."""
        moves = tuple(self.actions), tuple(self.forfeits)
        header = self.game.name, self.game.rules.VERSION, self.names, self.seed
        if outcome := self.outcome:
            return Record(*header, *moves, outcome, tuple(self.notes))
        held = tuple(self._held[seat] for seat in sorted(self._held))
        return UnfinishedRecord(*header, *moves, held, notes=tuple(self.notes))

    # ---------------------------------------------------------------- checks

    def _check_waiting(self, seat: int) -> int:
        """Return ``seat`` if it is to choose. Raises SeatError or RuleError with the reason if not."""
        if self.over:
            raise RuleError("The game is over.")
        check_seat(self.game, seat, spectator=True)
        if seat == SPECTATOR:
            raise SeatError("Spectators can't act.")
        waiting = self.waiting
        if seat in waiting:
            return seat
        if seat in self._forfeit_tracker.forfeited:
            raise SeatError(f"{self.names[seat]} (seat {seat}) has forfeited, and the computer plays for it.")
        if seat in self._held:
            raise SeatError(f"{self.names[seat]} (seat {seat}) has already chosen, and is waiting for others.")
        turn = " or ".join(f"{self.names[p]}'s turn (seat {p})" for p in waiting)
        raise SeatError(f"It is {turn}, not {self.names[seat]}'s (seat {seat}).")

    def _state_for(self, seat: int) -> PlainState:
        """The table's state; if ``seat`` may choose before its turn, a copy in which it is the seat to move."""
        state = self._state
        if not self._simultaneous or seat == state.player or seat not in self.waiting:
            return state
        return with_mover(state, seat)

    def _check_step(self, step: int) -> int:
        """Return ``step`` as an int. Raises NotationError unless the game has reached it."""
        number = check_number("step", step)
        if not 0 <= number <= self.step:
            raise NotationError(f"step must be from 0 to {self.step}, the steps so far, not {short_repr(step)}.")
        return number

    def __repr__(self) -> str:
        status = "over" if self.over else f"waiting for {self.waiting}"
        return f"<Table of {self.game.name}, step {self.step}, {status}>"


def check_failure(kind: object, sentence: object) -> None:
    """Raise NotationError unless this is a kind of failure, and a text that says why."""
    if not isinstance(kind, str) or kind not in get_args(FailureKind):
        raise NotationError(f"kind must be one of {', '.join(get_args(FailureKind))}, not {short_repr(kind)}.")
    if not isinstance(sentence, str):
        raise NotationError(f"sentence must be a string, not {short_repr(sentence)}.")
