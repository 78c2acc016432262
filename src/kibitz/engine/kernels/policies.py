"""Strategies as kernels: the same source for a single decision, a million games, and the games that a search imagines.

    policy      a strategy that is a kernel; ``POLICIES`` in a game's ``policies.py`` lists them, each with one line
                on how it plays; a policy's number is its index there
    choose      ``choose(s, policy, rng, scratch)``: the action of the seat to move; it changes only ``rng`` and
                ``scratch``, and is the same in all positions that the seat can't tell apart
    rng         a generator for random choices, one for each seat and game, so that a player's draws never change the
                cards to come; it is a whole state of the game, but only its generator is used
    scratch     working space: a list of integers with arbitrary content; its length is ``game.max_legal`` or, if that
                is larger, ``SCRATCH`` of ``policies.py``

A policy can also play from a view: the view is completed to a position, with the hidden cards in arbitrary places, and
the policy doesn't look at them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from types import ModuleType
from typing import Any

from kibitz.cards.chance import rekey
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import hooks
from kibitz.engine.layout import CHANCE, Layout, PlainState
from kibitz.engine.views.events import View


class ThreadScratch(threading.local):
    """One thread's scratch, by size; its old contents don't matter."""

    def __init__(self) -> None:
        self.by_size: dict[int, list[int]] = {}

    def array(self, size: int) -> list[int]:
        """Scratch of ``size`` numbers."""
        if size not in self.by_size:
            self.by_size[size] = [0] * size
        return self.by_size[size]


thread_scratch = ThreadScratch()


@dataclass(frozen=True)
class Policy:
    """A policy as one of a game's strategies: called with a view, as all strategies are, and bound to a game."""

    name: str
    game: Any = field(default=None, compare=False, repr=False)
    rng: PlainState | None = field(default=None, compare=False, repr=False)

    def bind(self, game: Game) -> Policy:
        """The policy of a game with its options. Raises TypeError if ``policies.py`` doesn't have it."""
        if self.name not in policies(game):
            raise TypeError(f"{game.name} has no policy {self.name!r}: see POLICIES in its policies.py.")
        return replace(self, game=game)

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def line(self) -> str:
        """The style of play, in one line."""
        return policies(self.game)[self.name]

    @property
    def number(self) -> int:
        """Its number, as kernels take it."""
        return list(policies(self.game)).index(self.name)

    def __call__(self, view: View, legal: list[int], random: Random) -> int:
        """The policy's choice; it draws from its own generator if it has one, else from one keyed by ``random``."""
        return self.choose(view, self.rng or seeded_rng(self.game, random.getrandbits(128)))

    def with_seed(self, seed: int) -> Policy:
        """The same policy with a generator of its own, keyed by ``seed``, for all its choices."""
        return replace(self, rng=seeded_rng(self.game, seed))

    def choose(self, view: View, rng: PlainState) -> int:
        """The policy's choice, with a generator to draw from."""
        state = self.game.blank()
        self.game.restore(state, view)
        return choose_action(self.game, state, self.number, rng)


def policies(game: Game) -> dict[str, str]:
    """The names of a game's policies, in the order of their numbers, with a line for each."""
    return dict(getattr(game.policies, "POLICIES", {}))


def hook_modules(game: Game) -> tuple[ModuleType, ...]:
    """The modules that implement the hooks of a generic kernel: the game's rules, and its policies if it has any."""
    return (game.rules, game.policies) if game.policies else (game.rules,)


def observe_action_of(game: Game) -> Callable[[PlainState, int, int], int]:
    """The kernel ``observe_action`` of a game, or the hook's default: what a seat sees of an action to be taken."""
    implementation = next((module for module in hook_modules(game) if hasattr(module, "observe_action")), hooks)
    observe_action: Callable[[PlainState, int, int], int] = implementation.observe_action
    return observe_action


def choose_action(
    game: Game, state: PlainState, policy_number: int, rng: PlainState, scratch: list[int] | None = None
) -> int:
    """A policy's action for the seat to move, in plain Python; the default scratch is this thread's."""
    kernels: Any = game.policies
    return int(
        kernels.choose(
            state, policy_number, rng, thread_scratch.array(scratch_size(game)) if scratch is None else scratch
        )
    )


def scratch_size(game: Game) -> int:
    """How many integers of scratch the policies of a game need."""
    return max(game.max_legal, int(getattr(game.policies, "SCRATCH", 0)))


def seeded_rng(game: Game, seed: int) -> PlainState:
    """A generator for one seat's policy, keyed by ``seed``."""
    rng: PlainState = game.rules.LAYOUT.plain()
    rekey(rng, *seed_words(seed))
    return rng


# A random generator for kernels without a game's state, such as a solver's.


RNG_LAYOUT = Layout("Sampler", *CHANCE)


def standalone_rng(seed: int) -> Any:
    """The record of a generator, for machine code; ``seed`` determines all its draws."""
    import numpy as np

    plain, random = RNG_LAYOUT.plain(), Random(seed)
    rekey(plain, *(random.getrandbits(32) for _ in range(4)))
    record = np.zeros(1, RNG_LAYOUT.dtype)
    RNG_LAYOUT.store(plain, record, 0)
    return record[0]
