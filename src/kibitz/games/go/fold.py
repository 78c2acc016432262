"""From what a seat of Go saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the unseen cards put anywhere that they can be
"""

from msgspec.structs import replace

from kibitz.cards import as_set
from kibitz.cards.sets import lowest
from kibitz.engine.events import Event
from kibitz.engine.layout import PlainState
from kibitz.games.go import rules
from kibitz.games.go.rules import NONE
from kibitz.games.go.view import Cards, Chose, Finished, GoView, Grouped, Revealed, Started


def fold(seen: GoView | None, event: Event, seat: int) -> GoView:
    """The view of ``seat`` after one more event."""
    match event:
        case Started(players, hand_size, pack, auto, _, hand):
            hands = tuple(hand if p == seat else None for p in range(players))
            none = ((),) * players
            return GoView(
                seat,
                0,
                False,
                players,
                hand_size,
                pack,
                auto,
                0,
                False,
                None,
                hands,
                none,
                none,
                (0,) * players,
            )
    assert seen is not None, "the first event is always Started"
    match event:
        case Chose(who, card):
            chosen = card if who == seat else seen.chosen
            return replace(seen, chosen=chosen, player=who + 1)
        case Revealed(turn, cards, hand):
            return fold_reveal(seen, turn, cards, hand)
        case Grouped(who, cards, score, next_player):
            formed = tuple((*g, cards) if p == who else g for p, g in enumerate(seen.groups))
            scores = tuple(t + score if p == who else t for p, t in enumerate(seen.scores))
            return replace(seen, groups=formed, scores=scores, player=next_player)
        case Finished(scores):
            return replace(seen, over=True, player=NONE, grouping=not seen.auto, scores=scores)
    raise TypeError(f"{event!r} is no event of Go")


def fold_reveal(seen: GoView, turn: int, cards: Cards, hand: Cards | None) -> GoView:
    """The view after a turn: known hands lose the card laid and move to the left."""
    hands: list[Cards | None] = [None] * seen.players
    for p, known in enumerate(seen.hands):
        if known is not None:
            hands[(p + 1) % seen.players] = tuple(card for card in known if card != cards[p])
    if hand is not None:
        hands[seen.seat] = hand
    discards = tuple((*laid, card) for laid, card in zip(seen.discards, cards, strict=True))
    grouping = turn + 1 == seen.hand_size and not seen.auto
    return replace(seen, turn=turn + 1, chosen=None, player=0, hands=tuple(hands), discards=discards, grouping=grouping)


def restore(s: PlainState, seen: GoView) -> None:
    """Write all that a view tells into a blank state, and any arrangement of the rest that fits."""
    rest = list(seen.pack)
    s.player, s.over, s.turn, s.grouping = seen.player, int(seen.over), seen.turn, int(seen.grouping)
    for i in range(40):
        s.discard[i] = NONE
    for p, laid in enumerate(seen.discards):
        s.laid[p] = as_set(laid)
        s.discard[10 * p : 10 * p + len(laid)] = laid
        rest = [card for card in rest if card not in laid]
    for hand in seen.hands:
        rest = [card for card in rest if card not in (hand or ())]
    for p, hand in enumerate(seen.hands):
        dealt = hand if hand is not None else [rest.pop() for _ in range(seen.hand_size - seen.turn)]
        s.stack[int(rules.held(s, p))] = as_set(dealt)
    for p in range(seen.players):
        s.chosen[p] = NONE
        if p < seen.player and not seen.grouping:
            s.chosen[p] = seen.chosen if p == seen.seat else lowest(s.stack[int(rules.held(s, p))])
    restore_groups(s, seen)


def restore_groups(s: PlainState, seen: GoView) -> None:
    """Write the groups formed so far into a blank state."""
    for p, formed in enumerate(seen.groups):
        laid = sorted(seen.discards[p])
        s.parts[p] = len(formed)
        for i, group in enumerate(formed):
            s.part[10 * p + i] = sum(1 << laid.index(card) for card in group)
        grouped = as_set(card for group in formed for card in group)
        s.left[p] = s.laid[p] & ~grouped if seen.grouping else 0
        s.score[p] = seen.scores[p]
