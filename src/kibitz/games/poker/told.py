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

import msgspec

from kibitz.engine.events import Event, View

Cards = tuple[int, ...]
Seats = tuple[int, ...]


class Setup(msgspec.Struct, frozen=True):
    """The options of a session."""

    players: int
    hands: int
    limit: int
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
    """Where the betting stands; ``least`` and ``most`` are 0 where the seat to act may not raise."""

    street: int
    drawing: bool
    high: int
    step: int
    raises: int
    waiting: Seats
    free: Seats
    aggressor: int | None
    price: int
    least: int
    most: int


class LastHand(msgspec.Struct, frozen=True):
    """What a seat knows of a hand that is over: the own cards as in the view, and what others have shown."""

    board: Cards
    hand: Cards
    fresh: Cards
    thrown: Cards
    discards: tuple[int | None, ...]
    late: tuple[int, ...]
    shown: tuple[Cards, ...]


class PokerView(View, frozen=True):
    """What one seat may know of a position in poker."""

    setup: Setup
    start: tuple[int, ...]
    number: int
    button: int
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    dealt: Seats
    live: Seats
    board: Cards
    turn: Turn
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

    setup: Setup
    start: tuple[int, ...]


class Dealt(Event, frozen=True):
    """A hand has been dealt, antes and blinds are posted; every seat learns its own cards."""

    number: int
    button: int
    dealt: Seats
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    player: int
    turn: Turn
    seat: int
    hand: Cards


class Folded(Event, frozen=True):
    """A seat has folded."""

    seat: int
    player: int
    turn: Turn


class Called(Event, frozen=True):
    """A seat has called, or checked where nothing was to be paid."""

    seat: int
    amount: int
    all_in: bool
    player: int
    turn: Turn


class Raised(Event, frozen=True):
    """A seat has bet or raised to ``to`` chips in this round, ``amount`` of them new."""

    seat: int
    to: int
    amount: int
    opens: bool
    all_in: bool
    player: int
    turn: Turn


class Drew(Event, frozen=True):
    """A seat has discarded and drawn; only itself sees which cards."""

    seat: int
    number: int
    late: int
    back: Seats
    player: int
    turn: Turn
    thrown: Cards | None
    drawn: Cards
    fresh: Cards


class NextStreet(Event, frozen=True):
    """The next betting round begins, with cards turned up or with a draw."""

    cards: Cards
    player: int
    turn: Turn


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
