"""What a seat at a poker table sees of a position, and the events of an action and of everything that follows from it.

Folded and mucked cards are never shown: only their owner knows them, and after the next hand nobody does.
"""

from typing import Annotated

import msgspec

from kibitz.cards import Card, as_set, cards_of
from kibitz.engine.layout import PlainState
from kibitz.engine.views.common_events import earned, everybody
from kibitz.engine.views.events import (
    EVERYONE,
    SPECTATOR,
    Event,
    NewDeal,
    Notice,
    RoundOver,
    View,
    notices_for,
    private_notices,
)
from kibitz.engine.views.field_types import ANY_ORDER, FLATTENED, Doc, Most, Seat, ValueWords
from kibitz.engine.views.observation import Computed, ComputedFor, Own, Seats, Sizes, Stored, seats_of, view_functions
from kibitz.games.poker import betting, rules
from kibitz.games.poker.betting import AWARD, BET, CLOSE, DRAW, NONE, OVER, RETURN, SHOW, STREET
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, RAISE

# The view


Cards = tuple[Card, ...]
Sorted = Annotated[Cards, ANY_ORDER]
UpToFive = Annotated[int, Most(5)]
Limit = Annotated[int, ValueWords("no limit", "pot limit", "fixed limit")]


class Setup(msgspec.Struct, frozen=True):
    """The options of a session."""

    players: Annotated[int, Doc("how many seats take part")]
    hands: Annotated[int, Doc("how many hands are played at most")]
    limit: Annotated[Limit, Doc("how bets are limited")]
    small: Annotated[int, Doc("the small blind")]
    big: Annotated[int, Doc("the big blind")]
    ante: Annotated[int, Doc("what everybody antes")]
    straddle: Annotated[bool, Doc("whether the seat after the blinds posts twice the big blind")]
    bet_size: Annotated[int, Doc("the minimum bet; 0 if it is the big blind")]
    cap: Annotated[int, Doc("how many bets and raises a round may have in fixed limit")]
    dead_antes: Annotated[bool, Doc("whether antes go to the pot and count towards no bet")]
    reopen: Annotated[bool, Doc("whether short all-ins that together make a full raise reopen the betting")]
    pack: Annotated[Cards, Doc("the cards that are played with")]
    hole: Annotated[int, Doc("how many cards are dealt to each")]
    streets: Annotated[int, Doc("how many rounds of betting a hand has")]
    flop: Annotated[int, Doc("how many cards are turned up before the second round")]
    turn: Annotated[int, Doc("how many cards are turned up before the third round")]
    river: Annotated[int, Doc("how many cards are turned up before the fourth round")]
    draw: Annotated[bool, Doc("whether cards are drawn before the second round")]


class Turn(msgspec.Struct, frozen=True):
    """Where the betting stands."""

    street: Annotated[int, Most(3), Doc("the number of the round, from 0")]
    drawing: Annotated[bool, Doc("whether cards are drawn now")]
    high: Annotated[int, Doc("the highest bet of this round")]
    min_raise: Annotated[int, Doc("the minimum amount by which a raise must exceed the highest bet")]
    raises: Annotated[int, Doc("how many bets and raises this round has had")]
    waiting: Annotated[Seats, Doc("the seats that still have to act")]
    may_raise: Annotated[Seats, Doc("the seats that may still raise")]
    aggressor: Annotated[Seat | None, Doc("who bet or raised last in this round")]
    initiative: Annotated[Seat | None, Doc("who bet or raised last in the round before")]
    to_call: Annotated[int, Doc("how many chips the seat whose turn it is needs to call")]
    min_raise_to: Annotated[int, Doc("the least that the seat to act may bet or raise to, 0 if it may not")]
    max_raise_to: Annotated[int, Doc("the most that the seat to act may bet or raise to, 0 if it may not")]


class LastHand(msgspec.Struct, frozen=True):
    """What a seat knows of a hand that is over: its own cards as in the view, and what others have shown."""

    board: Annotated[Cards, Doc("the cards that lay open for all")]
    hand: Annotated[Sorted, Doc("your cards")]
    late_cards: Annotated[Sorted, Doc("your cards that you drew after discards had gone back into the pack")]
    own_discards: Annotated[Sorted, Doc("your own discards")]
    discards: Annotated[tuple[UpToFive | None, ...], Doc("by seat, how many cards it discarded")]
    late_counts: Annotated[
        tuple[UpToFive, ...], Doc("by seat, how many of its cards were drawn after discards had gone back")
    ]
    shown: Annotated[tuple[Sorted, ...], Doc("by seat, the cards that it has shown")]


