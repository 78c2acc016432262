"""The scene of a view, a game's own or the plain one, with what is asked or going on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kibitz.engine.scene.declared import declared_scene
from kibitz.engine.scene.things import Scene
from kibitz.engine.sentences import Names, verb

if TYPE_CHECKING:
    from kibitz.engine.events import View
    from kibitz.engine.game import Game


def scene_of(game: Game, view: View, names: Names) -> Scene:
    """What a table is drawn from, with the names as the reader reads them: "You" for the reader's own seat, if any."""
    own = game.scenes.scene
    found = own(view, names) if own is not None else declared_scene(game, view, names)
    return found if found.prompt else replace(found, prompt=going_on(game, view, names))


def going_on(game: Game, view: View, names: Names) -> str:
    """What is asked, or who is waited for."""
    if view.over:
        return "The game is over."
    if view.seat == view.player:
        return str(game.words.prompt(view))
    return f"{names[view.player]} {verb(view.player, view.seat, 'are', 'is')} to move."
