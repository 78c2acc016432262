"""What a table of Huxxy is drawn from: groups and hands; a play is the card that is taken and its group."""

from kibitz.cards import code, parse
from kibitz.engine.scene import Part, Scene, Zone, button, card, place
from kibitz.engine.scene.laying import bare_label, by_seat, hand, laid
from kibitz.engine.sentences import Names
from kibitz.games.huxxy.best import HAND, Play, play_action
from kibitz.games.huxxy.best import parts as play_of
from kibitz.games.huxxy.groups import is_valid
from kibitz.games.huxxy.plays import PICK_UP, PLAY
from kibitz.games.huxxy.view import HuxxyView, pair
from kibitz.games.huxxy.words import label

NEW = "new"


def scene(view: HuxxyView, names: Names) -> Scene:
    """The position."""
    zones = []
    for number, cards in enumerate(view.table, 1):
        note = "" if is_valid(*pair(cards)) else "not valid yet"
        zones.append(laid(f"group{number}", f"Group {number}", cards, form="group", note=note))
    if not view.over:
        zones.append(Zone(NEW, "A new group", -1, "group"))
    zones.append(Zone("stock", "Stock", -1, "backs", (), view.stock_count))
    for p, count in enumerate(view.hand_counts):
        own = view.hand if p == view.seat else None
        zones.append(hand(p, own if view.hands is None else view.hands[p], count, names))
    opened = ["" if opened else "not on the table yet" for opened in view.opened]
    return Scene(tuple(zones), tuple(by_seat("Groups", opened, "")))


def parts(view: HuxxyView, action: int) -> tuple[Part, ...]:
    """The card and the group that it goes to; else the word."""
    if action < PLAY:
        return (button(("pick up", "end", "concede")[action], bare_label(label(view, action))),)
    one, source, goal = play_of(view, action)
    zone = f"hand{view.player}" if source == HAND else f"group{source + 1}"
    return card(f"{zone}:{code(one)}"), place(NEW if goal == len(view.table) else f"group{goal + 1}")


def made_of(view: HuxxyView, keys: frozenset[str]) -> int | None:
    """The play, allowed or not, that takes a card to a group, where none is taken to a new one; or to pick up."""
    if keys == {"stock"}:
        return PICK_UP
    groups = {f"group{number}": number - 1 for number in range(1, len(view.table) + 1)} | {NEW: len(view.table)}
    cards, goals = [key for key in keys if ":" in key], [key for key in keys if ":" not in key] or [NEW]
    if len(cards) != 1 or len(goals) > 1 or goals[0] not in groups:
        return None
    zone, _, shown = cards[0].partition(":")
    if zone not in groups and zone != f"hand{view.player}":
        return None
    source = groups.get(zone, HAND)
    return play_action(view.table, Play(parse(shown.partition(".")[0]), source, groups[goals[0]]))
