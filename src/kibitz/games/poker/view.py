"""What a seat at a poker table may know, and what it is told, from a position.

Folded and mucked cards are never shown: only their owner knows them, and nobody after the next hand.  Of an action and
of everything that follows from it, each step is told as it happens.
"""

from kibitz.cards import cards_of
from kibitz.engine.events import EVERYONE, Event, Notice, Outcome, all_but, most_wins, only, seen_by
from kibitz.engine.layout import PlainState
from kibitz.games.poker import betting, rules
from kibitz.games.poker.betting import AWARD, BET, CLOSE, DRAW, NONE, OVER, RETURN, SHOW, STREET
from kibitz.games.poker.rules import CALL, FOLD, RAISE
from kibitz.games.poker.told import (
    Called,
    Cards,
    Dealt,
    Drew,
    Finished,
    Folded,
    HandEnded,
    LastHand,
    Mucked,
    NextStreet,
    PokerView,
    Raised,
    Seats,
    Setup,
    Showed,
    Started,
    TookBack,
    Turn,
    Won,
)


def seats(bits: int) -> Seats:
    """The seats of a set of bits."""
    return tuple([p for p in range(rules.SEATS) if bits >> p & 1])


def cards(bits: int) -> Cards:
    """The cards of a set."""
    return tuple(cards_of(bits))


def setup(s: PlainState) -> Setup:
    """The options of a session; the order of a stacked pack is nobody's to know."""
    values = {name: getattr(s, name) for name in Setup.__struct_fields__}
    flags = {name: bool(values[name]) for name in ("straddle", "draw", "dead_antes", "reopen")}
    values.update(flags, pack=cards(s.pack))
    return Setup(**values)


def turn(s: PlainState) -> Turn:
    """Where the betting stands."""
    asked = s.stage == BET and s.player != NONE
    return Turn(
        street=s.street,
        drawing=s.stage == DRAW,
        high=s.high,
        step=s.step,
        raises=s.raises,
        waiting=seats(s.waiting),
        free=seats(s.free),
        aggressor=None if s.aggressor == NONE else s.aggressor,
        price=int(betting.price(s, s.player)) if asked else 0,
        least=int(betting.least_raise(s)) if asked else 0,
        most=int(betting.most_raise(s)) if asked else 0,
    )


def view(s: PlainState, seat: int) -> PokerView:
    """What ``seat`` may know."""
    n = s.players
    return PokerView(
        seat=seat,
        player=s.player,
        over=bool(s.over),
        setup=setup(s),
        start=tuple(s.start[:n]),
        number=s.number,
        button=s.button,
        chips=tuple(s.chips[:n]),
        bets=tuple(s.bet[:n]),
        paid=tuple(s.paid[:n]),
        dead=s.dead,
        dealt=seats(s.dealt),
        live=seats(s.live),
        board=board(s),
        turn=turn(s),
        hand=cards(s.held[seat]) if seat >= 0 else (),
        fresh=cards(s.late[seat]) if seat >= 0 else (),
        thrown=cards(s.aside[seat]) if seat >= 0 else (),
        discards=numbers(s.aside[:n], s.drawn),
        late=tuple([late.bit_count() for late in s.late[:n]]),
        back=seats(s.back),
        last=last_hand(s, seat) if s.number else None,
    )


def last_hand(s: PlainState, seat: int) -> LastHand:
    """What ``seat`` knows of the hand before."""
    n = s.players
    return LastHand(
        board=tuple(s.past_board[: s.past_cards]),
        hand=cards(s.past_held[seat]) if seat >= 0 else (),
        fresh=cards(s.past_late[seat]) if seat >= 0 else (),
        thrown=cards(s.past_aside[seat]) if seat >= 0 else (),
        discards=numbers(s.past_aside[:n], s.past_drawn),
        late=tuple([late.bit_count() for late in s.past_late[:n]]),
        shown=tuple([cards(s.past_held[p]) if s.past_shown >> p & 1 else () for p in range(n)]),
    )


def numbers(sets: list[int], drawn: int) -> tuple[int | None, ...]:
    """By seat, how many cards it has discarded, None if it has not drawn."""
    return tuple([cards.bit_count() if drawn >> p & 1 else None for p, cards in enumerate(sets)])


