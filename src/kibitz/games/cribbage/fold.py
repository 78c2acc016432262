"""From what a seat of cribbage saw to what it knows, and back to a position.

fold        the view after one more event; a view must equal the fold of the events its seat saw
restore     a state that fits a view, the hidden cards put anywhere that they can be counted
"""

from msgspec.structs import replace

from kibitz.cards import as_set
from kibitz.engine.events import Event
from kibitz.engine.folding import put, without
from kibitz.engine.layout import PlainState
from kibitz.games.cribbage.counting import MOST
from kibitz.games.cribbage.dealing import LAYING, NONE, PLAYING, TRAIL
from kibitz.games.cribbage.told import (
    CountEnded,
    CribbageView,
    Cut,
    Dealt,
    Finished,
    GameEnded,
    Laid,
    Past,
    Played,
    Plays,
    Shown,
    Started,
    TurnedUp,
    Went,
)


def fold(seen: CribbageView | None, event: Event, seat: int) -> CribbageView:
    """The view of ``seat`` after one more event."""
    if isinstance(event, Started):
        return fold_start(event, seat)
    assert seen is not None, "the first event is always Started"
    match event:
        case Cut(cards, dealer):
            return replace(seen, cut=cards, dealer=dealer)
        case Dealt():
            return fold_deal(seen, event)
        case Laid(who, number, cards):
            return fold_lay(seen, who, number, cards or ())
        case TurnedUp(starter, dealer, _, total):
            pegs = put(seen.pegs, dealer, total)
            return replace(seen, starter=starter, laying=False, player=1 - dealer, pegs=pegs)
        case Played():
            return fold_play(seen, event)
        case Went(who, count, next_player):
            floors = put(seen.floors, who, max(seen.floors[who], MOST - count + 1))
            went = tuple(sorted((*seen.went, who)))
            return replace(seen, went=went, floors=floors, player=who if next_player == NONE else next_player)
        case CountEnded():
            return fold_count(seen, event)
        case Shown(who, cards, _, crib, _, total):
            return replace(seen, pegs=put(seen.pegs, who, total), crib=cards if crib else seen.crib)
        case GameEnded(_, pegs, _, points):
            return replace(seen, pegs=pegs, points=points)
        case Finished(_):
            return replace(seen, over=True, player=NONE)
    raise TypeError(f"{event!r} is no event of cribbage")


def fold_start(event: Started, seat: int) -> CribbageView:
    """The view before the first deal."""
    return CribbageView(
        seat=seat,
        player=0,
        over=False,
        pack=event.pack,
        games=event.games,
        target=event.target,
        hand_size=event.hand_size,
        discards=event.discards,
        skunks=event.skunks,
        cut=(),
        game=0,
        deals=0,
        dealer=0,
        laying=True,
        hand=(),
        counts=(0, 0),
        away=(),
        starter=None,
        plays=(),
        first=0,
        count=0,
        went=(),
        floors=(1, 1),
        crib=(),
        pegs=(0, 0),
        points=(0, 0),
        past=Past((), None, (), (0, 0)),
    )


def fold_deal(seen: CribbageView, event: Dealt) -> CribbageView:
    """The view after a deal: the one before is past."""
    return replace(
        seen,
        game=event.game,
        deals=event.number,
        dealer=event.dealer,
        player=1 - event.dealer,
        laying=True,
        hand=event.hand,
        counts=(seen.hand_size, seen.hand_size),
        away=(),
        starter=None,
        plays=(),
        first=0,
        count=0,
        went=(),
        floors=(1, 1),
        crib=(),
        pegs=seen.pegs if event.number > 1 else (0, 0),
        past=Past(seen.plays, seen.starter, seen.crib, seen.pegs),
    )


def fold_lay(seen: CribbageView, who: int, number: int, cards: tuple[int, ...]) -> CribbageView:
    """The view after a seat has laid cards away."""
    seen = replace(seen, counts=put(seen.counts, who, seen.counts[who] - number), player=1 - who)
    if who != seen.seat:
        return seen
    return replace(seen, hand=without(seen.hand, cards), away=cards)


def fold_play(seen: CribbageView, event: Played) -> CribbageView:
    """The view after a card has been played."""
    who = event.seat
    return replace(
        seen,
        hand=without(seen.hand, (event.card,)),
        counts=put(seen.counts, who, seen.counts[who] - 1),
        plays=(*seen.plays, (who, event.card)),
        count=event.count,
        pegs=put(seen.pegs, who, event.total),
        player=who if event.next_player == NONE else event.next_player,
    )


def fold_count(seen: CribbageView, event: CountEnded) -> CribbageView:
    """The view after a count: what is held now does not fit it; the next one begins unless the game is over."""
    pegs = put(seen.pegs, event.last, event.total)
    least = MOST - event.count + 1
    floors = tuple(max(floor, least) if held else floor for floor, held in zip(seen.floors, seen.counts, strict=True))
    seen = replace(seen, pegs=pegs, floors=(floors[0], floors[1]))
    if event.total == seen.target and event.points:
        return seen
    player = seen.player if event.leader == NONE else event.leader
    return replace(seen, first=len(seen.plays), count=0, went=(), player=player)


def restore(s: PlainState, seen: CribbageView) -> None:
    """Write all that a view tells into a blank state; ``resample`` then puts the hidden cards where they can be."""
    s.player, s.over, s.game, s.deals, s.dealer = seen.player, int(seen.over), seen.game, seen.deals, seen.dealer
    s.phase = LAYING if seen.laying else PLAYING
    s.starter = NONE if seen.starter is None else seen.starter
    s.first, s.count, s.went = seen.first, seen.count, as_set(seen.went)
    s.crib_shown = int(bool(seen.crib))
    s.plays = write_plays(s.trail, s.by, seen.plays)
    s.past_plays = write_plays(s.past_trail, s.past_by, seen.past.plays)
    s.past_starter = NONE if seen.past.starter is None else seen.past.starter
    s.past_crib = as_set(seen.past.crib)
    known = {seen.starter, *seen.hand, *seen.away, *seen.crib, *(card for _, card in seen.plays)}
    rest = [card for card in seen.pack if card not in known]
    for p in range(2):
        s.cut[p] = seen.cut[p] if seen.cut else NONE
        s.floor[p], s.pegs[p], s.points[p], s.past_pegs[p] = (
            seen.floors[p],
            seen.pegs[p],
            seen.points[p],
            seen.past.pegs[p],
        )
        own = p == seen.seat
        s.hand[p] = as_set(seen.hand) if own else as_set(rest.pop() for _ in range(seen.counts[p]))
        laid = seen.counts[p] < seen.hand_size or not seen.laying
        if own or not laid:
            s.away[p] = as_set(seen.away) if own else 0
        elif not seen.crib:
            s.away[p] = as_set(rest.pop() for _ in range(seen.discards))
    restore_crib(s, seen)


def restore_crib(s: PlainState, seen: CribbageView) -> None:
    """Once the crib has been shown, what the seats laid away is known together; a spectator cannot tell them apart."""
    if seen.crib:
        own = seen.away or seen.crib[: seen.discards]
        seat = max(seen.seat, 0)
        s.away[seat], s.away[1 - seat] = as_set(own), as_set(seen.crib) & ~as_set(own)


def write_plays(trail: list[int], by: list[int], plays: Plays) -> int:
    """Write the cards played and their seats; how many there are."""
    for i in range(TRAIL):
        by[i], trail[i] = plays[i] if i < len(plays) else (NONE, NONE)
    return len(plays)
