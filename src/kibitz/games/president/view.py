"""What a seat of President may know, and what it is told.

    order       the seats as they sit this round, the President of the last round first
    counts      by seat, how many cards it holds; ``gone`` what each has played this round
    pile        the cards to beat, () if the seat to move leads; ``last`` the seat that played them
    lowest      the lowest card dealt in the first round, None in later rounds
    given       by pair (0 President and Bum, 1 the Vices), what the lower seat gave, None if this seat does not see it
    returned    by pair, what came back; ``named`` what the upper seat asked for (option ``upper_names``)
    ending      the cards that ended the last round

Cards are shown as cards; the order of President is ``kibitz.games.president.moves``' business.
"""

from typing import Any

from kibitz.engine.events import EVERYONE, Event, Notice, Outcome, View, all_but, most_wins, only, seen_by
from kibitz.engine.layout import PlainState
from kibitz.games.president import rules
from kibitz.games.president.moves import cards_in, in_heights
from kibitz.games.president.rules import NONE, PASS, RETURN, TRADE

Cards = tuple[int, ...]

ROLES = ("President", "Vice-President", "Neutral", "Vice-Bum", "Bum")


class PresidentView(View, frozen=True):
    """What one seat may know of a position in President."""

    players: int
    rounds: int
    pack: Cards
    traded: int
    pass_locks: bool
    upper_names: bool
    points: bool
    leftovers: bool
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
    ending: Cards


class Started(Event, frozen=True):
    """A match begins."""

    players: int
    rounds: int
    pack: Cards
    traded: int
    pass_locks: bool
    upper_names: bool
    points: bool
    leftovers: bool


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


class Returned(Event, frozen=True):
    """The upper seat has returned a card; only the two see which."""

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


def to_card(height: int) -> int:
    """The card at a place in the order of President."""
    return (height + 8) % 52


def to_height(card: int) -> int:
    """The place of a card in the order of President."""
    return (card + 44) % 52


def shown(heights: int) -> Cards:
    """A set of heights as cards, in the order of President."""
    cards = []
    while heights:
        bit = heights & -heights
        cards.append(to_card(bit.bit_length() - 1))
        heights ^= bit
    return tuple(cards)


def view(s: PlainState, seat: int) -> PresidentView:
    """What ``seat`` may know."""
    n = s.players
    knows = [bool(s.upper_names) or seat in (s.order[j], s.order[n - 1 - j]) for j in range(pairs(s))]
    sees = [seat in (s.order[j], s.order[n - 1 - j]) for j in range(pairs(s))]
    return PresidentView(
        seat=seat,
        player=s.player,
        over=bool(s.over),
        **options(s),
        round=s.round,
        phase=s.phase,
        pair=s.pair,
        todo=s.todo,
        order=tuple(s.order[:n]),
        hand=shown(s.hand[seat]) if seat >= 0 else (),
        counts=tuple([hand.bit_count() for hand in s.hand[:n]]),
        gone=tuple([shown(gone) for gone in s.gone[:n]]),
        pile=shown(cards_in(s.pile)) if s.pile != NONE else (),
        last=s.last if s.last != NONE else None,
        passed=tuple([p for p in range(n) if s.passed >> p & 1]),
        lowest=to_card(s.lowest_card) if s.lowest_card != NONE else None,
        finish=tuple(s.finish[: s.outs]),
        scores=tuple(s.score[:n]),
        given=tuple([shown(s.given[j]) if known else None for j, known in enumerate(knows)]) if s.round else (),
        returned=tuple([shown(s.returned[j]) if seen else None for j, seen in enumerate(sees)]) if s.round else (),
        named=tuple([shown(s.named[j]) for j in range(pairs(s))]) if s.round else (),
        ending=shown(cards_in(s.ending)) if s.ending != NONE else (),
    )


def pairs(s: PlainState) -> int:
    """How many pairs trade."""
    return int(rules.pairs(s))


def options(s: PlainState) -> dict[str, Any]:
    """The options as views show them."""
    return {
        "players": s.players,
        "rounds": s.rounds,
        "pack": shown(in_heights(s.pack)),
        "traded": s.traded,
        "pass_locks": bool(s.pass_locks),
        "upper_names": bool(s.upper_names),
        "points": bool(s.points),
        "leftovers": bool(s.leftovers),
    }


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a match."""
    return [Notice(EVERYONE, Started(**options(s))), *dealing(s)]


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal, and of the cards that the lower seats give at once."""
    n = s.players
    dealt = s.hand[:n]
    for j in range(pairs(s)):
        dealt[s.order[j]] &= ~s.given[j]
        dealt[s.order[n - 1 - j]] |= s.given[j]
    lowest = to_card(s.lowest_card) if s.lowest_card != NONE else None
    first = s.order[0] if s.round else s.player
    public = s.round, tuple(s.order[:n]), tuple([hand.bit_count() for hand in dealt])
    told = [Notice(all_but(*range(n)), Dealt(*public, -1, (), lowest, first))]
    told += [Notice(only(p), Dealt(*public, p, shown(dealt[p]), lowest, first)) for p in range(n)]
    for j in range(pairs(s)):
        if s.given[j]:
            both, number = (s.order[n - 1 - j], s.order[j]), s.given[j].bit_count()
            gave = Gave(j, *both, number, shown(s.given[j]))
            told += seen_by(both, gave, others=Gave(j, *both, number, None))
    return told + (turn_to_trade(s) if s.round else [])


def turn_to_trade(s: PlainState) -> list[Notice]:
    """Who trades next."""
    return [Notice(EVERYONE, Trading(s.player, s.pair, s.phase, s.todo))]


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    if a >= TRADE:
        return trade(s, a)
    p, outs, round, order = s.player, s.outs, s.round, tuple(s.order[: s.players])
    rules.apply(s, a)
    following = s.player if s.round == round else p
    if a == PASS:
        event: Event = Passed(p, following)
    else:
        event = Played(p, shown(cards_in(a)), following)
    told = [Notice(EVERYONE, event)]
    ended = s.round > round
    if not ended:
        told += [Notice(EVERYONE, WentOut(p, outs, role(s.players, outs)))] if s.outs > outs else []
        return told + ([Notice(EVERYONE, TrickEnded(s.player))] if s.pile == NONE else [])
    finish = tuple(s.finish[: s.players]) if s.over else tuple(s.order[: s.players])
    assert sorted(order) == sorted(finish)
    told += [Notice(EVERYONE, WentOut(finish[k], k, role(s.players, k))) for k in range(outs, s.players)]
    told.append(Notice(EVERYONE, RoundEnded(round, finish, tuple(s.score[: s.players]))))
    if s.over:
        return [*told, Notice(EVERYONE, Finished(tuple(s.score[: s.players])))]
    return told + dealing(s)


def trade(s: PlainState, a: int) -> list[Notice]:
    """Name or return a card, and tell the seats."""
    j, phase, todo, card = s.pair, s.phase, s.todo, to_card(a - TRADE)
    both = int(rules.upper(s, j)), int(rules.lower(s, j))
    before = s.given[j]
    rules.apply(s, a)
    if phase == RETURN:
        told = seen_by(both, Returned(*both, card), others=Returned(*both, None))
    else:
        told = [Notice(EVERYONE, Named(*both, card, s.given[j] != before))]
    return told if s.todo == todo - 1 and s.phase == phase and s.pair == j else told + turn_to_trade(s)


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the most points win, equal points share; a seat that has forfeited cannot win."""
    played = "One round has" if s.rounds == 1 else f"All {s.rounds} rounds have"
    return most_wins(f"{played} been played.", s.score[: s.players], forfeited)
