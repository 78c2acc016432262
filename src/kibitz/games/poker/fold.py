"""From what a seat at a poker table saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the hidden cards put anywhere that they can be
"""

from msgspec.structs import replace

from kibitz.cards import as_set
from kibitz.engine.events import Event
from kibitz.engine.folding import put, without
from kibitz.engine.layout import PlainState
from kibitz.games.poker.betting import BET, DRAW, NONE, OVER
from kibitz.games.poker.rules import PACKS
from kibitz.games.poker.told import (
    Called,
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
    Showed,
    Started,
    TookBack,
    Turn,
    Won,
)

STILL = Turn(0, False, 0, 0, 0, (), (), None, 0, 0, 0)
"""Nobody is to act."""


def fold(seen: PokerView | None, event: Event, seat: int) -> PokerView:
    """The view of ``seat`` after one more event."""
    if isinstance(event, Started):
        return fold_start(event, seat)
    assert seen is not None, "the first event is always Started"
    match event:
        case Dealt():
            return fold_deal(seen, event)
        case Folded(who, player, turn):
            return replace(seen, live=without(seen.live, (who,)), player=player, turn=turn)
        case Called(who, amount, _, player, turn) | Raised(who, _, amount, _, _, player, turn):
            return replace(moved(seen, who, amount), player=player, turn=turn)
        case Drew():
            return fold_draw(seen, event)
        case NextStreet(cards, player, turn):
            return replace(seen, board=seen.board + cards, bets=(0,) * len(seen.bets), player=player, turn=turn)
        case TookBack(who, amount):
            return moved(seen, who, -amount)
        case Showed() | Mucked():
            return seen
        case Won(_, winners, shares):
            chips = list(seen.chips)
            for p, share in zip(winners, shares, strict=True):
                chips[p] += share
            return replace(seen, chips=tuple(chips))
        case HandEnded():
            return fold_end(seen, event)
        case Finished(_):
            return replace(seen, over=True)
    raise TypeError(f"{event!r} is no event of poker")


def fold_start(event: Started, seat: int) -> PokerView:
    """The view before the first deal."""
    n = event.setup.players
    return PokerView(
        seat=seat,
        player=NONE,
        over=False,
        setup=event.setup,
        start=event.start,
        number=0,
        button=NONE,
        chips=event.start,
        bets=(0,) * n,
        paid=(0,) * n,
        dead=0,
        dealt=(),
        live=(),
        board=(),
        turn=STILL,
        hand=(),
        fresh=(),
        thrown=(),
        discards=(None,) * n,
        late=(0,) * n,
        back=(),
        last=None,
    )


def fold_deal(seen: PokerView, event: Dealt) -> PokerView:
    """The view after a deal."""
    return replace(
        cleared(seen),
        number=event.number,
        button=event.button,
        player=event.player,
        dealt=event.dealt,
        live=event.dealt,
        chips=event.chips,
        bets=event.bets,
        paid=event.paid,
        dead=event.dead,
        turn=event.turn,
        hand=event.hand,
    )


def cleared(seen: PokerView) -> PokerView:
    """The view without what belongs to one hand."""
    n = seen.setup.players
    zeros, nothing = (0,) * n, (None,) * n
    seen = replace(seen, dealt=(), live=(), board=(), bets=zeros, paid=zeros, dead=0, turn=STILL)
    return replace(seen, hand=(), fresh=(), thrown=(), discards=nothing, late=zeros, back=())


def fold_end(seen: PokerView, event: HandEnded) -> PokerView:
    """The view after a hand, which becomes the last one."""
    last = LastHand(seen.board, seen.hand, seen.fresh, seen.thrown, seen.discards, seen.late, event.shown)
    return replace(cleared(seen), number=event.number + 1, player=NONE, chips=event.chips, last=last)


def fold_draw(seen: PokerView, event: Drew) -> PokerView:
    """The view after a draw."""
    who = event.seat
    seen = replace(
        seen,
        player=event.player,
        turn=event.turn,
        discards=put(seen.discards, who, event.number),
        late=put(seen.late, who, event.late),
        back=event.back,
    )
    if event.thrown is None:
        return seen
    hand = tuple(sorted((*without(seen.hand, event.thrown), *event.drawn)))
    return replace(seen, hand=hand, thrown=event.thrown, fresh=event.fresh)


def moved(seen: PokerView, who: int, amount: int) -> PokerView:
    """The view after a seat has put chips into the pot, or has taken them back."""
    return replace(
        seen,
        chips=put(seen.chips, who, seen.chips[who] - amount),
        bets=put(seen.bets, who, seen.bets[who] + amount),
        paid=put(seen.paid, who, seen.paid[who] + amount),
    )


def restore(s: PlainState, seen: PokerView) -> None:
    """Write all that a view tells into a blank state; ``resample`` then puts the hidden cards where they can be.

    The pack is not stacked in imagination.
    """
    for name in PACKS:
        setattr(s, name, 0)
    turn = seen.turn
    s.player, s.over, s.number, s.button = seen.player, int(seen.over), seen.number, seen.button
    s.stage = OVER if seen.over else DRAW if turn.drawing else BET
    s.street, s.high, s.step, s.raises = turn.street, turn.high, turn.step, turn.raises
    s.aggressor = NONE if turn.aggressor is None else turn.aggressor
    s.waiting, s.free = as_set(turn.waiting), as_set(turn.free)
    s.dealt, s.live, s.back = as_set(seen.dealt), as_set(seen.live), as_set(seen.back)
    s.drawn = drawn_by(seen.discards)
    s.dead, s.level = seen.dead, NONE if seen.dead else 0
    s.shown_cards = len(seen.board)
    s.board[:] = [*seen.board, *[NONE] * (5 - len(seen.board))]
    for p in range(seen.setup.players):
        s.start[p], s.chips[p], s.bet[p], s.paid[p] = seen.start[p], seen.chips[p], seen.bets[p], seen.paid[p]
    restore_cards(s, seen)
    if seen.last:
        restore_past(s, seen, seen.last)


def restore_cards(s: PlainState, seen: PokerView) -> None:
    """As many cards everywhere as there are, the own ones where they are."""
    rest = [card for card in seen.setup.pack if card not in (*seen.board, *seen.hand, *seen.thrown)]
    for p in seen.dealt:
        own = p == seen.seat
        s.aside[p] = as_set(seen.thrown if own else rest[: seen.discards[p] or 0])
        s.late[p] = as_set(seen.fresh if own else rest[: seen.late[p]])
        s.held[p] = as_set(seen.hand if own else rest[: seen.setup.hole])


def restore_past(s: PlainState, seen: PokerView, last: LastHand) -> None:
    """What is known of the last hand, and any cards for what is not."""
    s.past_drawn = drawn_by(last.discards)
    s.past_shown = as_set(p for p, shown in enumerate(last.shown) if shown)
    s.past_cards = len(last.board)
    s.past_board[:] = [*last.board, *[NONE] * (5 - len(last.board))]
    for p in range(seen.setup.players):
        own = p == seen.seat
        s.past_aside[p] = as_set(last.thrown if own else seen.setup.pack[: last.discards[p] or 0])
        s.past_late[p] = as_set(last.fresh if own else seen.setup.pack[: last.late[p]])
        s.past_held[p] = as_set(last.hand if own else last.shown[p])


def drawn_by(discards: tuple[int | None, ...]) -> int:
    """The seats, as bits, that have drawn."""
    return as_set(p for p, number in enumerate(discards) if number is not None)
