"""The whole tree of a small game in flat arrays, made from its kernels alone.

    node        a position with its history, or a chance node; nodes are numbered from the root, 0
    seat        by node, who chooses there; CHANCE, or END if the game is over
    first       by node, its first child; its ``count`` children are consecutive, and come after it
    probability by node, its probability among the outcomes of its parent, a chance node; 1 for other nodes
    payoff      by node and seat, the value of an END, in a row of ``seats`` numbers per node
    set         an information set: all nodes that the seat to choose can't tell apart, with its ``choices``
    infoset     by node, the information set of the seat that chooses there, -1 elsewhere
    start       by set, the index of its first choice among all choices; the last entry is the number of all choices
    level       by set, how many times its seat has chosen before

Seats have perfect recall: information sets come from all events and choices, not from views alone, since a view may
leave out earlier events.

Payoffs are in chips in games for chips (``Game.by_score``); elsewhere a win counts 1, shared by the winners.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.engine.chance_tree import EnumeratedGame
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game_of
from kibitz.engine.views.events import Notice, encoded, to_seat
from kibitz.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

CHANCE, END = -1, -2
MAX_NODES = 250_000
"""The default limit: a tree of this size takes a minute, and some 300 MB."""
MAX_OUTCOMES = 50_000
"""The maximum number of outcomes of a deal or another chance event."""
NODES_PER_REPORT = 2048
"""The number of nodes between two reports of progress."""


class TooLarge(NotationError):
    """A game's tree has more nodes than the caller allows."""


class InformationSet(NamedTuple):
    """The view of a seat that is to choose, and its choices."""

    seat: int
    view: Any
    legal: tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """A game's tree; the module's docstring says what the arrays hold."""

    game: Game
    sets: tuple[InformationSet, ...]
    seat: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    count: np.ndarray[Any, Any]
    infoset: np.ndarray[Any, Any]
    probability: np.ndarray[Any, Any]
    payoff: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]
    level: np.ndarray[Any, Any]

    @property
    def nodes(self) -> int:
        """The number of nodes, including chance nodes and ends."""
        return len(self.seat)

    @property
    def choices(self) -> int:
        """The number of choices of all information sets."""
        return int(self.start[-1])

    @property
    def arrays(self) -> tuple[np.ndarray[Any, Any], ...]:
        """The arrays in the order of the kernels' parameters."""
        return self.seat, self.first, self.count, self.infoset, self.probability, self.payoff, self.start


Outcomes = list[tuple[float, PlainState, tuple[int, ...]]]
"""The outcomes of a chance event: probability, position, and memory by seat."""


class MemoryNumbers:
    """Numbers for what seats remember: equal numbers mean equal events and choices.

    ``levels`` has the number of choices in each memory.
    """

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.levels = [0]

    def after(self, memory: int, events: bytes, own_action: int | None) -> int:
        """The memory after its seat has seen some events and chosen ``own_action`` (None: another seat chose)."""
        if own_action is None and events == b"[]":
            return memory
        key = memory, events, own_action
        if key not in self.numbers:
            self.numbers[key] = len(self.levels)
            self.levels.append(self.levels[memory] + (own_action is not None))
        return self.numbers[key]


