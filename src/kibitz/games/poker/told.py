"""What is told at a poker table: the views and events, as values.

setup       the options of the session; ``start`` the chips that everybody began with
turn        what the seat to act may do: the price of staying in, the least and the most to raise to
chips       by seat, what lies in front of it; ``bets`` what it has put in this round, ``paid`` in this hand
dead        the antes that lie in the pot and are in nobody's ``paid``
dealt       the seats that play this hand; ``live`` those that have not folded
hand        the own cards, also once they are folded; ``fresh`` those of them drawn after the discards came back
thrown      the own discards
discards    by seat, how many cards it has discarded, None before it has drawn
late        by seat, how many of its cards were drawn after the discards of the seats ``back`` came back
last        the hand before, as far as this seat knows it
"""

from typing import Annotated

import msgspec

from kibitz.cards import Card
from kibitz.engine.events import Event, View
from kibitz.engine.fields import APART, Seat, Words

Cards = tuple[Card, ...]
Seats = tuple[Seat, ...]
Limit = Annotated[int, Words("no limit", "pot limit", "fixed limit")]


class Setup(msgspec.Struct, frozen=True):
    """The options of a session.

    players     how many seats take part
    hands       how many hands are played at most
    limit       how bets are limited
    small       the small blind
    big         the big blind
    ante        what everybody antes
    straddle    whether the seat after the blinds posts twice the big blind
    bet_size    the size of bets where there are no blinds
    cap         how many bets and raises a round may have with fixed limits
    dead_antes  whether antes lie in the pot and count for no bet
    reopen      whether short all-ins that together make a full raise open the betting again
    pack        the cards that are played with
    hole        how many cards are dealt to each
    streets     how many rounds of betting a hand has
    flop        how many cards are turned up before the second round
    turn        how many before the third
    river       how many before the fourth
    draw        whether cards are drawn before the second round
    """

    players: int
    hands: int
    limit: Limit
    small: int
    big: int
    ante: int
    straddle: bool
    bet_size: int
    cap: int
    dead_antes: bool
    reopen: bool
    pack: Cards
    hole: int
    streets: int
    flop: int
    turn: int
    river: int
    draw: bool


class Turn(msgspec.Struct, frozen=True):
    """Where the betting stands.

    street      the number of the round, from 0
    drawing     whether cards are drawn now
    high        the highest bet of this round
    step        by how much a raise must be higher, at least
    raises      how many bets and raises this round has had
    waiting     the seats that have still to act
    free        the seats that may still raise
    aggressor   who has bet or raised last
    price       what it costs to stay in
    least       the least that the seat to act may bet or raise to, 0 if it may not
    most        the most that it may bet or raise to, 0 if it may not
    """

    street: int
    drawing: bool
    high: int
    step: int
    raises: int
    waiting: Seats
    free: Seats
    aggressor: Seat | None
    price: int
    least: int
    most: int


class LastHand(msgspec.Struct, frozen=True):
    """What a seat knows of a hand that is over: the own cards as in the view, and what others have shown.

    board       the cards that lay open
    hand        your cards
    fresh       those of them drawn after discards came back
    thrown      your own discards
    discards    by seat, how many cards it discarded
    late        by seat, how many of its cards were drawn after discards came back
    shown       by seat, the cards that it has shown
    """

    board: Cards
    hand: Cards
    fresh: Cards
    thrown: Cards
    discards: tuple[int | None, ...]
    late: tuple[int, ...]
    shown: tuple[Cards, ...]


class PokerView(View, frozen=True):
    """What one seat may know of a position in poker.

    start       by seat, the chips at the beginning of the session
    number      how many hands are over
    button      the seat with the dealer button
    chips       by seat, what lies in front of it
    bets        by seat, what it has bet in this round
    paid        by seat, what it has put into the pot in this hand
    dead        the antes that lie in the pot and are in nobody's ``paid``
    dealt       the seats that play this hand
    live        those of them that have not folded
    board       the cards that lie open for all
    hand        your cards
    fresh       those of them drawn after the discards came back
    thrown      your own discards
    discards    by seat, how many cards it has discarded, None before it has drawn
    late        by seat, how many of its cards were drawn after discards came back
    back        the seats whose discards came back
    last        the hand before as far as you know it: board, hand, thrown, discards, shown and others
    """

    setup: Annotated[Setup, APART]
    start: tuple[int, ...]
    number: int
    button: Seat
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    dealt: Seats
    live: Seats
    board: Cards
    turn: Annotated[Turn, APART]
    hand: Cards
    fresh: Cards
    thrown: Cards
    discards: tuple[int | None, ...]
    late: tuple[int, ...]
    back: Seats
    last: LastHand | None

    @property
    def pot(self) -> int:
        """All chips in the pot, this round's bets included."""
        return sum(self.paid) + self.dead


class Started(Event, frozen=True):
    """A session begins."""

    setup: Annotated[Setup, APART]
    start: tuple[int, ...]


class Dealt(Event, frozen=True):
    """A hand has been dealt, antes and blinds are posted; every seat learns its own cards."""

    number: int
    button: Seat
    dealt: Seats
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    player: Seat
    turn: Annotated[Turn, APART]
    seat: Seat
    hand: Cards


class Folded(Event, frozen=True):
    """A seat has folded."""

    seat: int
    player: Seat
    turn: Annotated[Turn, APART]


class Called(Event, frozen=True):
    """A seat has called, or checked where nothing was to be paid."""

    seat: int
    amount: int
    all_in: bool
    player: Seat
    turn: Annotated[Turn, APART]


class Raised(Event, frozen=True):
    """A seat has bet or raised to ``to`` chips in this round, ``amount`` of them new."""

    seat: int
    to: int
    amount: int
    opens: bool
    all_in: bool
    player: Seat
    turn: Annotated[Turn, APART]


class Drew(Event, frozen=True):
    """A seat has discarded and drawn; only itself sees which cards."""

    seat: int
    number: int
    late: int
    back: Seats
    player: Seat
    turn: Annotated[Turn, APART]
    thrown: Cards | None
    drawn: Cards
    fresh: Cards


class NextStreet(Event, frozen=True):
    """The next betting round begins, with cards turned up or with a draw."""

    cards: Cards
    player: Seat
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


class HandEnded(Event, frozen=True):
    """A hand is over; ``shown`` are the cards of those who have shown them."""

    number: int
    chips: tuple[int, ...]
    shown: tuple[Cards, ...]


class Finished(Event, frozen=True):
    """The session is over; who wins is the referee's to say, because a forfeit counts."""

    scores: tuple[int, ...]
