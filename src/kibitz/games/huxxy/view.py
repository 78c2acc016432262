"""What a seat of Huxxy may know, and its events.

Cards are faces: the two copies of a face are alike. A view shows that another seat has picked up a card, but not which.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Annotated

from kibitz.cards import Card
from kibitz.engine.layout import PlainState
from kibitz.engine.views.common_events import everybody
from kibitz.engine.views.events import (
    SPECTATOR,
    Event,
    Notice,
    Outcome,
    View,
    highest_score_wins,
    notices_for,
    private_notices,
)
from kibitz.engine.views.field_types import ANY_ORDER, Doc, Latest, Most, Seat
from kibitz.engine.views.observation import Coded, Computed, ComputedFor, Stored, view_functions
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.actions import CONCEDE, END, MAX_GROUPS, MOVE, PICK_UP, PICK_UP_FACE, PLAY, table_card
from kibitz.games.huxxy.groups import NONE

Cards = tuple[Card, ...]
Sorted = Annotated[Cards, ANY_ORDER]
Entry = Annotated[
    tuple[Seat, Card | None],
    Coded(
        lambda entry: (entry >> 6, None if entry & 63 == PICK_UP_FACE else entry & 63),
        lambda item: 64 * item[0] + (PICK_UP_FACE if item[1] is None else item[1]),
    ),
]


@lru_cache(maxsize=1 << 12)
def faces(once: int, twice: int) -> Cards:
    """Two bit sets as faces in rising order.

    >>> faces(0b1011, 0b0010)
    (0, 1, 1, 3)
    """
    cards = []
    while once:
        bit = once & -once
        card = bit.bit_length() - 1
        cards.append(card)
        if twice & bit:
            cards.append(card)
        once ^= bit
    return tuple(cards)


def bit_sets(cards: Iterable[int]) -> tuple[int, int]:
    """Faces as two bit sets (see ``groups``).

    >>> bit_sets((0, 1, 1, 3))
    (11, 2)
    """
    counts = Counter(cards)
    return sum(1 << card for card in counts), sum(1 << card for card, n in counts.items() if n > 1)


def hand_of(s: PlainState, seat: int) -> Cards:
    """The cards of a hand."""
    return faces(s.hand_once[seat], s.hand_twice[seat])


def all_hands(s: PlainState) -> tuple[Cards, ...]:
    """The cards of all hands, by seat."""
    return tuple([hand_of(s, p) for p in range(s.players)])


def sizes_of(s: PlainState) -> tuple[int, ...]:
    """How many cards each hand holds, by seat."""
    return tuple([s.hand_once[p].bit_count() + s.hand_twice[p].bit_count() for p in range(s.players)])


def table_of(s: PlainState) -> tuple[Cards, ...]:
    """The cards of the groups, by number."""
    return tuple([faces(s.group_once[g], s.group_twice[g]) for g in range(s.groups)])


class HuxxyView(View, frozen=True):
    """What one seat may know of a position in Huxxy."""

    players: Annotated[int, Doc("how many seats take part")]
    pack: Annotated[Cards, Computed(lambda s: faces(s.pack, s.again)), Doc("the cards that are played with")]
    hand_size: Annotated[int, Doc("how many cards were dealt to each")]
    plays_a_turn: Annotated[int, Doc("how many plays a turn can have")]
    opening: Annotated[int, Doc("the points that your hand cards must be worth the first time you play cards")]
    hand: Annotated[
        Sorted, ComputedFor(lambda s, seat: hand_of(s, seat) if seat >= 0 else ()), Doc("your cards, the lowest first")
    ]
    hand_counts: Annotated[
        tuple[Annotated[int, Most(106)], ...], Computed(sizes_of), Doc("by seat, how many cards it holds")
    ]
    stock_count: Annotated[
        int,
        Most(106),
        Computed(lambda s: s.stock_once.bit_count() + s.stock_twice.bit_count()),
        Doc("how many cards can still be picked up"),
    ]
    table: Annotated[
        tuple[Sorted, ...],
        Most(MAX_GROUPS),
        Computed(table_of),
        Doc("the groups by number, the lowest card of each first; empty ones stay until the turn ends"),
    ]
    plays: Annotated[int, Most(6), Doc("how many plays this turn has had")]
    placed: Annotated[int, Most(6), Doc("how many of these plays were cards from the hand")]
    points: Annotated[int, Doc("what these cards are worth together")]
    opened: Annotated[tuple[bool, ...], Doc("by seat, whether it has ended a turn with plays")]
    log: Annotated[
        tuple[Entry, ...],
        Latest(24),
        Stored("log", "log_length"),
        Doc("every card played from a hand and every pick-up so far, as (seat, card), None for a pick-up"),
    ]
    loser: Annotated[Seat | None, Doc("the seat that has conceded, None if none has")]
    hands: Annotated[
        tuple[Sorted, ...] | None,
        Computed(lambda s: all_hands(s) if s.over else None),
        Doc("by seat, the cards left in its hand, once the game is over"),
    ]

    @property
    def plays_left(self) -> int:
        """How many plays the turn can still have."""
        return self.plays_a_turn - self.plays

    @property
    def points_needed(self) -> int:
        """How many points from the hand the turn still needs before it can be ended."""
        return 0 if self.opened[self.player] else max(0, self.opening - self.points)


class Started(Event, frozen=True):
    """The cards have been dealt; every seat learns its own hand."""

    players: int
    pack: Cards
    hand_size: int
    plays_a_turn: int
    opening: int
    seat: int
    hand: Cards | None


class PickedUp(Event, frozen=True):
    """A seat has picked up a card; only that seat sees which."""

    seat: int
    card: Card | None
    next_player: Seat


class Played(Event, frozen=True):
    """A seat has added a card from its hand to a group, perhaps a new one."""

    seat: int
    card: Card
    group: int
    new: bool


class Moved(Event, frozen=True):
    """A seat has moved a card on the table."""

    seat: int
    card: Card
    source: int
    group: int
    new: bool


class TurnEnded(Event, frozen=True):
    """A seat has ended its turn on a valid table."""

    seat: int
    next_player: Seat


class Conceded(Event, frozen=True):
    """A seat that couldn't end its turn has conceded."""

    seat: int


