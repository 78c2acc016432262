"""A game as a tree of immutable positions, in which every chance event is a step of its own.

    position    the state of a game, what every seat remembers, and the chance event that comes next, if any
    chance event    a deal, or the random consequences of an action; its ``outcomes`` are numbered from 0
    merged      a chance event with few paths is one step: paths that lead to the same position with the same memories
                are one outcome
    draws       the random numbers drawn so far in a chance event with many paths, such as the deal of a whole pack,
                which takes one step for each number; of a number with very many values, a range is drawn first
    memory      the events that a seat saw and its own choices, in order (decision 48); the spectator's comes last

The game's own kernels are used; only the random generator is replaced (``kibitz.engine.chance_tree``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

from kibitz.engine.chance_tree import EnumeratedGame
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as game_by_name
from kibitz.engine.views.events import SPECTATOR, Notice, encoded, to_seat

MAX_DEAL_PATHS, MAX_EVENT_PATHS = 10_000, 1_000
"""The maximum number of paths of a merged deal, and of a later merged chance event."""
MAX_PARTS = 2_000
"""The maximum number of values of a number that is decided in one step."""

Memory = tuple["bytes | int", ...]
"""A memory: the events that a seat has seen, as JSON, and its own actions, in order."""
Memories = tuple[Memory, ...]
Draws = tuple[tuple[int, int], ...]
"""The numbers drawn so far, each with the number of its values."""
Outcome = tuple[float, PlainState, Memories]


class ChanceEvent(NamedTuple):
    """A chance event: a deal (``action`` None), or the random consequences of an action.

    The next random number has ``values`` possible values, and is already known to be from ``low`` to ``high - 1``;
    ``values`` is 0 if the event is merged.
    """

    action: int | None
    draws: Draws
    low: int = 0
    high: int = 0
    values: int = 0

    @property
    def parts(self) -> list[tuple[int, int]]:
        """The alternatives of the next step: ranges of values, or single values if there are few."""
        size = -(-(self.high - self.low) // MAX_PARTS)
        return [(low, min(low + size, self.high)) for low in range(self.low, self.high, size)]


class TreePosition:
    """A position of a game. It never changes, so a copy is the same object; ``after_...`` methods return the next one.

    state       the state, before the chance event if there is one; None before the deal
    memories    by seat, what it remembers; the spectator's comes last
    chance      the chance event that comes next; None if a seat chooses or the game is over
    """

    def __init__(
        self, tree: TreeRules, state: PlainState | None, memories: Memories, chance: ChanceEvent | None = None
    ) -> None:
        self.tree, self.state, self.memories, self.chance = tree, state, memories, chance

    def __deepcopy__(self, memo: object) -> TreePosition:
        return self

    def __copy__(self) -> TreePosition:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        values = None if self.state is None else self.state.position()
        return unpickled_position, (self.tree.game.name, values, self.memories, self.chance)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and self.chance is None and bool(self.state.over)

    @property
    def player(self) -> int:
        """The seat to choose."""
        assert self.state is not None
        return int(self.state.player)

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions of the seat to move, in the kernel's order; empty at a chance event."""
        return [] if self.state is None or self.chance else self.tree.game.legal(self.state)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of a merged chance event, each with its probability."""
        assert self.chance is not None
        return self.tree.merged_outcomes(self)

    @property
    def odds(self) -> list[float]:
        """The probability of each outcome, by its number."""
        assert self.chance is not None
        if self.chance.values:
            width = self.chance.high - self.chance.low
            return [(high - low) / width for low, high in self.chance.parts]
        return [weight for weight, _, _ in self.outcomes]

    def after_action(self, action: int) -> TreePosition:
        """The position after an action of the seat to move, which must be legal."""
        return self.tree.after_chance(self.state, action, (), self.memories)

    def after_outcome(self, outcome: int) -> TreePosition:
        """The position after an outcome of chance."""
        assert self.chance is not None
        chance = self.chance
        if chance.values:
            low, high = chance.parts[outcome]
            if high - low > 1:
                return TreePosition(self.tree, self.state, self.memories, chance._replace(low=low, high=high))
            return self.tree.after_chance(
                self.state, chance.action, (*chance.draws, (low, chance.values)), self.memories
            )
        _, state, memories = self.outcomes[outcome]
        return TreePosition(self.tree, state, memories)

    def imagine(self, seat: int, seed: int) -> TreePosition:
        """A position drawn from those that ``seat`` cannot tell apart, in which it has the same memory.

        The other seats remember only what they see in this position, since a view doesn't show what they saw before.
        """
        assert self.state is not None
        game = self.tree.game
        state = game.imagine(game.view(self.state, seat), seed)
        seats = (*range(game.seats), SPECTATOR)
        memories = tuple(self.memories[p] if p in (seat, SPECTATOR) else (encoded(game.view(state, p)),) for p in seats)
        return TreePosition(self.tree, state, memories)


class TreeRules:
    """Computes the positions that follow a position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.enumerated = EnumeratedGame(game)
        self.seats = (*range(game.seats), SPECTATOR)

    @cached_property
    def start(self) -> TreePosition:
        """The position before the deal."""
        return self.after_chance(None, None, (), ((),) * len(self.seats))

    def after_chance(
        self, before: PlainState | None, action: int | None, draws: Draws, memories: Memories
    ) -> TreePosition:
        """The position after a deal (``action`` None) or an action, of whose random numbers ``draws`` are known."""
        script = self.enumerated.script
        script.path, script.depth, script.denominator = list(draws), 0, 1
        state, notices = self.carry_out(before, action)
        remaining = script.path[len(draws) :]
        while remaining and remaining[0][1] == 1:
            draws, remaining = (*draws, remaining[0]), remaining[1:]
        if not remaining:
            return TreePosition(self, state, self.memories_after(before, action, notices, memories))
        if not draws and prod(n for _, n in remaining) <= max_paths(before):
            position = TreePosition(self, before, memories, ChanceEvent(action, draws))
            if position.outcomes:
                return position.after_outcome(0) if len(position.outcomes) == 1 else position
        return TreePosition(self, before, memories, ChanceEvent(action, draws, 0, remaining[0][1], remaining[0][1]))

    def carry_out(self, before: PlainState | None, action: int | None) -> tuple[PlainState, list[Notice]]:
        """A deal or an action with scripted chance, and its notices."""
        if before is None or action is None:
            state = self.game.blank()
            self.enumerated.rules.deal(state, 0, 0, 0, 0)
            return state, self.game.opening(state)
        state = before.copy()
        return state, self.enumerated.advance(state, action)

    def memories_after(
        self, before: PlainState | None, action: int | None, notices: list[Notice], memories: Memories
    ) -> Memories:
        """All memories after a choice and its notices."""
        mover = None if before is None else before.player
        result = []
        for seat, memory in zip(self.seats, memories, strict=True):
            own_action = (action,) if seat == mover and action is not None else ()
            events = encoded(to_seat(notices, seat))
            result.append((*memory, *own_action, *((events,) if events != b"[]" else ())))
        return tuple(result)

    def merged_outcomes(self, position: TreePosition) -> list[Outcome]:
        """The outcomes of a chance event with their probabilities; outcomes that nobody can tell apart are one.

        Empty if it has more than ``max_paths`` paths, which may only show while they are followed: one card ends a
        match, another leads to a new deal.  The number is within the limit if no path is less likely than
        1 / ``max_paths``.
        """
        assert position.chance is not None
        before, action = position.state, position.chance.action
        self.enumerated.script.path = []
        weights: dict[object, Fraction] = {}
        positions: dict[object, tuple[PlainState, Memories]] = {}
        for weight, state, notices in self.paths(before, action):
            if weight.denominator > max_paths(before):
                return []
            memories = self.memories_after(before, action, notices, position.memories)
            key = self.game.infoset_states.key(state), memories
            weights[key] = weights.get(key, Fraction(0)) + weight
            positions[key] = state, memories
        return [(float(weight), *positions[key]) for key, weight in weights.items()]

    def paths(
        self, before: PlainState | None, action: int | None
    ) -> Iterable[tuple[Fraction, PlainState, list[Notice]]]:
        """Every path of a chance event, with its probability."""
        if before is not None and action is not None:
            return self.enumerated.outcomes(before, action)
        return ((weight, state, self.game.opening(state)) for weight, state in self.enumerated.deals())


def max_paths(before: PlainState | None) -> int:
    """The maximum number of paths of a merged chance event; in one with more, each random number is a step."""
    return MAX_DEAL_PATHS if before is None else MAX_EVENT_PATHS


@lru_cache(maxsize=64)
def tree_rules(name: str) -> TreeRules:
    """The tree rules of a game by name, cached."""
    return TreeRules(game_by_name(name))


def unpickled_position(name: str, values: Any, memories: Memories, chance: ChanceEvent | None) -> TreePosition:
    """A position as ``pickle`` reads it back."""
    tree = tree_rules(name)
    if values is None:
        return tree.start if chance == tree.start.chance else TreePosition(tree, None, memories, chance)
    state = tree.game.blank()
    for field, value in zip(state.layout.position_fields, values, strict=True):
        setattr(state, field, list(value) if isinstance(value, tuple) else value)
    return TreePosition(tree, state, memories, chance)
