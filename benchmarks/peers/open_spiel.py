"""OpenSpiel's most similar games (C++), played by its own random or searching bots, if ``open_spiel`` is installed.

Kibitz does not need it: ``pip install open_spiel`` into the environment adds these figures.
"""

from __future__ import annotations

from importlib.util import find_spec

from benchmarks.harness import Probe, cpu_rate

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

    return cpu_rate(play)


def searches(name: str, simulations: int = 500) -> Probe | None:
    """A probe: simulations a second of OpenSpiel's ISMCTS at the first decision of ``name``, random rollouts."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 7), 1.0, simulations)

    def think() -> int:
        bot.step(state)
        return simulations

    return cpu_rate(think)
