"""``kibitz rules``: the rules of a game, as they are decided here."""

from __future__ import annotations

import re
import sys

from kibitz.cli.options import GameName
from kibitz.cli.screen import Screen, put, warn
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game


def rules(game: GameName, /) -> None:
    """Read the rules of a game."""
    found = find_game(game)
    show_rules(found, Screen())
    base = found.name.partition("-")[0].partition(":")[0]
    if assigned(found):
        told = f"'kibitz form {base}' shows the functions of its assignment, with examples and a file to begin with."
        warn(f"\n{told}")  # the rules alone may be wanted in a file


def assigned(game: Game) -> bool:
    """Whether an assignment defines functions for the game."""
    from kibitz.engine.form import package_of, published

    return published(package_of(game.rules)) is not None


def show_rules(game: Game, screen: Screen) -> None:
    """The rules, laid out on a terminal and as Markdown elsewhere."""
    if screen.plain or not sys.stdout.isatty():
        put(screen.lettered(game.rules_text.strip()))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(screen.width, 100)
    text = screen.lettered(game.rules_text)
    if width < 60:
        text = listed_tables(text)
    Console(width=width, no_color=not screen.colour).print(Markdown(text))


def listed_tables(text: str) -> str:
    """Markdown with each row of a table as a point of a list, for narrow screens."""
    lines = text.splitlines()
    shown = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch(r"\|[-| :]+\|", line) or re.fullmatch(r"\|[-| :]+\|", following):
            continue
        if line.startswith("|"):
            first, *others = (cell.strip() for cell in line.strip("|").split("|"))
            line = f"* **{first}**: {'; '.join(others)}"
        shown.append(line)
    return "\n".join(shown) + "\n"
