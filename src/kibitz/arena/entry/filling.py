"""Seats that nobody takes: which built-in player fills them.

filler      a built-in player that is entered by Kibitz itself; it is ranked as itself
house       the owner of all fillers; no file is ever theirs
"""

from __future__ import annotations

from kibitz.engine.game import Game
from kibitz.players.built_in import best_known

HOUSE = "Kibitz"


def is_filler(owner: str, sha256: str) -> bool:
    """Whether a submission with this owner, and a file of this SHA-256 or none, fills seats."""
    return owner == HOUSE and not sha256


def filler_of(game: Game) -> str:
    """The built-in player that fills the seats of a game: the best."""
    return best_known(game)
