"""What a table of Crazy Eights is drawn from; actions are made up of a card or a word, as they are written."""

from kibitz.cards import SUIT_NAMES
from kibitz.engine.scene import Scene, Zone
from kibitz.engine.scene.laying import hand, pile
from kibitz.engine.sentences import Names
from kibitz.games.eights.view import EightsView


def scene(view: EightsView, names: Names) -> Scene:
    """The position."""
    note = f"{SUIT_NAMES[view.suit]} to follow"
    zones = [pile("discards", "Discard pile", view.top, len(view.discards), note=note)]
    zones.append(Zone("stock", "Stock", -1, "backs", (), view.stock))
    for p, count in enumerate(view.counts):
        cards = view.hands[p] if view.over else view.hand if p == view.seat else None
        zones.append(hand(p, cards, count, names))
    return Scene(tuple(zones))
