"""The messages between the server and the people at a table, as types.

    request     sent by a client over a table's connection; the client chooses its ``id``, and requests with the same
                id are carried out only once
    message     sent by the server: ``Hello`` first, then ``Events`` and ``State`` whenever something changes
    epoch       a number that rises when a choice is taken back, which removes lines of the log
    turn        the number of choices that a seat has made; a client sends it with the next choice, so that the server
                notices a choice for an outdated state
    caretaker   the computer player that plays for an absent person, until that person takes the seat back

In the docstrings, "I" and "me" are the person who uses the client. A message for a seat is based only on its view and
on public facts (``web.live_tables.seat_view``). A few fields have an older name in JSON: ``field(name=...)``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from kibitz.engine.lesson import Caption
from kibitz.engine.scene import Part, Scene, Summary

Id = Annotated[str, Meta(min_length=1, max_length=64, description="A name for this request, chosen by the client.")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Number = Annotated[int, Meta(ge=0, le=10**18)]
Pace = Literal["usual", "faster", "skip"]
WatchAccess = Literal["nobody", "link", "listed"]
JoinAccess = Literal["link", "listed"]
SeatKind = Literal["person", "computer", "file", "open"]
NoteKind = Literal["caretaker", "back", "forfeit", "undo", "hint", "over", "weaker", "played_on", "removed"]
ChatText = Annotated[str, Meta(min_length=1, max_length=200)]
PlayerName = Annotated[str, Meta(min_length=1, max_length=80)]

# ---------------------------------------------------------------- requests


class Request(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all requests from a client."""

    id: Id


class Act(Request, frozen=True, tag="act"):
    """Choose an action, by its number or as text in any notation; ``turn`` is the turn of the latest state."""

    action: Number | None = None
    text: Annotated[str, Meta(max_length=400)] | None = None
    turn: Number | None = None


class Undo(Request, frozen=True, tag="undo"):
    """Take back my latest choice, if it has shown me nothing new and nobody has been asked to choose since."""


class AskUndo(Request, frozen=True, tag="ask_undo"):
    """Ask the other people at the table to let me take my latest choice back; if they agree, the game is unrated."""


class AnswerUndo(Request, frozen=True, tag="answer_undo"):
    """Allow somebody to take a choice back, or decline."""

    allow: bool


class AskHint(Request, frozen=True, tag="hint"):
    """Ask for a strong player's choice; the game is unrated from then on."""


class AskWhyNot(Request, frozen=True, tag="why_not"):
    """Ask why the thing with this ``key`` can't be selected, once the things in ``selected`` are selected."""

    key: Annotated[str, Meta(max_length=200)]
    selected: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=200)] = field(
        default=(), name="taken"
    )


class SetPace(Request, frozen=True, tag="pace"):
    """Set how fast computer players answer; ``skip`` lasts until a person has to choose."""

    pace: Pace


class SetAuto(Request, frozen=True, tag="auto"):
    """Set whether my action is played automatically when I have only one."""

    on: bool


class Say(Request, frozen=True, tag="say"):
    """Say one of the table's ``phrases``, by its index, or free text, which only people at the table see."""

    phrase: Annotated[int, Meta(ge=0, le=100)] | None = None
    text: ChatText | None = None


class Mute(Request, frozen=True, tag="mute"):
    """Mute the chat messages of a seat (-1: all spectators), or unmute them if ``on`` is False."""

    seat: Annotated[int, Meta(ge=-1, le=15)]
    on: bool = True


class CallCaretaker(Request, frozen=True, tag="caretaker"):
    """Have a caretaker play for somebody who has been away longer than the grace period."""

    seat: SeatNumber


class Retake(Request, frozen=True, tag="retake"):
    """Take my seat back from the caretaker."""


class Leave(Request, frozen=True, tag="leave"):
    """Let a caretaker play for me until I take my seat back."""


class AskRematch(Request, frozen=True, tag="rematch"):
    """Ask for, or accept, another game with the same people after the end; the deal rotates."""


class DeclineRematch(Request, frozen=True, tag="decline_rematch"):
    """Decline a rematch that somebody has asked for."""


class Ping(Request, frozen=True, tag="ping"):
    """Ask for a Pong."""


