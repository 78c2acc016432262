"""A game with people in it, as a state machine that every front end drives: no input, no output, no clock.

    next        what to do now: ask a person, ask a computer player, or play a forced action
    guidance    in a guided first hand, the captions that a person reads now
    decision    what a person saw and chose at a step, and how many events they had seen by then

A forced action is played automatically, unless the person can still take back the choice that led to it. A choice can
be taken back while it has shown the person nothing new. To decide that, the choice is repeated in other positions that
the person could not tell from this one. If its events are the same in all of them, the person has learnt nothing.

>>> table = Table.deal("bo-mini", seed=1)
>>> session = Session(table, people=[0])
>>> while not table.over:
...     match session.next:
...         case ForcedAction(seat, action):
...             session.act(seat, action)
...         case AskPerson(seat) | AskPlayer(seat):
...             session.act(seat, table.legal(seat)[0])
>>> session.why_no_undo(0)
'You can undo only when it is your turn.'
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kibitz.engine.game import Game
from kibitz.engine.lesson import Caption, captions_to_show
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import Event, View, to_seat
from kibitz.table.outcomes import event_sentences
from kibitz.table.table import SENTENCES, Table, note_after

T = TypeVar("T")
UNDO_SAMPLES = 32
"""How many imagined positions decide whether a decision may be taken back."""
FORCED_DELAY = 0.7
"""Seconds before a forced action is played, so that the person sees that there is no choice."""
GUIDED_NOTE = "This is a guided first hand."
"""The note of a table that was dealt for the game's lesson."""
NOT_TO_ACT = "You can undo only when it is your turn."
NOTHING_TO_UNDO = "There is nothing to undo yet."
TOO_LATE = "You can't undo: you have seen something new since."


@dataclass(frozen=True)
class AskPerson:
    """The person of a seat is to choose."""

    seat: int


@dataclass(frozen=True)
class AskPlayer:
    """The computer player of a seat is to choose."""

    seat: int


@dataclass(frozen=True)
class ForcedAction:
    """A person's only legal action, to be played automatically once they have had a moment to see it."""

    seat: int
    action: int


Next = AskPerson | AskPlayer | ForcedAction


@dataclass(frozen=True)
class Decision:
    """What a person saw and chose at a step of the game, and how many events they had seen by then."""

    step: int
    view: View
    action: int
    events_seen: int


@dataclass(frozen=True)
class Guidance:
    """Captions of a guided first hand, and the action that they point at, if any."""

    says: str
    action: int | None


