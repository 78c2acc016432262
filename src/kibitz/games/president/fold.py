"""From what a seat of President saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the hidden cards put anywhere that they can be counted
"""

from msgspec.structs import replace

from kibitz.cards import as_set
from kibitz.engine.events import Event
from kibitz.engine.folding import put, without
from kibitz.engine.layout import PlainState
from kibitz.games.president.heights import Cards, heights, to_height
from kibitz.games.president.moves import NONE, in_heights, move_of
from kibitz.games.president.rounds import SEATS
from kibitz.games.president.told import (
    Dealt,
    Finished,
    Gave,
    Named,
    Passed,
    Played,
    PresidentView,
    Requested,
    Returned,
    RoundEnded,
    Started,
    Trading,
    TrickEnded,
    WentOut,
)
from kibitz.games.president.trading import PLAY, REQUESTED


def fold(seen: PresidentView | None, event: Event, seat: int) -> PresidentView:
    """The view of ``seat`` after one more event."""
    if isinstance(event, Started):
        return fold_start(event, seat)
    assert seen is not None, "the first event is always Started"
    match event:
        case Dealt():
            return fold_deal(seen, event)
        case Gave(pair, lower, upper, number, cards):
            seen = passed_on(seen, lower, upper, number, cards)
            return replace(seen, given=put(seen.given, pair, cards))
        case Trading(who, pair, phase, todo):
            return replace(seen, player=who, pair=pair, phase=phase, todo=todo)
        case Named(upper, lower, card, held):
            pair = seen.pair
            seen = replace(seen, named=put(seen.named, pair, with_card(seen.named[pair], card)), todo=seen.todo - 1)
            if not held:
                return seen
            seen = passed_on(seen, lower, upper, 1, (card,))
            return replace(seen, given=put(seen.given, pair, with_card(seen.given[pair] or (), card)))
        case Requested(upper, lower, cards, got):
            return fold_request(seen, upper, lower, cards, got)
        case Returned(upper, lower, card):
            seen = passed_on(seen, upper, lower, 1, None if card is None else (card,))
            seen = replace(seen, todo=seen.todo - 1)
            if card is None:
                return seen
            returned = with_card(seen.returned[seen.pair] or (), card)
            return replace(seen, returned=put(seen.returned, seen.pair, returned))
        case Played(who, cards, next_player):
            return fold_play(seen, who, cards, next_player)
        case Passed(who, next_player):
            return replace(seen, passed=tuple(sorted((*seen.passed, who))), player=next_player)
        case TrickEnded(leader):
            return replace(seen, pile=(), last=None, passed=(), player=leader)
        case WentOut(who, _, _):
            return replace(seen, finish=(*seen.finish, who))
        case RoundEnded(round, _, scores):
            return replace(seen, round=round + 1, scores=scores, ending=seen.pile)
        case Finished(_):
            return replace(seen, over=True, player=NONE)
    raise TypeError(f"{event!r} is no event of President")


def fold_start(event: Started, seat: int) -> PresidentView:
    """The view before the first deal."""
    n = event.players
    return PresidentView(
        seat=seat,
        player=0,
        over=False,
        players=n,
        rounds=event.rounds,
        pack=event.pack,
        traded=event.traded,
        pass_locks=event.pass_locks,
        upper_names=event.upper_names,
        points=event.points,
        leftovers=event.leftovers,
        fives=event.fives,
        round=0,
        phase=PLAY,
        pair=0,
        todo=0,
        order=tuple(range(n)),
        hand=(),
        counts=(0,) * n,
        gone=((),) * n,
        pile=(),
        last=None,
        passed=(),
        lowest=None,
        finish=(),
        scores=(0,) * n,
        given=(),
        returned=(),
        named=(),
        wish=(),
        ending=(),
    )


