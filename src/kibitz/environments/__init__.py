"""Environments for machine learning, of every game: what they show and take, and many games stepped at once.

    Features        a position as one seat sees it, as a tensor whose every cell is documented (``kibitz.features``)
    Choices         actions as the numbers of a small space, with masks
    vector          many games at once in machine code, as a Gymnasium vector environment
    VectorGames     the same as bare arrays, without Gymnasium

All is derived from what views declare; a new game has it without a line of its own.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kibitz.environments.choices import Choices
    from kibitz.environments.features import Features
    from kibitz.environments.games import VectorGames
    from kibitz.environments.vector_env import vector

__all__ = ["Choices", "Features", "VectorGames", "vector"]

_HOMES = {
    "Choices": "choices",
    "Features": "features",
    "VectorGames": "games",
    "vector": "vector_env",
}


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"kibitz.environments.{_HOMES[name]}"), name)
    raise AttributeError(f"kibitz.environments has no {name!r}; it has {', '.join(__all__)}")
