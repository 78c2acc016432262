"""``kibitz new-game``: a small game of one's own, complete, to be changed into another."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.files import folder_ready, write
from kibitz.cli.screen import BOLD, Screen
from kibitz.errors import KibitzError, NotationError, cause

KIT = {
    "pyproject.toml": "pyproject.toml.txt",
    "src/NAME/__init__.py": "init.py.txt",
    "src/NAME/rules.py": "rules.py.txt",
    "src/NAME/view.py": "view.py.txt",
    "src/NAME/contract.py": "contract.py.txt",
    "src/NAME/policies.py": "policies.py.txt",
    "src/NAME/rules.md": "rules.md.txt",
    "tests/test_NAME.py": "tests/rules.py.txt",
}
"""The files of a game, and those of the kit that they are made of: NAME and TITLE stand for the game's."""


def new_game(
    name: Annotated[str, Parameter(help="What the game is to be called, such as old_maid.")],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], help="The folder in which the game gets a folder of its own.")
    ] = Path(),
) -> None:
    """Write a small game that can be played at once, with comments that say what to change.

    It is a project of its own, outside Kibitz; docs/new-game.md makes Crazy Eights of it, step by step.
    """
    from kibitz.engine.registry import why_no_name

    if sentence := why_no_name(name):
        raise NotationError(sentence)
    home = output / name
    if os.path.lexists(home):
        raise NotationError(f"{home} exists: take another name, or another folder with -o.")
    folder_ready(home, force=False)
    for path, content in written(name).items():
        try:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KibitzError(f"{home} cannot be made: {cause(error)}.") from error
        write(home / path, content, force=False, rescue=False)
    screen, place = Screen(), home if "/" in str(home) else f"./{home}"
    screen.line(f"{home} is a game that can be played; CHANGE marks what makes it another.", BOLD)
    screen.line(f"kibitz play {place}          plays it")
    screen.line(f"kibitz check-game {place}    tells whether it keeps what every game promises")
    screen.line(f"pip install -e {place}       lets every command know it as {name}")


def written(name: str) -> dict[str, str]:
    """The files of a new game: path and content."""
    kit = files("kibitz.cli") / "kit"
    title = name.replace("_", " ").title()
    found = {}
    for path, source in KIT.items():
        content = kit.joinpath(source).read_text(encoding="utf-8")
        found[path.replace("NAME", name)] = re.sub(r"\bNAME\b", name, content).replace("TITLE", title)
    return found