AnyRequest = (
    Act
    | Undo
    | AskUndo
    | AnswerUndo
    | AskHint
    | AskWhyNot
    | SetPace
    | SetAuto
    | Say
    | Mute
    | CallCaretaker
    | Retake
    | Leave
    | AskRematch
    | DeclineRematch
    | Ping
)

# ---------------------------------------------------------------- tables


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run.

    pace        how fast computer players answer
    auto        whether an action is played automatically when it is the only one
    hints       whether people may ask for hints
    watching    who may watch: nobody, people with the link, or everybody, from a list
    joining     who may take an open seat: people with its link, or everybody, from a list
    bank        seconds on everybody's clock; 0 for no clocks
    topup       seconds that each choice adds to the clock, up to ``bank``
    open_hands  whether everybody sees all hands; only at tables without people
    lesson      whether this is the game's guided first hand, with its deal and captions; for one person only
    """

    pace: Pace = "usual"
    auto: bool = True
    hints: bool = True
    watching: WatchAccess = "link"
    joining: JoinAccess = "link"
    bank: Annotated[int, Meta(ge=0, le=7200)] = 0
    topup: Annotated[int, Meta(ge=0, le=600)] = 0
    open_hands: bool = False
    lesson: bool = False


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who gets a seat of a new table.

    kind        me, a computer player, a person with the link (``open``), or a player file of a tournament on the server
    player      the computer player, or the player of the tournament; for an open seat, the computer player that gets it
                if nobody joins
    name        what the computer player is called at the table; by default its own name
    """

    kind: Literal["me", "computer", "open", "file"]
    player: PlayerName | None = None
    name: PlayerName | None = None
    tournament: PlayerName | None = None


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new table; without seats, I play against the strongest computer player."""

    game: Annotated[str, Meta(min_length=1, max_length=200)]
    options: dict[Annotated[str, Meta(max_length=40)], Number] = {}
    seats: Annotated[tuple[SeatRequest, ...], Meta(max_length=16)] = field(default=(), name="chairs")
    name: PlayerName | None = None
    settings: Settings = Settings()


class Invitation(msgspec.Struct, frozen=True):
    """An open seat, and the path of the link that invites a person to it."""

    seat: int
    path: str


class NewTable(msgspec.Struct, frozen=True):
    """A new table: its id, its path, and the invitations to its open seats."""

    table: str
    path: str
    invitations: tuple[Invitation, ...]


class PublicSeat(msgspec.Struct, frozen=True):
    """The player of a seat, as everybody sees them."""

    seat: int
    name: str
    kind: SeatKind
    line: str = ""
    """A computer player's description, or whether a person wants a rematch."""


# ---------------------------------------------------------------- messages


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of all messages from the server."""


class Hello(Message, frozen=True, tag="hello"):
    """What doesn't change at a table during a game, for one seat (-1: a spectator)."""

    table: str
    game: str
    family: str
    title: str
    options: tuple[str, ...]
    seat: int
    names: tuple[str, ...]
    commitment: str
    rules: int
    seats: tuple[PublicSeat, ...] = field(name="chairs")
    settings: Settings
    is_host: bool = field(name="mine")
    """Whether I am the table's host."""
    started: bool
    removed: bool = False
    """Whether the host has removed me from this table."""
    invitations: tuple[Invitation, ...] = ()
    phrases: tuple[str, ...] = ()
    brief: str = ""
    """The game in a few sentences, for people who don't know it."""
    first_step: str = ""
    """A good first step for a newcomer."""
    captions: tuple[Caption, ...] = ()


class LogLine(msgspec.Struct, frozen=True):
    """One line of the log: an event as data and as a sentence, or a note.

    summary     the result of the hand or round that ends with this line; None for other lines
    """

    text: str
    event: dict[str, Any] | None = None
    note: NoteKind | None = None
    summary: Summary | None = None


class Events(Message, frozen=True, tag="events"):
    """Lines of the log from number ``since`` on; they replace all lines with these and higher numbers sent before."""

    epoch: int
    since: int
    events: tuple[LogLine, ...]


