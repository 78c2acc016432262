"""What a table of Go is drawn from: hands, what everybody has kept, and the groups that are formed of it."""

from kibitz.cards import code
from kibitz.engine.scene import Fact, Part, Scene, Zone, card
from kibitz.engine.scene.laying import by_seat, hand, laid, whose
from kibitz.engine.sentences import Names
from kibitz.games.go.groups import score
from kibitz.games.go.rules import GROUP
from kibitz.games.go.view import GoView
from kibitz.games.go.words import action_cards


def scene(view: GoView, names: Names) -> Scene:
    """The position; hands that the reader has held are open, others too once nobody holds a card any more."""
    zones: list[Zone] = []
    own = [card for card in view.hand if card != view.chosen]
    for p in range(view.players):
        held, known = view.hands[p], view.hand_size - view.turn
        if known and p == view.seat:
            zones.append(hand(p, own, known, names))
        elif known:
            zones.append(hand(p, held, known, names, "you have held it" if held is not None else ""))
        if p == view.seat and view.chosen is not None:
            zones.append(laid(f"chosen{p}", "Your choice", [view.chosen], p, note="face down", where="as"))
        grouped = {card for group in view.groups[p] for card in group}
        kept = sorted(card for card in view.discards[p] if card not in grouped)
        zones.append(laid(f"discards{p}", f"{whose(p, names)} discards", kept, p, where="among"))
        for i, group in enumerate(view.groups[p], 1):
            worth = int(score(sum(1 << card for card in group)))
            zones.append(laid(f"group{p}.{i}", f"{whose(p, names)} group {i}", group, p, "group", note=f"{worth:+d}"))
    facts = [Fact("Turn", f"{view.turn + 1} of {view.hand_size}")]
    if view.grouping or view.over:
        facts = by_seat("Score", [f"{score:+d}" for score in view.scores])
    return Scene(tuple(zones), tuple(facts))


def parts(view: GoView, action: int) -> tuple[Part, ...]:
    """The card of the hand that is kept, or the discards that make a group."""
    zone = "hand" if action < GROUP else "discards"
    return tuple([card(f"{zone}{view.player}:{code(one)}") for one in action_cards(view, action)])
