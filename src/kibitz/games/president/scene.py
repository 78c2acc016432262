"""The scene of a table of President: the pile, hands, roles and points; a move is entered as its cards."""

from collections.abc import Sequence

from kibitz.cards import SUIT_NAMES, VALUE_NAMES, Card, code, suit, value
from kibitz.engine.scene import Fact, Part, Row, Scene, Summary, button, card
from kibitz.engine.scene.things import by_seat, face_up, hand
from kibitz.engine.sentences import Names
from kibitz.engine.views.events import Event
from kibitz.games.president.moves import move_of
from kibitz.games.president.rounds import ASK, role_points
from kibitz.games.president.rules import ANY_OF_VALUE, PASS, TRADE
from kibitz.games.president.view import PresidentView, RoundEnded, role, to_card, to_heights
from kibitz.games.president.words import action_cards, kind_name


def scene(view: PresidentView, names: Names) -> Scene:
    """The position, the seats in the order in which they sit."""
    by = "" if view.last is None else f", by {names[view.last]}"
    note = f"{kind_name(int(move_of(to_heights(view.pile))))}{by}" if view.pile else ""
    zones = [face_up("pile", "Pile", view.pile, form="group", note=note, where="on")]
    zones += [hand(p, view.hand if p == view.seat else None, view.counts[p], names) for p in view.order]
    roles = {p: role(view.players, k) for k, p in enumerate(view.order)} if view.round and not view.over else {}
    facts = [Fact("Round", f"{min(view.round + 1, view.rounds)} of {view.rounds}")]
    facts += by_seat("Role", [roles.get(p, "") for p in range(view.players)], "")
    facts += by_seat("Points", [f"{score:+d}" for score in view.scores])
    facts += by_seat("In this trick", ["passed" if p in view.passed else "" for p in range(view.players)], "")
    return Scene(tuple(zones), tuple(facts))


def parts(view: PresidentView, action: int) -> tuple[Part, ...]:
    """What people pick for an action: the cards of a move or to return, or the value and suit to ask for."""
    if action == PASS:
        return (button("pass"),)
    if view.phase == ASK:
        wish = to_card(4 * (action - ANY_OF_VALUE)) if action >= ANY_OF_VALUE else to_card(action - TRADE)
        return value_button(wish), button("suit:any", "any suit") if action >= ANY_OF_VALUE else suit_button(wish)
    return tuple([card(f"hand{view.player}:{code(each)}") for each in action_cards(action)])


def value_button(wish: Card) -> Part:
    """The button for the value of a card to ask for."""
    return button(f"value:{code(wish)[0]}", VALUE_NAMES[value(wish) - 1])


def suit_button(wish: Card) -> Part:
    """The button for the suit of a card to ask for."""
    return button(f"suit:{SUIT_NAMES[suit(wish)]}", f"of {SUIT_NAMES[suit(wish)]}")


def summary(events: Sequence[Event], seat: int, names: Names) -> Summary:
    """The result of a round: who went out first, the resulting roles, and the points."""
    (ended,) = [event for event in events if isinstance(event, RoundEnded)]
    n = len(ended.finish)
    rows = [
        Row(names[p], note=role(n, place), result=f"{int(role_points(n, place)):+d}", total=f"now {ended.scores[p]:+d}")
        for place, p in enumerate(ended.finish)
    ]
    return Summary(f"Round {ended.round + 1}", tuple(rows))
