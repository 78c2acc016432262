"""What is told in cribbage: the views and events, as values.

hand        the own cards, sorted; ``counts`` by seat how many it holds
away        what the seat itself has laid away; ``crib`` the whole crib once it has been shown
plays       the cards played in this deal, each with its seat; those from ``first`` on are in the present count
floors      by seat, the least value that its cards can have, by when it said go
pegs        the score of this game; ``points`` what finished games count in the match
past        how the deal before this one went, as far as it was shown
"""

import msgspec

from kibitz.engine.events import Event, View

Cards = tuple[int, ...]
Plays = tuple[tuple[int, int], ...]
Pegs = tuple[int, int]

SKUNKS = ("", "", ", a skunk", ", a double skunk")
"""What a game is called that counts so many points."""


class Past(msgspec.Struct, frozen=True):
    """A deal that is over; the crib is empty where it was not shown."""

    plays: Plays
    starter: int | None
    crib: Cards
    pegs: Pegs


class CribbageView(View, frozen=True):
    """What one seat may know of a position in cribbage."""

    pack: Cards
    games: int
    target: int
    hand_size: int
    discards: int
    skunks: bool
    cut: Cards
    game: int
    deals: int
    dealer: int
    laying: bool
    hand: Cards
    counts: tuple[int, int]
    away: Cards
    starter: int | None
    plays: Plays
    first: int
    count: int
    went: tuple[int, ...]
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
    dealer: int


class Dealt(Event, frozen=True):
    """Both seats have been dealt their hands; each learns its own."""

    game: int
    number: int
    dealer: int
    seat: int
    hand: Cards


class Laid(Event, frozen=True):
    """A seat has laid cards away to the crib; only it sees which."""

    seat: int
    number: int
    cards: Cards | None


class TurnedUp(Event, frozen=True):
    """The starter; for a Jack the dealer scores ``points``, which makes ``total``."""

    starter: int
    dealer: int
    points: int
    total: int


class Played(Event, frozen=True):
    """A seat has played a card: so many of equal rank, so long a run; ``next_player`` NONE if the count ends."""

    seat: int
    card: int
    count: int
    equal: int
    run: int
    points: int
    total: int
    next_player: int


class Went(Event, frozen=True):
    """A seat has said go; ``next_player`` NONE if the count ends."""

    seat: int
    count: int
    next_player: int


class CountEnded(Event, frozen=True):
    """Neither seat can play: a point for the last card unless it made 31; ``leader`` NONE if all cards are played."""

    last: int
    count: int
    points: int
    total: int
    leader: int


class Shown(Event, frozen=True):
    """A hand or the crib is counted."""

    seat: int
    cards: Cards
    starter: int
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
