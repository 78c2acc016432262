"""The names of Kibitz's environments in Gymnasium and PettingZoo.

    gymnasium.make("kibitz/go-mini-v1", players="greedy")
    gymnasium.make_vec("kibitz/go-mini-v1", num_envs=512)
    pettingzoo.make("aec", "kibitz/go-mini-v1")

The number after ``-v`` is the version of the game's rules.
"""

from __future__ import annotations

from importlib.util import find_spec

from kibitz.engine.game import Game
from kibitz.engine.registry import all_games
from kibitz.environments.conventions import require_packages


def name_of(game: Game) -> str:
    """The name of a game's environments.

    >>> from kibitz.engine.registry import game
    >>> name_of(game("go-mini"))
    'kibitz/go-mini-v1'
    """
    return f"kibitz/{game.name}-v{game.rules.VERSION}"


def register() -> list[str]:
    """Register every game and mini variant with ``gymnasium.make`` and ``pettingzoo.make``; return the names."""
    with require_packages("register()"):
        import gymnasium
        import pettingzoo

    names = []
    for game in all_games():
        name, arguments = name_of(game), {"game": game.name}
        names.append(name)
        if name not in gymnasium.registry:
            vector_entry_point = "kibitz.environments.vector_env:indexed"
            gymnasium.register(
                name, "kibitz.environments:single", kwargs=arguments, vector_entry_point=vector_entry_point
            )
        if find_spec(f"{pettingzoo.__name__}.env_registry"):  # since PettingZoo 1.27
            register_with_pettingzoo(name, arguments, has_simultaneous_choices=hasattr(game.rules, "simultaneous"))
    return names


def register_with_pettingzoo(name: str, arguments: dict[str, str], *, has_simultaneous_choices: bool) -> None:
    """Register one game with ``pettingzoo.make``, as a parallel environment too if it has simultaneous choices."""
    from pettingzoo.env_registry import registration

    registries = {"aec": registration.aec_registry}
    if has_simultaneous_choices:
        registries["parallel"] = registration.parallel_registry
    for kind, registered in registries.items():
        if name not in registered:
            registration.register(kind, name, f"kibitz.environments:{kind}", kwargs=arguments)
