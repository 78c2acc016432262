"""A game from sitting down to getting up, as its journal tells it: entries are applied one after the other.

A host applies an entry once it is saved.  Applied from the first to the last, the journal of a table gives the very
same session again: the game, what everybody was told, who is away, and which requests have been carried out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kibitz.engine.game import Game
from kibitz.engine.record import Record, commitment, text
from kibitz.errors import RuleError
from kibitz.players.advice import Hint
from kibitz.remote.messages import Done, Message, NoteKind, Result
from kibitz.table import Table
from kibitz.table.outcomes import latest
from kibitz.table.outcomes import out as out_sentence
from kibitz.table.outcomes import result as result_sentence
from kibitz.table.table import SENTENCES, noted
from kibitz.table.undo import STANDS, Decision, taught_nothing
from kibitz.web.showing import About, Log, Note, is_forced
from kibitz.web.store.entries import AnyEntry, Chair, Chose, Failed, Finished, GameNote, Kept, TakenBack

MOST_REMEMBERED = 2000
"""So many answers to requests are kept, so that one that is sent again is carried out once."""


class Chosen(NamedTuple):
    """A choice that was made: for which seat, after how many steps, what, and whether by the person who sits there."""

    seat: int
    step: int
    action: int
    own: bool


class Session:
    """A game that is played at a table of the server.

    choices     all that were made and not taken back, in order
    turns       by seat, all that were made for it, those that were taken back as well: the first in turn 0
    hinted      whether anybody has asked for a hint
    answers     what was answered to requests, by person and by their own name for the request
    advice      hints by epoch, step and seat: whoever asks again gets the same one, and nobody waits for it twice
    """

    def __init__(self, game: Game, seed: int, chairs: Sequence[Chair]) -> None:
        self.table = Table.deal(game, seed, [chair.name for chair in chairs])
        self.game, self.chairs, self.seed = game, tuple(chairs), seed
        self.log = Log(self.table)
        self.about = About.of(game.seats)
        self.choices: list[Chosen] = []
        self.turns: list[list[Chosen]] = [[] for _ in range(game.seats)]
        self.hinted = False
        self.forfeits = 0
        self.number = 0
        self.answers: OrderedDict[tuple[str, str], Message] = OrderedDict()
        self.advice: dict[tuple[int, int, int], Hint] = {}

    def apply(self, entry: AnyEntry) -> None:
        """Live through an entry of the journal."""
        table = self.table
        self.number += 1
        if isinstance(entry, Chose):
            chosen = Chosen(entry.seat, table.step, entry.action, bool(entry.person))
            self.choices.append(chosen)
            self.turns[entry.seat].append(chosen)
            self.about.turns[entry.seat] += 1
            table.act(entry.seat, entry.action)
            self.remember(entry.person, entry.by)
        elif isinstance(entry, Failed):
            table.forfeit(entry.seat, entry.kind, entry.sentence)
        elif isinstance(entry, TakenBack):
            table.undo(entry.step)
            self.choices = [choice for choice in self.choices if choice.step < entry.step]
            self.about.epoch += 1
            self.log.back_to(entry.step)
            self.note("undo", entry.seat)
            self.remember(entry.person, entry.by)
        else:
            self.hinted = self.hinted or entry.note == "hint"
            if entry.note in ("caretaker", "back"):
                self.about.caretakers[entry.seat] = entry.note == "caretaker"
            self.note(entry.note, entry.seat)
        self.note_what_happened()

    def note(self, kind: NoteKind, seat: int, sentence: str = "") -> None:
        """Tell everybody something that the rules do not know of."""
        told = sentence or SENTENCES[kind].format(self.table.names[seat])
        self.log.notes.append(Note(self.table.step, seat, kind, told))

    def note_what_happened(self) -> None:
        """Tell of new forfeits and of the end."""
        for forfeit in self.table.forfeits[self.forfeits :]:
            self.note("forfeit", forfeit.seat, out_sentence(forfeit, self.table.names))
        self.forfeits = len(self.table.forfeits)
        table, record = self.table, self.table.record
        if table.over and isinstance(record, Record) and not any(note.kind == "over" for note in self.log.notes):
            self.note("over", -1, result_sentence(record, heard=latest(table)))

    def remember(self, person: str, by: str, answer: Message | None = None) -> None:
        """Keep what was answered to a request, so that it is carried out once."""
        if person and by:
            self.answers[person, by] = answer or Done(by)
            while len(self.answers) > MOST_REMEMBERED:
                self.answers.popitem(last=False)

    # ---------------------------------------------------------------- taking back

    def may_take_back(self, seat: int) -> bool:
        """Whether a seat's own choice is the latest thing that has happened, and it is to choose again."""
        latest = self.choices[-1] if self.choices else None
        return (
            latest is not None
            and latest.own
            and latest.seat == seat
            and latest.step == self.table.step - 1
            and self.table.waiting == (seat,)
        )

    def plays_itself(self, seat: int) -> bool:
        """Whether a seat's action is the only one, and is not to wait for it to take back the choice that led there."""
        return is_forced(self.game, self.table.legal(seat)) and not self.may_take_back(seat)

    def taken_back_to(self, seat: int) -> int:
        """The step before a seat's latest choice; RuleError if that may not be taken back.  It takes some time."""
        if not self.may_take_back(seat):
            raise RuleError("There is nothing that you can take back: somebody else has had to choose since.")
        step = self.table.step - 1
        past = self.table.at(step)
        told = len(past.events(seat))
        decision = Decision(step, past.view(seat), self.table.actions[step], told)
        if past.player != seat or not taught_nothing(self.game, decision, self.table.events(seat)[told:]):
            raise RuleError(STANDS)
        return step

    # ---------------------------------------------------------------- the end

    def result(self, id: str, base: str) -> Result | None:
        """How the game has ended, for everybody; None before."""
        outcome = self.table.outcome
        if outcome is None:
            return None
        return Result(
            outcome.reason,
            outcome.scores,
            outcome.winners,
            str(self.seed),
            id,
            f"{base}/games/{id}",
            not self.hinted,
            self.game.words.SCORES,
        )

    def finished(self, kept: Kept, at: float) -> Finished:
        """The game as it is kept once it is over."""
        record = self.table.record
        assert isinstance(record, Record)
        notes = tuple(
            GameNote(note.step, note.seat, note.kind, note.text)
            for note in self.log.notes
            if note.kind not in ("over", "forfeit")
        )
        told = tuple(noted(note.step, note.text) for note in notes)
        return Finished(
            id=kept.id,
            game=record.game,
            names=record.seats,
            kinds=tuple(chair.kind for chair in self.chairs),
            scores=record.outcome.scores,
            winners=record.outcome.winners,
            steps=len(record.actions),
            rated=not self.hinted,
            notes=notes,
            at=at,
            record=text(replace(record, notes=told)),
        )

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, which everybody may know from the first card on."""
        return commitment(self.seed)
