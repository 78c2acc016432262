"""How one card looks: a box of 5 × 3, or a text of its own width where there is less room.

    plain       just lies there            ``╭───╮``    `` K♠ ``
    offered     can be taken               a number in the lower line, ``‹K♠›``
    chosen      is taken                   thick lines, ``[K♠]``
    cursor      what Enter takes           reversed, ``▸K♠›``

Red cards are bold, so that colour is not the only cue, and none of the marks is a colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len

from kibitz.cards import parse, symbol
from kibitz.cards.card import JOKER, face
from kibitz.engine.scene import Spot
from kibitz.tui.canvas import Canvas, shortened

BACK = "░░░"
STYLES = ("diamond", "club", "heart", "spade")
BOX_WIDTH = 5
NO_NUMBER = 99
"""The number of what is taken by no digit."""


@dataclass(frozen=True)
class Marks:
    """What can be done with the things of a scene, by their keys.

    offered     what can be taken, each with its number
    chosen      what has been taken
    cursor      what the next key goes to
    advised     what a hint is made of
    """

    offered: Mapping[str, int] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    cursor: str | None = None
    advised: frozenset[str] = frozenset()

    def style(self, key: str) -> str:
        """The words of a style that say what can be done with something."""
        words = ["cursor"] if key == self.cursor else []
        words += ["chosen"] if key in self.chosen else ["offered"] if key in self.offered else []
        words += ["advised"] if key in self.advised else []
        return " ".join(words)

    def number(self, key: str) -> str:
        """The digit that takes it; 0 is the tenth, and what is further has none."""
        number = self.offered.get(key, NO_NUMBER)
        return str(number % 10) if number <= 10 else ""


def name_of(spot: Spot) -> str:
    """What stands on a card: ``K♠``, ``10♥``; what lies face down is shaded."""
    return symbol(parse(spot.card)) if spot.card else BACK


def colour_of(spot: Spot) -> str:
    """The style of its suit."""
    if not spot.card:
        return "dim"
    card = face(parse(spot.card))
    if card >= JOKER:
        return "joker"
    return STYLES[card & 3]


def box(spot: Spot, marks: Marks) -> Canvas:
    """A card as a box."""
    canvas = Canvas()
    style, colour = marks.style(spot.key), colour_of(spot)
    thick = spot.key in marks.chosen
    corners, line, side = ("┏┓┗┛", "━", "┃") if thick else ("╭╮╰╯", "─", "│")
    number = marks.number(spot.key)
    foot = number.center(3, line) if number else line * 3
    if spot.key == marks.cursor:
        foot = f"▸{number or line}{line}"
    canvas.put(0, 0, corners[0] + line * 3 + corners[1], style)
    canvas.put(0, 1, side, style)
    canvas.put(1, 1, name_of(spot).ljust(3), f"{colour} {'cursor' if spot.key == marks.cursor else ''}".strip())
    canvas.put(4, 1, side, style)
    canvas.put(0, 2, corners[2] + foot + corners[3], style)
    canvas.mark(spot.key, 0, 0, BOX_WIDTH, 3)
    if spot.note:
        canvas.put(0, 3, shortened(spot.note, max(BOX_WIDTH, 12)), "dim")
    return canvas


def chip(spot: Spot, marks: Marks) -> Canvas:
    """A card as a text."""
    return labelled(spot.key, name_of(spot), colour_of(spot), marks, spot.note)


def labelled(key: str, text: str, colour: str, marks: Marks, note: str = "") -> Canvas:
    """Something that can be taken, as a text between marks."""
    left, right = " ", " "
    if key in marks.offered:
        left, right = "‹", "›"
    if key in marks.chosen:
        left, right = "[", "]"
    if key == marks.cursor:
        left = "▸"
    canvas, style = Canvas(), marks.style(key)
    canvas.put(0, 0, left, style)
    end = canvas.put(1, 0, text, f"{colour} {style}".strip())
    end = canvas.put(end, 0, right, style)
    canvas.mark(key, 0, 0, cell_len(text) + 2)
    if note:
        canvas.put(end, 0, f"({note})", "dim")
    return canvas
