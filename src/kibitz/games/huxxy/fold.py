"""From what a seat of Huxxy saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the hidden cards put into any places that have the right number
"""

from collections import Counter

from msgspec.structs import replace

from kibitz.engine.events import Event
from kibitz.engine.layout import PlainState
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.beliefs import PICKED
from kibitz.games.huxxy.groups import points
from kibitz.games.huxxy.plays import NONE
from kibitz.games.huxxy.view import (
    Cards,
    Conceded,
    Finished,
    HuxxyView,
    Moved,
    PickedUp,
    Played,
    Started,
    TurnEnded,
    pair,
)


def fold(seen: HuxxyView | None, event: Event, seat: int) -> HuxxyView:
    """The view of ``seat`` after one more event."""
    if isinstance(event, Started):
        return fold_start(event, seat)
    assert seen is not None, "the first event is always Started"
    match event:
        case PickedUp(who, card, next_player):
            seen = counted(seen, who, 1)
            return replace(
                seen,
                player=next_player,
                over=next_player == NONE,
                hand=seen.hand if card is None else added(seen.hand, card),
                stock_count=seen.stock_count - 1,
                log=(*seen.log, (who, None)),
            )
        case Played(who, card, group, _):
            seen = counted(seen, who, -1)
            return replace(
                seen,
                hand=removed(seen.hand, card) if who == seat else seen.hand,
                table=put(seen.table, group, card),
                plays=seen.plays + 1,
                placed=seen.placed + 1,
                points=seen.points + int(points(card)),
                log=(*seen.log, (who, card)),
            )
        case Moved(_, card, source, group, _):
            left = removed(seen.table[source], card)
            table = (*seen.table[:source], left, *seen.table[source + 1 :])
            return replace(seen, table=put(table, group, card), plays=seen.plays + 1)
        case TurnEnded(who, next_player):
            over = next_player == NONE
            return replace(
                seen,
                player=next_player,
                over=over,
                table=tuple(group for group in seen.table if group),
                plays=seen.plays if over else 0,
                placed=seen.placed if over else 0,
                points=seen.points if over else 0,
                opened=tuple(opened or p == who for p, opened in enumerate(seen.opened)),
            )
        case Conceded(who):
            return replace(seen, player=NONE, over=True, loser=who)
        case Finished(hands):
            return replace(seen, player=NONE, over=True, hands=hands)
    raise TypeError(f"{event!r} is no event of Huxxy")


def fold_start(event: Started, seat: int) -> HuxxyView:
    """The view once the cards are dealt."""
    return HuxxyView(
        seat=seat,
        player=0,
        over=False,
        players=event.players,
        pack=event.pack,
        hand_size=event.hand_size,
        plays_a_turn=event.plays_a_turn,
        opening=event.opening,
        hand=event.hand or (),
        hand_counts=(event.hand_size,) * event.players,
        stock_count=len(event.pack) - event.players * event.hand_size,
        table=(),
        plays=0,
        placed=0,
        points=0,
        opened=(False,) * event.players,
        log=(),
        loser=None,
        hands=None,
    )


def counted(seen: HuxxyView, who: int, more: int) -> HuxxyView:
    """The view with a hand larger by some cards."""
    counts = [n + more * (p == who) for p, n in enumerate(seen.hand_counts)]
    return replace(seen, hand_counts=tuple(counts))


def added(cards: Cards, card: int) -> Cards:
    """Cards in order with one more."""
    return tuple(sorted((*cards, card)))


def removed(cards: Cards, card: int) -> Cards:
    """Cards in order with one less."""
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]


def put(table: tuple[Cards, ...], group: int, card: int) -> tuple[Cards, ...]:
    """The table with a card more in a group, which may be a new one."""
    before = table[group] if group < len(table) else ()
    return (*table[:group], added(before, card), *table[group + 1 :])


def restore(s: PlainState, seen: HuxxyView) -> None:
    """Write all that a view tells into a blank state; ``resample`` then deals the hidden cards anew."""
    rules.clear(s)
    s.player, s.over = seen.player, int(seen.over)
    s.plays, s.placed, s.points = seen.plays, seen.placed, seen.points
    s.opened[: seen.players] = [int(opened) for opened in seen.opened]
    s.loser = NONE if seen.loser is None else seen.loser
    s.groups = len(seen.table)
    for g, cards in enumerate(seen.table):
        s.group_once[g], s.group_twice[g] = pair(cards)
    s.logged = len(seen.log)
    for i, (who, face) in enumerate(seen.log):
        s.log[i] = 64 * who + (PICKED if face is None else face)
    hidden = Counter(seen.pack)
    for cards in seen.table:
        hidden.subtract(cards)
    hands: dict[int, Cards] = dict(enumerate(seen.hands)) if seen.hands is not None else {}
    if seen.seat >= 0:
        hands[seen.seat] = seen.hand
    for cards in hands.values():
        hidden.subtract(cards)
    rest = list(hidden.elements())
    for p, count in enumerate(seen.hand_counts):
        if p not in hands:
            hands[p] = tuple(rest[:count])
            del rest[:count]
        s.hand_once[p], s.hand_twice[p] = pair(hands[p])
    s.stock_once, s.stock_twice = pair(tuple(rest))
