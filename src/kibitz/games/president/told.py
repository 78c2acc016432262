"""What is told in President: the views and events, as values.

    order       the seats as they sit this round, the President of the last round first
    counts      by seat, how many cards it holds; ``gone`` what each has played this round
    pile        the cards to beat, () if the seat to move leads; ``last`` the seat that played them
    lowest      the lowest card dealt in the first round, None in later rounds
    given       by pair (0 President and Bum, 1 the Vices), what the lower seat gave, None if this seat does not see it
    returned    by pair, what came back; ``named`` what the upper seat asked for (option ``upper_names``) or, where it
                asks again, what the lower seat is known not to have kept; ``wish`` the cards asked for last
    fives       the kinds of five cards that count, as bits (``moves.FIVES``)
    ending      the cards that ended the last round

Cards are shown as cards, in the order of President (``heights``).
"""

from kibitz.engine.events import Event, View
from kibitz.games.president.heights import Cards

ROLES = ("President", "Vice-President", "Neutral", "Vice-Bum", "Bum")


class PresidentView(View, frozen=True):
    """What one seat may know of a position in President."""

    players: int
    rounds: int
    pack: Cards
    traded: int
    pass_locks: bool
    upper_names: int
    points: bool
    leftovers: bool
    fives: int
    round: int
    phase: int
    pair: int
    todo: int
    order: tuple[int, ...]
    hand: Cards
    counts: tuple[int, ...]
    gone: tuple[Cards, ...]
    pile: Cards
    last: int | None
    passed: tuple[int, ...]
    lowest: int | None
    finish: tuple[int, ...]
    scores: tuple[int, ...]
    given: tuple[Cards | None, ...]
    returned: tuple[Cards | None, ...]
    named: tuple[Cards, ...]
    wish: Cards
    ending: Cards


class Started(Event, frozen=True):
    """A match begins."""

    players: int
    rounds: int
    pack: Cards
    traded: int
    pass_locks: bool
    upper_names: int
    points: bool
    leftovers: bool
    fives: int


class Dealt(Event, frozen=True):
    """A round has been dealt; every seat learns its own hand, before anything is traded."""

    round: int
    order: tuple[int, ...]
    counts: tuple[int, ...]
    seat: int
    hand: Cards
    lowest: int | None
    next_player: int


class Gave(Event, frozen=True):
    """A lower seat has given its highest cards; only the two see which."""

    pair: int
    lower: int
    upper: int
    number: int
    cards: Cards | None


class Trading(Event, frozen=True):
    """A pair's turn to trade: so many cards are to be named or returned; ``phase`` PLAY: all have traded."""

    seat: int
    pair: int
    phase: int
    todo: int


class Named(Event, frozen=True):
    """The upper seat has asked aloud for a card, and got it if it was held."""

    upper: int
    lower: int
    card: int
    held: bool


class Requested(Event, frozen=True):
    """The upper seat has asked for one of some cards; ``got`` is the one it was given, None if none is held."""

    upper: int
    lower: int
    cards: Cards
    got: int | None


class Returned(Event, frozen=True):
    """The upper seat has returned a card; only the two see which, unless cards are requested in the open."""

    upper: int
    lower: int
    card: int | None


class Played(Event, frozen=True):
    """A seat has made a move."""

    seat: int
    cards: Cards
    next_player: int


class Passed(Event, frozen=True):
    """A seat has passed."""

    seat: int
    next_player: int


class TrickEnded(Event, frozen=True):
    """Everyone else has passed: the pile is cleared."""

    leader: int


class WentOut(Event, frozen=True):
    """A seat has no cards left, or is the last to hold any."""

    seat: int
    place: int
    role: str


class RoundEnded(Event, frozen=True):
    """All but one are out."""

    round: int
    finish: tuple[int, ...]
    scores: tuple[int, ...]


class Finished(Event, frozen=True):
    """The match is over; who wins is the referee's to say, because a forfeit counts."""

    scores: tuple[int, ...]


def role(players: int, place: int) -> str:
    """The role of the seat that came in at ``place``, 0 first.

    >>> [role(4, place) for place in range(4)]
    ['President', 'Vice-President', 'Vice-Bum', 'Bum']
    """
    if place in (0, players - 1):
        return ROLES[4 if place else 0]
    if players > 3 and place in (1, players - 2):
        return ROLES[1 if place == 1 else 3]
    return ROLES[2]
