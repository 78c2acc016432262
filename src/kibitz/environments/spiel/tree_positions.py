"""A game as a tree that is walked: immutable positions, with every chance event as a step of its own.

    position    where a game stands, what every seat remembers, and the throw of chance that comes next, if any
    throw       chance about to decide a deal, or what follows an action; it has ``ways`` that are numbered from 0
    merged      a throw with few paths is one step: ways that lead to the same position with the same memories are one
    answers     a throw with many paths, such as the deal of a whole pack, is gone number by number: what has been
                thrown so far; of a number with very many values first a part of them is thrown, then one of that part
    memory      what a seat was told and chose, in order (decision 48); the spectator's comes last

The game's own kernels are played, with nothing changed but the generator (``kibitz.engine.chance_tree``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

from kibitz.engine.chance_tree import Enumerated
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as game_by_name
from kibitz.engine.views.events import SPECTATOR, Notice, encoded, to_seat

DEALS, THROWS = 10_000, 1_000
"""A deal, or a later chance event, with more paths than this is walked number by number."""
PARTS = 2_000
"""The most values of a number that is decided in one step."""

Memory = tuple["bytes | int", ...]
"""A memory: the events that a seat has been told, as JSON, and its own actions, in order."""
Memories = tuple[Memory, ...]
Answers = tuple[tuple[int, int], ...]
"""The numbers drawn so far, each with the number of its values."""
Way = tuple[float, PlainState, Memories]


class Throw(NamedTuple):
    """Chance about to decide: a deal (``action`` None), or what follows an action.

    The next number thrown is of the values ``low`` to ``high - 1``, of ``values`` in all; ``values`` is 0 where all
    paths are taken in one step.
    """

    action: int | None
    answers: Answers
    low: int = 0
    high: int = 0
    values: int = 0

    @property
    def parts(self) -> list[tuple[int, int]]:
        """The alternatives of the next step: ranges of values, or single values if there are few."""
        size = -(-(self.high - self.low) // PARTS)
        return [(low, min(low + size, self.high)) for low in range(self.low, self.high, size)]


class Position:
    """A position of a game. It never changes, so copies are the same object; ``after`` gives the next one.

    state       the state, or that before the throw of chance; None before the deal
    memories    by seat what it remembers, the spectator's last
    throw       what chance decides next; None if a seat chooses or the game is over
    """

    def __init__(self, walk: Walk, state: PlainState | None, memories: Memories, throw: Throw | None = None) -> None:
        self.walk, self.state, self.memories, self.throw = walk, state, memories, throw

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __copy__(self) -> Position:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        values = None if self.state is None else self.state.position()
        return restored, (self.walk.game.name, values, self.memories, self.throw)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and self.throw is None and bool(self.state.over)

    @property
    def player(self) -> int:
        """The seat to choose."""
        assert self.state is not None
        return int(self.state.player)

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions of the seat to move, in the kernel's order; empty at a chance event."""
        return [] if self.state is None or self.throw else self.walk.game.legal(self.state)

    @cached_property
    def ways(self) -> list[Way]:
        """The outcomes of a merged chance event, each with its probability."""
        assert self.throw is not None
        return self.walk.merged(self)

    @property
    def odds(self) -> list[float]:
        """The probability of each outcome, by its number."""
        assert self.throw is not None
        if self.throw.values:
            width = self.throw.high - self.throw.low
            return [(high - low) / width for low, high in self.throw.parts]
        return [weight for weight, _, _ in self.ways]

    def chosen(self, action: int) -> Position:
        """The position after an action of the seat to move, which must be legal."""
        return self.walk.thrown(self.state, action, (), self.memories)

    def fallen(self, way: int) -> Position:
        """The position after an outcome of chance."""
        assert self.throw is not None
        throw = self.throw
        if throw.values:
            low, high = throw.parts[way]
            if high - low > 1:
                return Position(self.walk, self.state, self.memories, throw._replace(low=low, high=high))
            return self.walk.thrown(self.state, throw.action, (*throw.answers, (low, throw.values)), self.memories)
        _, state, memories = self.ways[way]
        return Position(self.walk, state, memories)

    def imagined(self, seat: int, seed: int) -> Position:
        """A position drawn from all that ``seat`` cannot tell apart: it remembers the same.

        What the others remember is what they see in it; no more can be known from a view.
        """
        assert self.state is not None
        game = self.walk.game
        world = game.imagine(game.view(self.state, seat), seed)
        seats = (*range(game.seats), SPECTATOR)
        memories = tuple(self.memories[p] if p in (seat, SPECTATOR) else (encoded(game.view(world, p)),) for p in seats)
        return Position(self.walk, world, memories)