def fold_deal(seen: PresidentView, event: Dealt) -> PresidentView:
    """The view after a deal: nothing has been played or traded."""
    n = seen.players
    pairs = (2 if n > 3 else 1) if event.round else 0
    traders = [(event.order[j], event.order[n - 1 - j]) for j in range(pairs)]
    return replace(
        seen,
        round=event.round,
        player=event.next_player,
        order=event.order,
        hand=event.hand,
        counts=event.counts,
        gone=((),) * n,
        pile=(),
        last=None,
        passed=(),
        lowest=event.lowest,
        finish=(),
        given=tuple(() if seen.upper_names or seen.seat in pair else None for pair in traders),
        returned=tuple(() if seen.upper_names == REQUESTED or seen.seat in pair else None for pair in traders),
        named=((),) * pairs,
        wish=(),
    )


def fold_request(seen: PresidentView, upper: int, lower: int, cards: Cards, got: int | None) -> PresidentView:
    """The view after a request: of a value the highest card held is given, so none above it is."""
    pair = seen.pair
    learnt = cards if got is None else tuple(card for card in cards if to_height(card) >= to_height(got))
    named = in_order(tuple({*seen.named[pair], *learnt}))
    seen = replace(seen, named=put(seen.named, pair, named), wish=cards)
    if got is None:
        return seen
    seen = passed_on(seen, lower, upper, 1, (got,))
    given = with_card(seen.given[pair] or (), got)
    return replace(seen, given=put(seen.given, pair, given), todo=seen.todo - 1)


def fold_play(seen: PresidentView, who: int, cards: Cards, next_player: int) -> PresidentView:
    """The view after a move."""
    return replace(
        seen,
        hand=without(seen.hand, cards) if who == seen.seat else seen.hand,
        counts=put(seen.counts, who, seen.counts[who] - len(cards)),
        gone=put(seen.gone, who, in_order((*seen.gone[who], *cards))),
        pile=cards,
        last=who,
        passed=seen.passed if seen.pass_locks else (),
        player=next_player,
    )


def passed_on(seen: PresidentView, giver: int, taker: int, number: int, cards: Cards | None) -> PresidentView:
    """The view after some cards, seen or not, have gone from one seat to another."""
    counts = put(seen.counts, giver, seen.counts[giver] - number)
    seen = replace(seen, counts=put(counts, taker, counts[taker] + number))
    if cards is not None and seen.seat == giver:
        return replace(seen, hand=without(seen.hand, cards))
    if cards is not None and seen.seat == taker:
        return replace(seen, hand=in_order((*seen.hand, *cards)))
    return seen


def in_order(cards: Cards) -> Cards:
    """Cards in the order of President."""
    return tuple(sorted(cards, key=to_height))


def with_card(cards: Cards, card: int) -> Cards:
    """Some cards and one more."""
    return in_order((*cards, card))


def restore(s: PlainState, seen: PresidentView) -> None:
    """Write all that a view tells into a blank state; ``resample`` then puts the hidden cards where they can be."""
    n = seen.players
    s.player, s.over, s.round, s.phase = seen.player, int(seen.over), seen.round, seen.phase
    s.pair, s.todo, s.outs = seen.pair, seen.todo, len(seen.finish)
    s.pile = int(move_of(heights(seen.pile))) if seen.pile else NONE
    s.ending = int(move_of(heights(seen.ending))) if seen.ending else NONE
    s.last = NONE if seen.last is None else seen.last
    s.passed = as_set(seen.passed)
    s.lowest_card = NONE if seen.lowest is None else to_height(seen.lowest)
    unseen = in_heights(s.pack) & ~heights(seen.hand) & ~as_set(to_height(c) for gone in seen.gone for c in gone)
    for p in range(SEATS):
        s.order[p] = seen.order[p] if p < n else NONE
        s.at[p] = seen.order.index(p) if p < n else NONE
        s.finish[p] = seen.finish[p] if p < len(seen.finish) else NONE
        s.score[p] = seen.scores[p] if p < n else 0
        s.gone[p] = heights(seen.gone[p]) if p < n else 0
        s.hand[p] = heights(seen.hand) if p == seen.seat else 0
        for _ in range(seen.counts[p] if p < n and p != seen.seat else 0):
            s.hand[p] |= unseen & -unseen
            unseen &= unseen - 1
    s.wish = heights(seen.wish)
    for j in range(len(seen.given)):
        s.given[j], s.returned[j], s.named[j] = (heights(x[j]) for x in (seen.given, seen.returned, seen.named))
