"""Letters alone, for terminals that know no other characters.

Whatever is drawn, by us or by Textual, goes through ``Letters``, so no screen has to think of it.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

ASCII = str.maketrans(
    "♦♣♥♠╭╮╰╯┏┓┗┛─━│┃·…–—▸×±░▌▐▍▋▉▊▎▏▕▁▂▃▄▅▆▇█▀▔╸╺‹›•←→↑↓⏎’◆○●",
    "DCHS++++++++--||.~-->x~#[][[[[[[]_..--==#----<>*<>^v/'*o*",
)
"""One letter for each character, so that nothing moves."""


class Letters(LineFilter):
    """Writes every line with letters; characters of names and of what is typed stay where none is known."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in letters."""
        return [Segment(text.translate(ASCII), style, control) for text, style, control in segments]
