"""The scene of a table of cribbage: hands, the crib, the starter, what has been played, and the scores."""

from collections.abc import Sequence

from kibitz.cards import code, symbols
from kibitz.engine.scene import Fact, Item, Part, Row, Scene, Summary, Zone, button, card
from kibitz.engine.scene.elements import by_seat, face_up, hands, owner, spots
from kibitz.engine.sentences import YOU, Names, counted
from kibitz.engine.views.events import Event
from kibitz.games.cribbage.hands.show import count_show
from kibitz.games.cribbage.rules import GO
from kibitz.games.cribbage.view import CribbageView, GameEnded, Shown
from kibitz.games.cribbage.words import action_cards, describe


def scene(view: CribbageView, names: Names) -> Scene:
    """The scene of a position."""
    before = [card for _, card in view.plays[: view.first]]
    zones = [face_up("starter", "Starter", [view.starter], where="as")] if view.starter is not None else []
    if not view.over:
        zones.append(face_up("count", "This count", view.trail, note=f"makes {view.count}" if view.trail else ""))
        zones += [face_up("before", "Earlier counts", before)] if before else []
    zones += crib(view, names)
    zones += hands(view.seat, view.hand, view.counts, names)
    if view.own_discards:
        zones.append(face_up(f"away{view.seat}", "Your discards", view.own_discards, view.seat, where="among"))
    facts = by_seat("Score", [f"{peg} of {view.target}" for peg in view.pegs])
    facts += by_seat("Match", view.points) if view.games > 1 else []
    deal = "your crib" if names[view.dealer] == YOU else "has the crib"
    return Scene(tuple(zones), (*facts, Fact("Deal", deal, view.dealer)))


def crib(view: CribbageView, names: Names) -> list[Zone]:
    """The zone of the crib, if it has cards: face down during the deal, face up at the end if it was shown."""
    title = f"{owner(view.dealer, names)} crib"
    if view.over:
        return [face_up("crib", title, view.crib, view.dealer)] if view.crib else []
    discarded = sum(view.discards for count in view.counts if not view.discarding or count < view.hand_size)
    return [Zone("crib", title, view.dealer, "backs", (), discarded)] if discarded else []


def parts(view: CribbageView, action: int) -> tuple[Part, ...]:
    """What people pick for an action: the cards that are discarded or played, or a button for go."""
    if action == GO:
        return (button("go"),)
    return tuple([card(f"hand{view.player}:{code(each)}") for each in action_cards(view, action)])


def summary(events: Sequence[Event], seat: int, names: Names) -> Summary:
    """The result of a deal: the hands and the crib, counted item by item, or what ended the game before the show."""
    shows = [event for event in events if isinstance(event, Shown)]
    end = next((place for place, event in enumerate(events) if isinstance(event, GameEnded)), None)
    starter = [face_up("starter", "Starter", [show.starter], where="as") for show in shows[:1]]
    rows = [row(show, names) for show in shows] or [Row(describe(event, seat, names)) for event in events[:end][-1:]]
    title = "The show" if end is None else describe(events[end], seat, names)
    return Summary(title, tuple(rows), tuple(starter))


def row(show: Shown, names: Names) -> Row:
    """One hand, or the crib, with its counting."""
    title = f"{owner(show.seat, names)} {'crib' if show.crib else 'hand'}"
    items = [
        Item(item.name, symbols(item.cards), item.points)
        for item in count_show(show.cards, show.starter, crib=show.crib).items
    ]
    shown = spots(title, show.cards, "shown")
    return Row(title, shown, "", tuple(items), counted(show.points, "point"), f"total {show.total}")
