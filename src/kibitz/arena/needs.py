"""What a worker on another machine must be able to, before it is given games to play (``kibitz.executors.worker``)."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.executors.worker import Need
from kibitz.sandbox import tier
from kibitz.search.search_players import is_ready, search_players

CONFINED: Need = ("kibitz.arena.needs:why_unconfined", "")
"""To confine player files."""


def needs_of(game: Game, players: Iterable[str], *, files: bool) -> tuple[Need, ...]:
    """What is needed where built-in ``players`` play a game, and perhaps player files.

    The rules of this Kibitz; a sandbox for files; and where somebody thinks ahead, machine code if it is ready here,
    and none if it is not: search players choose by whether it is.
    """
    needs: tuple[Need, ...] = (("kibitz.arena.needs:why_other_rules", f"{game.name} {game.rules.VERSION}"),)
    if files:
        needs = (*needs, CONFINED)
    if set(players) & set(search_players(game)):
        needs = (*needs, ("kibitz.arena.needs:why_other_code", f"{game.name} {int(is_ready(game))}"))
    return needs


def why_other_rules(word: str) -> str:
    """Why this worker cannot play a game by these rules, such as ``go 3``; nothing if it can."""
    name, _, version = word.rpartition(" ")
    try:
        found = find_game(name).rules.VERSION
    except NotationError as error:
        return f"it does not know the game: {error}"
    return "" if str(found) == version else f"it has rules {found} of {name}, and these are rules {version}."


def why_other_code(word: str) -> str:
    """Why search players would choose otherwise on a worker; the word is ``go 1`` where there must be machine code."""
    name, _, ready = word.rpartition(" ")
    if is_ready(find_game(name)) == bool(int(ready)):
        return ""
    where = "there" if int(ready) else "here"
    return (
        f"search players play otherwise on it, since machine code is not ready {where}: 'kibitz warm {name}' makes it."
    )


def why_unconfined(_: str) -> str:
    """Why this worker may have no player files; nothing if its sandbox holds."""
    found = tier()
    return "" if found.rated else f"it cannot confine player files, and so may have none: {found.reason}"
