"""Every game as an environment for machine learning: one game, or many stepped at once.

    Features        a position as one seat sees it, as a tensor whose every cell is documented (``kibitz.features``)
    Choices         actions as numbers from 0 to n - 1, with masks of the legal ones
    Stepping        one game stepped from Python, with hardly any overhead
    aec, raw        a game as a PettingZoo environment, in which the seats act in turn
    parallel        the same for games in which seats choose simultaneously
    single          one seat against players of your choice, as a Gymnasium environment
    text            a game in words, for language models
    vector          many games at once in machine code, as a Gymnasium vector environment
    VectorGames     the same as plain arrays, without Gymnasium
    register        registers all games with ``gymnasium.make`` and ``pettingzoo.make``
    spiel           OpenSpiel's games (``kibitz.environments.spiel``)

Everything follows from a game's declarations, so a new game needs no code here.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kibitz.environments import spiel
    from kibitz.environments.aec_env import aec, raw
    from kibitz.environments.conventions import Choices
    from kibitz.environments.gym_env import single
    from kibitz.environments.parallel_env import parallel
    from kibitz.environments.registration import register
    from kibitz.environments.stepping import Stepping
    from kibitz.environments.text_env import text
    from kibitz.environments.vector_env import vector
    from kibitz.environments.vector_games import VectorGames
    from kibitz.tensors.features import Features

__all__ = [
    "Choices",
    "Features",
    "Stepping",
    "VectorGames",
    "aec",
    "parallel",
    "raw",
    "register",
    "single",
    "spiel",
    "text",
    "vector",
]

_MODULES = {
    "Choices": "kibitz.environments.conventions",
    "Features": "kibitz.tensors.features",
    "Stepping": "kibitz.environments.stepping",
    "VectorGames": "kibitz.environments.vector_games",
    "aec": "kibitz.environments.aec_env",
    "parallel": "kibitz.environments.parallel_env",
    "raw": "kibitz.environments.aec_env",
    "register": "kibitz.environments.registration",
    "single": "kibitz.environments.gym_env",
    "text": "kibitz.environments.text_env",
    "vector": "kibitz.environments.vector_env",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use; ImportError says what to install if a package is missing."""
    from importlib import import_module

    from kibitz.environments.conventions import require_packages

    if name == "spiel":
        return import_module("kibitz.environments.spiel")
    if name in _MODULES:
        with require_packages(name):
            return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"kibitz.environments has no {name!r}; it has {', '.join(__all__)}")
