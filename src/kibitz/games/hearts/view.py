"""What a seat of Hearts may know, and its events."""

from typing import Annotated

from kibitz.cards import Card, as_set, cards_of
from kibitz.cards.tricks import winner
from kibitz.engine.layout import PlainState
from kibitz.engine.views import common_events
from kibitz.engine.views.events import SPECTATOR, Event, NewDeal, Notice, RoundOver, View, notices_for, private_notices
from kibitz.engine.views.field_types import Doc, Seat, ValueWords
from kibitz.engine.views.observation import Computed, ComputedFor, Own, Sizes, Stored, view_functions
from kibitz.games.hearts import rules
from kibitz.games.hearts.rules import NONE, receiver

Cards = tuple[Card, ...]
DIRECTIONS = ValueWords("left", "right", "across", "nowhere")
Direction = Annotated[int, DIRECTIONS]


def cards_received(s: PlainState, seat: int) -> Cards:
    """The cards that were passed to a seat; none while cards are still chosen."""
    cards = 0
    for p in range(s.players):
        if not s.passing and p != seat and receiver(s, p) == seat:
            cards = s.given[p]
    return tuple(cards_of(cards))


def number_chosen(s: PlainState) -> int:
    """How many cards every seat has chosen to pass so far: as many as the last seat, which chooses last."""
    return int(s.given[s.players - 1].bit_count())


class HeartsView(View, frozen=True):
    """What one seat may know of a position in Hearts."""

    pack: Annotated[Cards, Doc("the cards that are played with")]
    passed: Annotated[int, Doc("how many cards everybody passes")]
    target: Annotated[int, Doc("how many points end the game")]
    deals: Annotated[int, Doc("how many deals came before this one")]
    direction: Annotated[Direction, Computed(rules.direction), Doc("where cards are passed in this deal")]
    passing: Annotated[bool, Doc("whether seats are choosing the cards that they pass")]
    hand: Annotated[Cards, Own("hand"), Doc("your cards, the lowest first")]
    counts: Annotated[tuple[int, ...], Sizes("hand"), Doc("by seat, how many cards it holds")]
    given: Annotated[Cards, Own("given"), Doc("the cards that you have chosen to pass, or have passed in this deal")]
    chosen: Annotated[
        int,
        Computed(number_chosen),
        Doc("how many cards every seat has chosen to pass; seats before the one to move have chosen one more"),
    ]
    received: Annotated[Cards, ComputedFor(cards_received), Doc("the cards that were passed to you in this deal")]
    leader: Annotated[Seat, Doc("the seat that has led the trick or must lead it")]
    trick: Annotated[
        tuple[Card | None, ...],
        Doc("by seat, the card played to the trick; a finished trick stays until the next lead"),
    ]
    played: Annotated[tuple[Cards, ...], Doc("by seat, the cards it has played in this deal")]
    lacks: Annotated[tuple[Cards, ...], Doc("by seat, the cards that it has shown not to hold")]
    points: Annotated[tuple[int, ...], Doc("by seat, the points taken in this deal")]
    scores: Annotated[tuple[int, ...], Stored("score"), Doc("by seat, the points of all earlier deals")]


def restore_passes(s: PlainState, view: HeartsView) -> None:
    """Restore the cards passed to the view's seat, and choose any that the others may have passed."""
    for p in range(s.players):
        if receiver(s, p) == view.seat != p and not view.passing:
            s.given[p] = as_set(view.received)
        elif p != view.seat:
            count = view.chosen + (view.passing and p < view.player)
            s.given[p] = as_set(cards_of(rules.possible_passes(s, p))[:count])


view, views, restore = view_functions(HeartsView, rules.LAYOUT, None, restore_passes, ("hand", "played"))


class Dealt(NewDeal, frozen=True):
    """The cards are dealt: every seat learns its own, and, if nothing is passed, who has the two of clubs."""

    seat: Seat
    hand: Cards
    direction: Direction
    leader: Seat


class Chose(Event, frozen=True):
    """A seat has chosen a card to pass; only it sees which."""

    seat: Seat
    card: Card | None


class Received(Event, frozen=True):
    """Cards have been passed: every seat learns which it was passed, and who has the two of clubs."""

    seat: Seat
    cards: Cards
    leader: Seat


class TrickWon(Event, frozen=True):
    """A seat has won a trick with ``points`` points in it."""

    seat: Seat
    points: int


class DealOver(RoundOver, frozen=True):
    """A deal is over: by seat, its points in the deal, and in all deals so far."""

    points: tuple[int, ...]
    scores: tuple[int, ...]


def opening(s: PlainState) -> list[Notice]:
    """The events of a deal."""
    direction = rules.direction(s)
    by_seat = {p: Dealt(p, hand, direction, s.leader) for p, hand in enumerate(common_events.hands(s))}
    return private_notices(by_seat, others=Dealt(SPECTATOR, (), direction, s.leader))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action; return the notices."""
    p, deals, passing, leader, scores_before = s.player, s.deals, s.passing, s.leader, s.score[:]
    trick = [*s.trick[:p], a, *s.trick[p + 1 : s.players]]
    rules.apply(s, a)
    if passing:
        notices = notices_for((p,), Chose(p, a), others=Chose(p, None))
        if s.passing:
            return notices
        by_seat = {q: Received(q, cards_received(s, q), s.leader) for q in range(s.players)}
        return notices + private_notices(by_seat, others=Received(SPECTATOR, (), s.leader))
    notices = common_events.everybody(common_events.Played(p, (a,)))
    if (p + 1) % s.players == leader:
        points_won = int(rules.points_in(as_set(trick)))
        notices += common_events.everybody(TrickWon(int(winner(trick, s.players, leader, NONE)), points_won))
    if s.deals == deals and not s.over:
        return notices
    points = tuple([after - before for after, before in zip(s.score, scores_before, strict=True)][: s.players])
    notices += common_events.everybody(DealOver(points, tuple(s.score[: s.players])))
    if not s.over:
        return notices + opening(s)
    return notices + common_events.everybody(common_events.Finished(common_events.earned(s, rules.returns)))


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    return f"A player has {s.target} points." if s.target > 1 else "The deal is over."
