"""Games one after the other at one table: after each a rematch, the story of what was played, another game, or home.

rematch     the same players, each one seat further on, so that somebody else deals
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kibitz.cli.dialogue import held
from kibitz.cli.keyboard import Quit
from kibitz.cli.menus import pick_game
from kibitz.cli.saved_table import Leaving, sit_down
from kibitz.cli.screen import BOLD, Screen
from kibitz.cli.show import tell_story
from kibitz.engine.events import SPECTATOR
from kibitz.engine.game import SEED_LIMIT, fresh_seed
from kibitz.engine.record import Record
from kibitz.players.setup import SetUp, setting_up
from kibitz.table import Table
from kibitz.table.rematch import moved_on

NEXT = {
    "r": "a rematch, in which everybody moves on by one seat",
    "l": "everything that has happened in this game, as an onlooker saw it",
    "m": "the menu, for another game",
    "q": "leave; Enter will do",
}
"""Letters, for numbers are what people type in the game: whoever types one too many begins nothing."""


def play_games(
    screen: Screen,
    done: SetUp,
    leaving: Leaving,
    seed: int | None,
    *,
    trusted: bool = False,
    output: Path | None = None,
    force: bool = False,
) -> None:
    """Play what was set up, and whatever the people at the keyboard then want; ``output`` is for the first record.

    The games after a first one with a ``seed`` have the seeds that follow it.
    """
    while True:
        table = Table.deal(done.game, fresh_seed() if seed is None else seed, [chair.name for chair in done.chairs])
        words = [chair.words for chair in done.chairs]
        record = sit_down(screen, table, words, leaving, trusted=trusted, output=output, force=force)
        seed, output = None if seed is None else (seed + 1) % SEED_LIMIT, None
        following = after(screen, done, record)
        if following is None:
            return
        done = following


def after(screen: Screen, done: SetUp, record: Record) -> SetUp | None:
    """What is played after a game; None if everybody leaves."""
    try:
        while True:
            screen.line()
            screen.line("What next?", BOLD)
            for letter, words in NEXT.items():
                screen.line(f"{letter}  {words}")
            match asked(screen):
                case "r":
                    return rematch(done)
                case "l":
                    tell_story(screen, record, SPECTATOR)
                case "m":
                    return held(setting_up(pick_game(screen)), screen)
                case _:
                    return None
    except (EOFError, KeyboardInterrupt, Quit):
        return None


def asked(screen: Screen) -> str:
    """The letter of what comes next."""
    while True:
        typed = screen.ask().lower()
        if typed in ("", "n", "no", "quit", "exit"):
            return "q"
        if typed in NEXT:
            return typed
        screen.line("The game is over: type r, l, m or q, or press Enter to leave.")


def rematch(done: SetUp) -> SetUp:
    """The same game, with every player one seat further on."""
    return replace(done, chairs=moved_on(done.chairs))
