"""Compiles what a game's players lack in the background, while people play.

There is one process of low priority, for one game after another; it ends with this one.  Players look for machine code
before each decision, so they play at full strength once it is there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from subprocess import DEVNULL
from threading import Thread

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.executors.worker import die_with_parent
from kibitz.players.built_in import until_compiled
from kibitz.search.search_players import is_ready, warm

NICE = 19
GAMES: dict[str, str] = {}
"""By module of rules, the game that is compiled for all games with these rules."""
PROGRAM = f"from {__name__} import main; main()"


def compile_notice(game: Game, words: Iterable[str]) -> str:
    """A sentence on players that are weaker until their machine code is compiled; empty if none are.

    What players, hints and reviews of the game lack is compiled meanwhile.
    """
    if not is_ready(game):
        compile_later(GAMES.setdefault(game.rules.__name__, game.name))
    why_weaker = until_compiled(game, words)
    return f"{why_weaker}, which is happening in the background." if why_weaker else ""


@cache
def compile_later(name: str) -> None:
    """Have a game compiled after those that are waiting, once in this process."""
    waiting().put(name)


@cache
def waiting() -> SimpleQueue[str]:
    """The names of the games that wait for the compiler."""
    names: SimpleQueue[str] = SimpleQueue()
    Thread(target=compile_all, args=(names,), daemon=True).start()
    return names


def compile_all(names: SimpleQueue[str]) -> None:
    """Compile one game after another, each in a process of its own."""
    apart = 0
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
    while True:
        command = [sys.executable, "-P", "-c", PROGRAM, names.get(), str(os.getpid())]
        with suppress(OSError):
            subprocess.run(
                command,
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                check=False,
                process_group=0,
                creationflags=apart,
            )


def main() -> None:
    """Compile the players of one game."""
    name, parent = sys.argv[1:]
    die_with_parent(int(parent))
    if hasattr(os, "nice"):
        os.nice(NICE)
    game = find_game(name)
    warm(game)
    for make in game.warm:
        make()
