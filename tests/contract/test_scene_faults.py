"""The contract fails on every planted kind of invalid scene and invalid parts of actions."""

import dataclasses
from itertools import count

import pytest
from msgspec.structs import replace

from kibitz.engine.contract import Violation, positions, scenes
from kibitz.engine.registry import game
from kibitz.engine.scene import Fact, Scene, Zone, button, card

DRAWN = scenes.every_position_can_be_drawn
MADE = scenes.actions_are_made_of_parts


def planted(name, **changes):
    """A game with changed scenes, checked at the covering positions of the original."""
    played = game(name)
    changed = dataclasses.replace(played, scenes=dataclasses.replace(played.scenes, **changes))
    return positions.share_positions(changed, played)


def with_scene(name, change):
    """A game whose scenes are changed by a function."""
    whole = game(name).scenes.scene
    return planted(name, scene=lambda view, names: change(whole(view, names)))


def raising(scene):
    """Raises instead of making a scene."""
    raise KeyError("this is the fault")


FLICKER = count()
SCENES = {
    "scene raised": raising,
    "two things with one key": lambda s: replace(s, zones=(*s.zones, s.zones[0])),
    "calls two things the same": lambda s: replace(s, zones=(*s.zones, *map(again, s.zones))),
    "no words": lambda s: replace(s, facts=(Fact("Score", " "),)),
    "more than one line": lambda s: replace(s, prompt="one\ntwo"),
    "an unknown form": lambda s: replace(s, zones=(*s.zones, Zone("heap", "Heap", -1, "heap"))),
    "impossible numbers": lambda s: replace(s, zones=(*s.zones, Zone("heap", "Heap", 99, "backs"))),
    "isn't written as people type it": lambda s: replace(s, zones=tuple(map(misspelt, s.zones))),
    "lacks cards": lambda s: Scene(tuple(zone for zone in s.zones if zone.form != "hand"), s.facts),
    "unequal scenes": lambda s: replace(s, facts=(Fact("Round", str(next(FLICKER))),)),
}


def again(zone):
    """A zone with the same cards under other keys."""
    return replace(zone, key=f"{zone.key}-2", spots=tuple(replace(s, key=f"{s.key}-2") for s in zone.spots))


def misspelt(zone):
    """A zone with symbols appended to its cards."""
    return replace(zone, spots=tuple(replace(spot, card=f"{spot.card}♠") for spot in zone.spots))


@pytest.mark.parametrize("sentence", SCENES)
def test_a_scene_that_cannot_be_drawn_is_caught(sentence):
    with pytest.raises(Violation, match=sentence):
        DRAWN(with_scene("cribbage-mini", SCENES[sentence]))


PARTS = {
    "has no parts": lambda parts: (),
    "has one part twice": lambda parts: (*parts, parts[0]),
    "have the same parts": lambda parts: (button("do it"),),
    "isn't where its kind says": lambda parts: (card("nowhere:KS"),),
    "an unknown kind": lambda parts: tuple(replace(part, kind="wish") for part in parts),
}


@pytest.mark.parametrize("sentence", PARTS)
def test_actions_with_wrong_parts_are_caught(sentence):
    whole = game("president-mini").scenes.parts
    faulty = planted("president-mini", parts=lambda view, action: PARTS[sentence](whole(view, action)))
    with pytest.raises(Violation, match=sentence):
        MADE(faulty)


def test_two_choices_with_the_same_label_are_caught():
    with pytest.raises(Violation, match="have the same label"):
        MADE(planted("kuhn", parts=lambda view, action: (button(f"do {action}", "do it"),)))
