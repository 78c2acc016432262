"""A game in progress on the server: its session with log and answers, its seats and clocks.

GRACE       seconds after which a caretaker plays for somebody who is away and keeps others waiting
IDLE        seconds after which others may call a caretaker for somebody who is present but doesn't choose
READING     seconds for which clocks are stopped after the end of a hand or round, so that people can read the result
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.engine.record import Record, commitment, text
from kibitz.engine.sentences import listed
from kibitz.errors import NotationError, SeatError
from kibitz.players.advice import Hint
from kibitz.players.built_in import BEST, built_in_name, characters, levels, strategies
from kibitz.remote.messages import Clock, Done, Message, NoteKind, PublicSeat, Result, SeatRequest
from kibitz.table import Table
from kibitz.table.outcomes import forfeit_sentence, latest_sentence, result_text
from kibitz.table.session import NOTHING_TO_UNDO, Session
from kibitz.table.table import NOTE_SENTENCES, note_after
from kibitz.web.live_tables.seat_view import Log, TableFacts, TableNote
from kibitz.web.store.tables import FinishedGame, GameNote, Seat, StoredTable

MAX_REMEMBERED = 2000
"""The maximum number of answers that are kept, so that a request sent twice is carried out once."""


class ChosenAction(NamedTuple):
    """A choice made for a seat: the step, the action, and whether the seat's person made it."""

    step: int
    action: int
    by_person: bool


class LiveSession(Session):
    """A game that is played at a table of the server.

    turns       by seat, all choices made for the seat, including choices taken back; the first is turn 0
    hinted      whether anybody has had help: a hint, a guided first hand, or cards known from an earlier game
    taken_back  whether anybody has taken a choice back because the others allowed it
    forfeits    the number of forfeits that are in the log
    number      the number of the next entry of the journal
    answers     the answers to requests, by person and by the request's id, which the person's program chose
    advice      hints by epoch, step and seat, so that a second request gets the same at once; several if several
                choices belong together
    """

    def __init__(self, game: Game, seed: int, seats: Sequence[Seat]) -> None:
        table = Table.deal(game, seed, [seat.name for seat in seats])
        super().__init__(table, [p for p, seat in enumerate(seats) if seat.kind == "person"])
        self.game, self.seats, self.seed = game, tuple(seats), seed
        self.log = Log(table)
        self.facts = TableFacts.of(game.seats)
        self.turns: list[list[ChosenAction]] = [[] for _ in range(game.seats)]
        self.hinted = self.taken_back = False
        self.forfeits = 0
        self.number = 0
        self.answers: OrderedDict[tuple[str, str], Message] = OrderedDict()
        self.advice: dict[tuple[int, int, int], tuple[Hint, ...]] = {}

    def note(self, kind: NoteKind, seat: int, sentence: str = "") -> None:
        """Add a fact outside the rules to everybody's log (default: the sentence for its kind)."""
        sentence = sentence or NOTE_SENTENCES[kind].format(self.table.names[seat])
        self.log.notes.append(TableNote(self.table.step, seat, kind, sentence))

    def note_events(self) -> None:
        """Add new forfeits and the end of the game to everybody's log."""
        for forfeit in self.table.forfeits[self.forfeits :]:
            self.note("forfeit", forfeit.seat, forfeit_sentence(forfeit, self.table.names))
        self.forfeits = len(self.table.forfeits)
        table, record = self.table, self.table.record
        if table.over and isinstance(record, Record) and not any(note.kind == "over" for note in self.log.notes):
            self.note("over", -1, result_text(record, preceding=latest_sentence(table)))

    def remember(self, person: str, request_id: str, answer: Message | None = None) -> None:
        """Keep the answer to a person's request (default: Done), so that the request is carried out only once."""
        if person and request_id:
            self.answers[person, request_id] = answer or Done(request_id)
            while len(self.answers) > MAX_REMEMBERED:
                self.answers.popitem(last=False)

    # ---------------------------------------------------------------- undo that the others allow

    def others_present(self, seat: int) -> set[int]:
        """The seats of all other people who are present; all of them must allow an undo that ``seat`` asks for."""
        return {p for p in self.people if p != seat and self.facts.present[p]}

    def why_no_undo_request(self, seat: int) -> str | None:
        """A sentence on why a person can't ask the others to allow an undo; None if they can."""
        if self.table.over:
            return "The game is over."
        if not self.decisions[seat]:
            return NOTHING_TO_UNDO
        if any(forfeit.moves > self.decisions[seat][-1].step for forfeit in self.table.forfeits):
            return "A player has forfeited since then, so the choice can't be taken back."
        if any(holder.kind == "file" for holder in self.seats):
            return "Undo isn't possible with a player file at the table: it can't forget what it has seen."
        if not self.others_present(seat):
            return "Nobody else is here to allow an undo."
        if self.facts.undo_asked >= 0:
            return "Somebody has already asked: wait for the answer."
        return None

    # ---------------------------------------------------------------- the end

    @property
    def rated(self) -> bool:
        """Whether the game counts for ratings."""
        return not self.hinted and not self.taken_back and not any(note.kind == "removed" for note in self.log.notes)

    def result(self, id: str, base: str) -> Result | None:
        """The result of the game, as everybody sees it; None before the end."""
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
            self.rated,
            self.game.words.SCORE_LABEL,
            self.game.words.SCORES_ARE_LOSSES,
        )

    def finished(self, stored: StoredTable, at: float) -> FinishedGame:
        """The finished game in the form in which it is stored."""
        record = self.table.record
        assert isinstance(record, Record)
        notes = tuple(
            GameNote(note.step, note.seat, note.kind, note.text)
            for note in self.log.notes
            if note.kind not in ("over", "forfeit", "weaker")
        )
        record_notes = tuple(note_after(note.step, note.text) for note in notes)
        return FinishedGame(
            id=stored.id,
            game=record.game,
            names=record.seats,
            kinds=tuple(seat.kind for seat in self.seats),
            scores=record.outcome.scores,
            winners=record.outcome.winners,
            steps=len(record.actions),
            rated=self.rated,
            notes=notes,
            at=at,
            record=text(replace(record, notes=record_notes)),
        )

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, which everybody sees from the deal on."""
        return commitment(self.seed)


# ---------------------------------------------------------------- seats

UNNAMED = "Open seat"


def display_name(name: str) -> str:
    """The name of a computer player at a table.

    >>> display_name("greedy")
    'Greedy'
    """
    return name[:1].upper() + name[1:].replace("_", " ")


def computer_seat(game: Game, player: str | None = None) -> Seat:
    """A computer player's seat (default: the strongest). Raises NotationError if the name is unknown."""
    player_name = built_in_name(game, player or BEST)
    if player_name is None:
        known = ", ".join(strategies(game))
        raise NotationError(f"{game.title} has no computer player called {str(player)[:40]!r}; known players: {known}.")
    return Seat("computer", display_name(player_name), player=player_name)