class Finished(Event, frozen=True):
    """The game is over, and all hands are shown."""

    hands: tuple[Cards, ...]


def opening(s: PlainState) -> list[Notice]:
    """The events of the deal."""
    public = (s.players, faces(s.pack, s.again), s.hand_size, s.plays_a_turn, s.opening)
    own = {p: Started(*public, p, hand_of(s, p)) for p in range(s.players)}
    return private_notices(own, others=Started(*public, SPECTATOR, None))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action; return the notices."""
    p, groups = s.player, s.groups
    once, twice = s.stock_once, s.stock_twice
    group = (a - PLAY) % MAX_GROUPS
    source = table_card(s, (a - MOVE) // MAX_GROUPS) if a >= MOVE else NONE
    rules.apply(s, a)
    if a == PICK_UP:
        (card,) = faces(once ^ s.stock_once | twice ^ s.stock_twice, 0)
        notices = notices_for((p,), PickedUp(p, card, s.player), others=PickedUp(p, None, s.player))
    elif a == END:
        notices = everybody(TurnEnded(p, s.player))
    elif a == CONCEDE:
        notices = everybody(Conceded(p))
    elif a < MOVE:
        notices = everybody(Played(p, (a - PLAY) // MAX_GROUPS, group, group == groups))
    else:
        notices = everybody(Moved(p, source & 63, source >> 6, group, group == groups))
    return notices + everybody(Finished(all_hands(s))) if s.over else notices


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the least worth left in hand wins, and ties share; a seat that concedes or forfeits loses alone."""
    scores = [0] * s.players
    rules.returns(s, scores)
    if s.loser == NONE and not forfeited:
        return highest_score_wins("A hand is empty." if s.stock_once else "The stock is exhausted.", scores, forfeited)
    winners = tuple(p for p in range(s.players) if p not in forfeited | {s.loser})
    reason = "A player is out of the game." if s.loser == NONE else "A player could not end the turn."
    return Outcome(reason, tuple(float(score) for score in scores), winners)


def complete(s: PlainState, view: HuxxyView) -> None:
    """Complete a state from a view, with the hidden cards dealt arbitrarily to hands of the right sizes."""
    s.groups, s.log_length = len(view.table), len(view.log)
    for g, cards in enumerate(view.table):
        s.group_once[g], s.group_twice[g] = bit_sets(cards)
    hands: list[Cards] = [()] * view.players if view.hands is None else list(view.hands)
    if view.seat >= 0:
        hands[view.seat] = view.hand
    hidden = list((Counter(view.pack) - Counter(chain(*view.table, *hands))).elements())
    for p, count in enumerate(view.hand_counts):
        s.hand_once[p], s.hand_twice[p] = bit_sets(hands[p] or [hidden.pop() for _ in range(count)])
    s.stock_once, s.stock_twice = bit_sets(hidden)


view, views, restore = view_functions(HuxxyView, rules.LAYOUT, rules.clear, complete)