def cards(bits: int) -> Cards:
    """The cards of a set."""
    return tuple(cards_of(bits))


def setup(s: PlainState) -> Setup:
    """The options of a session, except ``pack0`` ...: nobody may know the order of a stacked pack."""
    values = {name: getattr(s, name) for name in Setup.__struct_fields__}
    flags = {name: bool(values[name]) for name in ("straddle", "draw", "dead_antes", "reopen")}
    values.update(flags, pack=cards(s.pack))
    return Setup(**values)


def turn(s: PlainState) -> Turn:
    """Where the betting stands."""
    betting_now = s.stage == BET
    return Turn(
        street=s.street,
        drawing=s.stage == DRAW,
        high=s.high,
        min_raise=s.min_raise,
        raises=s.raises,
        waiting=seats_of(s.waiting),
        may_raise=seats_of(s.may_raise),
        aggressor=None if s.aggressor == NONE else s.aggressor,
        initiative=None if s.initiative == NONE else s.initiative,
        to_call=int(betting.to_call(s, s.player)) if betting_now else 0,
        min_raise_to=int(betting.min_raise_to(s)) if betting_now else 0,
        max_raise_to=int(betting.max_raise_to(s)) if betting_now else 0,
    )


def restore_turn(s: PlainState, view: "PokerView") -> None:
    """Set a state's betting from a view."""
    turn = view.turn
    s.stage = OVER if view.over else DRAW if turn.drawing else BET
    s.street, s.high, s.min_raise, s.raises = turn.street, turn.high, turn.min_raise, turn.raises
    s.aggressor = NONE if turn.aggressor is None else turn.aggressor
    s.initiative = NONE if turn.initiative is None else turn.initiative
    s.waiting, s.may_raise = as_set(turn.waiting), as_set(turn.may_raise)


def discards(s: PlainState) -> tuple[int | None, ...]:
    """By seat, how many cards it has discarded in this hand; None before it has drawn."""
    return discard_counts(s.discarded[: s.players], s.drawn)


def discard_counts(sets: list[int], drawn: int) -> tuple[int | None, ...]:
    """By seat, how many cards it has discarded; None if its bit in ``drawn`` isn't set."""
    return tuple([cards.bit_count() if drawn >> p & 1 else None for p, cards in enumerate(sets)])


def last_hand(s: PlainState, seat: int) -> LastHand | None:
    """What ``seat`` knows of the last hand; None in the first hand."""
    if not s.hands_played:
        return None
    n = s.players
    return LastHand(
        board=tuple(s.past_board[: s.past_cards]),
        hand=cards(s.past_held[seat]) if seat >= 0 else (),
        late_cards=cards(s.past_late[seat]) if seat >= 0 else (),
        own_discards=cards(s.past_discarded[seat]) if seat >= 0 else (),
        discards=discard_counts(s.past_discarded[:n], s.past_drawn),
        late_counts=tuple([late.bit_count() for late in s.past_late[:n]]),
        shown=tuple([cards(s.past_held[p]) if s.past_shown >> p & 1 else () for p in range(n)]),
    )