def player_at(game: Game, level: str) -> str:
    """The computer player at a level. Raises NotationError if the game has no such level."""
    if level not in levels(game):
        raise NotationError(f"{game.title} has the levels {listed(list(levels(game)))}, not {short_repr(level)}.")
    return levels(game)[level].name


def person_seat(id: str, name: str) -> Seat:
    """A person's seat."""
    return Seat("person", clean_name(name), person=id)


def open_seat(player: str = "", filling: str = "") -> Seat:
    """An open seat with a new code for an invitation.

    If nobody comes, the computer player ``player`` gets the seat, under the name ``filling``.
    """
    return Seat("open", UNNAMED, player=player, filling=filling, invite=secrets.token_urlsafe(9))


def taken_seat(seat: Seat, id: str, name: str) -> Seat:
    """An open seat after a person has sat down there."""
    return replace(seat, kind="person", name=clean_name(name), person=id, invite="", reserved_for="")


def rematch_seat(game: Game, seat: Seat, person: str) -> Seat:
    """A seat in the rematch that ``person`` asks for: other people's are kept for them until they accept or decline.

    If a computer player has played on for somebody, it gets the seat under its own name.
    """
    if seat.kind == "computer" and seat.removed:
        return filled_seat(game, seat)
    if seat.kind != "person" or seat.person == person:
        return seat
    return replace(open_seat(), name=seat.name, reserved_for=seat.person)


def vacated_seat(seat: Seat) -> Seat:
    """A person's seat after the host has removed them: open again, with a new code."""
    open_again = open_seat(seat.player, seat.filling)
    return replace(open_again, removed=(*seat.removed, seat.person))


def replaced_seat(game: Game, seat: Seat, level: str) -> Seat:
    """A person's seat after the host has removed them during the game: the computer player at ``level`` plays on."""
    level = level or next(iter(levels(game)))
    player, removed = player_at(game, level), (*seat.removed, seat.person)
    return replace(seat, kind="computer", person="", player=player, filling=level, removed=removed)


def filled_seat(game: Game, seat: Seat) -> Seat:
    """An open seat after its computer player has got it."""
    filled = computer_seat(game, seat.player or None)
    return replace(filled, name=seat.filling or filled.name)


def requested_seats(game: Game, requests: Sequence[SeatRequest], id: str, name: str) -> tuple[Seat, ...]:
    """The seats of a new table that a person (by id and name) makes.

    Without ``requests``, computer players get all other seats. Raises SeatError if there are requests, but not as many
    as the game has seats.
    """
    if not requests:
        return with_distinct_names((person_seat(id, name), *(computer_seat(game) for _ in range(game.seats - 1))))
    if len(requests) != game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats here; got {len(requests)}.")
    if sum(seat.kind == "me" for seat in requests) > 1:
        raise SeatError("You can have only one seat at a table: give the others to computer players, or invite people.")
    return with_distinct_names([requested_seat(game, seat, id, name) for seat in requests])


