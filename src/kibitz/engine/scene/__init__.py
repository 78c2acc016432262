"""Scenes: what a table on a screen is drawn from, and how people compose an action by selecting parts of it.

    scene       one position as one seat sees it: zones with spots, facts, and a question (``elements``)
    part        one piece of an action: a card, a place, a button or an amount
    picking     an action composed part by part, in any order (``picking``)
    default     the scene of a game without ``scene.py``, made from the declared fields of its view (``default_scene``)
    open        the scene of a position with all hands shown (``open_scene``)

A scene is made from a view, so it shows nothing that its seat may not know; browser, terminal and line mode draw the
same one.  Use ``Game.scene`` and ``Game.parts``.
"""

from kibitz.engine.scene.default_scene import open_scene
from kibitz.engine.scene.elements import (
    Fact,
    Item,
    Part,
    Row,
    Scene,
    Scenes,
    Spot,
    Summary,
    Zone,
    amount,
    button,
    card,
    place,
)
from kibitz.engine.scene.picking import Picking

__all__ = [
    "Fact",
    "Item",
    "Part",
    "Picking",
    "Row",
    "Scene",
    "Scenes",
    "Spot",
    "Summary",
    "Zone",
    "amount",
    "button",
    "card",
    "open_scene",
    "place",
]
