"""What is told in cribbage: the views and events, as values.

hand        the own cards, sorted; ``counts`` by seat how many it holds
away        what the seat itself has laid away; ``crib`` the whole crib once it has been shown
plays       the cards played in this deal, each with its seat; those from ``first`` on are in the present count
floors      by seat, the least value that its cards can have, by when it said go
pegs        the score of this game; ``points`` what finished games count in the match
past        how the deal before this one went, as far as it was shown
"""

import msgspec

from kibitz.cards import Card
from kibitz.engine.events import Event, View
from kibitz.engine.fields import Seat

Cards = tuple[Card, ...]
Plays = tuple[tuple[Seat, Card], ...]
Pegs = tuple[int, int]

SKUNKS = ("", "", ", a skunk", ", a double skunk")
"""What a game is called that counts so many points."""


class Past(msgspec.Struct, frozen=True):
    """A deal that is over.

    plays       the cards played, each with its seat
    starter     the card that was turned up
    crib        the crib, empty where it was not shown
    pegs        by seat, the score after the deal
    """

    plays: Plays
    starter: Card | None
    crib: Cards
    pegs: Pegs


class CribbageView(View, frozen=True):
    """What one seat may know of a position in cribbage.

    pack        the cards that are played with
    games       how many games the match has
    target      the score that wins a game
    hand_size   how many cards are dealt to each
    discards    how many of them each lays away to the crib
    skunks      whether a game that is won by far counts more
    cut         the cards that both seats cut for the first deal
    game        how many games are over
    deals       the number of this deal in its game
    dealer      the seat that deals and has the crib
    laying      whether cards are laid away now
    hand        your cards, the lowest first
    counts      by seat, how many cards it holds
    away        what you have laid away
    starter     the card turned up
    plays       the cards played in this deal, as (seat, card)
    first       the number of the first of them in the present count
    count       what they make, up to 31
    went        the seats that have said go in the present count
    floors      by seat, the least value that its cards can have, by when it said go
    crib        the whole crib once it has been shown
    pegs        by seat, the score of this game
    points      by seat, what finished games count in the match
    past        the deal before this one, with its plays, starter, crib and pegs
    """

    pack: Cards
    games: int
    target: int
    hand_size: int
    discards: int
    skunks: bool
    cut: Cards
    game: int
    deals: int
    dealer: Seat
    laying: bool
    hand: Cards
    counts: tuple[int, int]
    away: Cards
    starter: Card | None
    plays: Plays
    first: int
    count: int
    went: tuple[Seat, ...]
    floors: tuple[int, int]
    crib: Cards
    pegs: Pegs
    points: Pegs
    past: Past

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


class Dealt(Event, frozen=True):
    """Both seats have been dealt their hands; each learns its own."""

    game: int
    number: int
    dealer: Seat
    seat: Seat
    hand: Cards


class Laid(Event, frozen=True):
    """A seat has laid cards away to the crib; only it sees which."""

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
    """A seat has played a card: so many of equal rank, so long a run; ``next_player`` NONE if the count ends."""

    seat: int
    card: Card
    count: int
    equal: int
    run: int
    points: int
    total: int
    next_player: Seat


class Went(Event, frozen=True):
    """A seat has said go; ``next_player`` NONE if the count ends."""

    seat: int
    count: int
    next_player: Seat


class CountEnded(Event, frozen=True):
    """Neither seat can play: a point for the last card unless it made 31; ``leader`` NONE if all cards are played."""

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


class GameEnded(Event, frozen=True):
    """A seat has reached the target: what the game counts, and the points of the match so far."""

    game: int
    pegs: Pegs
    worth: int
    points: Pegs


class Finished(Event, frozen=True):
    """The match is over; who wins is the referee's to say, because a forfeit counts."""

    points: Pegs
