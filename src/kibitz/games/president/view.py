"""What a seat of President may know, and the events of an action and everything that follows from it.

The two seats of a pair see what they trade.  With BLIND_REQUEST everybody sees what is asked for and given, and with
REPEATED_REQUEST also what is returned.
"""

from functools import lru_cache
from typing import Annotated

from msgspec.structs import replace

from kibitz.cards import Card, as_set
from kibitz.cards.sets import at_places
from kibitz.engine.layout import PlainState
from kibitz.engine.views.common_events import Finished, everybody
from kibitz.engine.views.events import SPECTATOR, Event, NewDeal, Notice, RoundOver, View, notices_for, private_notices
from kibitz.engine.views.field_types import Doc, Flags, Most, Seat, ValueWords
from kibitz.engine.views.observation import Coded, Computed, ComputedFor, Own, Seats, Sizes, Stored, view_functions
from kibitz.games.president import rounds, rules
from kibitz.games.president.moves import NONE, cards_in, in_heights, move_of
from kibitz.games.president.rounds import BY_RANK, REPEATED_REQUEST, RETURN, lower_seat, pairs, upper_seat
from kibitz.games.president.rules import PASS, TRADE

# Cards as heights and back: kernels know heights only (see ``moves``)


def to_card(height: int) -> int:
    """The card at a place in the order of President."""
    return (height + 8) % 52


def to_height(card: int) -> int:
    """The place of a card in the order of President."""
    return (card + 44) % 52


@lru_cache(maxsize=1 << 12)
def to_cards(heights: int) -> tuple[Card, ...]:
    """A set of heights as cards, in the order of President."""
    cards = []
    while heights:
        bit = heights & -heights
        cards.append(to_card(bit.bit_length() - 1))
        heights ^= bit
    return tuple(cards)


def to_heights(cards: tuple[Card, ...] | None) -> int:
    """Cards as a set of heights; the empty set for None, which means unknown cards."""
    return as_set(to_height(card) for card in cards or ())


OneCard = Annotated[Card, Coded(to_card, to_height)]
"""A card; in a state, its height."""
Cards = Annotated[tuple[Card, ...], Coded(to_cards, to_heights)]
"""Cards in the order of President; in a state, a set of heights."""
Move = Annotated[
    tuple[Card, ...], Coded(lambda move: to_cards(cards_in(move)), lambda cards: move_of(to_heights(cards)))
]
"""The cards of a move; in a state, its number, NONE for no cards."""
Pack = Annotated[tuple[Card, ...], Coded(lambda pack: to_cards(in_heights(pack)), as_set)]
"""Cards in the order of President; in a state, a set of cards."""


# The view


Asking = Annotated[int, ValueWords("no", "one card", "until it gets one")]
Fives = Annotated[int, Flags("straight", "flush", "full house", "four and one", "straight flush")]
Phase = Annotated[int, ValueWords("play", "ask", "return")]


def trading_pairs(s: PlainState) -> list[tuple[Seat, Seat]]:
    """By pair, the lower and the upper seat; empty in the first round, which has no trades."""
    return [(lower_seat(s, j), upper_seat(s, j)) for j in range(pairs(s))] if s.round else []


def trades_as_seen(s: PlainState, sets: list[int], seat: int, *, public: bool) -> tuple[Cards | None, ...]:
    """By pair, the cards in its entry of ``sets``; None if they aren't public and ``seat`` isn't one of the pair."""
    trades = zip(trading_pairs(s), sets, strict=False)
    return tuple([to_cards(cards) if public or seat in traders else None for traders, cards in trades])


def given_as_seen(s: PlainState, seat: int) -> tuple[Cards | None, ...]:
    """By pair, the cards that the lower seat gave; None if ``seat`` doesn't see them."""
    return trades_as_seen(s, s.given, seat, public=s.upper_names != BY_RANK)


def returned_as_seen(s: PlainState, seat: int) -> tuple[Cards | None, ...]:
    """By pair, the cards that were returned; None if ``seat`` doesn't see them."""
    return trades_as_seen(s, s.returned, seat, public=s.upper_names == REPEATED_REQUEST)


def named_by_pair(s: PlainState) -> tuple[Cards, ...]:
    """By pair, the cards in ``named``."""
    return tuple([to_cards(cards) for cards in s.named[: len(trading_pairs(s))]])


