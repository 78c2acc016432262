"""Positions of every game for tests of environments: from random games, including their ends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import all_games

GAMES = {game.name: game for game in all_games()}
VARIED = (
    "bo:players=3",
    "president:players=8",
    "holdem:players=10",
    "draw:players=5",
    "eights:players=5",
)
"""Options that change the shape of views."""
SHORT = 60
"""Number of positions of a long game."""


def positions(game: Game, seed: int, most: int = SHORT) -> Iterator[PlainState]:
    """The positions of a random game: its first ones, and those at its end."""
    random, states = Random(f"{game.name} {seed}"), [game.deal(seed)]
    while not states[-1].over and len(states) < 20 * most:
        after = states[-1].copy()
        game.advance(after, random.choice(game.legal(after)))
        states.append(after)
    yield from states[: most // 2]
    yield from states[max(most // 2, len(states) - most // 2) :]
