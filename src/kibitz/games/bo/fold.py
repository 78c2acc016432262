"""From what a seat of Bo saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the hidden cards put into any places that have the right number
"""

from msgspec.structs import replace

from kibitz.engine.events import Event
from kibitz.engine.folding import put
from kibitz.engine.layout import PlainState
from kibitz.games.bo import rules
from kibitz.games.bo.piles import NONE, turn_up
from kibitz.games.bo.plays import FROM_PILE, STOCK
from kibitz.games.bo.view import (
    BoView,
    Completed,
    Drew,
    Finished,
    Passed,
    Played,
    Started,
    Turned,
    TurnEnded,
)


def fold(seen: BoView | None, event: Event, seat: int) -> BoView:
    """The view of ``seat`` after one more event."""
    if isinstance(event, Started):
        return fold_start(event, seat)
    assert seen is not None, "the first event is always Started"
    match event:
        case Drew(who, places, cards):
            back = [seen.epoch if i in places else b for i, b in enumerate(seen.backs[who])]
            seen = replace(seen, draw_count=seen.draw_count - len(places), backs=put(seen.backs, who, tuple(back)))
            if cards is None:
                return seen
            hand = list(seen.hand)
            for place, card in zip(places, cards, strict=True):
                hand[place] = card
            return replace(seen, hand=tuple(hand))
        case Played(who, source, card, pile):
            return sighted(fold_play(seen, who, source, card, pile), card)
        case Completed(pile, cards):
            back_in = [*seen.returned, *((card, seen.epoch + 1) for card in cards)]
            return replace(
                seen,
                builds=put(seen.builds, pile, ()),
                epoch=seen.epoch + 1,
                draw_count=seen.draw_count + len(cards),
                returned=tuple(sorted(back_in)),
            )
        case Turned(who, card):
            return replace(seen, stock_tops=put(seen.stock_tops, who, card))
        case Passed(who):
            showing = {pile[-1] & 1 for pile in seen.builds if pile}
            colours = sum(1 << colour for colour in (0, 1) if colour not in showing)
            known = zip(seen.backs[who], seen.known_aces[who], strict=True)
            aces = tuple(0 if back is None else (ace or 3) & colours for back, ace in known)
            return replace(seen, passes=seen.passes + 1, known_aces=put(seen.known_aces, who, aces))
        case TurnEnded(next_player, round):
            return replace(seen, player=next_player, round=round, plays=0)
        case Finished(winner, round):
            return replace(
                seen,
                over=True,
                player=NONE,
                winner=winner,
                round=round,
                plays=seen.plays if winner is not None else 0,
            )
    raise TypeError(f"{event!r} is no event of Bo")


def fold_start(event: Started, seat: int) -> BoView:
    """The view once the stockpiles lie."""
    n = event.players
    cards = event.packs * event.suits * event.top_value
    return BoView(
        seat=seat,
        player=0,
        over=False,
        players=n,
        top_value=event.top_value,
        stock_size=event.stock_size,
        hand_size=event.hand_size,
        plays_a_turn=event.plays_a_turn,
        rounds=event.rounds,
        round=0,
        plays=0,
        passes=0,
        winner=None,
        epoch=0,
        hand=(None,) * 5 if seat >= 0 else (),
        backs=((None,) * 5,) * n,
        known_aces=((0,) * 5,) * n,
        stock_tops=event.stock_tops,
        stock_counts=(event.stock_size,) * n,
        builds=((),) * 4,
        discards=((),) * (4 * n),
        draw_count=cards - n * event.stock_size,
        returned=(),
    )


def fold_play(seen: BoView, who: int, source: int, card: int, pile: int) -> BoView:
    """The view after a play: the card leaves its source and lies on its pile."""
    if source < STOCK:
        places = put(seen.backs[who], source, None)
        aces = put(seen.known_aces[who], source, 0)
        seen = replace(seen, backs=put(seen.backs, who, places), known_aces=put(seen.known_aces, who, aces))
        if who == seen.seat:
            seen = replace(seen, hand=put(seen.hand, source, None))
    elif source == STOCK:
        seen = replace(seen, stock_counts=put(seen.stock_counts, who, seen.stock_counts[who] - 1))
    else:
        j = source - FROM_PILE
        seen = replace(seen, discards=put(seen.discards, j, seen.discards[j][:-1]))
    seen = replace(seen, passes=0, plays=seen.plays + (seen.stock_counts[who] > 0))
    if pile < 4:
        return replace(seen, builds=put(seen.builds, pile, (*seen.builds[pile], card)))
    return replace(seen, discards=put(seen.discards, pile - 4, (*seen.discards[pile - 4], card)))


def sighted(seen: BoView, card: int) -> BoView:
    """The view after a card has been played: it is no longer somewhere in the dark."""
    return replace(seen, returned=tuple(entry for entry in seen.returned if entry[0] != card))


def restore(s: PlainState, seen: BoView) -> None:
    """Write all that a view tells into a blank state; ``resample`` then puts the hidden cards where they can be."""
    rules.deal(s, 0, 0, 0, 0)
    pack = {*s.draw, *s.stock, *s.hand} - {NONE}
    rules.clear(s)
    s.player, s.over, s.round, s.plays, s.passes = (
        seen.player,
        int(seen.over),
        seen.round,
        seen.plays,
        seen.passes,
    )
    s.winner = NONE if seen.winner is None else seen.winner
    s.epoch = seen.epoch
    for pile, cards in enumerate(seen.builds + seen.discards):
        for card in cards:
            s.under[card] = s.top[pile]
            turn_up(s, pile, card)
    for card, epoch in seen.returned:
        s.entered[card] = epoch
    shown = {card for cards in seen.builds + seen.discards for card in cards}
    shown |= {card for card in (*seen.hand, *seen.stock_tops) if card is not None}
    hidden = sorted(pack - shown)
    for p in range(seen.players):
        restore_hand(s, seen, p, hidden)
        restore_stock(s, seen, p, hidden)
    s.drawable = len(hidden)
    s.draw[:] = hidden + [NONE] * (len(s.draw) - len(hidden))


def restore_hand(s: PlainState, seen: BoView, seat: int, hidden: list[int]) -> None:
    """Write a hand into the state, with hidden cards where it is not the viewer's own."""
    for i, back in enumerate(seen.backs[seat]):
        place = 5 * seat + i
        own = seen.hand[i] if seat == seen.seat else None
        s.hand[place] = NONE if back is None else own if own is not None else hidden.pop()
        s.since[place] = back or 0
        s.aces[place] = seen.known_aces[seat][i]


def restore_stock(s: PlainState, seen: BoView, seat: int, hidden: list[int]) -> None:
    """Write a stockpile into the state: hidden cards under the one turned up."""
    count, top = seen.stock_counts[seat], seen.stock_tops[seat]
    under = [hidden.pop() for _ in range(count - 1)]
    cards = [*under, top] if top is not None else []
    s.stocked[seat] = count
    s.stock[8 * seat : 8 * seat + 8] = cards + [NONE] * (8 - count)
