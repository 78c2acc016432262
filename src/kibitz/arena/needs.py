"""What a worker on another machine must be able to, before it is given games to play (``kibitz.places.work``)."""

from __future__ import annotations

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.places.work import Need
from kibitz.sandbox import tier

CONFINED: Need = ("kibitz.arena.needs:why_unconfined", "")
"""To confine player files."""


def rules_needed(game: Game) -> Need:
    """To play a game by the rules of this Kibitz."""
    return "kibitz.arena.needs:why_other_rules", f"{game.name} {game.rules.VERSION}"


def why_other_rules(word: str) -> str:
    """Why this worker cannot play a game by these rules, such as ``go 3``; nothing if it can."""
    name, _, version = word.rpartition(" ")
    try:
        found = find_game(name).rules.VERSION
    except NotationError as error:
        return f"it does not know the game: {error}"
    return "" if str(found) == version else f"it has rules {found} of {name}, and these are rules {version}."


def why_unconfined(_: str) -> str:
    """Why this worker may have no player files; nothing if its sandbox holds."""
    found = tier()
    return "" if found.rated else f"it cannot confine player files, and so may have none: {found.reason}"
