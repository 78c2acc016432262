"""What a seat of President is told: of an action and of all that follows from it, each step as it happens."""

from msgspec.structs import replace

from kibitz.cards import Card
from kibitz.engine.common_events import everybody
from kibitz.engine.events import SPECTATOR, Event, NewDeal, Notice, Outcome, RoundOver, each_its_own, most_wins, seen_by
from kibitz.engine.field_types import Seat
from kibitz.engine.layout import PlainState
from kibitz.games.president import rounds, rules, trading
from kibitz.games.president.heights import Cards, Pack, shown, to_card
from kibitz.games.president.known import Asking, Fives, Phase, traders
from kibitz.games.president.known import restore as restore
from kibitz.games.president.known import view as view
from kibitz.games.president.known import views as views
from kibitz.games.president.moves import NONE, cards_in
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.trading import REQUESTED, RETURN

ROLES = ("President", "Vice-President", "Neutral", "Vice-Bum", "Bum")
"""The roles, by falling worth."""


class Started(Event, frozen=True):
    """A match begins."""

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
    """A pair's turn to trade: so many cards are to be named or returned; ``phase`` PLAY: all have traded."""

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
    """The upper seat has asked for one of some cards; ``got`` is the one it was given, None if none is held."""

    upper: int
    lower: int
    cards: Cards
    got: int | None


class Returned(Event, frozen=True):
    """The upper seat has returned a card; only the two see which, unless cards are requested in the open."""

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
    """All but one are out."""

    round: int
    finish: tuple[Seat, ...]
    scores: tuple[int, ...]


class Finished(Event, frozen=True):
    """The match is over; who wins is the referee's to say, because a forfeit counts."""

    scores: tuple[int, ...]


def role(players: int, place: int) -> str:
    """The role of the seat that came in at ``place``, 0 first.

    >>> [role(4, place) for place in range(4)]
    ['President', 'Vice-President', 'Vice-Bum', 'Bum']
    """
    return ROLES[2 - rounds.role_points(players, place)]


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a match."""
    seen = view(s, SPECTATOR)
    return everybody(Started(*(getattr(seen, name) for name in Started.__struct_fields__))) + dealing(s)


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal."""
    n = s.players
    lowest = to_card(s.lowest_card) if s.lowest_card != NONE else None
    counts = tuple([hand.bit_count() for hand in s.hand[:n]])
    event = Dealt(s.round, tuple(s.order[:n]), counts, SPECTATOR, (), lowest, s.player)
    return each_its_own({p: replace(event, seat=p, hand=shown(s.hand[p])) for p in range(n)}, others=event)


def giving(s: PlainState) -> list[Notice]:
    """What the seats are told of the cards that the lower seats give at once, and of who trades next."""
    told = []
    for j, both in enumerate(traders(s)):
        if s.given[j]:
            gave = Gave(j, *both, s.given[j].bit_count(), shown(s.given[j]))
            told += seen_by(both, gave, others=replace(gave, cards=None))
    return told + turn_to_trade(s)


def turn_to_trade(s: PlainState) -> list[Notice]:
    """Who trades next."""
    return everybody(Trading(s.player, s.pair, s.phase, s.todo))


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and all that follows from it, and tell the seats what they see of it."""
    if a >= TRADE:
        return trade(s, a)
    p, place = s.player, s.outs
    rules.act(s, a)
    told = everybody(Passed(p, s.player) if a == PASS else Played(p, shown(cards_in(a)), s.player))
    if s.outs > place:
        told += went_out(s, place)
    if s.pile == NONE:
        told += everybody(TrickEnded(s.player))
    return told + (ending(s) if s.outs == s.players - 1 else [])


def went_out(s: PlainState, place: int) -> list[Notice]:
    """The seat that came in at ``place``."""
    return everybody(WentOut(s.finish[place], place, role(s.players, place)))


def ending(s: PlainState) -> list[Notice]:
    """End the round and begin the next one, if there is one, and tell the seats."""
    n, round = s.players, s.round
    rounds.end_round(s)
    scores = tuple(s.score[:n])
    told = went_out(s, n - 1) + everybody(RoundEnded(round, tuple(s.finish[:n]), scores))
    if s.over:
        return told + everybody(Finished(scores))
    rules.next_round(s)
    told += dealing(s)
    trading.start_trades(s)
    return told + giving(s)


def trade(s: PlainState, a: int) -> list[Notice]:
    """Name or return a card, and tell the seats."""
    j, phase, card = s.pair, s.phase, to_card(a - TRADE)
    giver, taker = traders(s)[j]
    both, before = (taker, giver), s.given[j]
    rules.act(s, a)
    in_the_open = s.upper_names == REQUESTED
    if phase == RETURN:
        event = Returned(*both, card)
        told = everybody(event) if in_the_open else seen_by(both, event, others=replace(event, card=None))
    elif in_the_open:
        got = shown(s.given[j] & ~before)
        told = everybody(Requested(*both, shown(s.wish), got[0] if got else None))
    else:
        told = everybody(Named(*both, card, s.given[j] != before))
    return told if (s.phase, s.pair) == (phase, j) else told + turn_to_trade(s)


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the most points win, equal points share; a seat that has forfeited cannot win."""
    played = "One round has" if s.rounds == 1 else f"All {s.rounds} rounds have"
    return most_wins(f"{played} been played.", s.score[: s.players], forfeited)
