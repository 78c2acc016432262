"""What a seat of President may know of a position.

What a pair trades, its own two seats see; with ``upper_names`` all see what is asked for and given, and where cards
are requested until one is given, what is returned too.
"""

from typing import Annotated

from kibitz.cards import as_set
from kibitz.cards.sets import at_places
from kibitz.engine.events import View
from kibitz.engine.field_types import Flags, Most, Seat, Words
from kibitz.engine.layout import PlainState
from kibitz.engine.observation import Coded, Computed, ComputedFor, Own, Sizes, Stored, functions
from kibitz.games.president import rules
from kibitz.games.president.heights import Cards, Move, OneCard, Pack, heights, shown
from kibitz.games.president.moves import in_heights
from kibitz.games.president.rounds import SEATS
from kibitz.games.president.trading import BY_RANK, REQUESTED, lower, pairs, upper

Asking = Annotated[int, Words("no", "one card", "until it gets one")]
Fives = Annotated[int, Flags("straight", "flush", "full house", "four and one", "straight flush")]
Phase = Annotated[int, Words("play", "ask", "return")]


def seats(bits: int) -> tuple[Seat, ...]:
    """The seats of a set of bits."""
    return tuple([p for p in range(SEATS) if bits >> p & 1])


Seats = Annotated[tuple[Seat, ...], Coded(seats, as_set)]


def traders(s: PlainState) -> list[tuple[Seat, Seat]]:
    """The seats that trade this round, by pair: the lower and the upper one."""
    return [(lower(s, j), upper(s, j)) for j in range(pairs(s))] if s.round else []


def by_pair(s: PlainState, sets: list[int], seat: int, *, in_the_open: bool) -> tuple[Cards | None, ...]:
    """What the pairs trade, None where only its own two seats see it and ``seat`` is neither."""
    trades = zip(traders(s), sets, strict=False)
    return tuple([shown(cards) if in_the_open or seat in both else None for both, cards in trades])


def given(s: PlainState, seat: int) -> tuple[Cards | None, ...]:
    """By pair, what the lower seat gave."""
    return by_pair(s, s.given, seat, in_the_open=s.upper_names != BY_RANK)


def returned(s: PlainState, seat: int) -> tuple[Cards | None, ...]:
    """By pair, what came back."""
    return by_pair(s, s.returned, seat, in_the_open=s.upper_names == REQUESTED)


def named(s: PlainState) -> tuple[Cards, ...]:
    """By pair, what the upper seat has asked for."""
    return tuple([shown(cards) for cards in s.named[: len(traders(s))]])


class PresidentView(View, frozen=True):
    """What one seat may know of a position in President.

    players         how many seats take part
    rounds          how many rounds the match has
    pack            the cards that are played with, the lowest of President first
    traded          how many cards the President and the Bum trade
    pass_locks      whether a seat that has passed is out until the pile is cleared
    upper_names     whether the upper seat of a pair asks for the cards that it gets
    fives           the kinds of five cards that count
    points          whether the roles are worth points
    leftovers       whether the cards that cannot be shared out equally go to those who sit last
    round           how many rounds are over
    phase           what the seat to move does: play, or, while cards are traded, ask for one or return one
    pair            whose turn it is to trade: 0 President and Bum, 1 the Vices
    todo            how many cards are still to be asked for or returned
    order           the seats as they sit this round, the President of the last round first
    hand            your cards, the lowest of President first
    counts          by seat, how many cards it holds
    gone            by seat, the cards that it has played this round
    pile            the cards to beat, empty if the seat to move leads
    last            the seat that played them
    passed          the seats that have passed since the pile was cleared
    lowest          the lowest card dealt in the first round, None in later rounds
    finish          the seats that are out this round, the first one first
    scores          by seat, its points so far
    given           by pair, what the lower seat gave, None if you do not see it
    returned        by pair, what came back, None if you do not see it
    named           by pair, the cards that the upper seat has asked for, or that are known not to be held
    wish            the cards asked for last
    ending          the cards that ended the last round
    """

    players: int
    rounds: int
    pack: Pack
    traded: int
    pass_locks: bool
    upper_names: Asking
    points: bool
    leftovers: bool
    fives: Fives
    round: int
    phase: Phase
    pair: Annotated[int, Most(1)]
    todo: Annotated[int, Most(2)]
    order: tuple[Seat, ...]
    hand: Annotated[Cards, Own("hand")]
    counts: Annotated[tuple[int, ...], Sizes("hand")]
    gone: tuple[Cards, ...]
    pile: Move
    last: Seat | None
    passed: Seats
    lowest: Annotated[OneCard | None, Stored("lowest_card")]
    finish: Annotated[tuple[Seat, ...], Stored("finish", "outs")]
    scores: Annotated[tuple[int, ...], Stored("score")]
    given: Annotated[tuple[Cards | None, ...], Most(2), ComputedFor(given)]
    returned: Annotated[tuple[Cards | None, ...], Most(2), ComputedFor(returned)]
    named: Annotated[tuple[Cards, ...], Most(2), Computed(named)]
    wish: Cards
    ending: Move


def complete(s: PlainState, seen: PresidentView) -> None:
    """What follows from a view, and the hidden cards anywhere that they can be counted."""
    s.outs = len(seen.finish)
    unseen = in_heights(s.pack) & ~sum(s.hand) & ~sum(s.gone)
    for k, p in enumerate(seen.order):
        s.at[p] = k
        if p != seen.seat:
            s.hand[p] = at_places(unseen, (1 << seen.counts[p]) - 1)
            unseen &= ~s.hand[p]
    for j in range(len(seen.given)):
        s.given[j], s.returned[j], s.named[j] = (heights(x[j]) for x in (seen.given, seen.returned, seen.named))


view, views, restore = functions(PresidentView, rules.LAYOUT, rules.clear, complete)
