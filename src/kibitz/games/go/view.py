"""What a seat of Go may know, and what it is told.

    hands       by seat, the cards of each hand that this seat has held before, None for those it has not seen;
                a face-down choice of another seat is still in its hand here
    chosen      the own card laid face down this turn, or None
    groups      by seat, the groups formed so far, and ``scores`` what they have earned

Seats that come before ``player`` have chosen this turn.
"""

from kibitz.cards import Card, cards_of
from kibitz.cards.sets import at_places
from kibitz.engine.events import EVERYONE, Event, Notice, Outcome, View, all_but, most_wins, only, seen_by
from kibitz.engine.fields import Seat
from kibitz.engine.layout import PlainState
from kibitz.games.go import rules
from kibitz.games.go.rules import NONE

Cards = tuple[Card, ...]


class GoView(View, frozen=True):
    """What one seat may know of a position in Go.

    players     how many seats take part
    hand_size   how many cards were dealt to each, and how many turns there are
    pack        the cards that are played with
    auto        whether discards are grouped by themselves for the highest score
    turn        how many turns are over
    grouping    whether the discards are grouped now
    chosen      your own card laid face down this turn
    hands       by seat, the cards of its hand if you have held that hand before, else None; a card that another
                seat has laid face down is still in its hand here
    discards    by seat, the cards that it has kept
    groups      by seat, the groups formed so far
    scores      by seat, what its groups have earned
    """

    players: int
    hand_size: int
    pack: Cards
    auto: bool
    turn: int
    grouping: bool
    chosen: Card | None
    hands: tuple[Cards | None, ...]
    discards: tuple[Cards, ...]
    groups: tuple[tuple[Cards, ...], ...]
    scores: tuple[int, ...]

    @property
    def hand(self) -> Cards:
        """The cards that the seat may choose from."""
        return self.hands[self.seat] or () if self.seat >= 0 else ()

    @property
    def ungrouped(self) -> Cards:
        """The seat's discards that are in no group yet, lowest first."""
        done = {card for group in self.groups[self.seat] for card in group}
        return tuple(sorted(card for card in self.discards[self.seat] if card not in done))


class Started(Event, frozen=True):
    """The cards have been dealt; every seat learns its own hand."""

    players: int
    hand_size: int
    pack: Cards
    auto: bool
    seat: int
    hand: Cards | None


class Chose(Event, frozen=True):
    """A seat has laid a card face down."""

    seat: int
    card: Card | None


class Revealed(Event, frozen=True):
    """All chosen cards are turned up and the hands passed to the left; ``hand`` is the one just received."""

    turn: int
    cards: Cards
    hand: Cards | None


class Grouped(Event, frozen=True):
    """A seat has formed a group."""

    seat: int
    cards: Cards
    score: int
    next_player: Seat


class Finished(Event, frozen=True):
    """The game is over; who wins is the referee's to say, because a forfeit counts."""

    scores: tuple[int, ...]


def view(s: PlainState, seat: int) -> GoView:
    """What ``seat`` may know."""
    hands: list[Cards | None] = [None] * s.players
    for p in range(s.players):
        stack = int(rules.held(s, p))
        if seat >= 0 and rules.has_seen(s, seat, stack):
            hands[p] = tuple(cards_of(s.stack[stack]))
    return GoView(
        seat=seat,
        player=s.player,
        over=bool(s.over),
        players=s.players,
        hand_size=s.hand_size,
        pack=tuple(cards_of(s.pack)),
        auto=bool(s.auto),
        turn=s.turn,
        grouping=bool(s.grouping),
        chosen=s.chosen[seat] if seat >= 0 and s.chosen[seat] != NONE else None,
        hands=tuple(hands),
        discards=tuple(tuple(s.discard[10 * p : 10 * p + s.turn]) for p in range(s.players)),
        groups=tuple(groups(s, p) for p in range(s.players)),
        scores=tuple(s.score[: s.players]),
    )


def groups(s: PlainState, seat: int) -> tuple[Cards, ...]:
    """The groups that a seat has formed so far."""
    parts = s.part[10 * seat : 10 * seat + s.parts[seat]]
    return tuple(tuple(cards_of(at_places(s.laid[seat], part))) for part in parts)


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the deal."""
    public = (s.players, s.hand_size, tuple(cards_of(s.pack)), bool(s.auto))
    told = [Notice(only(p), Started(*public, p, tuple(cards_of(s.stack[p])))) for p in range(s.players)]
    return [Notice(all_but(*range(s.players)), Started(*public, -1, None)), *told]


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    p = s.player
    if s.grouping:
        before = s.score[p]
        cards = tuple(cards_of(at_places(s.laid[p], a - rules.GROUP)))
        rules.apply(s, a)
        return [Notice(EVERYONE, Grouped(p, cards, s.score[p] - before, s.player)), *finish(s)]
    turn = s.turn
    rules.apply(s, a)
    told = seen_by((p,), Chose(p, a), others=Chose(p, None))
    if s.turn == turn:
        return told
    cards = tuple(s.discard[10 * q + turn] for q in range(s.players))
    told += [Notice(only(q), Revealed(turn, cards, hand_of(s, q))) for q in range(s.players)]
    return [*told, Notice(all_but(*range(s.players)), Revealed(turn, cards, None)), *finish(s)]


def hand_of(s: PlainState, seat: int) -> Cards:
    """The cards that a seat holds now."""
    return tuple(cards_of(s.stack[int(rules.held(s, seat))]))


def finish(s: PlainState) -> list[Notice]:
    """The end of the game, if this is it."""
    if not s.over:
        return []
    return [Notice(EVERYONE, Finished(tuple(s.score[: s.players])))]


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the highest total wins, equal totals share; a seat that has forfeited cannot win."""
    return most_wins("All cards are grouped.", s.score[: s.players], forfeited)
