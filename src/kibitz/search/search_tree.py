"""One tree and all that its kernels write: in plain Python, or in arrays for machine code.

board       the position, the tree, what the kernels keep between two simulations and where they count
tally       by action four numbers: how often it was taken, what was earned then, its squares, and rewards
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kibitz.engine import compilation
from kibitz.engine.game import Game
from kibitz.engine.policies import modules_of, scratch_size
from kibitz.search import ismcts, node_table

SIZE = 1 << 16
"""Entries of a tree; what finds no room is played by the policy."""
PLAIN: Any = node_table


class SearchTree:
    """A tree that grows; ``state`` is its position, ``keys`` fix all that is drawn, ``how`` says how to search."""

    def __init__(
        self, game: Game, state: Any, actions: Sequence[int], keys: Sequence[int], how: Sequence[int], *, plain: bool
    ) -> None:
        self.actions, self.seats, self.done = list(actions), game.seats, 0
        self.zeros: Callable[[int], Any] = nothing if plain else zeros
        self.numbers: Callable[[Sequence[int]], Any] = list if plain else whole_numbers
        self.tree = self.zeros(node_table.FIRST + node_table.FIELDS * SIZE)
        self.path = self.zeros(ismcts.STEP * ismcts.DEEPEST + 1)
        self.begun, self.kept = self.zeros(game.seats), self.zeros(2 * game.seats)
        self.scratch = self.zeros(3 * max(scratch_size(game), game.seats))
        self.tally = self.zeros(4 * len(actions))
        self.chosen, self.keys, self.how = self.numbers(actions), self.numbers(keys), self.numbers(how)
        self.known = [0] * len(actions)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        self.kernels = plain_kernels(game) if plain else compilation.compiled(ismcts, *modules_of(game))

    def go_on(self, games: int) -> None:
        """Imagine so many games more."""
        last = self.done + games
        self.kernels.search(
            *(self.states, *self.raw, self.tree, SIZE, self.path, self.begun, self.kept, self.scratch),
            *(self.tally, self.chosen, len(self.actions), self.keys, self.how, self.done, last),
        )
        self.done = last

    def grown_from(self, other: SearchTree, played: Sequence[int], *, at_once: bool) -> None:
        """Take over the tree of an earlier position, if there is room; ``played`` is all that was done since.

        Chosen ``at_once`` it enters memories together.
        """
        if 2 * int(other.tree[node_table.USED]) > SIZE:
            return
        for p in range(self.seats):
            memory = int(other.begun[p])
            late = 0 if at_once else memory
            for action in played:
                late = PLAIN.mix(late, action + 1)
            self.begun[p] = PLAIN.mix(memory, late) if at_once else late
        self.tree = other.tree
        self.known = self.visits()

    def ends(self, action: int, games: int) -> Any:
        """What comes of an action in so many worlds, two numbers each: what is earned, and the reward."""
        ends = self.zeros(2 * games)
        board = self.states, *self.raw, self.scratch
        self.kernels.after(*board, action, ends, self.keys, self.how, 0, games)
        return ends

    def visits(self) -> list[int]:
        """By action, how often it was taken at the root; where regrets are matched, its shares."""
        seat = int(self.how[ismcts.SEAT])
        root = PLAIN.mix(int(self.begun[seat]), seat + 1)
        found = [PLAIN.entry(self.tree, PLAIN.mix(root, action + 1), SIZE) for action in self.actions]
        return [int(self.tree[at + node_table.VISITS]) if at >= 0 else 0 for at in found]


def nothing(size: int) -> list[int]:
    """So many zeros for plain Python."""
    return [0] * size


def zeros(size: int) -> Any:
    """So many zeros for machine code."""
    import numpy as np

    return np.zeros(size, np.int64)


def whole_numbers(numbers: Sequence[int]) -> Any:
    """An array of integers for machine code."""
    import numpy as np

    return np.array(numbers, np.int64)


def plain_kernels(game: Game) -> Any:
    """The kernels of a search in plain Python."""

    def copied(states: list[Any], raw: object, words: int, part: int) -> None:
        states[1] = states[0].copy()

    return compilation.plain(ismcts, *modules_of(game), copied=copied)


def plain_states(game: Game, state: Any) -> tuple[Any, Any, int, int]:
    """The position, space for a world and a generator; no memory of theirs that could be copied."""
    return [state, state, state.copy()], None, 0, 0


def fast_states(game: Game, state: Any) -> tuple[Any, Any, int, int]:
    """The position, space for a world and a generator: their memory as integers, each one's length, what is copied."""
    import numpy as np

    states = np.zeros(3, game.rules.LAYOUT.dtype)
    game.rules.LAYOUT.store(state, states, 0)
    raw = states.view(np.int64)
    return states, raw, len(raw) // 3, game.rules.LAYOUT.kept_words
