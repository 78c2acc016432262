"""What a seat of cribbage may know, and its events.

An action and everything that follows from it are reported step by step.
"""

from typing import Annotated

import msgspec

from kibitz.cards import Card, as_set, cards_of
from kibitz.engine.layout import PlainState
from kibitz.engine.views.common_events import everybody
from kibitz.engine.views.events import SPECTATOR, Event, NewDeal, Notice, RoundOver, View, notices_for, private_notices
from kibitz.engine.views.field_types import ANY_ORDER, Doc, Most, Seat
from kibitz.engine.views.observation import Coded, Computed, Own, Seats, Sizes, Stored, view_functions
from kibitz.games.cribbage import rules, scoring, stages
from kibitz.games.cribbage.stages import COUNT_OVER, CRIB, DEALING, DISCARDING, NONE, PLAYING, TURNING_UP, WON, clear

Cards = tuple[Card, ...]
Sorted = Annotated[Cards, ANY_ORDER]
Plays = Annotated[tuple[tuple[Seat, Card], ...], Most(8)]
Pegs = tuple[int, int]
IN_DISCARDING = Coded(lambda phase: phase == DISCARDING, lambda discarding: DISCARDING if discarding else PLAYING)

SKUNKS = ("", "", ", a skunk", ", a double skunk")
"""What a sentence adds about a skunk, by how many points the game counts in the match."""


class Past(msgspec.Struct, frozen=True):
    """A deal that is over."""

    plays: Annotated[Plays, Doc("the cards played, each with its seat")]
    starter: Annotated[Card | None, Doc("the card that was turned up")]
    crib: Annotated[Sorted, Doc("the crib, empty if it was not shown")]
    pegs: Annotated[Pegs, Doc("by seat, the score after the deal")]


def past(s: PlainState) -> Past:
    """The deal before this one."""
    plays = tuple(zip(s.past_played_by[: s.past_plays], s.past_played[: s.past_plays], strict=True))
    starter = s.past_starter if s.past_starter != NONE else None
    return Past(plays, starter, tuple(cards_of(s.past_crib)), tuple(s.past_pegs))


class CribbageView(View, frozen=True):
    """What one seat may know of a position in cribbage."""

    pack: Annotated[Cards, Doc("the cards that are played with")]
    games: Annotated[int, Doc("how many games the match has")]
    target: Annotated[int, Doc("the score that wins a game")]
    hand_size: Annotated[int, Doc("how many cards are dealt to each")]
    discards: Annotated[int, Doc("how many cards each seat discards to the crib")]
    skunks: Annotated[bool, Doc("whether a game won by a large margin counts more")]
    cut: Annotated[
        Cards,
        Computed(lambda s: tuple(s.cut) if s.cut_first else ()),
        Doc("the cards that both seats cut for the first deal"),
    ]
    game: Annotated[int, Doc("how many games are over")]
    deals: Annotated[int, Doc("the number of this deal in its game")]
    dealer: Annotated[Seat, Doc("the seat that deals and has the crib")]
    discarding: Annotated[bool, Stored("phase"), IN_DISCARDING, Doc("whether cards are being discarded to the crib")]
    hand: Annotated[Cards, Own("hand"), Doc("your cards, the lowest first")]
    counts: Annotated[tuple[int, int], Sizes("hand"), Doc("by seat, how many cards it holds")]
    own_discards: Annotated[Cards, Own("away"), Doc("your discards to the crib")]
    starter: Annotated[Card | None, Doc("the card turned up")]
    plays: Annotated[
        Plays,
        Computed(lambda s: tuple(zip(s.played_by[: s.plays], s.played[: s.plays], strict=True))),
        Doc("the cards played in this deal, as (seat, card)"),
    ]
    first: Annotated[int, Most(8), Doc("the index in ``plays`` of the first card of the present count")]
    count: Annotated[int, Most(31), Doc("the sum of the present count, up to 31")]
    said_go: Annotated[Seats, Doc("the seats that have said go in the present count")]
    floors: Annotated[
        Pegs, Stored("floor"), Doc("by seat, the lowest value that its cards can have, as the play has shown")
    ]
    crib: Annotated[
        Sorted,
        Computed(lambda s: tuple(cards_of(s.away[0] | s.away[1])) if s.crib_shown else ()),
        Doc("the whole crib once it has been shown"),
    ]
    pegs: Annotated[Pegs, Doc("by seat, the score of this game")]
    points: Annotated[Pegs, Doc("by seat, the points for games won in the match")]
    past: Annotated[Past, Computed(past), Doc("the deal before this one, with its plays, starter, crib and pegs")]

    @property
    def trail(self) -> Cards:
        """The cards of the present count, in the order in which they were played."""
        return tuple(card for _, card in self.plays[self.first :])


class Started(Event, frozen=True):
    """A match begins."""

    pack: Cards
    games: int
    target: int
    hand_size: int
    discards: int
    skunks: bool


class Cut(Event, frozen=True):
    """Both seats have cut for the deal: the lower card deals."""

    cards: Cards
    dealer: Seat


class Dealt(NewDeal, frozen=True):
    """Both seats have been dealt their hands; each learns its own."""

    game: int
    number: int
    dealer: Seat
    seat: Seat
    hand: Cards


class Discarded(Event, frozen=True):
    """A seat has discarded cards to the crib; only it sees which."""

    seat: int
    number: int
    cards: Cards | None


