"""Events, and which seats see them.

seat        0, 1, ...; SPECTATOR is the seat without cards
audience    a set of seats as bits, including the spectator's
event       something that seats can see happen: a frozen struct of the game
notice      an event with its audience; if seats see different things, there are two notices
outcome     why a game ended, what each seat scored and who shares the win
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from kibitz.engine.views.field_types import Doc, Seat

SPECTATOR = -1
EVERYONE = (1 << 16) - 1


class Event(msgspec.Struct, frozen=True, tag=True):
    """Base of all events; ``tag`` names the kind in JSON."""


class RoundOver(Event, frozen=True):
    """Base of events that end one of several rounds, hands or games; their sentence says the score."""


class NewDeal(Event, frozen=True):
    """Base of events that deal; before one, front ends pause so that people can read how the last deal ended."""


class View(msgspec.Struct, frozen=True, tag=True):
    """Base of all views: what one seat may know of a position.

    The annotations of a view's fields say where their values come from (``observation``).
    """

    seat: Annotated[Seat, Doc("the seat whose view this is")]
    player: Annotated[Seat, Doc("the seat to move")]
    over: Annotated[bool, Doc("whether the game is over")]


class Notice(msgspec.Struct, frozen=True):
    """An event and the seats that see it."""

    audience: int
    event: Event

    def reaches(self, seat: int) -> bool:
        """Whether ``seat`` sees it."""
        return bool(self.audience & only(seat))


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: why, in a sentence, and what each seat scored; ``winners`` share the win."""

    reason: Annotated[str, Doc("why the game ended, in a sentence")]
    scores: Annotated[tuple[float, ...], Doc("by seat, what it has scored")]
    winners: Annotated[tuple[int, ...], Doc("the seats that share the win")]


def only(seat: int) -> int:
    """The audience of one seat."""
    return 1 << (seat + 1)


def all_but(*seats: int) -> int:
    """The audience of every seat but some."""
    return EVERYONE & ~sum(only(seat) for seat in seats)


def notices_for(seats: Collection[int], event: Event, *, others: Event) -> list[Notice]:
    """Two notices: ``seats`` see ``event``, and all others, spectators included, see the event ``others``."""
    other_seats = all_but(*seats)
    return [Notice(EVERYONE & ~other_seats, event), Notice(other_seats, others)]


def private_notices(events: Mapping[int, Event], *, others: Event) -> list[Notice]:
    """Notices: each seat in ``events`` sees its own event, and all others, spectators included, see ``others``."""
    notices = [Notice(only(seat), event) for seat, event in events.items()]
    return [Notice(all_but(*events), others), *notices]


def highest_score_wins(reason: str, scores: Sequence[float], forfeited: Collection[int]) -> Outcome:
    """The outcome where the highest score wins and equal scores share the win; a seat that has forfeited cannot win.

    >>> highest_score_wins("All cards are grouped.", [3, 5, 5, 7], {3}).winners
    (1, 2)
    """
    scores = tuple(float(score) for score in scores)
    in_play = [p for p in range(len(scores)) if p not in forfeited]
    top = max((scores[p] for p in in_play), default=0.0)
    return Outcome(reason, scores, tuple(p for p in in_play if scores[p] == top))


def to_seat(notices: list[Notice], seat: int) -> list[Event]:
    """The events among ``notices`` that ``seat`` sees."""
    bit = only(seat)
    return [notice.event for notice in notices if notice.audience & bit]


def encoded(value: Any) -> bytes:
    """A view or events as JSON bytes."""
    return msgspec.json.encode(value)
