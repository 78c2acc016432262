"""Scenes: what a table on a screen is drawn from, and how an action is put together by pointing at it.

    scene       one position as one seat sees it: zones with spots, facts, and what is asked (``things``)
    part        one thing that is taken in making up an action: a card, a place, a button or an amount
    picking     an action that is put together part by part, in any order (``picking``)
    laying      what a game's ``scene.py`` lays its zones with
    declared    the scene of a game that has no ``scene.py``, from the declared fields of its view
    full_information  the scene of a position with all hands open

A scene is made from a view, so it shows nothing that its seat may not know; browser, terminal and line mode draw the
same one.  ``Game.scene`` and ``Game.parts`` are the ways in.
"""

from kibitz.engine.scene.full_information import open_scene
from kibitz.engine.scene.picking import Picking
from kibitz.engine.scene.things import (
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