class TreeBuilder:
    """A tree while it grows."""

    def __init__(self, game: Game, max_nodes: int) -> None:
        self.game, self.max_nodes = game, max_nodes
        self.enumerated = EnumeratedGame(game)
        self.memories = MemoryNumbers()
        self.sets: list[InformationSet] = []
        self.numbers: dict[tuple[int, int], int] = {}
        self.levels: list[int] = []
        self.seat: list[int] = []
        self.first: list[int] = []
        self.count: list[int] = []
        self.infoset: list[int] = []
        self.probability: list[float] = []
        self.payoff: list[float] = []
        self.queue: deque[tuple[int, Outcomes]] = deque()

    def add(self, probability: float, outcomes: Outcomes) -> None:
        """Add a node with its probability; it becomes a chance node if it has several outcomes."""
        self.probability.append(probability)
        self.queue.append((len(self.seat), outcomes))
        for column in (self.seat, self.first, self.count):
            column.append(0)
        self.infoset.append(-1)
        self.payoff += [0.0] * self.game.seats

    def add_root(self) -> None:
        """Add the root: the deal."""
        self.add(1.0, self.deals())

    def deals(self) -> Outcomes:
        """The outcomes of the deal."""
        deals = ((weight, state, self.game.opening(state)) for weight, state in self.enumerated.deals())
        return self.merged(deals, (0,) * self.game.seats, None, 0)

    def after(self, state: PlainState, memories: tuple[int, ...], action: int) -> Outcomes:
        """The outcomes of an action."""
        return self.merged(self.enumerated.outcomes(state, action), memories, state.player, action)

    def merged(
        self, outcomes: Iterable[tuple[Fraction, PlainState, list[Notice]]], before: tuple[int, ...], mover: int | None,
        action: int,
    ) -> Outcomes:  # fmt: skip
        """The outcomes, with those merged that lead to the same position with the same memories."""
        weights: dict[object, Fraction] = {}
        positions: dict[object, tuple[PlainState, tuple[int, ...]]] = {}
        for number, (weight, state, notices) in enumerate(outcomes):
            if number >= min(self.max_nodes, MAX_OUTCOMES):
                raise self.too_large(f"a chance node has more than {number:,} outcomes")
            after = tuple(
                self.memories.after(
                    memory, encoded(to_seat(notices, seat)), action if seat == mover else None
                )
                for seat, memory in enumerate(before)
            )  # fmt: skip
            key = self.game.infoset_states.key(state), after
            weights[key] = weights.get(key, Fraction(0)) + weight
            positions[key] = state, after
        return [(float(weight), *positions[key]) for key, weight in weights.items()]

    def grow(self) -> None:
        """Complete the next node of the queue, and add its children."""
        node, outcomes = self.queue.popleft()
        self.first[node] = len(self.seat)
        if len(outcomes) > 1:
            self.seat[node], self.count[node] = CHANCE, len(outcomes)
            for probability, state, memories in outcomes:
                self.add(probability, [(1.0, state, memories)])
            return
        ((_, state, memories),) = outcomes
        if state.over:
            self.seat[node] = END
            self.write_payoffs(node, state)
            return
        mover, legal = state.player, self.game.legal(state)
        self.seat[node], self.count[node] = mover, len(legal)
        self.infoset[node] = self.set_of(state, memories[mover], legal)
        for action in legal:
            self.add(1.0, self.after(state, memories, action))

    def write_payoffs(self, node: int, state: PlainState) -> None:
        """Write the worth of an END to each seat."""
        seats = self.game.seats
        self.payoff[node * seats : (node + 1) * seats] = terminal_values(self.game, state)

    def set_of(self, state: PlainState, memory: int, legal: list[int]) -> int:
        """The index of the mover's information set in ``sets``, where a new one is added."""
        mover = state.player
        if (mover, memory) not in self.numbers:
            self.numbers[mover, memory] = len(self.sets)
            self.sets.append(InformationSet(mover, self.game.view(state, mover), tuple(legal)))
            self.levels.append(self.memories.levels[memory])
        return self.numbers[mover, memory]

    def grow_all(self, progress: Callable[[int], object] | None = None) -> None:
        """Build everything below the nodes so far. Raises TooLarge if there are more than ``max_nodes``."""
        grown = 0
        while self.queue:
            self.grow()
            grown += 1
            if len(self.seat) > self.max_nodes:
                raise self.too_large(f"its tree has more than {self.max_nodes:,} nodes")
            if progress and grown % NODES_PER_REPORT == 0:
                progress(grown)

    def too_large(self, why: str) -> TooLarge:
        """The error for a tree that is too large."""
        suggestion = "try a smaller variant, smaller options or more nodes"
        return TooLarge(f"{self.game.name} is too large to be solved exactly: {why}; {suggestion}.")

    def tree(self) -> Tree:
        """The finished tree."""
        import numpy as np

        start = np.cumsum([0, *(len(infoset.legal) for infoset in self.sets)], dtype=np.int64)
        seat, first, count, infoset, level = (
            np.array(column, np.int64) for column in (self.seat, self.first, self.count, self.infoset, self.levels)
        )
        probability, payoff = np.array(self.probability), np.array(self.payoff)
        return Tree(self.game, tuple(self.sets), seat, first, count, infoset, probability, payoff, start, level)


def terminal_values(game: Game, state: PlainState) -> list[float]:
    """The worth of a game's end, by seat."""
    if game.by_score:
        return list(game.returns(state))
    winners = game.result(state, frozenset()).winners
    return [(seat in winners) / max(1, len(winners)) for seat in range(game.seats)]


def tree_of(game: Game | str, max_nodes: int = MAX_NODES, progress: Callable[[int], object] | None = None) -> Tree:
    """The tree of ``game``. Raises TooLarge if it has more than ``max_nodes`` nodes.

    ``progress`` is called now and then with the number of nodes.
    """
    builder = TreeBuilder(game_of(game), max_nodes)
    builder.add_root()
    builder.grow_all(progress)
    return builder.tree()
