"""Events that many games share, their sentences, and the notices that send them to the right seats.

A game uses those that fit and adds its own; its ``describe`` calls this module's for the shared ones. Where a function
takes a state, the hands are the sets in ``s.hand``, one for each seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

from kibitz.cards import SUIT_NAMES, Card, cards_of, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.sentences import Names, listed, verb
from kibitz.engine.views.events import EVERYONE, SPECTATOR, Event, Notice, notices_for, private_notices
from kibitz.engine.views.field_types import Seat, ValueWords

Cards = tuple[Card, ...]
SuitName: TypeAlias = Annotated[int, ValueWords(*SUIT_NAMES)]
"""A suit, from 0; player files get its name."""


class Dealt(Event, frozen=True):
    """Hands are dealt; every seat learns its own."""

    seat: Seat
    hand: Cards


class TurnedUp(Event, frozen=True):
    """Some cards of the pack are turned up."""

    cards: Cards


class Played(Event, frozen=True):
    """A seat has played some cards."""

    seat: Seat
    cards: Cards


class Drew(Event, frozen=True):
    """A seat has drawn cards; only it sees which."""

    seat: Seat
    number: int
    cards: Cards | None


class Passed(Event, frozen=True):
    """A seat has passed."""

    seat: Seat


class SuitNamed(Event, frozen=True):
    """A seat has named a suit: the one to follow, or trumps."""

    seat: Seat
    suit: SuitName


class Shown(Event, frozen=True):
    """All hands are shown, by seat."""

    hands: tuple[Cards, ...]


class Finished(Event, frozen=True):
    """The game is over, with what each seat has earned; the referee says who wins, because forfeits count."""

    scores: tuple[int, ...]


def everybody(event: Event, *more: Event) -> list[Notice]:
    """A notice for each event, which everybody sees."""
    if more:
        return [Notice(EVERYONE, each) for each in (event, *more)]
    return [Notice(EVERYONE, event)]


def hands(s: PlainState) -> tuple[Cards, ...]:
    """The cards of all hands, by seat, the lowest first."""
    return tuple([tuple(cards_of(hand)) for hand in s.hand[: s.players]])


def earned(s: PlainState, returns: Callable[[PlainState, list[int]], object]) -> tuple[int, ...]:
    """What each seat has earned, as the game's kernel ``returns`` says."""
    out = [0] * s.players
    returns(s, out)
    return tuple(out)


def deal_notices(s: PlainState) -> list[Notice]:
    """The notices of a deal: each seat sees its own hand, and spectators see only that hands were dealt."""
    return private_notices({seat: Dealt(seat, hand) for seat, hand in enumerate(hands(s))}, others=Dealt(SPECTATOR, ()))


def end_notices(s: PlainState, returns: Callable[[PlainState, list[int]], object]) -> list[Notice]:
    """The notices of the end: everybody sees all hands and what each seat has earned; none before the game is over."""
    return everybody(Shown(hands(s)), Finished(earned(s, returns))) if s.over else []


def draw_notices(seat: int, cards: Cards) -> list[Notice]:
    """The notices of a draw: the seat sees its cards, all others only how many."""
    return notices_for((seat,), Drew(seat, len(cards), cards), others=Drew(seat, len(cards), None))


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened. Raises TypeError for a game's own event."""
    match event:
        case Dealt(_, hand):
            return f"You hold {symbols(hand)}." if hand else "The cards are dealt."
        case TurnedUp(cards):
            return f"{symbols(cards)} {'is' if len(cards) == 1 else 'are'} turned up."
        case Played(who, cards):
            return f"{names[who]} {verb(who, seat, 'play', 'plays')} {symbols(cards)}."
        case Drew(who, number, cards):
            cards_drawn = symbols(cards) if cards is not None else "a card" if number == 1 else f"{number} cards"
            return f"{names[who]} {verb(who, seat, 'draw', 'draws')} {cards_drawn}."
        case Passed(who):
            return f"{names[who]} {verb(who, seat, 'pass', 'passes')}."
        case SuitNamed(who, suit):
            return f"{names[who]} {verb(who, seat, 'name', 'names')} {SUIT_NAMES[suit]}."
        case Shown(all_hands):
            hands_left = [f"{names[p]} {symbols(hand) or 'nothing'}" for p, hand in enumerate(all_hands)]
            return f"Left in hand: {listed(hands_left)}."
        case Finished(scores):
            return f"The game is over: {listed([f'{names[p]} {score:+d}' for p, score in enumerate(scores)])}."
    raise TypeError(f"{event!r} has no sentence: the game's own describe must have one")
