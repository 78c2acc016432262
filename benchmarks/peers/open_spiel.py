"""The nearest games of OpenSpiel (C++), played at random by its own bots: there if ``open_spiel`` is installed.

Kibitz does not need it: ``pip install open_spiel`` into the environment adds these figures.
"""

from __future__ import annotations

from importlib.util import find_spec

from benchmarks.harness import Probe, rate

MISSING = "Without a peer, since open_spiel is not installed."


def random_games(name: str) -> Probe | None:
    """A probe: games a second of OpenSpiel's game ``name``, or None where it is not installed."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in range(game.num_players())]
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 1

    return rate(play)