class TurnedUp(Event, frozen=True):
    """The starter; for a Jack the dealer scores ``points``, which makes ``total``."""

    starter: Card
    dealer: Seat
    points: int
    total: int


class Played(Event, frozen=True):
    """A seat has played a card: how many of equal rank it makes, and how long a run."""

    seat: int
    card: Card
    count: int
    equal: int
    run: int
    points: int
    total: int


class SaidGo(Event, frozen=True):
    """A seat has said go."""

    seat: int


class CountEnded(Event, frozen=True):
    """Neither seat can play: 1 for the last card unless it made 31; ``leader`` is NONE if no cards are left."""

    last: int
    count: int
    points: int
    total: int
    leader: Seat


class Shown(Event, frozen=True):
    """A hand or the crib is counted."""

    seat: int
    cards: Cards
    starter: Card
    crib: bool
    points: int
    total: int


class GameEnded(RoundOver, frozen=True):
    """A seat has reached the target: the game counts ``worth``, and ``points`` are the points of the match so far."""

    game: int
    pegs: Pegs
    worth: int
    points: Pegs


class Finished(Event, frozen=True):
    """The match is over; the referee determines the winner, because forfeits count."""

    points: Pegs


def opening(s: PlainState) -> list[Notice]:
    """The events at the start of a match."""
    options = tuple(cards_of(s.pack)), s.games, s.target, s.hand_size, s.discards, bool(s.skunks)
    cutting = everybody(Cut(tuple(s.cut), s.dealer)) if s.cut_first else []
    return [*everybody(Started(*options)), *cutting, *dealing(s)]


def dealing(s: PlainState) -> list[Notice]:
    """The events of a deal."""
    public = s.game, s.deals, s.dealer
    by_seat = {p: Dealt(*public, p, tuple(cards_of(s.hand[p]))) for p in range(2)}
    return private_notices(by_seat, others=Dealt(*public, SPECTATOR, ()))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and everything that follows from it; return the notices."""
    notices = action_notices(s, a)
    while s.phase > PLAYING:
        notices += step_notices(s)
    return notices


def action_notices(s: PlainState, a: int) -> list[Notice]:
    """Carry out an action; return its notices."""
    p = s.player
    rules.act(s, a)
    if a >= rules.DISCARD:
        discards = tuple(cards_of(s.away[p]))
        return notices_for((p,), Discarded(p, len(discards), discards), others=Discarded(p, len(discards), None))
    if a == rules.GO:
        return everybody(SaidGo(p))
    this_count = s.played, s.first, s.plays
    equal, run = scoring.same_rank_count(*this_count), scoring.run_length(*this_count)
    return everybody(Played(p, a, s.count, equal, run, scoring.play_points(*this_count, s.count), s.pegs[p]))


def step_notices(s: PlainState) -> list[Notice]:
    """Carry out the next step; return its notices."""
    phase, count, last = s.phase, s.count, s.played_by[s.plays - 1]
    game, points_before = s.game, sum(s.points)
    rules.advance_phase(s)
    if phase == TURNING_UP:
        heels = rules.HEELS if s.starter >> 2 == scoring.JACK else 0
        return everybody(TurnedUp(s.starter, s.dealer, heels, s.pegs[s.dealer]))
    if phase == COUNT_OVER:
        leader = s.player if s.phase == PLAYING else NONE
        return everybody(CountEnded(last, count, int(count < scoring.MAX_COUNT), s.pegs[last], leader))
    if phase == DEALING:
        return dealing(s)
    if phase == WON:
        notices = everybody(GameEnded(game, tuple(s.pegs), sum(s.points) - points_before, tuple(s.points)))
        return notices + (everybody(Finished(tuple(s.points))) if s.over else [])
    seat, cards = stages.showing_seat(s, phase), stages.counted_cards(s, phase)
    points = scoring.show_points(cards, s.starter, phase == CRIB)
    return everybody(Shown(seat, tuple(cards_of(cards)), s.starter, phase == CRIB, points, s.pegs[seat]))


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    if s.games > 1:
        return f"All {s.games} games have been played."
    return f"The game ended {max(s.pegs)} to {min(s.pegs)}{SKUNKS[max(s.points)]}."


def complete(s: PlainState, view: CribbageView) -> None:
    """Complete a state from a view, with the hidden cards in arbitrary places."""
    s.cut[: len(view.cut)] = view.cut
    s.crib_shown = int(bool(view.crib))
    s.plays, s.past_plays = len(view.plays), len(view.past.plays)
    for i, (p, card) in enumerate(view.plays):
        s.played_by[i], s.played[i] = p, card
    for i, (p, card) in enumerate(view.past.plays):
        s.past_played_by[i], s.past_played[i] = p, card
    s.past_starter = NONE if view.past.starter is None else view.past.starter
    s.past_crib, s.past_pegs[:] = as_set(view.past.crib), view.past.pegs
    known = {view.starter, *view.hand, *view.own_discards, *view.crib, *(card for _, card in view.plays)}
    rest = [card for card in view.pack if card not in known]
    discards = [card for card in view.crib if card not in view.own_discards] if view.crib else rest
    for p in {0, 1} - {view.seat}:
        s.hand[p] = as_set(rest.pop() for _ in range(view.counts[p]))
        if view.counts[p] < view.hand_size:
            s.away[p] = as_set(discards.pop() for _ in range(view.discards))


view, views, restore = view_functions(CribbageView, rules.LAYOUT, clear, complete)