class PokerView(View, frozen=True):
    """What one seat may know of a position in poker."""

    setup: Annotated[Setup, FLATTENED, Computed(setup)]
    start: Annotated[tuple[int, ...], Doc("by seat, the chips at the beginning of the session")]
    hands_played: Annotated[int, Doc("how many hands are over")]
    button: Annotated[Seat, Doc("the seat with the dealer button")]
    chips: Annotated[tuple[int, ...], Doc("by seat, the chips in front of it")]
    bets: Annotated[tuple[int, ...], Stored("bet"), Doc("by seat, what it has bet in this round")]
    paid: Annotated[tuple[int, ...], Doc("by seat, what it has put into the pot in this hand")]
    dead: Annotated[int, Doc("the antes in the pot that are in nobody's ``paid``")]
    dealt: Annotated[Seats, Doc("the seats that play this hand")]
    live: Annotated[Seats, Doc("the seats that play this hand and have not folded")]
    board: Annotated[Cards, Stored("board", "shown_cards"), Doc("the cards that lie open for all")]
    turn: Annotated[Turn, FLATTENED, Computed(turn, restore_turn)]
    hand: Annotated[Cards, Own("held"), Doc("your cards")]
    late_cards: Annotated[
        Cards, Own("late"), Doc("your cards that you drew after discards had gone back into the pack")
    ]
    own_discards: Annotated[Cards, Own("discarded"), Doc("your own discards")]
    discards: Annotated[
        tuple[UpToFive | None, ...],
        Computed(discards),
        Doc("by seat, how many cards it has discarded, None before it has drawn"),
    ]
    late_counts: Annotated[
        tuple[int, ...],
        Sizes("late"),
        Doc("by seat, how many of its cards were drawn after discards had gone back"),
    ]
    reshuffled: Annotated[Seats, Doc("the seats whose discards have gone back into the pack, because it had run out")]
    last: Annotated[
        LastHand | None,
        ComputedFor(last_hand),
        Doc("the hand before this one, as far as you know it, with its board, your cards and what others showed"),
    ]

    @property
    def pot(self) -> int:
        """All chips in the pot, this round's bets included."""
        return sum(self.paid) + self.dead


def complete(s: PlainState, view: PokerView) -> None:
    """Complete a state from a view: hidden hands get the right number of arbitrary cards, which ``resample`` redraws.

    The pack isn't stacked in such a state, since no seat knows its order.
    """
    for name in rules.PACKS:
        setattr(s, name, 0)
    s.shown_cards = len(view.board)
    s.drawn = drawn_by(view.discards)
    s.level = NONE if view.dead else 0
    rest = [card for card in view.setup.pack if card not in (*view.board, *view.hand, *view.own_discards)]
    for p in view.dealt:
        if p != view.seat:
            s.discarded[p] = as_set(rest[: view.discards[p] or 0])
            s.late[p] = as_set(rest[: view.late_counts[p]])
            s.held[p] = as_set(rest[: view.setup.hole])
    if view.last:
        complete_past(s, view, view.last)


def complete_past(s: PlainState, view: PokerView, last: LastHand) -> None:
    """Restore the known part of the last hand, with arbitrary cards for the rest."""
    s.past_drawn = drawn_by(last.discards)
    s.past_shown = as_set(p for p, shown in enumerate(last.shown) if shown)
    s.past_cards = len(last.board)
    s.past_board[: s.past_cards] = last.board
    pack, hole = view.setup.pack, view.setup.hole
    for p in range(view.setup.players):
        own = p == view.seat
        s.past_discarded[p] = as_set(last.own_discards if own else pack[: last.discards[p] or 0])
        s.past_late[p] = as_set(last.late_cards if own else pack[: last.late_counts[p]])
        s.past_held[p] = as_set(last.hand if own else last.shown[p] or pack[: hole if p in view.dealt else 0])


def drawn_by(discards: tuple[int | None, ...]) -> int:
    """The seats, as bits, that have drawn."""
    return as_set(p for p, number in enumerate(discards) if number is not None)


view, views, restore = view_functions(PokerView, rules.LAYOUT, rules.clear, complete)


# Events


class Started(Event, frozen=True):
    """A session begins."""

    setup: Annotated[Setup, FLATTENED]
    start: tuple[int, ...]


class Dealt(NewDeal, frozen=True):
    """A hand has been dealt, antes and blinds are posted; every seat learns its own cards."""

    number: int
    button: Seat
    dealt: Seats
    chips: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    dead: int
    seat: Seat
    hand: Cards


class Folded(Event, frozen=True):
    """A seat has folded."""

    seat: int


class Called(Event, frozen=True):
    """A seat has called, or checked if ``amount`` is 0."""

    seat: int
    amount: int
    all_in: bool


class Raised(Event, frozen=True):
    """A seat has bet (``opens``) or raised to ``to`` chips in this round, ``amount`` of them new."""

    seat: int
    to: int
    amount: int
    opens: bool
    all_in: bool


class Drew(Event, frozen=True):
    """A seat has discarded and drawn ``number`` cards; only the seat itself sees which.

    ``late`` and ``late_cards`` are the number and the cards drawn after discards had gone back into the pack.
    """

    seat: int
    number: int
    late: int
    discarded: Cards | None
    drawn: Cards
    late_cards: Cards


class NextStreet(Event, frozen=True):
    """The next betting round begins, with cards turned up or with a draw."""

    cards: Cards
    turn: Annotated[Turn, FLATTENED]