class PresidentView(View, frozen=True):
    """What one seat may know of a position in President."""

    players: Annotated[int, Doc("how many seats take part")]
    rounds: Annotated[int, Doc("how many rounds the game has")]
    pack: Annotated[Pack, Doc("the cards that are played with, the lowest of President first")]
    traded: Annotated[int, Doc("how many cards the President and the Bum trade")]
    pass_locks: Annotated[bool, Doc("whether a seat that has passed is out until the pile is cleared")]
    upper_names: Annotated[Asking, Doc("whether the upper seat of a pair asks for the cards that it gets")]
    points: Annotated[bool, Doc("whether the roles are worth points")]
    leftovers: Annotated[bool, Doc("whether the cards that cannot be shared out equally go to those who sit last")]
    fives: Annotated[Fives, Doc("the kinds of five cards that count")]
    round: Annotated[int, Doc("how many rounds are over")]
    phase: Annotated[
        Phase, Doc("what the seat to move does: play, or, while cards are traded, ask for one or return one")
    ]
    pair: Annotated[int, Most(1), Doc("whose turn it is to trade: 0 President and Bum, 1 the Vices")]
    todo: Annotated[int, Most(2), Doc("how many cards are still to be asked for or returned")]
    order: Annotated[tuple[Seat, ...], Doc("the seats as they sit this round, the President of the last round first")]
    hand: Annotated[Cards, Own("hand"), Doc("your cards, the lowest of President first")]
    counts: Annotated[tuple[int, ...], Sizes("hand"), Doc("by seat, how many cards it holds")]
    gone: Annotated[tuple[Cards, ...], Doc("by seat, the cards that it has played this round")]
    pile: Annotated[Move, Doc("the cards to beat, empty if the seat to move leads")]
    last: Annotated[Seat | None, Doc("the seat that played the pile")]
    passed: Annotated[Seats, Doc("the seats that have passed since the pile was cleared")]
    lowest: Annotated[
        OneCard | None, Stored("lowest_card"), Doc("the lowest card dealt in the first round, None in later rounds")
    ]
    finish: Annotated[
        tuple[Seat, ...], Stored("finish", "out_count"), Doc("the seats that are out this round, the first one first")
    ]
    scores: Annotated[tuple[int, ...], Stored("score"), Doc("by seat, its points so far")]
    given: Annotated[
        tuple[Cards | None, ...],
        Most(2),
        ComputedFor(given_as_seen),
        Doc("by pair, what the lower seat gave, None if you do not see it"),
    ]
    returned: Annotated[
        tuple[Cards | None, ...],
        Most(2),
        ComputedFor(returned_as_seen),
        Doc("by pair, what came back, None if you do not see it"),
    ]
    named: Annotated[
        tuple[Cards, ...],
        Most(2),
        Computed(named_by_pair),
        Doc("by pair, the cards that the upper seat has asked for, or that are known not to be held"),
    ]
    wish: Annotated[Cards, Doc("the cards asked for last")]
    ending: Annotated[Move, Doc("the cards that ended the last round")]


def complete(s: PlainState, view: PresidentView) -> None:
    """Complete a state from a view, with the hidden cards in arbitrary places."""
    s.out_count = len(view.finish)
    unseen = in_heights(s.pack) & ~sum(s.hand) & ~sum(s.gone)
    for k, p in enumerate(view.order):
        s.place[p] = k
        if p != view.seat:
            s.hand[p] = at_places(unseen, (1 << view.counts[p]) - 1)
            unseen &= ~s.hand[p]
    for j in range(len(view.given)):
        s.given[j] = to_heights(view.given[j])
        s.returned[j] = to_heights(view.returned[j])
        s.named[j] = to_heights(view.named[j])


view, views, restore = view_functions(PresidentView, rules.LAYOUT, rules.clear, complete)


# Events


ROLES = ("President", "Vice-President", "Neutral", "Vice-Bum", "Bum")
"""The roles, the best first."""


class Started(Event, frozen=True):
    """A game begins."""

    players: int
    rounds: int
    pack: Pack
    traded: int
    pass_locks: bool
    upper_names: Asking
    points: bool
    leftovers: bool
    fives: Fives


class Dealt(NewDeal, frozen=True):
    """A round has been dealt; every seat learns its own hand, before anything is traded."""

    round: int
    order: tuple[Seat, ...]
    counts: tuple[int, ...]
    seat: Seat
    hand: Cards
    lowest: Card | None
    next_player: Seat


class Gave(Event, frozen=True):
    """A lower seat has given its highest cards; only the two see which."""

    pair: int
    lower: int
    upper: int
    number: int
    cards: Cards | None


class Trading(Event, frozen=True):
    """It is a pair's turn to ask for or return ``todo`` cards; if ``phase`` is PLAY, all pairs have traded."""

    seat: int
    pair: int
    phase: Phase
    todo: int


class Named(Event, frozen=True):
    """The upper seat has asked aloud for a card, and got it if it was held."""

    upper: int
    lower: int
    card: Card
    held: bool


class Requested(Event, frozen=True):
    """The upper seat has asked for one of ``cards``; ``got`` is the card it was given, None if it was given none."""

    upper: int
    lower: int
    cards: Cards
    got: int | None


