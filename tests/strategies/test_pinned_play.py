"""Computer players change only on purpose, because the figures in the docs were measured with them.

The files in ``pinned`` hold, for every game and named player, the first choices that it makes in games against
itself.  Where one no longer holds, the player is another: measure it again (``python -m benchmarks strength``,
``kibitz ladder``), delete the file, and ``python -m tests.strategies.test_pinned_play`` writes those that are not
there.
"""

from pathlib import Path
from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.players.built_in import reproducible_players
from tests.tiers import further

PINNED = Path(__file__).parent / "pinned"
MOST = 80
SEEDS = range(2**70, 2**70 + MOST)
FEWER = {"huxxy": 25, "huxxy-bonus": 25}
"""Fewer choices for games where a choice takes long."""
SIZES = {"holdem:players=2": "all of its sums are about two"}
"""Forms of games pinned besides the registered ones, with the reason."""


def forms():
    """Every registered game, and the additional forms."""
    from kibitz.engine.registry import game

    return {one.name: one for one in (*all_games(), *map(game, SIZES))}


def chosen(game, strategy) -> str:
    """The first choices of a strategy in all seats, in the game's notation, a line per game."""
    lines, choices, most = [], 0, FEWER.get(game.name, MOST)
    for seed in SEEDS:
        state, random, words = game.deal(seed), Random(seed), []
        while not state.over and choices < most:
            legal = game.legal(state)
            action = legal[0]
            if len(legal) > 1:
                view = game.view(state, state.player)
                action = strategy(view, legal, random)
                words.append(game.text(view, action).replace(" ", "_"))
                choices += 1
            game.advance(state, action)
        lines.append(f"  {seed - SEEDS[0]}: {' '.join(words)}")
        if choices == most:
            break
    return "\n".join(lines) + "\n"


def path(name: str, player: str) -> Path:
    """The file with the choices of a player."""
    return PINNED / f"{name.replace(':', ' ')} {player}.txt"


PAIRS = [(name, player) for name, one in forms().items() for player in reproducible_players(one)]


@pytest.mark.parametrize(
    ("name", "player"), [pytest.param(name, player, marks=further(name)) for name, player in PAIRS]
)
def test_player_repeats_its_pinned_choices(name, player):
    game = forms()[name]
    assert chosen(game, reproducible_players(game)[player]) == path(name, player).read_text(encoding="utf-8")


def test_no_pinned_file_is_left_of_a_removed_player():
    assert {one.name for one in PINNED.iterdir()} == {path(*pair).name for pair in PAIRS}


if __name__ == "__main__":
    PINNED.mkdir(exist_ok=True)
    for name, player in PAIRS:
        if not path(name, player).exists():
            one = forms()[name]
            path(name, player).write_text(chosen(one, reproducible_players(one)[player]), encoding="utf-8")
