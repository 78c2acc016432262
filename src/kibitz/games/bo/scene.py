"""The scene of a table of Bo: piles, stockpiles and hands. The parts of a play are a card and a pile."""

from kibitz.engine.scene import Fact, Part, Scene, Zone, button, card, place
from kibitz.engine.scene.elements import hand, owner, pile
from kibitz.engine.sentences import Names
from kibitz.games.bo.piles import FROM_PILE, NO_PLAY, SOURCE, STOCK
from kibitz.games.bo.view import BoView


def scene(view: BoView, names: Names) -> Scene:
    """The position."""
    zones = [pile(f"build{i}", f"Build pile {i}", *top_of(cards)) for i, cards in enumerate(view.builds, 1)]
    zones.append(Zone("draw", "Draw pile", -1, "backs", (), view.draw_count))
    for p, (top, count) in enumerate(zip(view.stock_tops, view.stock_counts, strict=True)):
        own = [card for card in view.hand if card is not None] if p == view.seat else None
        zones.append(hand(p, own, sum(back is not None for back in view.backs[p]), names))
        zones.append(pile(f"stock{p}", f"{owner(p, names)} stockpile", top, count, p, face_down=True))
        for k, cards in enumerate(view.discards[4 * p : 4 * p + 4], 1):
            zones.append(pile(f"discard{p}.{k}", f"{owner(p, names)} discard pile {k}", *top_of(cards), p))
    return Scene(tuple(zones), (Fact("Turn", f"{min(view.round + 1, view.rounds)} of {view.rounds}"),))


def top_of(cards: tuple[int, ...]) -> tuple[int | None, int]:
    """The top card of a pile, and how many cards the pile has."""
    return (cards[-1] if cards else None), len(cards)


def parts(view: BoView, action: int) -> tuple[Part, ...]:
    """The card of a play and the pile that it goes to, or a button to pass."""
    if action == NO_PLAY:
        return (button("pass", "pass: nothing can be played"),)
    source, goal = divmod(action, SOURCE)
    return card(source_key(view, source)), place(pile_key(goal))


def source_key(view: BoView, source: int) -> str:
    """The key of the spot with the card that a source offers."""
    if source == STOCK:
        return f"stock{view.player}:top"
    return hand_keys(view)[source] if source < STOCK else f"{pile_key(source - FROM_PILE + 4)}:top"


def hand_keys(view: BoView) -> dict[int, str]:
    """The keys of the spots in the viewer's hand, by place."""
    places = [place for place, held in enumerate(view.hand) if held is not None]
    cards = [held for held in view.hand if held is not None]
    zone = hand(view.seat, cards, 0, [""] * view.players)
    return {place: spot.key for place, spot in zip(places, zone.spots, strict=True)}


def pile_key(pile: int) -> str:
    """The key of the zone of a build or discard pile."""
    return f"build{pile + 1}" if pile < 4 else f"discard{(pile - 4) // 4}.{pile % 4 + 1}"


def action_from_keys(view: BoView, keys: frozenset[str]) -> int | None:
    """The play, legal or not, for the keys of a card and a pile; None for any other set of keys."""
    sources = {source_key(view, FROM_PILE + j): FROM_PILE + j for j in range(4 * view.players)}
    sources |= {source_key(view, STOCK): STOCK} | {key: place for place, key in hand_keys(view).items()}
    goals = {pile_key(pile): pile for pile in range(4 + 4 * view.players)}
    source, goal = [sources[key] for key in keys & sources.keys()], [goals[key] for key in keys & goals.keys()]
    return SOURCE * source[0] + goal[0] if len(source) == len(goal) == 1 else None
