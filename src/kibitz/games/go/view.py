"""What a seat of Go may know, and its events.

A card that another seat has laid face down still counts as in its hand. The seats before ``player`` have chosen.
"""

from typing import Annotated

from kibitz.cards import Card, as_set, cards_of
from kibitz.cards.sets import at_places, lowest
from kibitz.engine.layout import PlainState
from kibitz.engine.views.common_events import Finished, earned, everybody
from kibitz.engine.views.events import SPECTATOR, Event, Notice, View, all_but, notices_for, only, private_notices
from kibitz.engine.views.field_types import ANY_ORDER, Doc, Most, Seat
from kibitz.engine.views.observation import Computed, ComputedFor, Own, Rows, Stored, view_functions
from kibitz.games.go import rules

Cards = tuple[Card, ...]
Sorted = Annotated[Cards, ANY_ORDER]


def known_hands(s: PlainState, seat: int) -> tuple[Cards | None, ...]:
    """By seat, the cards of its hand; None for a hand that ``seat`` has never held."""
    hands: list[Cards | None] = [None] * s.players
    for p in range(s.players):
        stack = int(rules.stack_of(s, p))
        if seat >= 0 and rules.has_seen(s, seat, stack):
            hands[p] = tuple(cards_of(s.stack[stack]))
    return tuple(hands)


def groups_formed(s: PlainState) -> tuple[tuple[Cards, ...], ...]:
    """By seat, the groups that it has formed so far."""
    return tuple(
        [tuple([group_cards(s, p, part) for part in s.part[10 * p : 10 * p + s.parts[p]]]) for p in range(s.players)]
    )


def group_cards(s: PlainState, seat: int, part: int) -> Cards:
    """The cards at some positions of a seat's sorted discards."""
    return tuple(cards_of(at_places(s.laid[seat], part)))


class GoView(View, frozen=True):
    """What one seat may know of a position in Go."""

    players: Annotated[int, Doc("how many seats take part")]
    hand_size: Annotated[int, Doc("how many cards were dealt to each, and how many turns there are")]
    pack: Annotated[Cards, Doc("the cards that are played with")]
    auto: Annotated[bool, Doc("whether all discards are grouped automatically for the highest score")]
    turn: Annotated[int, Most(10), Doc("how many turns are over")]
    grouping: Annotated[bool, Doc("whether the discards are grouped now")]
    chosen: Annotated[Card | None, Own("chosen"), Doc("your own card laid face down this turn")]
    hands: Annotated[
        tuple[Sorted | None, ...],
        ComputedFor(known_hands),
        Doc(
            "by seat, the cards of its hand if you have held that hand before, else None; a card that another seat has"
            " laid face down is still in its hand here"
        ),
    ]
    discards: Annotated[tuple[Cards, ...], Rows("discard", 10, "turn"), Doc("by seat, the cards that it has kept")]
    groups: Annotated[
        tuple[Annotated[tuple[Sorted, ...], Most(10)], ...],
        Computed(groups_formed),
        Doc("by seat, the groups formed so far"),
    ]
    scores: Annotated[tuple[int, ...], Stored("score"), Doc("by seat, the score of its groups so far")]

    @property
    def hand(self) -> Cards:
        """The cards that the seat may choose from."""
        return self.hands[self.seat] or () if self.seat >= 0 else ()

    @property
    def ungrouped(self) -> Cards:
        """The seat's discards that aren't in a group yet, the lowest first."""
        grouped = {card for group in self.groups[self.seat] for card in group}
        return tuple(sorted(card for card in self.discards[self.seat] if card not in grouped))


class Started(Event, frozen=True):
    """The cards have been dealt; every seat learns its own hand."""

    players: int
    hand_size: int
    pack: Cards
    auto: bool
    seat: int
    hand: Cards | None


class Chose(Event, frozen=True):
    """A seat has laid a card face down; only that seat sees which."""

    seat: int
    card: Card | None


class Revealed(Event, frozen=True):
    """All chosen cards are turned up and the hands passed to the left; ``hand`` is the hand that the seat gets."""

    turn: int
    cards: Cards
    hand: Cards | None


class Grouped(Event, frozen=True):
    """A seat has formed a group."""

    seat: int
    cards: Cards
    score: int
    next_player: Seat


def opening(s: PlainState) -> list[Notice]:
    """The events of the deal."""
    public = (s.players, s.hand_size, tuple(cards_of(s.pack)), bool(s.auto))
    own = {p: Started(*public, p, tuple(cards_of(s.stack[p]))) for p in range(s.players)}
    return private_notices(own, others=Started(*public, SPECTATOR, None))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action; return the notices."""
    p = s.player
    if s.grouping:
        before = s.score[p]
        cards = group_cards(s, p, a - rules.GROUP)
        rules.apply(s, a)
        return everybody(Grouped(p, cards, s.score[p] - before, s.player)) + finish_notices(s)
    turn = s.turn
    rules.apply(s, a)
    notices = notices_for((p,), Chose(p, a), others=Chose(p, None))
    if s.turn == turn:
        return notices
    cards = tuple(s.discard[10 * q + turn] for q in range(s.players))
    notices += [Notice(only(q), Revealed(turn, cards, hand_of(s, q))) for q in range(s.players)]
    return [*notices, Notice(all_but(*range(s.players)), Revealed(turn, cards, None)), *finish_notices(s)]


def hand_of(s: PlainState, seat: int) -> Cards:
    """The cards that a seat holds now."""
    return tuple(cards_of(s.stack[int(rules.stack_of(s, seat))]))


def finish_notices(s: PlainState) -> list[Notice]:
    """The notice that the game is over, if it is."""
    return everybody(Finished(earned(s, rules.returns))) if s.over else []


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    return "All cards are grouped."


def complete(s: PlainState, view: GoView) -> None:
    """Complete a state from a view, with any arrangement of the unseen cards that fits."""
    rest = as_set(view.pack) & ~as_set(card for cards in (*view.discards, *view.hands) for card in cards or ())
    for p, hand in enumerate(view.hands):
        dealt = as_set(hand) if hand is not None else at_places(rest, (1 << view.hand_size - view.turn) - 1)
        rest &= ~dealt
        s.stack[int(rules.stack_of(s, p))] = dealt
        s.laid[p] = as_set(view.discards[p])
        if p < view.player and p != view.seat and not view.grouping:
            s.chosen[p] = lowest(dealt)
        laid = sorted(view.discards[p])
        for i, cards in enumerate(view.groups[p]):
            s.part[10 * p + i] = as_set(map(laid.index, cards))
        s.parts[p] = len(view.groups[p])
        s.ungrouped[p] = (
            as_set(laid) & ~as_set(card for cards in view.groups[p] for card in cards) if view.grouping else 0
        )


view, views, restore = view_functions(GoView, rules.LAYOUT, rules.clear, complete)