class UncalledBetReturned(Event, frozen=True):
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


class HandEnded(RoundOver, frozen=True):
    """A hand is over."""

    number: int
    chips: tuple[int, ...]


class Finished(Event, frozen=True):
    """The session is over; the referee determines the winner, because forfeits count."""

    scores: tuple[int, ...]


def opening(s: PlainState) -> list[Notice]:
    """The events from the start of a session to its first decision."""
    if s.hands_played:  # hands have ended without a decision: play them again for their events
        s = s.copy()
        rules.start(s, *s.key)
    return everybody(Started(setup(s), tuple(s.start[: s.players]))) + dealing(s) + automatic_notices(s)


def dealing(s: PlainState) -> list[Notice]:
    """The events of a deal."""
    n = s.players
    chips, bets, paid = tuple(s.chips[:n]), tuple(s.bet[:n]), tuple(s.paid[:n])
    public = s.hands_played, s.button, seats_of(s.dealt), chips, bets, paid, s.dead
    by_seat = {p: Dealt(*public, p, cards(s.held[p])) for p in seats_of(s.dealt)}
    return private_notices(by_seat, others=Dealt(*public, SPECTATOR, ()))


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and everything that follows from it; return the notices."""
    return action_notices(s, a) + automatic_notices(s)


def automatic_notices(s: PlainState) -> list[Notice]:
    """Carry out everything that needs no decision; return the notices."""
    notices: list[Notice] = []
    while s.stage not in (BET, DRAW, OVER):
        notices += step_notices(s)
    return notices


def action_notices(s: PlainState, a: int) -> list[Notice]:
    """Carry out an action; return its notices."""
    p, before = s.player, s.chips[s.player]
    if DISCARD <= a < RAISE:
        return draw_notices(s, a)
    opens = s.high == 0
    rules.act(s, a)
    amount, all_in = before - s.chips[p], s.chips[p] == 0
    if a == FOLD:
        return everybody(Folded(p))
    if a == CALL:
        return everybody(Called(p, amount, all_in and amount > 0))
    return everybody(Raised(p, a - RAISE, amount, opens, all_in))


def draw_notices(s: PlainState, a: int) -> list[Notice]:
    """Discard and draw; return the notices."""
    p, before = s.player, s.held[s.player]
    rules.act(s, a)
    discarded = s.discarded[p]
    drawn = s.held[p] & ~before
    public = p, discarded.bit_count(), s.late[p].bit_count()
    own = Drew(*public, cards(discarded), cards(drawn), cards(s.late[p]))
    return notices_for((p,), own, others=Drew(*public, None, (), ()))


def step_notices(s: PlainState) -> list[Notice]:
    """Carry out the next step; return its notices."""
    stage, p, n = s.stage, s.player, s.players
    chips_before, number, shown = s.chips[:n], s.hands_played, s.shown_cards
    rules.advance_stage(s)
    gains = [after - before for after, before in zip(s.chips[:n], chips_before, strict=True)]
    if stage == RETURN:
        return [Notice(EVERYONE, UncalledBetReturned(q, gain)) for q, gain in enumerate(gains) if gain]
    if stage == STREET:
        return everybody(NextStreet(tuple(s.board[shown : s.shown_cards]), turn(s)))
    if stage == SHOW:
        return everybody(
            Showed(p, cards(s.held[p]), tuple(s.board[: s.shown_cards])) if s.shown >> p & 1 else Mucked(p)
        )
    if stage == AWARD:
        shares = {q: gain for q, gain in enumerate(gains) if gain}
        return everybody(Won(pots_before(s), tuple(shares), tuple(shares.values())))
    if stage != CLOSE:
        return dealing(s)
    notices = everybody(HandEnded(number, tuple(s.chips[:n])))
    return notices + (everybody(Finished(earned(s, rules.returns))) if s.over else [])


def pots_before(s: PlainState) -> int:
    """How many pots have been awarded before the last one."""
    return len({s.paid[p] for p in seats_of(s.live) if s.paid[p] < s.level})


def why_over(s: PlainState) -> str:
    """Why the game is over."""
    left = sum(chips > 0 for chips in s.chips[: s.players])
    played = "One hand has" if s.hands_played == 1 else f"{s.hands_played} hands have"
    return (
        f"{played} been played." if left > 1 or s.hands_played == s.hands else f"{played} been played: one has it all."
    )