class Session:
    """Says what is next at a table, and undoes decisions.

    people      the seats for which persons choose now; computer players choose for all others
    decisions   by seat, what its person has decided and not taken back; in a resumed game, only
                where there was a choice
    """

    def __init__(self, table: Table, people: Collection[int] = ()) -> None:
        self.table, self.people = table, set(people)
        self.decisions: list[list[Decision]] = [[] for _ in range(table.game.seats)]
        self._undoable: dict[tuple[int, int, int, int], bool] = {}
        for past in table.replay() if table.step else ():
            seat = past.player
            played = past.step < table.step and seat in self.people and seat not in past.forfeited
            if played and len(past.legal(seat)) > 1:
                self.decisions[seat].append(decision_now(past, seat, table.actions[past.step]))

    # ---------------------------------------------------------------- what is next

    @property
    def pending(self) -> list[Next]:
        """The next request for each seat that is to choose, the lowest seat first; empty once the game is over."""
        return [self.request_for(seat) for seat in self.table.waiting]

    @property
    def next(self) -> Next:
        """The first of the pending requests."""
        return self.request_for(self.table.waiting[0])

    def request_for(self, seat: int) -> Next:
        """The request for a seat that is to choose."""
        if seat not in self.people:
            return AskPlayer(seat)
        return ForcedAction(seat, self.table.legal(seat)[0]) if self.plays_automatically(seat) else AskPerson(seat)

    def plays_automatically(self, seat: int) -> bool:
        """Whether a seat's next action is forced and played automatically.

        It isn't while the person can take back the choice that led to it, or has captions to read in a guided hand.
        """
        if len(self.table.legal(seat)) > 1 or self.guidance(seat):
            return False
        return not self.has_just_decided(seat) or self.why_no_undo(seat) is not None

    # ---------------------------------------------------------------- carrying it out

    def act(self, seat: int, action: int) -> None:
        """Carry out a seat's choice, as ``Table.act`` does; a person's is a decision unless it was forced."""
        own = seat in self.people and seat in self.table.waiting and not self.plays_automatically(seat)
        decision = decision_now(self.table, seat, action) if own else None
        self.table.act(seat, action)
        if decision is not None:
            self.decisions[seat].append(decision)

    def has_just_decided(self, seat: int) -> bool:
        """Whether a seat's decision is the latest action, and it is to choose again."""
        made = self.decisions[seat]
        return bool(made) and made[-1].step == self.table.step - 1 and self.table.waiting == (seat,)

    def why_no_undo(self, seat: int) -> str | None:
        """Why a person's latest decision can't be taken back, in a sentence; None if it can. This may be slow."""
        if seat not in self.table.waiting:
            return NOT_TO_ACT
        if not self.decisions[seat]:
            return NOTHING_TO_UNDO
        latest = self.decisions[seat][-1]
        heard = self.table.events(seat, latest.events_seen)
        key = seat, latest.step, latest.action, len(heard)
        if key not in self._undoable:
            self._undoable[key] = reveals_nothing(self.table.game, latest, heard)
        return None if self._undoable[key] else TOO_LATE

    def undo(self, step: int) -> None:
        """Go back to the step of a decision that may be taken back."""
        self.table.undo(step)
        self.decisions = [[one for one in made if one.step < step] for made in self.decisions]

    def guidance(self, seat: int) -> Guidance | None:
        """The captions for a person who is asked, or once the game is over; None where there are none.

        They are those due since the person's latest decision, so that they come back with what is undone or resumed.
        """
        table, game = self.table, self.table.game
        if game.lesson is None or not is_guided(table):
            return None
        names, decided = names_for(seat, table.names), {one.step for one in self.decisions[seat]}
        left, due, texts = list(game.lesson.captions), list[Caption](), dict[str, int]()
        for past in table.replay():
            asked = seat in past.waiting
            if asked or past.over:
                view = past.view(seat)
                texts = {game.text(view, action): action for action in (past.legal(seat) if asked else ())}
                heard = [line for _, line in event_sentences(game, past.events(seat), seat, names)]
                found = captions_to_show(left, texts, heard, over=past.over)
                left = [caption for caption in left if caption not in found]
                due += found
            if past.step in decided:
                due = []
            if not left and not due:
                return None
        due = [caption for caption in due if not caption.do or caption.do in texts]
        action = next((texts[caption.do] for caption in due if caption.do), None)
        return Guidance(" ".join(caption.says for caption in due), action) if due else None

    def hint(self, seat: int) -> None:
        """Note that a person asked for a hint; the game is unrated from then on."""
        sentence = SENTENCES["hint"]
        if not any(note.endswith(sentence.format("")) for note in self.table.notes):
            self.table.note(sentence.format(self.table.names[seat]))


def is_guided(table: Table) -> bool:
    """Whether a table was dealt for the game's guided first hand."""
    return note_after(0, GUIDED_NOTE) in table.notes


def decision_now(table: Table, seat: int, action: int) -> Decision:
    """The decision that a seat makes at a table now."""
    return Decision(table.step, table.view(seat), action, len(table.events(seat)))


def reveals_nothing(game: Game, decision: Decision, heard: list[Event]) -> bool:
    """Whether everything the person has ``heard`` since a decision follows from what they saw then."""
    seat = decision.view.seat
    for trial in range(UNDO_SAMPLES):
        state = game.imagine(decision.view, trial)
        seen = to_seat(game.play(state, decision.action), seat)
        while len(seen) < len(heard) and state.player == seat and len(only := game.legal(state)) == 1:
            seen += to_seat(game.play(state, only[0]), seat)
        if seen != heard:
            return False
    return True


def rotated_by_one(by_seat: Sequence[T]) -> tuple[T, ...]:
    """A tuple by seat, such as names, for the rematch, in which everybody moves to the next seat.

    >>> rotated_by_one(["Ann", "Ben", "Cem"])
    ('Cem', 'Ann', 'Ben')
    """
    return (*by_seat[-1:], *by_seat[:-1])