class Choice(msgspec.Struct, frozen=True):
    """A legal action: its number, its notation, its label, and its parts as indices of ``State.parts``.

    verb    if the label only names cards, what happens to them, such as ``discard``; else empty
    """

    action: int
    text: str
    label: str
    parts: tuple[int, ...]
    verb: str = ""


class Amounts(msgspec.Struct, frozen=True):
    """Legal amounts, such as bets, from ``least`` to ``most``; the action for an amount is ``first + amount``."""

    least: int
    most: int
    first: int


class Clock(msgspec.Struct, frozen=True):
    """The seconds that a seat has left (``bank``), and whether its clock is running."""

    seat: int
    bank: float
    running: bool


class Result(msgspec.Struct, frozen=True):
    """How a game has ended, with its seed (whose SHA-256 is the commitment), its id and the path of its replay.

    counted     what the scores count, such as ``points``
    losses      whether the scores are losses, 0 or below, which are shown without their sign
    """

    reason: str
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    seed: str
    game: str
    path: str
    rated: bool
    counted: str = ""
    losses: bool = False


class State(Message, frozen=True, tag="state"):
    """The state of a table for one seat, always complete.

    events              how many lines of the log have been sent to this seat
    waiting             the seats that must choose
    identical_cards     for the key of a card, the key that stands for all identical cards in the same place
    forced              whether my only action is played for me
    undo, hints         whether I may take my latest choice back, and ask for a hint
    hidden_choice       my choice while it is hidden from the others, as text; None otherwise
    forfeited           by seat, whether it has forfeited
    """

    epoch: int
    events: int
    turn: int
    scene: Scene | None
    waiting: tuple[int, ...]
    is_my_turn: bool = field(name="mine")
    parts: tuple[Part, ...]
    legal: tuple[Choice, ...]
    amounts: Amounts | None
    identical_cards: dict[str, str] = field(name="twins")
    forced: bool
    undo: bool
    hints: bool
    hidden_choice: str | None = field(name="held")
    present: tuple[bool, ...]
    caretakers: tuple[bool, ...]
    forfeited: tuple[bool, ...] = field(name="out")
    clocks: tuple[Clock, ...]
    pace: Pace
    over: bool
    outcome: Result | None = None
    paused: str = ""
    ask_undo: bool = False
    """Whether I may ask the others to let me take my latest choice back."""
    undo_asked: int = -1
    """The seat that has asked to take its latest choice back; -1 if none has."""
    undo_allowed: tuple[int, ...] = ()
    """The seats that have allowed that so far."""
    view: dict[str, Any] | None = None
    """The seat's view as data, for programs that requested it."""
    exact: dict[str, Any] | None = None
    """The seat's view with the fields of the game's own struct, for a Kibitz client."""


class Done(Message, frozen=True, tag="done"):
    """A request has been carried out and saved."""

    id: str


class Refused(Message, frozen=True, tag="refused"):
    """A request has been refused, and nothing has changed."""

    id: str
    sentence: str


class WhyNot(Message, frozen=True, tag="why_not"):
    """Why the thing with this ``key`` can't be selected, in a sentence; None if it can."""

    id: str
    key: str
    sentence: str | None


class Hint(Message, frozen=True, tag="hint"):
    """The choice of a strong player (``judge``), and why."""

    id: str
    action: int
    parts: tuple[int, ...]
    label: str
    judge: str
    reason: str


class Chat(Message, frozen=True, tag="chat"):
    """A message in the chat; seat -1 is a spectator."""

    name: str
    seat: int
    text: str
    at: float


class Rematch(Message, frozen=True, tag="rematch"):
    """Somebody (``by``) wants a rematch at another table; ``declined`` has the names of people who don't."""

    table: str
    path: str
    by: str
    declined: tuple[str, ...] = ()


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a Ping."""

    id: str


AnyMessage = Hello | Events | State | Done | Refused | WhyNot | Hint | Chat | Rematch | Pong


def encoded(message: msgspec.Struct) -> bytes:
    """A message, or the body of an HTTP response, as JSON."""
    return msgspec.json.encode(message)


read_request = msgspec.json.Decoder(AnyRequest).decode
"""Decodes a request.

Raises msgspec.MsgspecError, with the field, if it is invalid, and RecursionError if nested too deep.
"""
