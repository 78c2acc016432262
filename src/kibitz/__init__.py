"""Kibitz: card games in Python, played, judged, studied and computed with.

>>> import kibitz
>>> go = kibitz.game("go")
>>> state = go.deal(seed=3)
>>> len(go.legal(state))
10

Importing this package loads neither NumPy nor Numba; machine code is made when a batch is first played.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.engine.batch import random_games
    from kibitz.engine.registry import game, games

__version__ = "0.1.0"
__all__ = ["game", "games", "random_games"]

_HOMES = {
    "game": "kibitz.engine.registry",
    "games": "kibitz.engine.registry",
    "random_games": "kibitz.engine.batch",
}


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"kibitz has no {name!r}")