def board(s: PlainState) -> Cards:
    """The cards turned up, in their order."""
    return tuple(s.board[: s.shown_cards])


def everybody(event: Event) -> list[Notice]:
    """An event that all are told of."""
    return [Notice(EVERYONE, event)]


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a session."""
    return everybody(Started(setup(s), tuple(s.start[: s.players]))) + dealing(s)


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal."""
    n = s.players
    chips, bets, paid = tuple(s.chips[:n]), tuple(s.bet[:n]), tuple(s.paid[:n])
    public = s.number, s.button, seats(s.dealt), chips, bets, paid, s.dead, s.player, turn(s)
    told = [Notice(all_but(*seats(s.dealt)), Dealt(*public, NONE, ()))]
    return told + [Notice(only(p), Dealt(*public, p, cards(s.held[p]))) for p in seats(s.dealt)]


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and all that follows from it, and tell the seats what they see of it."""
    told = acted(s, a)
    while s.stage not in (BET, DRAW, OVER):
        told += proceeded(s)
    return told


def acted(s: PlainState, a: int) -> list[Notice]:
    """Carry out an action, and what is told of it."""
    p, before = s.player, s.chips[s.player]
    if FOLD != a != CALL and a < RAISE:
        return drew(s, a)
    opens = s.high == 0
    rules.act(s, a)
    amount, all_in = before - s.chips[p], s.chips[p] == 0
    if a == FOLD:
        return everybody(Folded(p, s.player, turn(s)))
    if a == CALL:
        return everybody(Called(p, amount, all_in and amount > 0, s.player, turn(s)))
    return everybody(Raised(p, a - RAISE, amount, opens, all_in, s.player, turn(s)))


def drew(s: PlainState, a: int) -> list[Notice]:
    """Discard and draw, and what is told of it."""
    p, before = s.player, s.held[s.player]
    rules.act(s, a)
    thrown = s.aside[p]
    drawn = s.held[p] & ~before
    public = p, thrown.bit_count(), s.late[p].bit_count(), seats(s.back), s.player, turn(s)
    own = Drew(*public, cards(thrown), cards(drawn), cards(s.late[p]))
    return seen_by((p,), own, others=Drew(*public, None, (), ()))


def proceeded(s: PlainState) -> list[Notice]:
    """Let the next step follow, and what is told of it."""
    stage, p, n = s.stage, s.player, s.players
    before, number = s.chips[:n], s.number
    rules.proceed(s)
    gains = [chips - had for chips, had in zip(s.chips[:n], before, strict=True)]
    if stage == RETURN:
        return [Notice(EVERYONE, TookBack(q, gain)) for q, gain in enumerate(gains) if gain]
    if stage == STREET:
        new = s.flop if s.street == 1 else s.turn if s.street == 2 else s.river
        return everybody(NextStreet(board(s)[s.shown_cards - new :], s.player, turn(s)))
    if stage == SHOW:
        return everybody(Showed(p, cards(s.held[p]), board(s)) if s.shown >> p & 1 else Mucked(p))
    if stage == AWARD:
        paid = {q: gain for q, gain in enumerate(gains) if gain}
        return everybody(Won(pots_before(s), tuple(paid), tuple(paid.values())))
    if stage != CLOSE:
        return dealing(s)
    told = everybody(HandEnded(number, tuple(s.chips[:n]), last_hand(s, NONE).shown))
    return told + (everybody(Finished(scores(s))) if s.over else [])


def pots_before(s: PlainState) -> int:
    """How many pots have been awarded before the last one."""
    return len({s.paid[p] for p in seats(s.live) if s.paid[p] < s.level})


def scores(s: PlainState) -> tuple[int, ...]:
    """The chips that each seat has won or lost."""
    return tuple([s.chips[p] - s.start[p] for p in range(s.players)])


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: who has won most chips wins, equal gains share; a seat that has forfeited cannot win."""
    left = sum(chips > 0 for chips in s.chips[: s.players])
    played = "One hand has" if s.number == 1 else f"{s.number} hands have"
    reason = f"{played} been played." if left > 1 or s.number == s.hands else f"{played} been played: one has it all."
    return most_wins(reason, scores(s), forfeited)
