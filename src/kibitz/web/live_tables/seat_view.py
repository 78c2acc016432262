"""What one seat sees of a table: pure functions of its view and of public facts.

    facts       the public facts of a table besides the game: who is present, clocks, pace
    log         the lines that each seat sees, with notes at the steps after which they were made

If two tables differ only in facts that are hidden from a seat, the seat gets the same bytes at both: tests check this
for every game.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.scene import Part, Picking, Scene, open_scene
from kibitz.engine.sentences import names_for
from kibitz.engine.views.common_events import Finished
from kibitz.engine.views.events import Event, View, to_seat
from kibitz.engine.views.plain import plain
from kibitz.errors import NotationError
from kibitz.remote.messages import Amounts, Choice, Clock, LogLine, NoteKind, Pace, Result, Say, State
from kibitz.table import Table
from kibitz.table.outcomes import closing_events, latest_sentence, result_text, summary


class TableFacts(msgspec.Struct):
    """The public facts of a table besides the game; lists are by seat.

    epoch       how many times a choice has been taken back
    turns       how many choices each seat has made
    present     whether the seat's person is connected
    caretakers  whether a caretaker makes the seat's choices
    hints       whether hints may be asked for
    open_hands  whether everybody sees all hands
    paused      why the game is paused, as a sentence; "" if it isn't
    undo_asked  the seat that has asked the others to let it take its latest choice back; -1 if none has
    undo_allowed    the seats that have allowed this undo so far
    """

    epoch: int
    turns: list[int]
    present: list[bool]
    caretakers: list[bool]
    clocks: tuple[Clock, ...] = ()
    pace: Pace = "usual"
    hints: bool = True
    open_hands: bool = False
    paused: str = ""
    undo_asked: int = -1
    undo_allowed: tuple[int, ...] = ()

    @classmethod
    def of(cls, seats: int) -> TableFacts:
        """The facts of a table where nothing has happened yet."""
        return cls(0, [0] * seats, [False] * seats, [False] * seats)


class TableNote(msgspec.Struct):
    """A fact outside the rules that everybody sees, after ``step`` actions."""

    step: int
    seat: int
    kind: NoteKind
    text: str


class Log:
    """The log's lines for every seat; they are written only when a seat needs them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.notes: list[TableNote] = []
        self.written: dict[int, tuple[list[LogLine], int, int]] = {}
        """By seat, the lines so far, and the numbers of the next step and the next note."""

    def lines(self, seat: int) -> list[LogLine]:
        """All lines for a seat; -1 is a spectator."""
        lines, step, note = self.written.get(seat, ([], 0, 0))
        names = names_for(seat, self.table.names)
        while True:  # a step's notes come after its events
            if note < len(self.notes) and self.notes[note].step < step:
                lines.append(LogLine(self.note_text(self.notes[note], seat), None, self.notes[note].kind))
                note += 1
            elif step <= self.table.step:
                lines += lines_of(self.table, step, seat, names)
                step += 1
            else:
                self.written[seat] = lines, step, note
                return lines

    def note_text(self, note: TableNote, seat: int) -> str:
        """The text of a note for a seat; the result of the game and its own hint or undo call the seat "you"."""
        if note.kind == "hint" and note.seat == seat:
            return "You asked for a hint."
        if note.kind == "undo" and note.seat == seat:
            return "You took a choice back."
        record = self.table.record
        if note.kind != "over" or not isinstance(record, Record):
            return note.text
        losses = self.table.game.words.SCORES_ARE_LOSSES
        return result_text(record, seat, "" if losses else latest_sentence(self.table, seat), losses=losses)

    def back_to(self, step: int) -> None:
        """After the game has gone back to ``step``: move later notes to it, and write all lines again."""
        for note in self.notes:
            note.step = min(note.step, step)
        self.written.clear()


def lines_of(table: Table, step: int, seat: int, names: Sequence[str]) -> list[LogLine]:
    """The lines of a step; the last line of a hand or round has its summary."""
    events = to_seat(table.notices(step), seat)
    lines = [line(table.game, event, seat, names) for event in events]
    if step and (summary_text := summary(table.game, events, seat, names)):
        last = len(closing_events(events)) - 1
        lines[last] = replace(lines[last], summary=summary_text)
    return lines


def line(game: Game, event: Event, seat: int, names: Sequence[str]) -> LogLine:
    """An event as a line of the log; scores that are losses are left to the result, which gives them without a sign."""
    gives_losses = isinstance(event, Finished) and game.words.SCORES_ARE_LOSSES
    sentence = "The game is over." if gives_losses else game.describe(event, seat, names)
    return LogLine(sentence, {"type": type(event).__name__, **plain(event)})


