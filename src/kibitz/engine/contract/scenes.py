"""Checks of scenes: every position can be drawn, and every legal action can be put together from its scene.

A scene is made from a view and names only, so it leaks nothing that the view doesn't; a check confirms that equal views
give equal scenes.
"""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgspec

from kibitz.cards import code, face, parse
from kibitz.engine.contract.checking import Place, check, demand, demand_equal, observers, raising_nothing
from kibitz.engine.contract.positions import covering_positions
from kibitz.engine.game import Game
from kibitz.engine.scene.default_scene import is_cards, open_scene
from kibitz.engine.scene.elements import Form, Kind, Scene
from kibitz.engine.scene.picking import Picking
from kibitz.engine.views.events import View, encoded
from kibitz.engine.views.observation import Own, sources
from kibitz.errors import NotationError

ACTIONS_COMPOSED = 4
"""How many legal actions of a position are put together, part by part."""
REFUSALS_INTERVAL = 4
"""In every fourth position, the refusal of every part is asked for, before any part is taken and after one is."""


@check
def every_position_can_be_drawn(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """The mover and another seat have a sound scene of every position, with unique keys and all of the seat's cards."""
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        position_game, state = position.game, position.state
        names = [f"P{p}" for p in range(position_game.seats)]
        everybody = observers(position_game)
        for seat in {state.player, everybody[number % len(everybody)]}:
            here = position.place.at(seat=seat)
            view = position_game.view(state, seat)
            with raising_nothing("scene", here):
                scene = position_game.scene(view, names)
            demand_sound(scene, position_game.seats, here)
            demand_all_held(view, scene, here)
            if seat == state.player:
                scene_of_equal_view = position_game.scene(msgspec.structs.replace(view), names)
                demand_equal(encoded(scene), encoded(scene_of_equal_view), "equal views give unequal scenes", here)
        with raising_nothing("open_scene", position.place):
            demand_sound(open_scene(position_game, state, names), position_game.seats, position.place)


def demand_sound(scene: Scene, seats: int, place: Place) -> None:
    """Check what must hold for every scene."""
    keys = [zone.key for zone in scene.zones] + [spot.key for zone in scene.zones for spot in zone.spots]
    duplicate_keys = [key for key in keys if keys.count(key) > 1]
    demand(not duplicate_keys, "a scene has two things with one key", place, "", tuple(duplicate_keys[:1]))
    labels = [spot.label for zone in scene.zones for spot in zone.spots]
    duplicate_labels = [label for label in labels if labels.count(label) > 1]
    demand(not duplicate_labels, "a scene calls two things the same", place, "", tuple(duplicate_labels[:1]))
    words = [*keys, *labels, *(zone.title for zone in scene.zones), scene.prompt]
    words += [word for fact in scene.facts for word in (fact.label, fact.value)]
    demand(all(type(word) is str and word.strip() for word in words), "something in a scene has no words", place)
    demand("\n" not in scene.prompt, "a prompt is more than one line", place, "prompt", (scene.prompt,))
    for zone in scene.zones:
        demand(zone.form in get_args(Form), "a zone has an unknown form", place, zone.key, (zone.form,))
        demand(zone.hidden >= 0 and -1 <= zone.seat < seats, "a zone has impossible numbers", place, zone.key)
        for spot in zone.spots:
            demand(is_code(spot.card), "the card of a spot isn't written as people type it", place, spot.key)


def is_code(card: str) -> bool:
    """Whether a text is empty or a card in the project's notation."""
    try:
        return not card or code(parse(card)) == card
    except NotationError:
        return False


def demand_all_held(view: View, scene: Scene, place: Place) -> None:
    """Demand that the cards in the view's ``Own`` fields are in its scene, unless the game is over."""
    cards_in_scene = {spot.card for zone in scene.zones for spot in zone.spots}
    for name, (source, hint) in sources(type(view)).items():
        if isinstance(source, Own) and is_cards(hint) and not view.over:
            cards: Any = getattr(view, name)
            missing = {code(face(card)) for card in cards if card is not None} - cards_in_scene
            demand(not missing, f"the scene lacks cards of the seat's own field {name}", place, "", tuple(missing))


@check
def actions_are_made_of_parts(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Legal actions differ as sets of parts; each can be put together from what is offered, in any order."""
    random = Random(6)
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        if position.state.over:
            continue
        position_game, legal = position.game, position.legal
        here = position.place.at(seat=position.state.player, action=None)
        view = position_game.view(position.state, position.state.player)
        with raising_nothing("scene or parts", here):
            picking = Picking(position_game, view, legal)
        demand_parts(picking, legal, here)
        with raising_nothing("Picking", here):
            for action in random.sample(legal, min(ACTIONS_COMPOSED, len(legal))):
                demand_composable(picking, action, here.at(action=action), random)
            if number % REFUSALS_INTERVAL == 0:
                demand_refusals(picking, here)
                picking.take(random.choice(picking.choices).key)
                demand_refusals(picking, here)


def demand_parts(picking: Picking, legal: list[int], place: Place) -> None:
    """Check what must hold for the parts of a position's legal actions."""
    sets: dict[frozenset[str], int] = {}
    labels = picking.scene.labels
    for action in legal:
        here, parts = place.at(action=action), picking.parts[action]
        demand(parts, "an action has no parts", here)
        demand(len(picking.keys[action]) == len(parts), "an action has one part twice", here)
        other = sets.setdefault(picking.keys[action], action)
        demand(other == action, "two legal actions have the same parts", here, "", (other,))
        for part in parts:
            demand(part.kind in get_args(Kind), "a part has an unknown kind", here, part.key, (part.kind,))
            demand(part.label.strip(), "a part has no label", here, part.key)
            is_in_scene = part.key in labels
            demand(is_in_scene == (part.kind in ("card", "place")), "a part isn't where its kind says", here, part.key)


def demand_composable(picking: Picking, action: int, place: Place, random: Random) -> None:
    """Take an action's parts in random order; each must be offered, with a unique label, and all make the action."""
    keys = [part.key for part in picking.parts[action]]
    for key in random.sample(keys, len(keys)):
        offered = picking.offered
        labels = {part.label for part in offered}
        demand(len(labels) == len(offered), "two offered parts have the same label", place)
        demand(key in {part.key for part in offered}, "a part of a legal action is not offered", place, key)
        picking.take(key)
    demand_equal(picking.complete, action, "the parts of an action make another one", place)
    for key in keys:
        picking.drop(key)
        demand(picking.complete != action, "a part that is deselected stays selected", place, key)


def demand_refusals(picking: Picking, place: Place) -> None:
    """Demand a sentence for every card and place that isn't offered, on why it can't be taken; none for the others."""
    offered = {part.key for part in picking.offered}
    for key in picking.scene.labels:
        if picking.identical_cards.get(key, key) in picking.chosen:
            continue
        why = picking.why_not(key)
        demand((why is None) == (key in offered), "something offered is refused, or the reverse", place, key)
        demand(why is None or why.strip().endswith((".", "!")), "this isn't a sentence", place, key, (why,))


CHECKS = (every_position_can_be_drawn, actions_are_made_of_parts)
