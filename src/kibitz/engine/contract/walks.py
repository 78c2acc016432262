"""Positions met in random play, for the checks to look at."""

from collections.abc import Iterator
from random import Random

from kibitz.engine.events import SPECTATOR, Notice
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState

MOST_ACTIONS = 100_000


class Broken(AssertionError):
    """A promise of the contract does not hold."""


def demand(holds: object, sentence: str) -> None:
    """Raise Broken with ``sentence`` unless ``holds``."""
    if not holds:
        raise Broken(sentence)


def observers(game: Game) -> list[int]:
    """Every seat, and the spectator."""
    return [SPECTATOR, *range(game.seats)]


def walk(game: Game, seed: int) -> Iterator[tuple[PlainState, list[int], int]]:
    """A random game: every position before an action, with its legal actions and the one that follows.

    The state given is the walk's own: look at it, or at a copy, before asking for the next.
    """
    random = Random(seed)
    state = game.deal(seed)
    for _ in range(MOST_ACTIONS):
        if state.over:
            return
        legal = game.legal(state)
        demand(legal, f"{game.name}: no action is legal, yet the game is not over (seed {seed})")
        action = random.choice(legal)
        yield state, legal, action
        game.advance(state, action)
    raise Broken(f"{game.name}: the game does not end (seed {seed})")


def told(game: Game, seed: int) -> Iterator[tuple[PlainState, list[Notice]]]:
    """A random game: the position after the deal and after every action, each with its notices."""
    random = Random(seed)
    state = game.deal(seed)
    yield state, game.opening(state)
    while not state.over:
        yield state, game.advance(state, random.choice(game.legal(state)))