def state_for(
    table: Table,
    seat: int,
    facts: TableFacts,
    lines: int,
    result: Result | None,
    *,
    view: bool,
    undo: bool,
    forced: bool,
    ask_undo: bool = False,
    exact: bool = False,
) -> State:
    """The state of a table for one seat.

    lines   the number of lines of the log for this seat
    view    whether the state includes the seat's view as plain data
    exact   whether it includes the view with the fields of the game's own struct
    undo    whether the seat's latest choice may be taken back
    ask_undo    whether the seat may ask the others to let it take its latest choice back
    forced  whether the seat has only one action, which is played automatically
    """
    game, own_view = table.game, table.view(seat)
    is_to_choose = seat in table.waiting
    legal = table.legal(seat) if is_to_choose else []
    choices = SeatChoices(table, seat, own_view, legal) if is_to_choose else None
    open_hands = table.over or facts.open_hands
    return State(
        epoch=facts.epoch,
        events=lines,
        turn=facts.turns[seat] if seat >= 0 else 0,
        scene=scene_of(table, seat, own_view, choices, open_hands=open_hands),
        waiting=table.waiting,
        is_my_turn=is_to_choose,
        parts=tuple(choices.parts) if choices else (),
        legal=tuple(choices.choices) if choices else (),
        amounts=choices.amounts if choices else None,
        identical_cards=choices.picking.identical_cards if choices else {},
        forced=forced,
        undo=is_to_choose and undo,
        hints=facts.hints and is_to_choose,
        hidden_choice=held_label(table, seat, own_view),
        present=tuple(facts.present),
        caretakers=tuple(facts.caretakers),
        forfeited=tuple(p in table.forfeited for p in range(game.seats)),
        clocks=facts.clocks,
        pace=facts.pace,
        over=table.over,
        outcome=result,
        paused=facts.paused,
        ask_undo=ask_undo,
        undo_asked=facts.undo_asked,
        undo_allowed=facts.undo_allowed,
        view=plain(own_view) if view else None,
        exact=msgspec.to_builtins(own_view) if exact else None,
    )


def before_the_deal(game: Game, facts: TableFacts) -> State:
    """The state of a table whose game hasn't begun."""
    return State(
        epoch=0,
        events=0,
        turn=0,
        scene=None,
        waiting=(),
        is_my_turn=False,
        parts=(),
        legal=(),
        amounts=None,
        identical_cards={},
        forced=False,
        undo=False,
        hints=False,
        hidden_choice=None,
        present=tuple(facts.present),
        caretakers=tuple(facts.caretakers),
        forfeited=(False,) * game.seats,
        clocks=(),
        pace=facts.pace,
        over=False,
        paused="The game begins when every seat is taken.",
    )


def scene_of(table: Table, seat: int, view: View, choices: SeatChoices | None, *, open_hands: bool) -> Scene:
    """The scene for a seat, or with all hands open if ``open_hands``."""
    if choices is not None and not open_hands:
        return choices.picking.scene
    if open_hands:
        return open_scene(table.game, table.state(), table.names)
    return table.game.scene(view, table.names)


def held_label(table: Table, seat: int, view: View) -> str | None:
    """The label of a seat's choice that is held until all others have chosen; None if there is none."""
    held = table.held_action(seat) if seat >= 0 else None
    return None if held is None else table.game.words.label(view, held)


class SeatChoices:
    """The legal actions of a seat, for a State message.

    choices     the actions as text and label; each has the indices of its parts in ``parts``
    amounts     the range of amounts, if one may be chosen
    """

    def __init__(self, table: Table, seat: int, view: View, legal: Sequence[int]) -> None:
        game = table.game
        self.picking = Picking(game, view, legal, table.names)
        self.parts: list[Part] = []
        self.index: dict[Part, int] = {}
        self.choices = [
            Choice(
                action,
                game.text(view, action),
                " ".join(game.words.label(view, action).split()),
                tuple(map(self.part_index, self.picking.parts[action])),
                game.words.verb(view, action),
            )
            for action in game.words.ordered(view, list(legal))
        ]
        ranges = [part for part in self.parts if part.kind == "amount" and part.most]
        self.amounts = Amounts(ranges[0].least, ranges[0].most, game.first_amount) if ranges else None

    def part_index(self, part: Part) -> int:
        """The index of a part in ``parts``; a new part is added there."""
        if part not in self.index:
            self.index[part] = len(self.parts)
            self.parts.append(part)
        return self.index[part]


# ---------------------------------------------------------------- chat phrases

PHRASES = (
    "Hello!",
    "Good luck!",
    "Well played.",
    "Unlucky!",
    "Thank you.",
    "One moment, please.",
    "I am back.",
    "Another game?",
    "Goodbye!",
)


def chat_text(request: Say, *, free: bool) -> str:
    """The text of a chat message.

    Raises NotationError for an unknown phrase, or for free text where it isn't allowed.
    """
    if request.phrase is not None and request.text is None:
        if request.phrase < len(PHRASES):
            return PHRASES[request.phrase]
        raise NotationError(f"phrase must be from 0 to {len(PHRASES) - 1}, not {request.phrase}.")
    if request.text is None or request.phrase is not None:
        raise NotationError("Give either the number of a 'phrase' or a 'text'.")
    if not free:
        raise NotationError("Only players can write their own messages; spectators choose one of the phrases.")
    text = " ".join("".join(c if c.isprintable() else " " for c in request.text).split())
    if not text:
        raise NotationError("The message is empty.")
    return text
