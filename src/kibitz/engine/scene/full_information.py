"""Positions with all hands open: for replays, finished games and tables of computer players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.engine.scene.default_scene import scene_of
from kibitz.engine.scene.things import Scene, Zone
from kibitz.engine.validation import unchecked
from kibitz.engine.views.events import SPECTATOR

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.engine.layout import PlainState


def open_scene(game: Game, state: PlainState, names: Sequence[str]) -> Scene:
    """The scene with all hands open: each zone as its owner sees it, and unowned zones as a spectator does.

    ``names`` are what the seats are called; nobody is "You".
    """
    view = unchecked(game.view)
    base = scene_of(game, view(state, SPECTATOR), names)
    zones: dict[str, Zone] = {zone.key: zone for zone in base.zones}
    for seat in range(game.seats):
        for zone in scene_of(game, view(state, seat), names).zones:
            known = zones.get(zone.key)
            if known is None or (zone.seat == seat and len(zone.spots) > len(known.spots)):
                zones[zone.key] = zone
    order = {zone.key: place for place, zone in enumerate(base.zones)}
    found = sorted(zones.values(), key=lambda zone: order.get(zone.key, len(order)))
    return Scene(tuple(found), base.facts, base.prompt)
