"""What a computer player does is changed on purpose or not at all: the figures in the docs were measured of it.

The files in ``pinned`` hold, for every game and named player, the first choices that it makes in games against
itself.  Where one no longer holds, the player is another: measure it again (``python -m benchmarks strength``,
``kibitz ladder``), delete the file, and ``python -m tests.strategies.test_pinned_play`` writes those that are not
there.
"""

from pathlib import Path
from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.players.built_in import everywhere_alike
from tests.tiers import further

PINNED = Path(__file__).parent / "pinned"
MOST = 80
SEEDS = range(2**70, 2**70 + MOST)
FEWER = {"huxxy": 25, "huxxy-bonus": 25}
"""Where a choice costs much, so many are enough."""
SIZES = {"holdem:players=2": "all of its sums are about two"}
"""Forms that are pinned besides every registered one: why."""


def forms():
    """Every game as it is registered, and as some player wants it."""
    from kibitz.engine.registry import game

    return {one.name: one for one in (*all_games(), *map(game, SIZES))}


def chosen(game, strategy) -> str:
    """The first choices of a strategy that has all seats, in the game's notation, game after game."""
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
    """Where the choices of a player are kept."""
    return PINNED / f"{name.replace(':', ' ')} {player}.txt"


PAIRS = [(name, player) for name, one in forms().items() for player in everywhere_alike(one)]


@pytest.mark.parametrize(
    ("name", "player"), [pytest.param(name, player, marks=further(name)) for name, player in PAIRS]
)
def test_a_player_does_what_it_did(name, player):
    game = forms()[name]
    assert chosen(game, everywhere_alike(game)[player]) == path(name, player).read_text(encoding="utf-8")


def test_nothing_is_pinned_of_players_that_are_gone():
    assert {one.name for one in PINNED.iterdir()} == {path(*pair).name for pair in PAIRS}


if __name__ == "__main__":
    PINNED.mkdir(exist_ok=True)
    for name, player in PAIRS:
        if not path(name, player).exists():
            one = forms()[name]
            path(name, player).write_text(chosen(one, everywhere_alike(one)[player]), encoding="utf-8")
