"""A game with people in it, as a state machine that every front end drives: without input, output or a clock.

    next        what to do now: ask a person, ask a computer player, or play a forced action
    guidance    in a guided first hand, the captions that a person reads now
    decision    what a person saw and chose at a step, and how many events they had seen by then

A forced action is played automatically, unless the person can still take back the choice that led to it. A choice can
be taken back as long as it has shown the person nothing new. To check this, the choice is repeated in other positions
that the person couldn't tell from the real one: if it causes the same events in all of them, the person has learnt
nothing.

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
from kibitz.table.table import NOTE_SENTENCES, Table, note_after

T = TypeVar("T")
UNDO_SAMPLES = 32
"""The number of imagined positions in which a decision is repeated, to check whether it may be taken back."""
FORCED_DELAY = 0.7
"""Seconds before a forced action is played, so that the person sees that there is no choice."""
GUIDED_NOTE = "This is a guided first hand."
"""The note in the record of a game that was dealt as a guided first hand."""
NOT_YOUR_TURN = "You can undo only when it is your turn."
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
    """A person's only legal action, to be played automatically after a moment in which the person can see it."""

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
    """A table, what to do next at it, and people's decisions, which they can undo.

    people      the seats for which people choose now; computer players choose for all others
    decisions   by seat, its person's decisions that were not taken back; if the game was resumed, those before that
                count only if there were two or more legal actions
    """

    def __init__(self, table: Table, people: Collection[int] = ()) -> None:
        self.table, self.people = table, set(people)
        self.decisions: list[list[Decision]] = [[] for _ in range(table.game.seats)]
        self._undoable: dict[tuple[int, int, int, int], bool] = {}
        for past in table.replay() if table.step else ():
            seat = past.player
            person_acted = past.step < table.step and seat in self.people and seat not in past.forfeited
            if person_acted and len(past.legal(seat)) > 1:
                self.decisions[seat].append(decision_now(past, seat, table.actions[past.step]))

    # ---------------------------------------------------------------- what is next

    @property
    def pending(self) -> list[Next]:
        """What to do for each seat that is to choose, from the lowest seat; empty once the game is over."""
        return [self.request_for(seat) for seat in self.table.waiting]

    @property
    def next(self) -> Next:
        """What to do for the lowest seat that is to choose."""
        return self.request_for(self.table.waiting[0])

    def request_for(self, seat: int) -> Next:
        """What to do for a seat that is to choose."""
        if seat not in self.people:
            return AskPlayer(seat)
        return ForcedAction(seat, self.table.legal(seat)[0]) if self.plays_automatically(seat) else AskPerson(seat)

    def plays_automatically(self, seat: int) -> bool:
        """Whether a seat's next action is forced and played automatically.

        A forced action waits while the person can take back the choice that led to it, or has captions to read in a
        guided hand.
        """
        if len(self.table.legal(seat)) > 1 or self.guidance(seat):
            return False
        return not self.has_just_decided(seat) or self.why_no_undo(seat) is not None

    # ---------------------------------------------------------------- carrying it out

    def act(self, seat: int, action: int) -> None:
        """Carry out a seat's choice, as ``Table.act`` does; add it to ``decisions`` if a person made it."""
        is_decision = seat in self.people and seat in self.table.waiting and not self.plays_automatically(seat)
        decision = decision_now(self.table, seat, action) if is_decision else None
        self.table.act(seat, action)
        if decision is not None:
            self.decisions[seat].append(decision)

    def has_just_decided(self, seat: int) -> bool:
        """Whether the latest action was a seat's decision, and only this seat is to choose now."""
        decisions = self.decisions[seat]
        return bool(decisions) and decisions[-1].step == self.table.step - 1 and self.table.waiting == (seat,)

    def why_no_undo(self, seat: int) -> str | None:
        """A sentence on why a person's latest decision can't be taken back; None if it can. This may be slow."""
        if seat not in self.table.waiting:
            return NOT_YOUR_TURN
        if not self.decisions[seat]:
            return NOTHING_TO_UNDO
        latest = self.decisions[seat][-1]
        events = self.table.events(seat, latest.events_seen)
        key = seat, latest.step, latest.action, len(events)
        if key not in self._undoable:
            self._undoable[key] = reveals_nothing(self.table.game, latest, events)
        return None if self._undoable[key] else TOO_LATE

    def undo(self, step: int) -> None:
        """Go back to the step of a decision; the caller has checked with ``why_no_undo`` that this is allowed."""
        self.table.undo(step)
        self.decisions = [[decision for decision in of_seat if decision.step < step] for of_seat in self.decisions]

    def guidance(self, seat: int) -> Guidance | None:
        """The captions for a person who is to choose, or after the end of the game; None if there are none.

        They include all captions since the person's latest decision, so that they are shown again after an undo and in
        a resumed game.
        """
        table, game = self.table, self.table.game
        if game.lesson is None or not is_guided(table):
            return None
        names, decision_steps = names_for(seat, table.names), {decision.step for decision in self.decisions[seat]}
        remaining, due, texts = list(game.lesson.captions), list[Caption](), dict[str, int]()
        for past in table.replay():
            is_to_choose = seat in past.waiting
            if is_to_choose or past.over:
                view = past.view(seat)
                texts = {game.text(view, action): action for action in (past.legal(seat) if is_to_choose else ())}
                sentences = [line for _, line in event_sentences(game, past.events(seat), seat, names)]
                next_captions = captions_to_show(remaining, texts, sentences, over=past.over)
                remaining = [caption for caption in remaining if caption not in next_captions]
                due += next_captions
            if past.step in decision_steps:
                due = []
            if not remaining and not due:
                return None
        due = [caption for caption in due if not caption.do or caption.do in texts]
        action = next((texts[caption.do] for caption in due if caption.do), None)
        return Guidance(" ".join(caption.says for caption in due), action) if due else None

    def note_hint(self, seat: int) -> None:
        """Note once in the record that a person asked for a hint."""
        sentence = NOTE_SENTENCES["hint"]
        if not any(note.endswith(sentence.format("")) for note in self.table.notes):
            self.table.note(sentence.format(self.table.names[seat]))


def is_guided(table: Table) -> bool:
    """Whether a table was dealt for the game's guided first hand."""
    return note_after(0, GUIDED_NOTE) in table.notes


def decision_now(table: Table, seat: int, action: int) -> Decision:
    """The decision of a seat that now chooses ``action`` at a table."""
    return Decision(table.step, table.view(seat), action, len(table.events(seat)))


def reveals_nothing(game: Game, decision: Decision, events: list[Event]) -> bool:
    """Whether all ``events`` that a person has seen since a decision follow from what they saw before it."""
    seat = decision.view.seat
    for sample_seed in range(UNDO_SAMPLES):
        state = game.imagine(decision.view, sample_seed)
        replayed = to_seat(game.play(state, decision.action), seat)
        while len(replayed) < len(events) and state.player == seat and len(legal := game.legal(state)) == 1:
            replayed += to_seat(game.play(state, legal[0]), seat)
        if replayed != events:
            return False
    return True


def rotated_by_one(by_seat: Sequence[T]) -> tuple[T, ...]:
    """Values by seat, such as names, each moved to the next seat, as for a rematch.

    >>> rotated_by_one(["Ann", "Ben", "Cem"])
    ('Cem', 'Ann', 'Ben')
    """
    return (*by_seat[-1:], *by_seat[:-1])
