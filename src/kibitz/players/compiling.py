"""Compiles a game's missing machine code in the background while people play.

Games are compiled one after the other, each in a process of low priority that ends with this one. Players look for
machine code before each decision, so they play at full strength as soon as it is ready.
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
from kibitz.players.built_in import weaker_players_clause
from kibitz.search.search_players import compile_search, is_ready

NICE = 19
GAMES: dict[str, str] = {}
"""By rules module, the name of the game that is compiled for all games with these rules."""
WEAKER = "The strongest computer player is a little weaker until Kibitz has prepared it in the background."
PROGRAM = f"from {__name__} import main; main()"


def compile_notice(game: Game, words: Iterable[str]) -> str:
    """A sentence on players that are weaker until their machine code is compiled; empty if none are.

    The call also starts to compile, in the background, what the game's players, hints and reviews still lack.
    """
    if not is_ready(game):
        compile_later(GAMES.setdefault(game.rules.__name__, game.name))
    return weaker_notice(game, words)


def weaker_notice(game: Game, words: Iterable[str]) -> str:
    """The sentence of ``compile_notice``, without compiling anything."""
    return WEAKER if weaker_players_clause(game, words) else ""


@cache
def compile_later(name: str) -> None:
    """Queue a game to be compiled, at most once in this process."""
    compile_queue().put(name)


@cache
def compile_queue() -> SimpleQueue[str]:
    """The queue of names of games to compile; the first call starts the thread that compiles them."""
    names: SimpleQueue[str] = SimpleQueue()
    Thread(target=compile_all, args=(names,), daemon=True).start()
    return names


def compile_all(names: SimpleQueue[str]) -> None:
    """Compile one game after another, each in a process of its own."""
    creation_flags = 0
    if sys.platform == "win32":
        creation_flags = subprocess.CREATE_NEW_PROCESS_GROUP
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
                creationflags=creation_flags,
            )


def main() -> None:
    """Compile the players of one game."""
    name, parent = sys.argv[1:]
    die_with_parent(int(parent))
    if hasattr(os, "nice"):
        os.nice(NICE)
    game = find_game(name)
    compile_search(game)
    for compile_part in game.compile_more:
        compile_part()
