"""Help for what is on the screen, and a table in words."""

from __future__ import annotations

from kibitz.engine.game import Game
from kibitz.engine.scene.text import drawn
from kibitz.tui.picture import Frame
from kibitz.tui.selection import Selection

KEYS = (
    ("← → ↑ ↓", "move among what can be taken; it is marked, and numbered where there is room"),
    ("Enter", "play what is taken, or take what is at the cursor"),
    ("Space", "take several, one after the other; once more puts back"),
    ("1 … 9 0", "take the choice of that number"),
    ("k h", "take a card by its letters: value, then suit (d c h s); ten is 0, t or 10"),
    (":", "write an action in the game's notation"),
    ("Esc", "put back what is taken; then the menu, where the game can be left"),
    ("q", "leave; the game is saved. Where a queen is on the table, press it twice"),
    ("h", "a hint, with its reason"),
    ("u", "take back your last choice, while it has shown you nothing new"),
    ("l", "everything that has happened"),
    ("s", "the table in words"),
    ("+ -", "let the computer players play faster or slower"),
    ("Space", "while others play: on to your turn"),
    ("mouse", "a click takes; what lights up then can be taken with it"),
)
MARKS = (
    ("‹K♠›", "can be taken"),
    ("[K♠]", "is taken"),
    ("▸", "the cursor"),
    ("+3", "so many cards below"),
    ("░×5", "so many cards face down"),
)


def help_lines(game: Game, selection: Selection | None) -> list[str]:
    """What is on the screen and which keys there are."""
    lines = []
    if selection is not None:
        lines += [selection.scene.prompt, *(f"  {part.label}" for part in list(selection.offered.values())[:12]), ""]
        if len(selection.offered) > 12:
            lines.insert(-1, f"  and {len(selection.offered) - 12} more")
    lines += [f"{key:<9} {meaning}" for key, meaning in KEYS]
    lines += ["", *(f"{mark:<9} {meaning}" for mark, meaning in MARKS)]
    if game.words.HELP:
        lines += ["", *(f"{what}  {meaning}" for what, meaning in game.words.HELP)]
    return lines


def in_words(frame: Frame) -> list[str]:
    """A table in words, as line mode draws it, and what is asked."""
    return [*drawn(frame.scene, frame.names, 76), "", frame.scene.prompt]
