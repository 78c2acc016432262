"""Draws the screens of ``docs/terminal.md``: games from fixed seeds, keys that are pressed, what is then on the screen.

    python docs/terminal.py          play and regenerate the page's screens

The screens stand between ``<!-- name -->`` and the end of the block that follows; everything else is written by hand.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from textual.pilot import Pilot

from kibitz.engine.record import read_any
from kibitz.engine.registry import game
from kibitz.players.opponents import seat_players
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.tui.application import KibitzApp, Route, replay_route, table_route
from kibitz.tui.local_table import LocalGame, LocalTable
from kibitz.tui.replay import ReplayScreen

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "terminal.md"
SCREEN = re.compile(r"<!-- ([\w-]+) -->\n```\n.*?```", re.DOTALL)
NAMES = ("Guest", "Ada", "Ben", "Chloe", "Dan", "Eve")
REPLAY = DOCS / "examples" / "president_a_person_and_four.game"


def dealt(name: str, seed: int, people: int = 1, moves: int = 0) -> Route:
    """The way to a table of a game that is dealt, with people and computer players who play at random.

    ``moves`` moves have already been made, at random as well.
    """
    played = game(name)
    words = [*[None] * people, *["random"] * (played.seats - people)]
    where = seat_players(words, lambda named: [find_player(played, word) for word in named])
    table, rng = Table.deal(played, seed, NAMES[: played.seats]), Random(seed)
    for _ in range(moves):
        table.act_only(table.player, rng.choice(table.legal(table.player)))
    return table_route(LocalGame(table, where))


SCREENS: dict[str, tuple[Route, Sequence[str], tuple[int, int]]] = {
    "go": (dealt("go", 3), ("right",), (80, 24)),
    "bo": (dealt("bo", 3), ("enter",), (80, 24)),
    "cribbage": (dealt("cribbage", 3), ("space", "right", "space"), (80, 24)),
    "holdem": (dealt("holdem:players=2", 5), (), (80, 24)),
    "joker": (dealt("huxxy-bonus", 2), ("right",), (80, 24)),
    "president": (dealt("president:players=5", 0, moves=31), ("right",), (80, 24)),
    "covered": (dealt("president:players=5", 0, people=3), (), (80, 24)),
    "asking": (dealt("president:players=5,upper_names=2", 0, moves=228), (), (80, 24)),
    "eights": (dealt("eights", 3, moves=9), (), (80, 24)),
    "draw": (dealt("draw", 0, moves=15), ("right", "space", "right", "space"), (80, 24)),
    "leduc": (dealt("leduc", 0, moves=4), (), (80, 24)),
    "narrow": (dealt("bo", 3), (), (40, 24)),
    "replay": (replay_route(read_any(REPLAY), None), ("n", "left", "left", "left"), (80, 24)),
}
"""By name: where one is, what is pressed there, columns and lines."""


async def drawn(route: Route, keys: Sequence[str], size: tuple[int, int]) -> str:
    """What is on the screen after some keys."""
    app = KibitzApp(route)
    app.pace = 0.0
    async with app.run_test(size=size) as pilot:
        screen = await there(pilot)
        if keys:
            await pilot.press(*keys)
        await pilot.pause()
        screen.board.redraw()
        return "\n".join(line.rstrip() for line in screen.board.canvas.text.splitlines())


async def there(pilot: Pilot[Any]) -> Any:
    """The table, once somebody is asked or has to press Enter, or the replay."""
    while True:
        screen = pilot.app.screen
        if isinstance(screen, ReplayScreen) or (
            isinstance(screen, LocalTable) and (screen.selection or screen.enter_pressed)
        ):
            await pilot.pause()
            return screen
        await pilot.pause(0.01)


def screens() -> dict[str, str]:
    """All screens by name; the games are saved nowhere that lasts."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("XDG_DATA_HOME")
        os.environ["XDG_DATA_HOME"] = folder
        try:
            return {name: asyncio.run(drawn(*said)) for name, said in SCREENS.items()}
        finally:
            os.environ.pop("XDG_DATA_HOME")
            if before is not None:
                os.environ["XDG_DATA_HOME"] = before


def page(text: str, found: dict[str, str]) -> str:
    """The page with these screens in it."""
    return SCREEN.sub(lambda match: f"<!-- {match[1]} -->\n```\n{found[match[1]]}\n```", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), screens()), encoding="utf-8")
