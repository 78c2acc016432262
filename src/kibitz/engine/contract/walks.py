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


def sampled(game: Game, state: PlainState, first: int, step: int) -> list[int]:
    """Every ``step``-th action from ``first`` on; of amounts those at the edges of what is legal, and a few others."""
    found = list(range(first, game.amounts, step))
    if game.amounts < game.actions:
        low, high = game.rules.least(state), game.rules.most(state)
        edges = {low - 1, low, low + 1, (low + high) // 2, high - 1, high, high + 1}
        found += sorted(a for a in edges if game.amounts <= a < game.actions)
        found += range(game.amounts + first, game.actions, (game.actions - game.amounts) // 3)
    return found


def illegal(game: Game, state: PlainState, legal: list[int], first: int, step: int) -> set[int]:
    """Actions of ``sampled``, and the numbers beyond both ends, that are not legal."""
    found = {-1, game.actions, *sampled(game, state, first, step)} - set(legal)
    if game.amounts == game.actions:
        return found
    low, high = max(game.amounts, game.rules.least(state)), game.rules.most(state)
    return {action for action in found if not low <= action <= high}