class Returned(Event, frozen=True):
    """The upper seat has returned a card; only the two see which, unless trades are public."""

    upper: int
    lower: int
    card: Card | None


class Played(Event, frozen=True):
    """A seat has made a move."""

    seat: int
    cards: Cards
    next_player: Seat


class Passed(Event, frozen=True):
    """A seat has passed."""

    seat: int
    next_player: Seat


class TrickEnded(Event, frozen=True):
    """Everyone else has passed: the pile is cleared."""

    leader: int


class WentOut(Event, frozen=True):
    """A seat has no cards left, or is the last to hold any."""

    seat: int
    place: int
    role: str


class RoundEnded(RoundOver, frozen=True):
    """A round is over: all seats but one are out."""

    round: int
    finish: tuple[Seat, ...]
    scores: tuple[int, ...]


def role(players: int, place: int) -> str:
    """The role of the seat that finished at ``place``, from 0.

    >>> [role(4, place) for place in range(4)]
    ['President', 'Vice-President', 'Vice-Bum', 'Bum']
    """
    return ROLES[2 - rounds.role_points(players, place)]


def opening(s: PlainState) -> list[Notice]:
    """The events at the start of a game."""
    public = view(s, SPECTATOR)
    return everybody(Started(*(getattr(public, name) for name in Started.__struct_fields__))) + deal_notices(s)


def deal_notices(s: PlainState) -> list[Notice]:
    """The events of a deal."""
    n = s.players
    lowest = to_card(s.lowest_card) if s.lowest_card != NONE else None
    counts = tuple([hand.bit_count() for hand in s.hand[:n]])
    event = Dealt(s.round, tuple(s.order[:n]), counts, SPECTATOR, (), lowest, s.player)
    return private_notices({p: replace(event, seat=p, hand=to_cards(s.hand[p])) for p in range(n)}, others=event)


def gift_notices(s: PlainState) -> list[Notice]:
    """The events when lower seats have given their cards at once, and the event that says who trades next."""
    notices = []
    for j, traders in enumerate(trading_pairs(s)):
        if s.given[j]:
            gave = Gave(j, *traders, s.given[j].bit_count(), to_cards(s.given[j]))
            notices += notices_for(traders, gave, others=replace(gave, cards=None))
    return notices + trade_notice(s)


def trade_notice(s: PlainState) -> list[Notice]:
    """The event that says who trades next."""
    return everybody(Trading(s.player, s.pair, s.phase, s.todo))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and everything that follows from it; return the notices."""
    if a >= TRADE:
        return advance_trade(s, a)
    p, place = s.player, s.out_count
    rules.act(s, a)
    notices = everybody(Passed(p, s.player) if a == PASS else Played(p, to_cards(cards_in(a)), s.player))
    if s.out_count > place:
        notices += out_notice(s, place)
    if s.pile == NONE:
        notices += everybody(TrickEnded(s.player))
    return notices + (advance_round(s) if s.out_count == s.players - 1 else [])


def out_notice(s: PlainState, place: int) -> list[Notice]:
    """The event of the seat that finished at ``place``."""
    return everybody(WentOut(s.finish[place], place, role(s.players, place)))


def advance_round(s: PlainState) -> list[Notice]:
    """End the round and begin the next one, if there is one; return the notices."""
    n, round = s.players, s.round
    rounds.end_round(s)
    scores = tuple(s.score[:n])
    notices = out_notice(s, n - 1) + everybody(RoundEnded(round, tuple(s.finish[:n]), scores))
    if s.over:
        return notices + everybody(Finished(scores))
    rules.next_round(s)
    notices += deal_notices(s)
    rounds.start_trades(s)
    return notices + gift_notices(s)


def advance_trade(s: PlainState, a: int) -> list[Notice]:
    """Ask for a card or return one; return the notices."""
    j, phase, card = s.pair, s.phase, to_card(a - TRADE)
    lower_seat, upper_seat = trading_pairs(s)[j]
    traders, given_before = (upper_seat, lower_seat), s.given[j]
    rules.act(s, a)
    public = s.upper_names == REPEATED_REQUEST
    if phase == RETURN:
        event = Returned(*traders, card)
        notices = everybody(event) if public else notices_for(traders, event, others=replace(event, card=None))
    elif public:
        new = to_cards(s.given[j] & ~given_before)
        notices = everybody(Requested(*traders, to_cards(s.wish), new[0] if new else None))
    else:
        notices = everybody(Named(*traders, card, s.given[j] != given_before))
    return notices if (s.phase, s.pair) == (phase, j) else notices + trade_notice(s)


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    played = "One round has" if s.rounds == 1 else f"All {s.rounds} rounds have"
    return f"{played} been played."
