"""Renders a position of any environment as lines of text or as a picture.

    lines       the table as one seat sees it, drawn as in line mode (``kibitz.engine.scene.text``), with the question,
                or whose turn it is
    picture     the same lines as pixels, shape (height, width, 3), uint8

Everything is made from a view, so it shows nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.scene.text import table_lines
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import View
from kibitz.environments.conventions import require_packages
from kibitz.errors import NotationError

if TYPE_CHECKING:
    import numpy as np
    from PIL import ImageDraw, ImageFont

MODES = ("human", "ansi", "rgb_array")
WIDTH, HEIGHT, MARGIN = 80, 24, 12
FONT_SIZE = 16
LIGHT, DARK, RED = (250, 249, 246), (34, 34, 34), (176, 24, 32)
SUITS = "♠♥♦♣"


def check_render_mode(mode: str | None) -> str | None:
    """The render mode, or None. Raises NotationError if it isn't one of ``MODES``."""
    if mode is not None and mode not in MODES:
        raise NotationError(f"render_mode must be one of {', '.join(MODES)}, or None, not {short_repr(mode)}.")
    return mode


def default_names(game: Game) -> list[str]:
    """The default names of the seats."""
    return [f"Seat {seat}" for seat in range(game.seats)]


def lines_of(game: Game, view: View, names: Sequence[str] = ()) -> list[str]:
    """The table as a seat sees it, and the question."""
    seat_names = list(names) or default_names(game)
    scene = game.scene(view, seat_names)
    return [*table_lines(scene, names_for(view.seat, seat_names), WIDTH), scene.prompt]


def text_of(game: Game, view: View, names: Sequence[str] = ()) -> str:
    """The lines of ``lines_of`` as one text."""
    return "\n".join(lines_of(game, view, names))


def picture_of(lines: Sequence[str]) -> np.ndarray[Any, Any]:
    """Lines as pixels: a picture of WIDTH by HEIGHT letters, higher if there are more lines."""
    with require_packages("render_mode='rgb_array'"):
        from PIL import Image, ImageDraw
    import numpy as np

    font, letter_width, line_height = font_metrics()
    size = 2 * MARGIN + WIDTH * letter_width, 2 * MARGIN + max(HEIGHT, len(lines)) * line_height
    image = Image.new("RGB", size, LIGHT)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line[:WIDTH]):
            x, y = MARGIN + column * letter_width, MARGIN + row * line_height
            if letter in SUITS:
                draw_suit(draw, letter, x, y + line_height / 5, letter_width)
            elif letter != " ":
                draw.text((x + letter_width / 2, y), letter, DARK, font, anchor="ma")
    return np.asarray(image, np.uint8).copy()


@lru_cache(maxsize=1)
def font_metrics() -> tuple[ImageFont.FreeTypeFont | ImageFont.ImageFont, int, int]:
    """The font that comes with Pillow, and the width and height in pixels that every letter gets."""
    from PIL import ImageFont

    font = ImageFont.load_default(FONT_SIZE)
    letter_width = max(font.getbbox(letter)[2] for letter in "MW@")
    return font, int(letter_width), int(1.5 * FONT_SIZE)


def draw_suit(draw: ImageDraw.ImageDraw, letter: str, x: float, y: float, size: float) -> None:
    """Draw a suit's symbol in a square with this upper left corner, since the font lacks it."""
    half, third = size / 2, size / 3
    colour = RED if letter in "♥♦" else DARK

    def discs(*corners: tuple[float, float]) -> None:
        for left, top in corners:
            draw.ellipse((x + left, y + top, x + left + half, y + top + half), fill=colour)

    def polygon(*corners: tuple[float, float]) -> None:
        draw.polygon([(x + across, y + down) for across, down in corners], fill=colour)

    if letter == "♦":
        polygon((half, 0), (size, half), (half, size), (0, half))
        return
    if letter == "♥":
        discs((0, 0), (half, 0))
        polygon((0, third), (size, third), (half, size))
        return
    if letter == "♠":
        discs((0, third), (half, third))
        polygon((0, half), (size, half), (half, 0))
    else:
        discs((size / 4, 0), (0, third), (half, third))
    polygon((half, third), (2 * third, size), (third, size))


def rendered(game: Game, view: View, mode: str) -> np.ndarray[Any, Any] | str | None:
    """A view in a render mode; ``human`` prints it."""
    if mode == "rgb_array":
        return picture_of(lines_of(game, view))
    text = text_of(game, view)
    if mode == "ansi":
        return text
    print(text)
    return None