def requested_seat(game: Game, request: SeatRequest, id: str, name: str) -> Seat:
    """The seat that a request describes."""
    match request.kind:
        case "me":
            return person_seat(id, name)
        case "open" | "computer":
            seat = computer_seat(game, request.player)
            name = clean_name(request.name) if request.name else seat.name
            return replace(seat, name=name) if request.kind == "computer" else open_seat(seat.player, name)
    if not request.player or not request.tournament:
        raise NotationError("A seat of kind 'file' needs a 'tournament' and a 'player'.")
    return Seat("file", clean_name(request.player), player=request.player, tournament=request.tournament)


def with_distinct_names(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Seats with names that people can tell apart; those that nobody has taken are numbered as their links are."""
    names = distinct_names(
        [f"{UNNAMED} {p}" if seat.name.startswith(UNNAMED) else seat.name for p, seat in enumerate(seats, 1)]
    )
    return tuple(replace(seat, name=name) for seat, name in zip(seats, names, strict=True))


def rematch_status(seat: Seat) -> str:
    """Whether the person for whom a seat is kept in a rematch has been asked or has declined; "" for other seats."""
    if seat.kind != "open" or seat.name.startswith(UNNAMED):
        return ""
    if seat.reserved_for:
        return "has been asked for a rematch"
    return "has declined the rematch, but can still accept it at the last table"


def shown_seats(game: Game, seats: Sequence[Seat]) -> tuple[PublicSeat, ...]:
    """The seats as everybody sees them."""
    lines = {character.name: character.line for character in characters(game)}
    return tuple(
        PublicSeat(
            p, seat.name, seat.kind, lines.get(seat.player, "") if seat.kind == "computer" else rematch_status(seat)
        )
        for p, seat in enumerate(seats)
    )


# ---------------------------------------------------------------- clocks


class Clocks:
    """The clocks of a table; with a bank of 0 there are none, and time never runs out.

    bank            each seat's time at the beginning, in seconds; a clock never shows more
    topup           seconds added to a seat's clock after each of its choices
    left            by seat, the seconds left when its clock last stopped
    since           by seat, the time since which its clock has been running
    """

    def __init__(self, bank: float, topup: float, seats: int) -> None:
        self.bank, self.topup = bank, topup
        self.left = [float(bank)] * seats
        self.since: dict[int, float] = {}
        self.rests_until = 0.0

    def run(self, seats: set[int], now: float) -> None:
        """Run the clocks of these seats from ``now`` on, and stop all others."""
        if not self.bank:
            return
        for seat in set(self.since) - seats:
            spent = max(0.0, now - self.since.pop(seat))
            self.left[seat] = min(self.bank, max(0.0, self.left[seat] - spent) + self.topup)
        for seat in seats - set(self.since):
            self.since[seat] = max(now, self.rests_until)

    def rest(self, now: float, seconds: float) -> None:
        """Stop all clocks for some seconds."""
        self.run(set(), now)
        self.rests_until = now + seconds

    def deadlines(self) -> dict[int, float]:
        """By seat, the time at which a running clock runs out."""
        return {seat: since + self.left[seat] for seat, since in self.since.items()}

    def shown(self, now: float) -> tuple[Clock, ...]:
        """The clocks as everybody sees them."""
        if not self.bank:
            return ()
        return tuple(
            Clock(seat, round(max(0.0, left - max(0.0, now - self.since.get(seat, now))), 1), seat in self.since)
            for seat, left in enumerate(self.left)
        )


GRACE, IDLE, READING = 45.0, 120.0, 20.0


class WaitTimes:
    """How long the others at a table have waited for each person.

    away        by seat, the time since which its person has been away
    waited      by seat, the number of the choice that others wait for, and the time since which they have waited
    """

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.away: dict[int, float] = {}
        self.waited: dict[int, tuple[int, float]] = {}

    def start_waiting(self, seats: set[int], turns: Sequence[int], now: float) -> None:
        """Note that the others wait for these people now; ``turns`` has the number of each seat's next choice."""
        for seat in seats:
            if self.waited.get(seat, (-1, 0.0))[0] != turns[seat]:
                self.waited[seat] = turns[seat], now
        self.clocks.run(seats, now)

    def deadlines(self, waited_for: Collection[int]) -> list[float]:
        """The times at which a clock or the grace for an absent person runs out; others wait for ``waited_for``."""
        grace_ends = [self.away[seat] + GRACE for seat in waited_for if seat in self.away]
        return [*self.clocks.deadlines().values(), *grace_ends]

    def overdue(self, waited_for: Collection[int], now: float) -> list[int]:
        """The seats whose person's time has run out, so that a caretaker must play for them."""
        out_of_time = [seat for seat, deadline in self.clocks.deadlines().items() if now >= deadline]
        absent = [seat for seat in waited_for if seat in self.away and now >= self.away[seat] + GRACE]
        return [*out_of_time, *(seat for seat in absent if seat not in out_of_time)]

    def seconds_left(self, seat: int, now: float) -> float:
        """Seconds until a caretaker may be called for somebody who keeps others waiting; 0 or less once it may."""
        if seat in self.away:
            return self.away[seat] + GRACE - now
        return self.waited.get(seat, (0, now))[1] + IDLE - now
