"""Kibitz: card games in Python, played, judged, studied and computed with.

>>> import kibitz
>>> go = kibitz.game("go")
>>> state = go.deal(seed=3)
>>> len(go.legal(state))
10

Importing this package loads neither NumPy nor Numba; machine code is made when a batch is first played.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kibitz.engine.batch import random_games
    from kibitz.engine.registry import all_games, game

__version__ = "0.1.0"
__all__ = ["all_games", "game", "random_games"]

_HOMES = {"all_games": "engine.registry", "game": "engine.registry", "random_games": "engine.batch"}


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"kibitz.{_HOMES[name]}"), name)
    raise AttributeError(f"kibitz has no {name!r}")
