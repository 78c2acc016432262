"""Where OpenSpiel differs from the rules, or shows what is hidden: ``python -m benchmarks.peers.open_spiel_rules``.

    fold        limit hold'em with all bets: random legal play ends in an error, since a fold is offered without a bet
    layoff      gin rummy: while cards are laid off, the knocker's observation as data contains the other hand, but not
                the observation as text
    search      its searches in C++ end the process if the game is written in Python

Each is tried in a separate process, since some end it.  docs/comparison.md has the results, and
``open_spiel_cribbage`` checks cribbage.  Needs ``open_spiel``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from typing import Any

GAMES = 400
SEED = 1


def chance(state: Any, random: Random) -> int:
    """An outcome of chance by its odds."""
    outcomes = state.chance_outcomes()
    return int(random.choices([action for action, _ in outcomes], [odds for _, odds in outcomes])[0])


def fold() -> None:
    """Play limit hold'em at random, and print how far that came."""
    import pyspiel

    game = pyspiel.load_game(pyspiel.hulh_game_string("fullgame"))
    random = Random(SEED)
    for number in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = [] if state.is_chance_node() else state.legal_actions()
            action = random.choice(legal) if legal else chance(state, random)
            action_text = "" if state.is_chance_node() else state.action_to_string(action)
            print(f"fold: game {number + 1}, {action_text}", file=sys.stderr, flush=True)
            state.apply_action(action)
    print(f"fold: all of {GAMES} random games of limit hold'em came to their end")


def layoff() -> None:
    """Count the positions of laying off in which the knocker is shown the other hand."""
    import pyspiel

    game, random = pyspiel.load_game("gin_rummy"), Random(SEED)
    n_positions = n_shown = 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            action = chance(state, random) if state.is_chance_node() else random.choice(state.legal_actions())
            state.apply_action(action)
            if not state.is_terminal() and not state.is_chance_node() and "Phase: Layoff" in str(state):
                n_positions += 1
                n_shown += other_hand_is_shown(state)
    print(f"layoff: in {n_shown} of {n_positions} positions the knocker's observation has the other hand in it")


def other_hand_is_shown(state: Any) -> bool:
    """Whether the knocker's data has the hand of the seat that lays off, which the observation as text hides."""
    player = state.current_player()
    shown_hand = state.to_observation_struct(1 - player).to_dict()["hands"][player]
    text = state.observation_string(1 - player)
    return bool(shown_hand) and f"Player{player}: Deadwood" not in text


def search() -> None:
    """Let a search in C++ make one move of a game that is written in Python."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker  # noqa: F401 - registers it

    game = pyspiel.load_game("python_kuhn_poker")
    random = Random(SEED)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance(state, random))
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 10, 1, True, SEED, False)
    print(f"search: it chose {bot.step(state)}")


TRIED: dict[str, Callable[[], None]] = {"fold": fold, "layoff": layoff, "search": search}


def main(words: list[str]) -> None:
    """Try all, each in a process of its own, or the one that is named, in this one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.open_spiel_rules", description=main.__doc__)
    parser.add_argument("name", choices=TRIED, nargs="?")
    named = parser.parse_args(words).name
    if find_spec("pyspiel") is None:
        print("open_spiel is not installed: pip install open_spiel")
    elif named:
        TRIED[named]()
    else:
        for name in TRIED:
            tried(name)


def tried(name: str) -> None:
    """Try one in its own process, and print its result or how the process ended."""
    command = [sys.executable, "-m", "benchmarks.peers.open_spiel_rules", name]
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode == 0:
        print(finished.stdout.strip(), flush=True)
        return
    progress = [line for line in finished.stderr.splitlines() if line.startswith(f"{name}: ")]
    ending = f"by signal {-finished.returncode}" if finished.returncode < 0 else f"with status {finished.returncode}"
    print(f"{progress[-1] if progress else name}: the process ended {ending}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