class Walk:
    """The rules by which one position of a game follows another."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.enumerated = Enumerated(game)
        self.seats = (*range(game.seats), SPECTATOR)

    @cached_property
    def start(self) -> Position:
        """The position before the deal."""
        return self.thrown(None, None, (), ((),) * len(self.seats))

    def thrown(self, before: PlainState | None, action: int | None, answers: Answers, memories: Memories) -> Position:
        """What follows a deal (``action`` None) or an action, after some answers of chance."""
        script = self.enumerated.script
        script.path, script.depth, script.denominator = list(answers), 0, 1
        state, notices = self.carried_out(before, action)
        left = script.path[len(answers) :]
        while left and left[0][1] == 1:
            answers, left = (*answers, left[0]), left[1:]
        if not left:
            return Position(self, state, self.remembered(before, action, notices, memories))
        if not answers and prod(n for _, n in left) <= most_paths(before):
            found = Position(self, before, memories, Throw(action, answers))
            if found.ways:
                return found.fallen(0) if len(found.ways) == 1 else found
        return Position(self, before, memories, Throw(action, answers, 0, left[0][1], left[0][1]))

    def carried_out(self, before: PlainState | None, action: int | None) -> tuple[PlainState, list[Notice]]:
        """A deal or an action with scripted chance, and its notices."""
        if before is None or action is None:
            state = self.game.blank()
            self.enumerated.rules.deal(state, 0, 0, 0, 0)
            return state, self.game.opening(state)
        state = before.copy()
        return state, self.enumerated.advance(state, action)

    def remembered(
        self, before: PlainState | None, action: int | None, notices: list[Notice], memories: Memories
    ) -> Memories:
        """All memories after a choice and its notices."""
        mover = None if before is None else before.player
        found = []
        for seat, memory in zip(self.seats, memories, strict=True):
            own = (action,) if seat == mover and action is not None else ()
            told = encoded(to_seat(notices, seat))
            found.append((*memory, *own, *((told,) if told != b"[]" else ())))
        return tuple(found)

    def merged(self, position: Position) -> list[Way]:
        """The outcomes of a chance event with their probabilities; outcomes that nobody can tell apart are one.

        None if it has too many paths, which may show late: one card ends a match, another makes a pack be dealt. As
        long as no path is less likely than one in ``most_paths``, there are no more of them than that.
        """
        assert position.throw is not None
        before, action = position.state, position.throw.action
        self.enumerated.script.path = []
        weights: dict[object, Fraction] = {}
        kept: dict[object, tuple[PlainState, Memories]] = {}
        for weight, state, notices in self.outcomes(before, action):
            if weight.denominator > most_paths(before):
                return []
            memories = self.remembered(before, action, notices, position.memories)
            key = self.game.infoset_states.key(state), memories
            weights[key] = weights.get(key, Fraction(0)) + weight
            kept[key] = state, memories
        return [(float(weight), *kept[key]) for key, weight in weights.items()]

    def outcomes(
        self, before: PlainState | None, action: int | None
    ) -> Iterable[tuple[Fraction, PlainState, list[Notice]]]:
        """Every path of a chance event, with its probability."""
        if before is not None and action is not None:
            return self.enumerated.outcomes(before, action)
        return ((weight, state, self.game.opening(state)) for weight, state in self.enumerated.deals())


def most_paths(before: PlainState | None) -> int:
    """A chance event with more paths is walked number by number."""
    return DEALS if before is None else THROWS


@lru_cache(maxsize=64)
def walk_of(name: str) -> Walk:
    """The walk of a game by name, made once."""
    return Walk(game_by_name(name))


def restored(name: str, values: Any, memories: Memories, throw: Throw | None) -> Position:
    """A position as ``pickle`` reads it back."""
    walk = walk_of(name)
    if values is None:
        return walk.start if throw == walk.start.throw else Position(walk, None, memories, throw)
    state = walk.game.blank()
    for field, value in zip(state.layout.position_fields, values, strict=True):
        setattr(state, field, list(value) if isinstance(value, tuple) else value)
    return Position(walk, state, memories, throw)
