"""What is told at a poker table: of an action and of everything that follows from it, each step as it happens."""

from typing import Annotated

from kibitz.engine.common_events import everybody
from kibitz.engine.events import (
    EVERYONE,
    SPECTATOR,
    Event,
    NewDeal,
    Notice,
    Outcome,
    RoundOver,
    each_its_own,
    most_wins,
    seen_by,
)
from kibitz.engine.field_types import APART, Seat
from kibitz.engine.layout import PlainState
from kibitz.games.poker import rules
from kibitz.games.poker.betting import AWARD, BET, CLOSE, DRAW, OVER, RETURN, SHOW, STREET
from kibitz.games.poker.observation import Cards, Seats, Setup, Turn, cards, seats, setup, turn
from kibitz.games.poker.observation import restore as restore
from kibitz.games.poker.observation import view as view
from kibitz.games.poker.observation import views as views
from kibitz.games.poker.rules import CALL, FOLD, RAISE


class Started(Event, frozen=True):
    """A session begins."""

    setup: Annotated[Setup, APART]
    start: tuple[int, ...]


class Dealt(NewDeal, frozen=True):
    """A hand has been dealt, antes and blinds are posted; every seat learns its own cards."""

    number: int
    button: Seat
    dealt: Seats
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    seat: Seat
    hand: Cards


class Folded(Event, frozen=True):
    """A seat has folded."""

    seat: int


class Called(Event, frozen=True):
    """A seat has called, or checked where nothing was to be paid."""

    seat: int
    amount: int
    all_in: bool


class Raised(Event, frozen=True):
    """A seat has bet or raised to ``to`` chips in this round, ``amount`` of them new."""

    seat: int
    to: int
    amount: int
    opens: bool
    all_in: bool


class Drew(Event, frozen=True):
    """A seat has discarded and drawn; only itself sees which cards."""

    seat: int
    number: int
    late: int
    thrown: Cards | None
    drawn: Cards
    fresh: Cards


class NextStreet(Event, frozen=True):
    """The next betting round begins, with cards turned up or with a draw."""

    cards: Cards
    turn: Annotated[Turn, APART]


class TookBack(Event, frozen=True):
    """A seat takes back what nobody has called."""

    seat: int
    amount: int


class Showed(Event, frozen=True):
    """A seat shows its hand."""

    seat: int
    cards: Cards
    board: Cards


class Mucked(Event, frozen=True):
    """A seat cannot win and gives up its cards unseen."""

    seat: int


class Won(Event, frozen=True):
    """A pot has gone to its winners; pot 0 is the main pot."""

    pot: int
    winners: Seats
    shares: tuple[int, ...]


class HandEnded(RoundOver, frozen=True):
    """A hand is over."""

    number: int
    chips: tuple[int, ...]


class Finished(Event, frozen=True):
    """The session is over; who wins is the referee's to say, because a forfeit counts."""

    scores: tuple[int, ...]


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a session, and of hands before the first decision."""
    if s.number:
        s = s.copy()
        rules.start(s, *s.key)
    return everybody(Started(setup(s), tuple(s.start[: s.players]))) + dealing(s) + followed(s)


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal."""
    n = s.players
    chips, bets, paid = tuple(s.chips[:n]), tuple(s.bet[:n]), tuple(s.paid[:n])
    public = s.number, s.button, seats(s.dealt), chips, bets, paid, s.dead
    own = {p: Dealt(*public, p, cards(s.held[p])) for p in seats(s.dealt)}
    return each_its_own(own, others=Dealt(*public, SPECTATOR, ()))


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and all that follows from it, and tell the seats what they see of it."""
    return acted(s, a) + followed(s)


def followed(s: PlainState) -> list[Notice]:
    """Let everything follow that needs no decision, and what is told of it."""
    told: list[Notice] = []
    while s.stage not in (BET, DRAW, OVER):
        told += proceeded(s)
    return told


def acted(s: PlainState, a: int) -> list[Notice]:
    """Carry out an action, and what is told of it."""
    p, before = s.player, s.chips[s.player]
    if FOLD != a != CALL and a < RAISE:
        return drew(s, a)
    opens = s.high == 0
    rules.act(s, a)
    amount, all_in = before - s.chips[p], s.chips[p] == 0
    if a == FOLD:
        return everybody(Folded(p))
    if a == CALL:
        return everybody(Called(p, amount, all_in and amount > 0))
    return everybody(Raised(p, a - RAISE, amount, opens, all_in))


def drew(s: PlainState, a: int) -> list[Notice]:
    """Discard and draw, and what is told of it."""
    p, before = s.player, s.held[s.player]
    rules.act(s, a)
    thrown = s.aside[p]
    drawn = s.held[p] & ~before
    public = p, thrown.bit_count(), s.late[p].bit_count()
    own = Drew(*public, cards(thrown), cards(drawn), cards(s.late[p]))
    return seen_by((p,), own, others=Drew(*public, None, (), ()))


def proceeded(s: PlainState) -> list[Notice]:
    """Let the next step follow, and what is told of it."""
    stage, p, n = s.stage, s.player, s.players
    before, number, shown = s.chips[:n], s.number, s.shown_cards
    rules.proceed(s)
    gains = [chips - had for chips, had in zip(s.chips[:n], before, strict=True)]
    if stage == RETURN:
        return [Notice(EVERYONE, TookBack(q, gain)) for q, gain in enumerate(gains) if gain]
    if stage == STREET:
        return everybody(NextStreet(tuple(s.board[shown : s.shown_cards]), turn(s)))
    if stage == SHOW:
        return everybody(
            Showed(p, cards(s.held[p]), tuple(s.board[: s.shown_cards])) if s.shown >> p & 1 else Mucked(p)
        )
    if stage == AWARD:
        paid = {q: gain for q, gain in enumerate(gains) if gain}
        return everybody(Won(pots_before(s), tuple(paid), tuple(paid.values())))
    if stage != CLOSE:
        return dealing(s)
    told = everybody(HandEnded(number, tuple(s.chips[:n])))
    return told + (everybody(Finished(scores(s))) if s.over else [])


def pots_before(s: PlainState) -> int:
    """How many pots have been awarded before the last one."""
    return len({s.paid[p] for p in seats(s.live) if s.paid[p] < s.level})


def scores(s: PlainState) -> tuple[int, ...]:
    """The chips that each seat has won or lost."""
    return tuple([s.chips[p] - s.start[p] for p in range(s.players)])


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: who has won most chips wins, equal gains share; a seat that has forfeited cannot win."""
    left = sum(chips > 0 for chips in s.chips[: s.players])
    played = "One hand has" if s.number == 1 else f"{s.number} hands have"
    reason = f"{played} been played." if left > 1 or s.number == s.hands else f"{played} been played: one has it all."
    return most_wins(reason, scores(s), forfeited)
